#include "reference_impl/model/lifecycle/definition.h"

#include <gtest/gtest.h>

namespace assay::lifecycle {
namespace {

/// The pointer of the problem, or "valid".
template <typename Parsed>
std::string pointer_of(const Result<Parsed, Problem>& parsed) {
  return parsed ? "valid" : parsed.error().pointer;
}

std::string block_problem(const Value& value) { return pointer_of(parse_function_block(value)); }

std::string definition_problem(const Value& value) {
  return pointer_of(parse_definition(value, NameRule::required, {}));
}

Value with_step(const Object& changes) {
  Object step{{"label", "a"}, {"functionBlock", "f"}};
  for (const auto& [key, member] : changes) step[key] = member;
  return Object{{"name", "w"}, {"steps", List{step}}};
}

TEST(Definition, AFunctionBlockHasANameAPurityAndPerhapsEntities) {
  const auto parsed =
      parse_function_block(Object{{"name", "f"}, {"pure", true}, {"acquires", List{"d1", "d2"}}});
  EXPECT_EQ(parsed.value(), (FunctionBlock{.name = "f", .pure = true, .acquires = {"d1", "d2"}}));
  EXPECT_EQ(block_problem(Object{{"name", "f"}, {"pure", false}, {"acquires", nullptr}}), "valid");
}

TEST(Definition, AnInvalidFunctionBlockIsPointedAt) {
  EXPECT_EQ(block_problem("f"), "");
  EXPECT_EQ(block_problem(Object{{"pure", true}}), "/name");
  EXPECT_EQ(block_problem(Object{{"name", ""}, {"pure", true}}), "/name");
  EXPECT_EQ(block_problem(Object{{"name", "a\nb"}, {"pure", true}}), "/name");
  EXPECT_EQ(block_problem(Object{{"name", std::string(257, 'x')}, {"pure", true}}), "/name");
  EXPECT_EQ(block_problem(Object{{"name", "f"}}), "/pure");
  EXPECT_EQ(block_problem(Object{{"name", "f"}, {"pure", "yes"}}), "/pure");
  EXPECT_EQ(block_problem(Object{{"name", "f"}, {"pure", true}, {"acquires", "d1"}}), "/acquires");
  EXPECT_EQ(block_problem(Object{{"name", "f"}, {"pure", true}, {"acquires", List{"d", 1}}}),
            "/acquires/1");
}

TEST(Definition, AStepHasALabelABlockAndPerhapsEntitiesAndACondition) {
  const auto parsed =
      parse_definition(with_step({{"acquire", List{"d1"}}, {"condition", "{{ parameters.go }}"}}),
                       NameRule::required, {});
  EXPECT_EQ(parsed.value(), (Definition{.name = "w",
                                        .steps = {{.label = "a",
                                                   .function_block = "f",
                                                   .acquire = {"d1"},
                                                   .condition = Value("{{ parameters.go }}")}}}));
  EXPECT_EQ(definition_problem(with_step({{"condition", nullptr}, {"acquire", nullptr}})), "valid");
  EXPECT_EQ(definition_problem(with_step({{"condition", false}})), "valid");
}

TEST(Definition, AnInvalidDefinitionIsPointedAt) {
  EXPECT_EQ(definition_problem(List{}), "");
  EXPECT_EQ(definition_problem(Object{{"steps", List{}}}), "/name");
  EXPECT_EQ(definition_problem(Object{{"name", "w"}}), "/steps");
  EXPECT_EQ(definition_problem(Object{{"name", "w"}, {"steps", List{}}}), "/steps");
  EXPECT_EQ(definition_problem(Object{{"name", "w"}, {"steps", List{"a"}}}), "/steps/0");
  EXPECT_EQ(definition_problem(with_step({{"label", 1}})), "/steps/0/label");
  EXPECT_EQ(definition_problem(with_step({{"functionBlock", nullptr}})), "/steps/0/functionBlock");
  EXPECT_EQ(definition_problem(with_step({{"acquire", List{""}}})), "/steps/0/acquire/0");
  EXPECT_EQ(definition_problem(with_step({{"condition", 1}})), "/steps/0/condition");
}

TEST(Definition, LabelsDiffer) {
  const Value step = Object{{"label", "a"}, {"functionBlock", "f"}};
  EXPECT_EQ(definition_problem(Object{{"name", "w"}, {"steps", List{step, step}}}),
            "/steps/1/label");
}

TEST(Definition, OnlyAnInlineOneMayBeNameless) {
  const Value nameless = Object{{"steps", List{Object{{"label", "a"}, {"functionBlock", "f"}}}}};
  EXPECT_EQ(definition_problem(nameless), "/name");
  EXPECT_EQ(pointer_of(parse_definition(nameless, NameRule::optional, {})), "valid");
  EXPECT_EQ(pointer_of(parse_definition(Object{{"name", 1}}, NameRule::optional, {})), "/name");
}

TEST(Definition, TheGuardLanguageIsAskedForEachGuard) {
  const ConditionLanguage language{
      .check = [](const Value&) { return std::optional<std::string>("no such filter"); },
      .evaluate = {}};
  const auto refused =
      parse_definition(with_step({{"condition", "{{ x | y }}"}}), NameRule::required, language);
  ASSERT_EQ(pointer_of(refused), "/steps/0/condition");
  EXPECT_EQ(refused.error().detail, "no such filter");
  EXPECT_EQ(
      pointer_of(parse_definition(with_step({{"condition", true}}), NameRule::required, language)),
      "valid");
}

}  // namespace
}  // namespace assay::lifecycle
