#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

#include "harness/wire/profile_parts.h"
#include "harness/wire/text_pattern.h"

namespace assay::wire {
namespace {

using core::Condition;
using Test = Condition::Test;

struct TestWord {
  std::string_view key;
  Test test;
};

constexpr std::array<TestWord, 9> test_words = {{{"is", Test::is},
                                                 {"is_not", Test::is_not},
                                                 {"exists", Test::exists},
                                                 {"one_of", Test::one_of},
                                                 {"below", Test::below},
                                                 {"at_most", Test::at_most},
                                                 {"above", Test::above},
                                                 {"at_least", Test::at_least},
                                                 {"matches", Test::matches}}};

constexpr std::array<TestWord, 3> group_words = {
    {{"and", Test::all}, {"or", Test::any}, {"not", Test::none}}};

/// Reports an operand with which the test could never hold.
void check_operand(const YamlNode& node, const Condition& condition, ProfileScope& scope) {
  const Value& operand = condition.operand;
  switch (condition.test) {
    case Test::exists:
      if (!operand.is_bool()) scope.problems.unexpected(node, "true or false");
      break;
    case Test::one_of:
      if (!operand.is_list()) scope.problems.unexpected(node, "a list of values");
      break;
    case Test::below:
    case Test::at_most:
    case Test::above:
    case Test::at_least:
      if (!operand.is_number() && !operand.is_string()) {
        scope.problems.unexpected(node, "a number or a text");
      }
      break;
    case Test::matches:
      (void)read_text_pattern(node, scope);
      break;
    default:
      break;
  }
}

}  // namespace

std::string read_text_pattern(const YamlNode& node, ProfileScope& scope) {
  const auto pattern = text_of(node, "a regular expression", scope.problems);
  if (!pattern) return "";
  const std::string fault = pattern_fault(*pattern);
  if (!fault.empty()) {
    scope.problems.report(node, fmt::format("not a regular expression: {}", fault));
  }
  return *pattern;
}

Condition read_condition(MapReader& map, const YamlNode& node, ProfileScope& scope) {
  std::vector<Condition> all;
  std::string pointer;
  const YamlNode* at = map.optional("at");
  if (at) pointer = read_pointer(*at, scope);
  bool tests_a_value = false;
  for (const auto& [key, test] : test_words) {
    const YamlNode* operand = map.optional(key);
    if (!operand) continue;
    tests_a_value = true;
    Condition condition{test, pointer, to_value(*operand), {}};
    check_operand(*operand, condition, scope);
    all.push_back(std::move(condition));
  }
  for (const auto& [key, test] : group_words) {
    const YamlNode* group = map.optional(key);
    if (!group) continue;
    Condition condition;
    condition.test = test;
    const bool is_single = test == Test::none && group->kind == YamlNode::Kind::map;
    const std::vector<YamlNode> single =
        is_single ? std::vector<YamlNode>{*group} : std::vector<YamlNode>();
    const auto& nodes =
        is_single ? single : items_of(*group, "a list of conditions", scope.problems);
    for (const YamlNode& part : nodes) {
      MapReader inner(part, "a condition", scope.problems);
      condition.parts.push_back(read_condition(inner, part, scope));
      inner.finish();
    }
    all.push_back(std::move(condition));
  }
  if (at && !tests_a_value) {
    scope.problems.report(node,
                          "at needs a test: is, is_not, exists, one_of, below, at_most, "
                          "above, at_least or matches");
  } else if (!at && tests_a_value) {
    scope.problems.report(node, "the test needs \"at\", a JSON Pointer to what is tested");
  } else if (all.empty()) {
    scope.problems.report(node, "a condition needs \"at\" with a test, or and, or, not");
  }
  if (all.size() == 1) return std::move(all.front());
  Condition together;
  together.test = Test::all;
  together.parts = std::move(all);
  return together;
}

}  // namespace assay::wire
