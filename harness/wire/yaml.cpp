#include "harness/wire/yaml.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>

#include "base/utf8.h"
#include "base/visible.h"
#include "harness/wire/json.h"
#include "harness/wire/line_column.h"

namespace assay::wire {
namespace {

/// What is wrong with a document, on its way out of the parser's callbacks; never leaves this file.
class YamlFault : public std::runtime_error {
 public:
  YamlFault(const YAML::Mark& mark, const std::string& message)
      : std::runtime_error(message), line_(mark.line + 1), column_(mark.column + 1) {}

  [[nodiscard]] int line() const { return line_; }
  [[nodiscard]] int column() const { return column_; }

 private:
  int line_;
  int column_;
};

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  for (const std::string_view word : words) {
    if (text == word) return true;
  }
  return false;
}

bool all_in(std::string_view text, std::string_view characters) {
  return !text.empty() && text.find_first_not_of(characters) == std::string_view::npos;
}

constexpr std::string_view decimal_digits = "0123456789";

std::string_view without_sign(std::string_view text) {
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  return text;
}

/// [-+]? [0-9]+, 0o[0-7]+ or 0x[0-9a-fA-F]+ of the core schema.
bool is_integer_text(std::string_view text) {
  if (text.starts_with("0o")) return all_in(text.substr(2), "01234567");
  if (text.starts_with("0x")) return all_in(text.substr(2), "0123456789abcdefABCDEF");
  return all_in(without_sign(text), decimal_digits);
}

/// [-+]? ( . [0-9]+ | [0-9]+ ( . [0-9]* )? ) ( [eE] [-+]? [0-9]+ )? of the core schema.
bool is_float_text(std::string_view text) {
  text = without_sign(text);
  const std::size_t exponent = text.find_first_of("eE");
  if (exponent != std::string_view::npos) {
    if (!all_in(without_sign(text.substr(exponent + 1)), decimal_digits)) return false;
    text = text.substr(0, exponent);
  }
  const std::size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  const std::string_view fraction =
      point == std::string_view::npos ? std::string_view() : text.substr(point + 1);
  const auto digits = [](std::string_view part) {
    return part.empty() || all_in(part, decimal_digits);
  };
  return digits(whole) && digits(fraction) && !(whole.empty() && fraction.empty());
}

template <typename Number>
std::optional<Number> whole_number(std::string_view text, int base) {
  Number number{};
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (fault != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<Value> integer_value(std::string_view text) {
  int base = 10;
  if (text.starts_with("0o")) base = 8;
  if (text.starts_with("0x")) base = 16;
  if (base != 10) text.remove_prefix(2);
  if (text.starts_with('+')) text.remove_prefix(1);
  if (text.starts_with('-')) {
    const std::optional<std::int64_t> number = whole_number<std::int64_t>(text, base);
    return number ? std::optional<Value>(*number) : std::nullopt;
  }
  const std::optional<std::uint64_t> number = whole_number<std::uint64_t>(text, base);
  return number ? std::optional<Value>(*number) : std::nullopt;
}

Value plain_value(const YAML::Mark& mark, const std::string& text) {
  if (is_one_of(text, {"", "~", "null", "Null", "NULL"})) return nullptr;
  if (is_one_of(text, {"true", "True", "TRUE"})) return true;
  if (is_one_of(text, {"false", "False", "FALSE"})) return false;
  if (is_integer_text(text)) {
    if (std::optional<Value> integer = integer_value(text)) return *std::move(integer);
    throw YamlFault(mark, fmt::format("the integer {} does not fit 64 bits; quote it to have text",
                                      visible(text, 60)));
  }
  if (is_float_text(text)) {
    const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
    double number = 0;
    if (std::from_chars(begin, text.data() + text.size(), number).ec == std::errc()) return number;
    throw YamlFault(mark, fmt::format("the number {} is out of range", visible(text, 60)));
  }
  if (is_one_of(without_sign(text), {".inf", ".Inf", ".INF"}) ||
      is_one_of(text, {".nan", ".NaN", ".NAN"})) {
    throw YamlFault(mark, fmt::format("{} has no JSON form; quote it to have text", text));
  }
  return text;
}

/// Builds the tree from the parser's events. Depth and size are bounded here, so that the parser,
/// which calls itself for every level, is stopped before it goes deeper.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(std::string_view text, const YamlLimits& limits) : text_(text), limits_(limits) {}

  [[nodiscard]] std::optional<YamlNode> take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& /*mark*/) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add(mark, node_at(mark, YamlNode::Kind::scalar), anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchored_.find(anchor);
    if (found == anchored_.end()) throw YamlFault(mark, "an alias to a node that is not yet whole");
    count(mark, found->second.size);
    YamlNode copy = found->second;
    copy.line = mark.line + 1;
    copy.column = mark.column + 1;
    place(mark, std::move(copy));
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    YamlNode node = node_at(mark, YamlNode::Kind::scalar);
    const bool is_string = tag == "!" || tag == "tag:yaml.org,2002:str";
    if (!is_string) node.tag = local_tag(mark, tag);
    const bool quoted = !node.tag.empty() && is_quoted(mark);
    node.scalar = is_string || quoted ? Value(text) : plain_value(mark, text);
    add(mark, std::move(node), anchor);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    open(mark, YamlNode::Kind::list, tag, anchor);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    open(mark, YamlNode::Kind::map, tag, anchor);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Frame {
    YamlNode node;
    YAML::anchor_t anchor;
    YAML::Mark mark;
    std::optional<YamlNode> key;
    std::set<std::string, std::less<>> keys;
  };

  static YamlNode node_at(const YAML::Mark& mark, YamlNode::Kind kind) {
    YamlNode node;
    node.kind = kind;
    node.line = mark.line + 1;
    node.column = mark.column + 1;
    return node;
  }

  static std::string local_tag(const YAML::Mark& mark, const std::string& tag) {
    if (tag.empty() || tag == "?" || tag == "!") return {};
    if (tag.size() > 1 && tag.front() == '!') return tag.substr(1);
    for (const std::string_view known : {"map", "seq"}) {
      if (tag == fmt::format("tag:yaml.org,2002:{}", known)) return {};
    }
    throw YamlFault(mark, fmt::format("the tag {} is not known here", visible(tag, 80)));
  }

  /// Whether a tagged scalar is quoted or a block: the parser's event no longer says so.
  [[nodiscard]] bool is_quoted(const YAML::Mark& mark) const {
    constexpr std::string_view blanks = " \t\r\n";
    auto at = static_cast<std::size_t>(mark.pos);
    while (at < text_.size() && (text_[at] == '!' || text_[at] == '&')) {
      at = std::min(text_.find_first_of(blanks, at), text_.size());
      at = std::min(text_.find_first_not_of(blanks, at), text_.size());
    }
    return at < text_.size() && std::string_view("\"'|>").find(text_[at]) != std::string_view::npos;
  }

  void count(const YAML::Mark& mark, std::size_t nodes) {
    nodes_ += nodes;
    if (nodes_ > limits_.max_nodes) {
      throw YamlFault(mark, fmt::format("more than {} nodes, aliases included", limits_.max_nodes));
    }
  }

  void open(const YAML::Mark& mark, YamlNode::Kind kind, const std::string& tag,
            YAML::anchor_t anchor) {
    if (open_.size() >= limits_.max_depth) {
      throw YamlFault(mark, fmt::format("nested deeper than {} levels", limits_.max_depth));
    }
    count(mark, 1);
    Frame frame{node_at(mark, kind), anchor, mark, std::nullopt, {}};
    frame.node.tag = local_tag(mark, tag);
    open_.push_back(std::move(frame));
  }

  void close() {
    Frame frame = std::move(open_.back());
    open_.pop_back();
    remember(frame.anchor, frame.node);
    place(frame.mark, std::move(frame.node));
  }

  void add(const YAML::Mark& mark, YamlNode node, YAML::anchor_t anchor) {
    count(mark, 1);
    remember(anchor, node);
    place(mark, std::move(node));
  }

  void remember(YAML::anchor_t anchor, const YamlNode& node) {
    if (anchor != 0) anchored_.insert_or_assign(anchor, node);
  }

  /// Puts a whole node into the open list or map, or makes it the document.
  void place(const YAML::Mark& mark, YamlNode node) {
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Frame& frame = open_.back();
    frame.node.size += node.size;
    if (frame.node.kind == YamlNode::Kind::list) {
      frame.node.items.push_back(std::move(node));
    } else if (frame.key) {
      frame.node.members.emplace_back(*std::move(frame.key), std::move(node));
      frame.key.reset();
    } else {
      if (!node.is_text()) throw YamlFault(mark, "a key that is not a string; quote it");
      if (!frame.keys.insert(node.scalar.as_string()).second) {
        throw YamlFault(mark, fmt::format("the key \"{}\" stands here twice",
                                          visible(node.scalar.as_string(), 80)));
      }
      frame.key = std::move(node);
    }
  }

  std::string_view text_;
  YamlLimits limits_;
  std::vector<Frame> open_;
  std::map<YAML::anchor_t, YamlNode> anchored_;
  std::optional<YamlNode> root_;
  std::size_t nodes_ = 0;
};

/// What the parser cannot be trusted with: size, bytes that are no UTF-8, and NUL.
std::optional<core::Diagnostic> refuse_bytes(std::string_view text, const std::string& file_name,
                                             const YamlLimits& limits) {
  if (text.size() > limits.max_bytes) {
    return core::Diagnostic{
        {file_name, 1, 1},
        fmt::format("found {} bytes, expected at most {}", text.size(), limits.max_bytes)};
  }
  if (const std::optional<std::size_t> invalid = first_invalid_utf8(text)) {
    const LineColumn at = line_column(text, *invalid);
    return core::Diagnostic{{file_name, at.line, at.column}, "found bytes that are not UTF-8"};
  }
  const std::size_t nul = text.find('\0');
  if (nul != std::string_view::npos) {
    const LineColumn at = line_column(text, nul);
    return core::Diagnostic{{file_name, at.line, at.column}, "found a NUL character"};
  }
  return std::nullopt;
}

YamlNode parse_document(std::string_view text, const YamlLimits& limits) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::istringstream input{std::string(text)};
  YAML::Parser parser(input);
  TreeBuilder builder(text, limits);
  parser.HandleNextDocument(builder);
  std::optional<YamlNode> root = builder.take();
  if (!root) throw YamlFault(YAML::Mark(), "found no document");
  if (parser) {
    TreeBuilder second(text, limits);
    if (parser.HandleNextDocument(second)) {
      throw YamlFault(YAML::Mark(), "found a second document, expected one");
    }
  }
  return *std::move(root);
}

}  // namespace

