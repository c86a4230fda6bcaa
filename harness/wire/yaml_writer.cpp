#include "harness/wire/yaml_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <optional>

#include "base/utf8.h"
#include "base/visible.h"
#include "harness/wire/json.h"

namespace assay::wire {
namespace {

/// A line of flow style is no longer than this.
constexpr std::size_t width = 120;
/// YAML promises a reader that a key without its question mark ends within 1,024 characters.
constexpr std::size_t longest_simple_key = 1'000;

bool is_letter(char character) {
  return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z');
}

/// Text that no schema of YAML 1.2 reads as something else, in flow style too.
bool is_plain(std::string_view text) {
  constexpr std::array<std::string_view, 9> taken = {"null", "Null",  "NULL",  "true", "True",
                                                     "TRUE", "false", "False", "FALSE"};
  constexpr std::string_view punctuation = "_-./";
  if (text.empty() || text.size() > width) return false;
  if (!is_letter(text.front()) && text.front() != '_' && text.front() != '/') return false;
  if (text.back() == ' ') return false;
  const bool harmless = std::all_of(text.begin(), text.end(), [punctuation](char character) {
    return is_letter(character) || (character >= '0' && character <= '9') || character == ' ' ||
           punctuation.find(character) != std::string_view::npos;
  });
  return harmless && std::find(taken.begin(), taken.end(), text) == taken.end();
}

/// Words that other readers, of YAML 1.1, take for booleans: as values they are quoted for those.
bool is_old_boolean(std::string_view text) {
  constexpr std::array<std::string_view, 6> words = {"y", "n", "yes", "no", "on", "off"};
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char character) {
    return character >= 'A' && character <= 'Z' ? static_cast<char>(character + ('a' - 'A'))
                                                : character;
  });
  return std::find(words.begin(), words.end(), lower) != words.end();
}

std::string escape(char32_t value) {
  switch (value) {
    case U'\n':
      return "\\n";
    case U'\r':
      return "\\r";
    case U'\t':
      return "\\t";
    default:
      return value <= 0xFF ? fmt::format("\\x{:02X}", static_cast<unsigned>(value))
                           : fmt::format("\\u{:04X}", static_cast<unsigned>(value));
  }
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (std::size_t offset = 0; offset < text.size();) {
    const std::optional<CodePoint> point = code_point_at(text, offset);
    if (!point) {
      out += "\xEF\xBF\xBD";
      ++offset;
      continue;
    }
    if (is_invisible(point->value)) {
      out += escape(point->value);
    } else {
      if (point->value == U'"' || point->value == U'\\') out += '\\';
      out.append(text, offset, point->length);
    }
    offset += point->length;
  }
  return out + '"';
}

std::string key_text(const YamlNode& key) {
  const std::string& text = key.scalar.as_string();
  return is_plain(text) ? text : quoted(text);
}

std::string scalar_text(const Value& scalar) {
  if (!scalar.is_string()) return to_json(scalar);
  const std::string& text = scalar.as_string();
  return is_plain(text) && !is_old_boolean(text) ? text : quoted(text);
}

bool is_empty(const YamlNode& node) {
  return node.kind == YamlNode::Kind::scalar || (node.items.empty() && node.members.empty());
}

/// Keys that need a question mark are written in flow style only, where that is one form less.
bool has_long_key(const YamlNode& node) {
  return std::any_of(node.members.begin(), node.members.end(), [](const auto& member) {
    return member.key.scalar.as_string().size() > longest_simple_key / 8;
  });
}

/// Writes a node on one line, and gives up where it would be longer than the room that there is.
class FlowWriter {
 public:
  explicit FlowWriter(std::size_t room) : room_(room) {}

  [[nodiscard]] std::optional<std::string> write(const YamlNode& node) {
    add(node);
    if (out_.size() > room_) return std::nullopt;
    return std::move(out_);
  }

 private:
  void add(const YamlNode& node) {
    if (out_.size() > room_) return;
    if (!node.tag.empty()) out_ += fmt::format("!{} ", node.tag);
    switch (node.kind) {
      case YamlNode::Kind::scalar:
        add_scalar(node.scalar);
        break;
      case YamlNode::Kind::list:
        add_all(node.items, '[', ']', [this](const YamlNode& item) { add(item); });
        break;
      case YamlNode::Kind::map:
        add_all(node.members, '{', '}', [this](const auto& member) {
          const std::string key = key_text(member.key);
          const bool simple = key.size() <= longest_simple_key;
          out_ += simple ? key + ": " : "? " + key + " : ";
          add(member.value);
        });
        break;
    }
  }

