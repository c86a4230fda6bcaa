#include "reference_impl/service/yaml_reader.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>
#include <unordered_map>
#include <utility>
#include <vector>

#include "reference_impl/service/yaml_scalar.h"

namespace assay::service {
namespace {

constexpr std::size_t max_depth = 100;
/// Bounds what aliases expand to: 64 for each node and 1 for each byte of text.
constexpr std::size_t max_weight = 32U << 20U;
constexpr std::size_t node_weight = 64;

struct Refused {
  YamlError error;
};

[[noreturn]] void refuse(const YAML::Mark& mark, std::string message) {
  throw Refused{{std::move(message), static_cast<std::size_t>(mark.line + 1),
                 static_cast<std::size_t>(mark.column + 1)}};
}

/// A finished node with what it costs to copy it.
struct Built {
  Value value;
  std::size_t weight = node_weight;
  /// How many levels it has: 1 for a scalar.
  std::size_t height = 1;
};

/// Builds the value from yaml-cpp's events, which come without expanded aliases.
class Builder final : public YAML::EventHandler {
 public:
  /// With `sought`, notes the line of the node of that JSON Pointer.
  explicit Builder(std::optional<std::string_view> sought) : sought_(sought) {}

  [[nodiscard]] Value take() { return std::move(root_.value); }
  [[nodiscard]] std::optional<std::size_t> found_line() const { return found_line_; }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (awaits_key()) refuse(mark, "a key that is not a string");
    scalar(mark, "?", anchor, "");
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    scalar(mark, tag, anchor, text);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    note_line(mark);
    const auto node = anchored_.find(anchor);
    if (node == anchored_.end()) refuse(mark, "an alias within the node that it names");
    add(mark, node->second, 0);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, Value(List{}));
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, Value(Object{}));
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    Built node;
    YAML::anchor_t anchor = 0;
    YAML::Mark mark;
    /// In a mapping: the key whose value comes next.
    std::optional<std::string> key;
  };

  [[nodiscard]] bool awaits_key() const {
    return !open_.empty() && open_.back().node.value.is_object() && !open_.back().key;
  }

  static void check_tag(const YAML::Mark& mark, const std::string& tag) {
    static constexpr std::string_view core = "tag:yaml.org,2002:";
    if (tag.empty() || tag == "?" || tag == "!") return;
    for (const std::string_view name : {"str", "int", "float", "bool", "null", "map", "seq"}) {
      if (tag.starts_with(core) && tag.substr(core.size()) == name) return;
    }
    refuse(mark, "the tag " + tag + " is not of YAML's core schema");
  }

  void scalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
              const std::string& text) {
    check_tag(mark, tag);
    const bool is_key = awaits_key();
    Built node;
    node.weight += text.size();
    if (is_key || tag == "!" || tag == "tag:yaml.org,2002:str") {
      node.value = text;
    } else if (auto value = plain_scalar(text)) {
      node.value = std::move(*value);
    } else {
      refuse(mark, "the number " + text + " has no value in JSON");
    }
    if (!is_key) note_line(mark);
    add(mark, std::move(node), anchor);
  }

  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, Value empty) {
    check_tag(mark, tag);
    if (awaits_key()) refuse(mark, "a key that is not a scalar");
    note_line(mark);
    if (open_.size() >= max_depth) refuse(mark, "nested deeper than 100 levels");
    Open opened;
    opened.node.value = std::move(empty);
    opened.anchor = anchor;
    opened.mark = mark;
    open_.push_back(std::move(opened));
  }

  void close() {
    Open done = std::move(open_.back());
    open_.pop_back();
    add(done.mark, std::move(done.node), done.anchor);
  }

  void add(const YAML::Mark& mark, Built node, YAML::anchor_t anchor) {
    if (open_.size() + node.height > max_depth + 1) refuse(mark, "nested deeper than 100 levels");
    weight_ += node.weight;
    if (weight_ > max_weight) refuse(mark, "too much, once its aliases are expanded");
    if (anchor != 0) anchored_.insert_or_assign(anchor, node);
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Open& top = open_.back();
    top.node.weight += node.weight;
    top.node.height = std::max(top.node.height, node.height + 1);
    if (top.node.value.is_list()) {
      top.node.value.as_list().push_back(std::move(node.value));
    } else if (!top.key) {
      take_key(mark, top, node.value);
    } else {
      top.node.value.as_object().emplace(std::move(*top.key), std::move(node.value));
      top.key.reset();
    }
  }

  static void take_key(const YAML::Mark& mark, Open& mapping, const Value& key) {
    if (!key.is_string()) refuse(mark, "a key that is not a string");
    const std::string& text = key.as_string();
    if (text == "<<") refuse(mark, "merge keys are not read");
    if (mapping.node.value.as_object().contains(text)) {
      refuse(mark, "the key " + text + " stands twice in one mapping");
    }
    mapping.key = text;
  }

  void note_line(const YAML::Mark& mark) {
    if (!sought_ || found_line_) return;
    std::string pointer;
    for (const Open& one : open_) {
      pointer += '/';
      pointer +=
          one.key ? escape_pointer_token(*one.key)
                  : std::to_string(one.node.value.is_list() ? one.node.value.as_list().size() : 0);
    }
    if (pointer == *sought_) found_line_ = static_cast<std::size_t>(mark.line + 1);
  }

  std::vector<Open> open_;
  std::unordered_map<YAML::anchor_t, Built> anchored_;
  std::size_t weight_ = 0;
  Built root_;
  std::optional<std::string_view> sought_;
  std::optional<std::size_t> found_line_;
};

/// Reads the one document of the text; throws Refused or YAML::Exception.
void read_document(std::string_view text, Builder& builder) {
  std::istringstream stream{std::string(text)};
  YAML::Parser parser(stream);
  if (!parser.HandleNextDocument(builder)) return;  // an empty text is null
  Builder another(std::nullopt);
  if (parser.HandleNextDocument(another)) throw Refused{{"more than one document", 0, 0}};
}

}  // namespace

Result<Value, YamlError> read_yaml(std::string_view text) {
  if (text.size() > max_yaml_bytes) {
    return unexpected(YamlError{"longer than " + std::to_string(max_yaml_bytes) + " bytes", 0, 0});
  }
  try {
    Builder builder(std::nullopt);
    read_document(text, builder);
    return builder.take();
  } catch (const Refused& refused) {
    return unexpected(refused.error);
  } catch (const YAML::Exception& error) {
    return unexpected(YamlError{error.msg, static_cast<std::size_t>(error.mark.line + 1),
                                static_cast<std::size_t>(error.mark.column + 1)});
  }
}

std::optional<std::size_t> yaml_line_of(std::string_view text, std::string_view pointer) {
  Builder builder(pointer);
  try {
    read_document(text, builder);
  } catch (const Refused&) {
    return std::nullopt;
  } catch (const YAML::Exception&) {
    return std::nullopt;
  }
  return builder.found_line();
}

}  // namespace assay::service