const YamlNode* YamlNode::find(std::string_view key) const {
  for (const auto& [name, member] : members) {
    if (name.scalar.as_string() == key) return &member;
  }
  return nullptr;
}

std::string YamlNode::description() const {
  if (kind == Kind::map) return "a mapping";
  if (kind == Kind::list) return "a list";
  if (scalar.is_null()) return "null";
  if (scalar.is_string()) {
    return fmt::format("the text \"{}\"", visible(scalar.as_string(), 60));
  }
  return fmt::format("the {} {}", scalar.kind_name(), to_json(scalar));
}

Result<YamlNode, core::Diagnostic> read_yaml(std::string_view text, const std::string& file_name,
                                             const YamlLimits& limits) {
  if (std::optional<core::Diagnostic> refused = refuse_bytes(text, file_name, limits)) {
    return unexpected(*std::move(refused));
  }
  try {
    return parse_document(text, limits);
  } catch (const YamlFault& fault) {
    return unexpected(core::Diagnostic{{file_name, fault.line(), fault.column()}, fault.what()});
  } catch (const YAML::Exception& error) {
    const bool placed = !error.mark.is_null();
    return unexpected(core::Diagnostic{
        {file_name, placed ? error.mark.line + 1 : 1, placed ? error.mark.column + 1 : 1},
        visible(error.msg, 300)});
  } catch (const std::exception& error) {
    return unexpected(core::Diagnostic{{file_name, 1, 1}, visible(error.what(), 300)});
  }
}

Value to_value(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::scalar:
      return node.scalar;
    case YamlNode::Kind::list: {
      List list;
      for (const YamlNode& item : node.items) list.push_back(to_value(item));
      return list;
    }
    case YamlNode::Kind::map: {
      Object object;
      for (const auto& [key, member] : node.members) {
        object.insert_or_assign(key.scalar.as_string(), to_value(member));
      }
      return object;
    }
  }
  return nullptr;
}

std::optional<Value> value_of_yaml(std::string_view text) {
  const auto node = read_yaml(text, "text");
  return node ? std::optional(to_value(*node)) : std::nullopt;
}

}  // namespace assay::wire