  void add_scalar(const Value& scalar) {
    const bool too_long = scalar.is_string() && scalar.as_string().size() > room_;
    out_ += too_long ? std::string(room_, ' ') + "too long" : scalar_text(scalar);
  }

  template <typename Parts, typename Add>
  void add_all(const Parts& parts, char open, char close, const Add& add_part) {
    out_ += open;
    bool first = true;
    for (const auto& part : parts) {
      if (!first) out_ += ", ";
      first = false;
      add_part(part);
      if (out_.size() > room_) return;
    }
    out_ += close;
  }

  std::size_t room_;
  std::string out_;
};

std::optional<std::string> flow(const YamlNode& node, std::size_t room) {
  return FlowWriter(room).write(node);
}

class BlockWriter {
 public:
  [[nodiscard]] std::string write(const YamlNode& root) {
    if (root.kind == YamlNode::Kind::map && !is_empty(root) && !has_long_key(root)) {
      if (!root.tag.empty()) out_ += fmt::format("!{}\n", root.tag);
      add_members(root, 0, Place::root);
    } else {
      add_inline(root);
    }
    return std::move(out_);
  }

 private:
  enum class Place { root, root_list, inside };

  void indent(std::size_t depth) { out_.append(depth * 2, ' '); }

  /// The rest of the line, however long.
  void add_inline(const YamlNode& node) {
    constexpr std::size_t unbounded = std::numeric_limits<std::size_t>::max() / 2;
    out_ += *flow(node, unbounded) + "\n";
  }

  [[nodiscard]] std::size_t column() const {
    const std::size_t line = out_.rfind('\n');
    return line == std::string::npos ? out_.size() : out_.size() - line - 1;
  }

  /// After "key:" or "-": the value on this line, or below at `depth`.
  void add_value(const YamlNode& node, std::size_t depth, Place place) {
    const bool steps = place == Place::root_list;
    const std::size_t used = column() + 1;
    const std::optional<std::string> line =
        steps ? std::nullopt : flow(node, width > used ? width - used : 0);
    if (line) {
      out_ += " " + *line + "\n";
    } else if (is_empty(node) || has_long_key(node)) {
      out_ += ' ';
      add_inline(node);
    } else {
      out_ += node.tag.empty() ? "\n" : fmt::format(" !{}\n", node.tag);
      if (node.kind == YamlNode::Kind::map) {
        add_members(node, depth, Place::inside);
      } else {
        add_items(node, depth, steps);
      }
    }
  }

  void add_members(const YamlNode& map, std::size_t depth, Place place) {
    for (const auto& [key, value] : map.members) {
      if (column() == 0) indent(depth);
      out_ += key_text(key) + ":";
      const bool mappings = !value.items.empty() && value.items.front().kind == YamlNode::Kind::map;
      add_value(value, depth + 1,
                place == Place::root && mappings ? Place::root_list : Place::inside);
    }
  }

  void add_items(const YamlNode& list, std::size_t depth, bool steps) {
    for (const YamlNode& item : list.items) {
      if (column() == 0) indent(depth);
      out_ += '-';
      const bool map = item.kind == YamlNode::Kind::map && !is_empty(item) && item.tag.empty() &&
                       !has_long_key(item);
      const bool nested = item.kind == YamlNode::Kind::list && !is_empty(item) && item.tag.empty();
      const std::size_t used = column() + 1;
      const std::size_t room = width > used ? width - used : 0;
      if (map && (steps || item.members.size() == 1 || !flow(item, room))) {
        out_ += ' ';
        add_members(item, depth + 1, Place::inside);
      } else if (nested && !flow(item, room)) {
        out_ += ' ';
        add_items(item, depth + 1, false);
      } else {
        add_value(item, depth + 1, Place::inside);
      }
    }
  }

  std::string out_;
};

}  // namespace

std::string write_yaml(const YamlNode& root) { return BlockWriter().write(root); }

std::string yaml_comment(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    out += line.empty() ? "#\n" : fmt::format("# {}\n", visible(line, line.size()));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return out;
}

}  // namespace assay::wire
