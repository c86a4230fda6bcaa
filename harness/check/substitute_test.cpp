#include "harness/check/substitute.h"

#include <gtest/gtest.h>

#include "harness/check/match.h"

namespace assay::check {
namespace {

const Variables& variables() {
  static const Variables all = {
      {"n", 2}, {"name", "b"}, {"id:second", "x"}, {"list", List{1, "a"}}, {"odd", "${n}"}};
  return all;
}

TEST(Substitute, AWholePlaceholderKeepsTheType) {
  EXPECT_EQ(substitute(Value("${n}"), variables()), Value(2));
  EXPECT_EQ(substitute(Value("${list}"), variables()), Value(List{1, "a"}));
  EXPECT_EQ(substitute(Value("${id:second}"), variables()), Value("x"));
}

TEST(Substitute, WithinATextItIsText) {
  EXPECT_EQ(substitute(Value("a ${n} ${name}"), variables()), Value("a 2 b"));
  EXPECT_EQ(substitute(Value("${n}${name}"), variables()), Value("2b"));
  EXPECT_EQ(substitute(Value("${list}!"), variables()), Value("[1,\"a\"]!"));
}

TEST(Substitute, TwoDollarsAreALiteral) {
  EXPECT_EQ(substitute(Value("$${n} $ {"), variables()), Value("${n} $ {"));
  EXPECT_EQ(substitute_text("$${n}${n}", variables()), "${n}2");
}

TEST(Substitute, WhatAVariableBringsIsNotLookedAtAgain) {
  EXPECT_EQ(substitute(Value("-${odd}-"), variables()), Value("-${n}-"));
}

TEST(Substitute, ReachesIntoListsMembersAndNames) {
  EXPECT_EQ(substitute(Value(Object{{"${name}", List{Object{{"k", "${n}"}}}}}), variables()),
            Value(Object{{"b", List{Object{{"k", 2}}}}}));
}

TEST(Substitute, BytesGiveATextOfThatLength) {
  EXPECT_EQ(substitute(Value("${bytes:3}"), {}), Value("xxx"));
  EXPECT_EQ(substitute(Value("a${bytes:0}b"), {}), Value("ab"));
  EXPECT_THROW(static_cast<void>(substitute(Value("${bytes:}"), {})), SubstitutionError);
  EXPECT_THROW(static_cast<void>(substitute(Value("${bytes:99999999999}"), {})), SubstitutionError);
}

TEST(Substitute, ReachesIntoPatterns) {
  using core::Pattern;
  const auto reaching = [](const char* name, const Value& value) {
    const Pattern inner{core::OperandPattern{Pattern::By::at_least, value}};
    const Pattern list{core::ElementsPattern{Pattern::How::contains, {inner}}};
    return Pattern{core::ObjectPattern{{{name, list}, {"c", Pattern()}}, true}};
  };
  EXPECT_EQ(substitute(reaching("${name}", "${n}"), variables()), reaching("b", 2));
}

TEST(Substitute, APatternFromAVariableIsAsIfItWereWrittenThere) {
  using core::Pattern;
  const Variables objects = {{"event", Object{{"type", "x"}, {"tags", List{Object{{"n", 1}}}}}}};
  const Pattern pattern =
      substitute(Pattern{core::OperandPattern{Pattern::By::literal, "${event}"}}, objects);
  const Value more = Object{{"type", "x"}, {"seq", 1}, {"tags", List{Object{{"n", 1}, {"m", 2}}}}};
  const Value other = Object{{"type", "y"}, {"tags", List{Object{{"n", 1}}}}};
  EXPECT_TRUE(matches(pattern, &more));
  EXPECT_FALSE(matches(pattern, &other));
}

TEST(Substitute, AnUnknownNameIsAnErrorThatNamesIt) {
  try {
    static_cast<void>(substitute(Value("x${nam}"), variables()));
    FAIL() << "an unknown name was taken";
  } catch (const SubstitutionError& error) {
    EXPECT_STREQ(error.what(), "no variable ${nam} is set here");
  }
  EXPECT_THROW(static_cast<void>(substitute(Value("${n"), variables())), SubstitutionError);
}

TEST(SubstituteElements, PutsTheElementsOfAListInPlace) {
  const Variables variables = {{"two", List{"a", "b"}}, {"one", "c"}};
  EXPECT_EQ(Value(substitute_elements({"${two}", "${one}", List{"${two}"}, 7}, variables)),
            Value(List{"a", "b", "c", List{Value(List{"a", "b"})}, 7}));
}

}  // namespace
}  // namespace assay::check
