#include "harness/wire/json.h"

#include <gtest/gtest.h>

#include <limits>

namespace assay::wire::json_test {
namespace {

Value parsed(std::string_view text) {
  auto result = parse_json(text);
  if (!result) {
    ADD_FAILURE() << text << ": " << result.error().message;
    return {};
  }
  return std::move(result).value();
}

JsonError refused(std::string_view text) {
  auto result = parse_json(text);
  if (result) {
    ADD_FAILURE() << "accepted: " << text;
    return {};
  }
  return std::move(result).error();
}

TEST(Json, KeepsIntegersOf64BitsExactly) {
  EXPECT_EQ(parsed("9223372036854775807").to_int64(), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(parsed("-9223372036854775808").to_int64(), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(parsed("18446744073709551615").large_unsigned(),
            std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(to_json(parsed("641000000000000001")), "641000000000000001");
}

TEST(Json, WritesWhatItRead) {
  for (const std::string_view text :
       {R"({"a":[1,-2,3.5,1e+300,true,false,null],"b":{"c":"é\n\"\\"}})", "[]", "{}", R"("")",
        "1.0", "-0.0", R"([[],{},[{}]])"}) {
    EXPECT_EQ(to_json(parsed(text)), text);
  }
}

/// What the careful parser says of a text, which reads all texts whose doubled members are asked
/// for.
Result<Value, JsonError> read_with_care(std::string_view text, std::size_t max_depth = 200) {
  std::vector<std::string> doubled;
  return parse_json(text, {.max_depth = max_depth, .duplicate_keys = &doubled});
}

std::string told(const Result<Value, JsonError>& read) {
  if (!read) return read.error().message + " at " + std::to_string(read.error().offset);
  return to_json(read.value());
}

TEST(Json, ReadsAlikeByBothParsers) {
  for (const std::string text :
       {R"({"mode":"exclusive","matched":[{"step":"a","when":null}],"selected":[]})",
        R"("\u00e9\n\ud83d\ude00")",
        R"("\ud800")",
        R"("\u0000")",
        "[true,false,null,-1,9223372036854775807]",
        "-9223372036854775808",
        "-9223372036854775809",
        "18446744073709551615",
        "18446744073709551616",
        "1.5",
        "1.0",
        "-0",
        "-0.0",
        "1e5",
        "1E-7",
        "0.1",
        "2.2250738585072011e-308",
        "5e-324",
        "1e400",
        "-1e400",
        "01",
        "+1",
        "1.",
        ".5",
        R"({"a":1,"a":2})",
        R"({"a":{"b":[1,{"b":2,"b":3}]}})",
        R"({"b":1,"a":2})",
        "{",
        "tru",
        "",
        " ",
        "[1,]",
        "[1]]",
        "\xEF\xBB\xBF[1]",
        "\"\xff\"",
        "\"\xED\xA0\x80\"",
        "\"\x01\"",
        "\t[1 , 2]\r\n",
        "NaN",
        "[1] x",
        "// no\n1"}) {
    EXPECT_EQ(told(parse_json(text)), told(read_with_care(text))) << text;
  }
  const std::string digits(200, '9');
  EXPECT_EQ(told(parse_json(digits)), told(read_with_care(digits)));
  const std::string long_text = '"' + std::string(std::size_t{1100} * 1024, 'x') + '"';
  EXPECT_EQ(told(parse_json(long_text)), told(read_with_care(long_text)));
}

TEST(Json, ReadsAlikeByBothParsersAfterAnyByteChanged) {
  const std::string whole = R"({"id":"a\u00e9","n":[-12,3.25e1,{"deep":null}],"t":true,"z":{}})";
  for (std::size_t place = 0; place < whole.size(); ++place) {
    for (const char byte : std::string_view("\"\\{}[],:0-.eu x\x7F\xC3\n")) {
      std::string text = whole;
      text[place] = byte;
      EXPECT_EQ(told(parse_json(text)), told(read_with_care(text))) << text;
    }
  }
}

TEST(Json, BoundsDepthAlikeByBothParsers) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  for (const std::size_t depth : {1U, 199U, 200U, 201U, 399U, 400U, 401U, 100'000U}) {
    for (const std::size_t allowed : {std::size_t{200}, std::size_t{400}}) {
      const std::string text = nested(depth);
      EXPECT_EQ(told(parse_json(text, {.max_depth = allowed})), told(read_with_care(text, allowed)))
          << depth;
    }
  }
  EXPECT_EQ(told(parse_json("[1]")), "[1]") << "after one that was too deep";
}

TEST(Json, IndentsPrettyOutput) {
  EXPECT_EQ(to_pretty_json(parsed(R"({"a":[1,{}],"b":[]})")),
            "{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": []\n}");
}

TEST(Json, NamesThePlaceOfAnError) {
  const JsonError error = refused("{\"a\": 1,\n \"b\": nul}");
  EXPECT_EQ(error.line, 2);
  EXPECT_EQ(error.column, 10);
  EXPECT_NE(error.message.find("invalid literal"), std::string::npos) << error.message;
}

TEST(Json, RefusesWhatIsNoJson) {
  for (const std::string_view text :
       {"", " ", "{", "[1,]", "{\"a\":1} x", "'a'", "01", "1e999", "\"\xff\"", "\"\xc0\xaf\"",
        R"("\ud800")", "nan", "// c\n1", "\"\n\""}) {
    EXPECT_FALSE(refused(text).message.empty()) << text;
  }
}

TEST(Json, RefusesWhatStandsBehindANulByte) {
  using namespace std::string_view_literals;
  for (const std::string_view text :
       {"{\"a\":1}\0"sv, "{\"a\":1}\0{\"a\":2}"sv, "1\0\""sv, "\0"sv}) {
    EXPECT_EQ(refused(text).message, "found a NUL byte, which no JSON text has");
  }
  EXPECT_EQ(refused("{\n\0}"sv).line, 2);
}

TEST(Json, BoundsDepth) {
  const std::string deep(201, '[');
  EXPECT_EQ(refused(deep + std::string(201, ']')).message, "nested deeper than 200 levels");
  EXPECT_TRUE(parsed(std::string(200, '[') + std::string(200, ']')).is_list());
  EXPECT_EQ(refused(std::string(1'000'000, '[')).message, "nested deeper than 200 levels");
}

TEST(Json, ReportsDuplicateKeysAndKeepsTheLast) {
  std::vector<std::string> duplicates;
  const auto result = parse_json(R"({"a":1,"b":{"a":2,"c":3,"c":4},"a":5})",
                                 {.max_depth = 10, .duplicate_keys = &duplicates});
  EXPECT_EQ(to_json(result.value()), R"({"a":5,"b":{"a":2,"c":4}})");
  EXPECT_EQ(duplicates, (std::vector<std::string>{"c", "a"}));
}

TEST(Json, WritesOnlyValidJson) {
  EXPECT_EQ(to_json(Value("a\xff\x01z")), "\"a\xEF\xBF\xBD\\u0001z\"");
  EXPECT_EQ(to_json(Value(std::numeric_limits<double>::infinity())), "null");
  EXPECT_EQ(to_json(Value(std::numeric_limits<double>::quiet_NaN())), "null");
}

}  // namespace
}  // namespace assay::wire::json_test
