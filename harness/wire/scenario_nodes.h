#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/scenario.h"
#include "harness/wire/yaml.h"

namespace assay::wire {

/// The parts of a scenario as the nodes that scenario_scope.h reads them from.

[[nodiscard]] YamlNode scalar_node(Value scalar);
[[nodiscard]] YamlNode list_node(std::vector<YamlNode> items);

/// A literal value. Long runs of one character become !repeat, so that a person can read it.
[[nodiscard]] YamlNode value_node(const Value& value);
[[nodiscard]] YamlNode texts_node(const std::vector<std::string>& texts);
[[nodiscard]] YamlNode pattern_node(const core::Pattern& pattern);
[[nodiscard]] YamlNode patterns_node(const std::vector<core::Pattern>& patterns);
[[nodiscard]] YamlNode answer_node(const core::AnswerPattern& answer);
[[nodiscard]] YamlNode expect_node(const core::Expect& expect);

/// A mapping, built member by member in the order in which a person reads it.
class MapNode {
 public:
  MapNode& add(std::string_view key, YamlNode value);
  /// Each only where it says something.
  MapNode& add_text(std::string_view key, const std::string& text, std::string_view usual = {});
  MapNode& add_texts(std::string_view key, const std::vector<std::string>& texts);
  MapNode& add_flag(std::string_view key, bool flag, bool usual);
  MapNode& add_integer(std::string_view key, const std::optional<std::int64_t>& number);
  MapNode& add_value(std::string_view key, const std::optional<Value>& value);
  MapNode& add_object(std::string_view key, const Object& object);
  /// clause: of one, clauses: of several.
  MapNode& add_clauses(const std::vector<std::string>& clauses);

  [[nodiscard]] YamlNode take() { return std::move(node_); }

 private:
  YamlNode node_ = [] {
    YamlNode map;
    map.kind = YamlNode::Kind::map;
    return map;
  }();
};

/// Whether the text is one ${name}: such may stand in the place of a list or a number.
[[nodiscard]] bool is_one_variable(std::string_view text);

}  // namespace assay::wire
