#include "reference_impl/model/routing/guard.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/value.h"

namespace assay::routing {
namespace {

const Value& sample() {
  static const Value scope(
      Object{{"n", 3},
             {"half", 0.5},
             {"big", std::int64_t{9007199254740993}},
             {"text", "abc"},
             {"unicode", "日本"},
             {"yes", true},
             {"nothing", nullptr},
             {"list", List{1, 2, 3}},
             {"empty", List{}},
             {"object", Object{{"a", 1}, {"items", 7}, {"deep", Object{{"b", List{"x", "y"}}}}}}});
  return scope;
}

Result<Value, EvaluationError> result_of(std::string_view text) {
  const auto parsed = parse_guard(text);
  if (!parsed) {
    const GuardError& error = parsed.error();
    ADD_FAILURE() << text << " doesn't parse: " << error.message << " at " << error.position;
    return unexpected(EvaluationError{});
  }
  Scope scope;
  scope.show_members_of(sample());
  return evaluate(*parsed, scope);
}

Value value_of(std::string_view text) {
  const auto result = result_of(text);
  if (!result) {
    ADD_FAILURE() << text << " has no value: " << result.error().message;
    return "no value";
  }
  return *result;
}

EvaluationFault fault_of(std::string_view text) {
  const auto result = result_of(text);
  if (result) {
    ADD_FAILURE() << text << " has a value";
    return EvaluationFault::too_large;
  }
  return result.error().fault;
}

GuardError error_of(std::string_view text) {
  const auto parsed = parse_guard(text);
  if (parsed) {
    ADD_FAILURE() << text << " parses";
    return {};
  }
  return parsed.error();
}

TEST(GuardText, IsWhatStandsInsideTheBracesOrTheWholeString) {
  EXPECT_EQ(value_of("{{ n + 1 }}"), Value(4));
  EXPECT_EQ(value_of("n + 1"), Value(4));
  EXPECT_EQ(value_of("  {{- n -}}\n"), Value(3));
  EXPECT_EQ(value_of("{{ '}}' }}"), Value("}}"));
}

TEST(GuardText, AroundOrBetweenBracesIsAnErrorWithItsPosition) {
  EXPECT_EQ(error_of("{{ n }} more").position, 8U);
  EXPECT_EQ(error_of("{{ n }}{{ n }}").position, 7U);
  EXPECT_EQ(error_of("n {{ n }}").position, 2U);
  EXPECT_EQ(error_of("{{ n").message, "'}}' is missing");
  EXPECT_EQ(error_of("n }}").position, 2U);
  EXPECT_EQ(error_of("{{ }}").position, 3U);
  EXPECT_EQ(error_of("").position, 0U);
}

TEST(GuardSyntax, WhatTheSubsetLeavesOutIsAnErrorWithItsPosition) {
  EXPECT_EQ(error_of("now()").position, 3U);
  EXPECT_EQ(error_of("[f (1)]").message, "functions can't be called here");
  EXPECT_EQ(error_of("n | first()()").position, 11U);
  EXPECT_EQ(error_of("n | sort").position, 4U);
  EXPECT_EQ(error_of("n | sort").message, "unknown filter 'sort'");
  EXPECT_EQ(error_of("n | length.f").message, "unknown filter 'length.'");
  EXPECT_EQ(error_of("n is even").message, "unknown test 'even'");
  EXPECT_EQ(error_of("(1, 2)").message, "tuples aren't part of guards");
  EXPECT_EQ(error_of("()").message, "tuples aren't part of guards");
  EXPECT_EQ(error_of("{'a': 1}").message, "dictionaries aren't part of guards");
  EXPECT_EQ(error_of("list[1:2]").message, "slices aren't part of guards");
  EXPECT_EQ(error_of("list[]").message, "empty subscripts aren't part of guards");
  EXPECT_EQ(error_of("2 ** 3").position, 2U);
  EXPECT_EQ(error_of("n | int(1, 2, 3)").position, 14U);
  EXPECT_EQ(error_of("n | int(radix=2)").message, "filter 'int' takes no such argument");
  EXPECT_EQ(error_of("n | int(default=1, default=2)").position, 19U);
}

TEST(GuardSyntax, ErrorsNameWhatWasFound) {
  EXPECT_EQ(error_of("n ==").message, "an expression expected, not the end of the expression");
  EXPECT_EQ(error_of("n n").message, "unexpected 'n'");
  EXPECT_EQ(error_of("'open").message, "the string isn't closed");
  EXPECT_EQ(error_of("(n").message, "')' expected, not the end of the expression");
  EXPECT_EQ(error_of("n = 1").position, 2U);
  EXPECT_EQ(error_of("n ! 1").message, "unexpected character '!'");
  EXPECT_EQ(error_of("'\\x4'").message, "the escape needs more hexadecimal digits");
  EXPECT_EQ(error_of("99999999999999999999").message, "the integer doesn't fit in 64 bits");
  EXPECT_EQ(error_of("1e999").message, "the number is too large");
}

TEST(GuardSyntax, NestingIsBounded) {
  const auto nested = [](int depth) {
    return std::string(static_cast<std::size_t>(depth), '(') + "1" +
           std::string(static_cast<std::size_t>(depth), ')');
  };
  EXPECT_EQ(value_of(nested(99)), Value(1));
  EXPECT_EQ(error_of(nested(100)).message, "the expression is nested too deeply");
  EXPECT_EQ(error_of(nested(100000)).message, "the expression is nested too deeply");
  std::string nots;
  std::string signs;
  std::string conditions = "1";
  for (int count = 0; count < 100000; ++count) {
    nots += "not ";
    signs += "- ";
    conditions += " if 1";
  }
  EXPECT_EQ(error_of(nots + "1").message, "the expression is nested too deeply");
  EXPECT_EQ(error_of(signs + "1").message, "the expression is nested too deeply");
  EXPECT_EQ(error_of(conditions).message, "the expression is nested too deeply");
}

TEST(GuardSyntax, LongChainsAreNotDeep) {
  std::string sum = "0";
  std::string all = "yes";
  std::string filtered = "n";
  for (int count = 0; count < 20000; ++count) {
    sum += " + 1";
    all += " and yes";
    filtered += " | abs";
  }
  EXPECT_EQ(value_of(sum), Value(20000));
  EXPECT_EQ(value_of(all), Value(true));
  EXPECT_EQ(value_of(filtered), Value(3));
}

TEST(GuardLiterals, AreThoseOfJinja2) {
  EXPECT_EQ(value_of("1_000"), Value(1000));
  EXPECT_EQ(value_of("0x1F"), Value(31));
  EXPECT_EQ(value_of("0b101 + 0o17"), Value(20));
  EXPECT_EQ(value_of("00"), Value(0));
  EXPECT_EQ(value_of("1.5e-3"), Value(0.0015));
  EXPECT_TRUE(value_of("3.0").is_double());
  EXPECT_TRUE(value_of("True and not False and None is none").as_bool());
  EXPECT_EQ(value_of("'a' \"b\""), Value("ab"));
  EXPECT_EQ(value_of("'it\\'s \\x41\\u00e9\\101\\q\\n'"), Value("it's AéA\\q\n"));
  EXPECT_EQ(value_of("[1, 'a', [none],]"), Value(List{1, "a", List{nullptr}}));
}

TEST(GuardPrecedence, IsJinja2s) {
  EXPECT_EQ(value_of("1 + 2 * 3 - 4"), Value(3));
  EXPECT_EQ(value_of("(1 + 2) * 3"), Value(9));
  EXPECT_EQ(value_of("1 ~ 2 * 3"), Value("16"));
  EXPECT_EQ(value_of("'a' ~ 1 + 'b'"), Value("a1b"));
  EXPECT_EQ(fault_of("1 + 2 ~ 3"), EvaluationFault::type_mismatch) << "~ binds tighter than +";
}

TEST(GuardPrecedence, FiltersBindTighterThanSignsButApplyToThem) {
  EXPECT_EQ(value_of("-3 | abs"), Value(3));
  EXPECT_EQ(value_of("1 - 3 | abs"), Value(-2));
  EXPECT_EQ(value_of("list | length > 2"), Value(true));
  EXPECT_EQ(value_of("not missing is defined"), Value(true));
  EXPECT_EQ(value_of("n + missing | default(1)"), Value(4));
  EXPECT_EQ(value_of("not n == 4"), Value(true));
  EXPECT_EQ(value_of("yes or missing and 1 / 0"), Value(true));
}

TEST(GuardComparisons, AreChainedAndExact) {
  EXPECT_EQ(value_of("1 < 2 < 3"), Value(true));
  EXPECT_EQ(value_of("1 < 3 < 2"), Value(false));
  EXPECT_EQ(value_of("3 > 1 < 2 == 2"), Value(true));
  EXPECT_EQ(value_of("big == 9007199254740992.0"), Value(false));
  EXPECT_EQ(value_of("big > 9007199254740992.0"), Value(true));
  EXPECT_EQ(value_of("1 == 1.0 == true"), Value(true));
  EXPECT_EQ(value_of("'a' < 'b' <= 'b'"), Value(true));
  EXPECT_EQ(value_of("'Z' < 'a'"), Value(true));
  EXPECT_EQ(value_of("'10' == 10"), Value(false));
  EXPECT_EQ(value_of("[1, 2] < [1, 3]"), Value(true));
  EXPECT_EQ(value_of("[1, [2]] == [1.0, [true + 1]]"), Value(true));
  EXPECT_EQ(fault_of("'a' < 1"), EvaluationFault::type_mismatch);
  EXPECT_EQ(fault_of("none < 1"), EvaluationFault::type_mismatch);
}

TEST(GuardMembership, IsPythons) {
  EXPECT_EQ(value_of("2 in list"), Value(true));
  EXPECT_EQ(value_of("2 not in list"), Value(false));
  EXPECT_EQ(value_of("true in list"), Value(true));
  EXPECT_EQ(value_of("'b' in text"), Value(true));
  EXPECT_EQ(value_of("'' in text"), Value(true));
  EXPECT_EQ(value_of("'a' in object"), Value(true));
  EXPECT_EQ(value_of("1 in object"), Value(false));
  EXPECT_EQ(value_of("1 in missing"), Value(false));
  EXPECT_EQ(value_of("1 not in missing"), Value(true));
  EXPECT_EQ(value_of("missing in [absent]"), Value(true));
  EXPECT_EQ(fault_of("1 in text"), EvaluationFault::type_mismatch);
  EXPECT_EQ(fault_of("1 in none"), EvaluationFault::type_mismatch);
  EXPECT_EQ(fault_of("[] in object"), EvaluationFault::type_mismatch);
}

TEST(GuardUndefined, IsFalseChainsAndEqualsOnlyItself) {
  EXPECT_EQ(value_of("missing"), Value(nullptr));
  EXPECT_EQ(value_of("missing.a['b'][0].c is defined"), Value(false));
  EXPECT_EQ(value_of("object.b.c is not defined"), Value(true));
  EXPECT_EQ(value_of("missing == absent"), Value(true));
  EXPECT_EQ(value_of("missing == none"), Value(false));
  EXPECT_EQ(value_of("missing != 1"), Value(true));
  EXPECT_EQ(value_of("missing ~ 'x'"), Value("x"));
  EXPECT_EQ(value_of("[missing] | string"), Value("[Undefined]"));
  EXPECT_EQ(value_of("nothing is defined"), Value(true));
  EXPECT_EQ(value_of("nothing is none"), Value(true));
  EXPECT_EQ(value_of("missing is none"), Value(false));
  EXPECT_EQ(value_of("missing is undefined"), Value(true));
}

TEST(GuardUndefined, HasNoArithmeticOrderOrConversion) {
  EXPECT_EQ(fault_of("missing + 1"), EvaluationFault::undefined_operand);
  EXPECT_EQ(fault_of("1 < missing"), EvaluationFault::undefined_operand);
  EXPECT_EQ(fault_of("-missing"), EvaluationFault::undefined_operand);
  EXPECT_EQ(fault_of("missing | int"), EvaluationFault::undefined_operand);
  EXPECT_EQ(fault_of("missing | float(1.0)"), EvaluationFault::undefined_operand);
  EXPECT_EQ(fault_of("missing | abs"), EvaluationFault::undefined_operand);
  EXPECT_EQ(fault_of("missing | round"), EvaluationFault::undefined_operand);
}

TEST(GuardUndefined, OfAnInlineIfWithoutElseDoesNotChain) {
  EXPECT_EQ(value_of("(1 if false) is defined"), Value(false));
  EXPECT_EQ(value_of("(1 if false) == missing"), Value(false));
  EXPECT_EQ(value_of("(1 if false) == (2 if false)"), Value(true));
  EXPECT_EQ(fault_of("(1 if false).a"), EvaluationFault::undefined_operand);
  EXPECT_EQ(fault_of("(1 if false)[0]"), EvaluationFault::undefined_operand);
}

TEST(GuardLogic, GivesTheDecidingOperandAndStopsThere) {
  EXPECT_EQ(value_of("0 or 'a' or 1 / 0"), Value("a"));
  EXPECT_EQ(value_of("1 and [] and 1 / 0"), Value(List{}));
  EXPECT_EQ(value_of("'a' if 0 else 'b' if none else 'c'"), Value("c"));
  EXPECT_EQ(value_of("1 if yes else 1 / 0"), Value(1));
  EXPECT_EQ(value_of("not 0.0 and not '' and not [] and not none"), Value(true));
}

TEST(GuardAccess, FindsMembersAndItems) {
  EXPECT_EQ(value_of("object.deep.b[1]"), Value("y"));
  EXPECT_EQ(value_of("object['a']"), Value(1));
  EXPECT_EQ(value_of("list[-1]"), Value(3));
  EXPECT_EQ(value_of("list.0"), Value(1));
  EXPECT_EQ(value_of("list[true]"), Value(2));
  EXPECT_EQ(value_of("list[3] is defined"), Value(false));
  EXPECT_EQ(value_of("list['1'] is defined"), Value(false));
  EXPECT_EQ(value_of("list[1.0] is defined"), Value(false));
  EXPECT_EQ(value_of("unicode[1]"), Value("本"));
  EXPECT_EQ(value_of("n.a is defined"), Value(false));
  EXPECT_EQ(value_of("nothing.a.b is defined"), Value(false));
}

TEST(GuardAccess, SeesTheMembersOfJsonAndNoneOfPythonsMethods) {
  EXPECT_EQ(value_of("object.items"), Value(7));
  EXPECT_EQ(value_of("object.keys is defined"), Value(false));
  EXPECT_EQ(value_of("text.upper is defined"), Value(false));
  EXPECT_EQ(value_of("range is defined"), Value(false));
}

TEST(GuardArithmetic, IsPythons) {
  EXPECT_EQ(value_of("7 // 2"), Value(3));
  EXPECT_EQ(value_of("-7 // 2"), Value(-4));
  EXPECT_EQ(value_of("-7 % 3"), Value(2));
  EXPECT_EQ(value_of("7 % -3"), Value(-2));
  EXPECT_EQ(value_of("-7.5 % 2"), Value(0.5));
  EXPECT_EQ(value_of("7.5 // -2"), Value(-4.0));
  EXPECT_TRUE(value_of("4 / 2").is_double());
  EXPECT_EQ(value_of("1 / 3 * 3"), Value(1.0));
  EXPECT_EQ(value_of("big / 1"), Value(9007199254740992.0));
  EXPECT_EQ(value_of("18446744073709551615 / 3"), Value(6148914691236517205.0));
  EXPECT_EQ(value_of("true + true"), Value(2));
  EXPECT_TRUE(value_of("+true").is_integer());
  EXPECT_EQ(value_of("'a' + 'b' * 2"), Value("abb"));
  EXPECT_EQ(value_of("[1] * 2 + [2]"), Value(List{1, 1, 2}));
  EXPECT_EQ(value_of("'a' * -1"), Value(""));
  EXPECT_EQ(fault_of("1 / 0"), EvaluationFault::division_by_zero);
  EXPECT_EQ(fault_of("1.0 // 0"), EvaluationFault::division_by_zero);
  EXPECT_EQ(fault_of("1 % false"), EvaluationFault::division_by_zero);
  EXPECT_EQ(fault_of("'a' + 1"), EvaluationFault::type_mismatch);
  EXPECT_EQ(fault_of("none * 2"), EvaluationFault::type_mismatch);
}

TEST(GuardArithmetic, ReportsIntegersPastSixtyFourBits) {
  EXPECT_EQ(value_of("9223372036854775807 + 1"), Value(std::uint64_t{9223372036854775808ULL}));
  EXPECT_EQ(value_of("-9223372036854775807 - 1"), Value(std::numeric_limits<std::int64_t>::min()));
  EXPECT_EQ(fault_of("18446744073709551615 + 1"), EvaluationFault::integer_overflow);
  EXPECT_EQ(fault_of("-9223372036854775807 - 2"), EvaluationFault::integer_overflow);
  EXPECT_EQ(fault_of("18446744073709551615 * 18446744073709551615"),
            EvaluationFault::integer_overflow);
  EXPECT_EQ(fault_of("'99999999999999999999' | int"), EvaluationFault::integer_overflow);
}

TEST(GuardArithmetic, DoesNotFormatStrings) {
  EXPECT_EQ(fault_of("'%s' % 1"), EvaluationFault::bad_argument);
  EXPECT_EQ(fault_of("'a' % 1"), EvaluationFault::type_mismatch);
  EXPECT_EQ(value_of("'a' % []"), Value("a"));
}

TEST(GuardText, IsWrittenAsPythonWritesIt) {
  EXPECT_EQ(value_of("1.0 ~ '|' ~ 1e16 ~ '|' ~ 0.0001 ~ '|' ~ 0.00001"),
            Value("1.0|1e+16|0.0001|1e-05"));
  EXPECT_EQ(value_of("123456789.125 ~ ''"), Value("123456789.125"));
  EXPECT_EQ(value_of("true ~ none ~ 1"), Value("TrueNone1"));
  EXPECT_EQ(value_of("[1, 'a', \"it's\", none, 0.5] ~ ''"), Value("[1, 'a', \"it's\", None, 0.5]"));
  EXPECT_EQ(value_of("object.deep ~ ''"), Value("{'b': ['x', 'y']}"));
  EXPECT_EQ(value_of("['\\n\\u200b\\\\'] ~ ''"), Value("['\\n\\u200b\\\\']"));
}

TEST(GuardFilters, DefaultFillsWhatIsUndefinedOrFalseWhereAsked) {
  EXPECT_EQ(value_of("missing | default('x')"), Value("x"));
  EXPECT_EQ(value_of("missing | default"), Value(""));
  EXPECT_EQ(value_of("nothing | default('x')"), Value(nullptr));
  EXPECT_EQ(value_of("nothing | default('x', true)"), Value("x"));
  EXPECT_EQ(value_of("0 | default('x', boolean=false)"), Value(0));
  EXPECT_EQ(value_of("missing | default(default_value=list)"), Value(List{1, 2, 3}));
}

TEST(GuardFilters, IntReadsWhatPythonReads) {
  EXPECT_EQ(value_of("' 42 ' | int"), Value(42));
  EXPECT_EQ(value_of("'1_000' | int"), Value(1000));
  EXPECT_EQ(value_of("'42.9' | int"), Value(42));
  EXPECT_EQ(value_of("'x' | int"), Value(0));
  EXPECT_EQ(value_of("'x' | int(7)"), Value(7));
  EXPECT_EQ(value_of("'0x1f' | int(base=16)"), Value(31));
  EXPECT_EQ(value_of("'0b11' | int(0, 0)"), Value(3));
  EXPECT_EQ(value_of("'012' | int(5, 0)"), Value(12)) << "no integer, so read as a float";
  EXPECT_EQ(value_of("-3.9 | int"), Value(-3));
  EXPECT_EQ(value_of("none | int(9)"), Value(9));
  EXPECT_EQ(value_of("[] | int"), Value(0));
  EXPECT_EQ(value_of("'nan' | int(4)"), Value(4));
  EXPECT_EQ(fault_of("'inf' | int"), EvaluationFault::integer_overflow);
}

TEST(GuardFilters, FloatReadsWhatPythonReads) {
  EXPECT_EQ(value_of("' -1_0.5e1 ' | float"), Value(-105.0));
  EXPECT_EQ(value_of("'1._5' | float"), Value(0.0));
  EXPECT_EQ(value_of("'x' | float(2)"), Value(2));
  EXPECT_TRUE(value_of("3 | float").is_double());
  EXPECT_EQ(value_of("('Infinity' | float) > 1e300"), Value(true));
  EXPECT_EQ(fault_of("'inf' | float"), EvaluationFault::type_mismatch) << "JSON can't carry it";
}

TEST(GuardFilters, WorkOnTextsOfAnyScript) {
  EXPECT_EQ(value_of("'ÀÉß ΑΣ' | lower"), Value("àéß ας"));
  EXPECT_EQ(value_of("'straße ŉ' | upper"), Value("STRASSE ʼN"));
  EXPECT_EQ(value_of("true | lower"), Value("true"));
  EXPECT_EQ(value_of("'\\u00a0 x\\t' | trim"), Value("x"));
  EXPECT_EQ(value_of("'xaxx' | trim('x')"), Value("a"));
  EXPECT_EQ(value_of("unicode | length"), Value(2));
  EXPECT_EQ(value_of("unicode | list"), Value(List{"日", "本"}));
  EXPECT_EQ(value_of("unicode | first ~ unicode | last"), Value("日本"));
  EXPECT_EQ(value_of("12.50 | string"), Value("12.5"));
}

TEST(GuardFilters, WorkOnListsAndObjects) {
  EXPECT_EQ(value_of("list | first + list | last"), Value(4));
  EXPECT_EQ(value_of("empty | first is defined"), Value(false));
  EXPECT_EQ(value_of("object | length"), Value(3));
  EXPECT_EQ(value_of("object | list"), Value(List{"a", "deep", "items"}));
  EXPECT_EQ(value_of("missing | length"), Value(0));
  EXPECT_EQ(value_of("missing | list"), Value(List{}));
  EXPECT_EQ(value_of("[1, none, 'a'] | join('-')"), Value("1-None-a"));
  EXPECT_EQ(value_of("[1, 2] | join(0)"), Value("102"));
  EXPECT_EQ(fault_of("none | length"), EvaluationFault::type_mismatch);
  EXPECT_EQ(fault_of("1 | first"), EvaluationFault::type_mismatch);
}

TEST(GuardFilters, RoundsHalfToEvenOnTheExactValue) {
  EXPECT_EQ(value_of("2.5 | round"), Value(2.0));
  EXPECT_EQ(value_of("2.675 | round(2)"), Value(2.67));
  EXPECT_EQ(value_of("15 | round(-1)"), Value(20));
  EXPECT_EQ(value_of("25 | round(-1)"), Value(20));
  EXPECT_TRUE(value_of("5 | round").is_integer());
  EXPECT_TRUE(value_of("5.0 | round").is_double());
  EXPECT_EQ(value_of("42.55 | round(1, 'floor')"), Value(42.5));
  EXPECT_EQ(value_of("-0.5 | round(0, 'ceil')"), Value(0.0));
  EXPECT_EQ(value_of("42 | round(-1, method='ceil')"), Value(50.0));
  EXPECT_EQ(fault_of("1 | round(0, 'up')"), EvaluationFault::bad_argument);
  EXPECT_EQ(fault_of("1 | round('1')"), EvaluationFault::bad_argument);
  EXPECT_EQ(value_of("-9223372036854775807 | abs"), Value(std::int64_t{9223372036854775807}));
}

TEST(GuardWork, IsBoundedWhateverTheExpression) {
  EXPECT_EQ(fault_of("'ab' * 9223372036854775807"), EvaluationFault::too_large);
  EXPECT_EQ(fault_of("[[[[[0] * 999] * 999] * 999] * 999] ~ ''"), EvaluationFault::too_large);
  EXPECT_EQ(fault_of("[[[[0] * 999] * 999] * 999] == [[[[0] * 999] * 999] * 999]"),
            EvaluationFault::too_large);
  EXPECT_EQ(fault_of("[[[[0] * 999] * 999] * 999]"), EvaluationFault::too_large);
}

TEST(Guard, HoldsByTruth) {
  const auto held = [](std::string_view text) {
    Scope scope;
    scope.show_members_of(sample());
    return holds(parse_guard(text).value(), scope).value();
  };
  EXPECT_TRUE(held("'false'"));
  EXPECT_FALSE(held("missing.a"));
  EXPECT_TRUE(held("list"));
  EXPECT_FALSE(held("empty"));
  EXPECT_TRUE(held("'inf' | float"));
}

TEST(Scope, BindingsHideTheWorkloadsKeys) {
  const Value workload(Object{{"event", "hidden"}, {"n", 1}});
  const Value event(Object{{"name", "step.done"}});
  Scope scope;
  scope.show_members_of(workload);
  scope.bind("event", event);
  EXPECT_EQ(evaluate(parse_guard("event.name ~ n").value(), scope).value(), Value("step.done1"));
}

}  // namespace
}  // namespace assay::routing
