#include "reference_impl/service/json_codec.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <string>

namespace assay::service {
namespace {

Value parsed(std::string_view text) {
  auto result = parse_json(text);
  if (result) return *std::move(result);
  ADD_FAILURE() << "not read: " << text;
  return {};
}

bool is_not_json(std::string_view text) {
  const auto result = parse_json(text);
  return !result && std::holds_alternative<NotJson>(result.error());
}

std::string content_fault(std::string_view text) {
  const auto result = parse_json(text);
  const auto* fault = result ? nullptr : std::get_if<UnreadableContent>(&result.error());
  return fault == nullptr ? "" : fault->code;
}

std::string nested(std::size_t levels) {
  return std::string(levels, '[') + std::string(levels, ']');
}

TEST(JsonCodec, ReadsEveryKindOfValue) {
  const Value value = parsed(R"({"a":[null,true,false,1,-2,1.5,"x"],"b":{}})");
  EXPECT_EQ(value,
            Value(Object{{"a", List{nullptr, true, false, 1, -2, 1.5, "x"}}, {"b", Object{}}}));
}

TEST(JsonCodec, ReadsScalarsAtTheRoot) {
  EXPECT_EQ(parsed(" 7 "), Value(7));
  EXPECT_EQ(parsed("\"\""), Value(""));
  EXPECT_EQ(parsed("null"), Value(nullptr));
}

TEST(JsonCodec, KeepsIntegersExactTo64Bits) {
  EXPECT_EQ(write_json(parsed("9007199254740993")), "9007199254740993");
  EXPECT_EQ(write_json(parsed("9223372036854775807")), "9223372036854775807");
  EXPECT_EQ(write_json(parsed("-9223372036854775808")), "-9223372036854775808");
  EXPECT_EQ(write_json(parsed("18446744073709551615")), "18446744073709551615");
}

TEST(JsonCodec, RefusesLargerIntegersInsteadOfRoundingThem) {
  EXPECT_EQ(content_fault("18446744073709551617"), "NUMBER_OUT_OF_RANGE");
  // A double holds 2^64 exactly.
  EXPECT_EQ(parsed("18446744073709551616").as_double(), 0x1p64);
  EXPECT_EQ(content_fault("-9223372036854775809"), "NUMBER_OUT_OF_RANGE");
  EXPECT_TRUE(parsed("1.8446744073709551616e19").is_double());
}

TEST(JsonCodec, RoundsDoublesCorrectly) {
  for (const char* text : {"0.1", "2.2250738585072014e-308", "1.7976931348623157e+308", "5e-324",
                           "123456789.12345679", "0.30000000000000004"}) {
    EXPECT_EQ(parsed(text).as_double(), std::strtod(text, nullptr)) << text;
    EXPECT_EQ(parsed(write_json(parsed(text))).as_double(), std::strtod(text, nullptr)) << text;
  }
}

TEST(JsonCodec, WritesAWholeDoubleAsADouble) {
  EXPECT_EQ(write_json(parsed("1.0")), "1.0");
  EXPECT_EQ(write_json(parsed("-0.0")), "-0.0");
  EXPECT_EQ(write_json(parsed("1e2")), "100.0");
  EXPECT_EQ(write_json(parsed("1")), "1");
}

TEST(JsonCodec, RefusesNumbersWithoutAValue) {
  EXPECT_EQ(content_fault("1e400"), "NUMBER_OUT_OF_RANGE");
  EXPECT_EQ(content_fault(R"({"a":[-1e999]})"), "NUMBER_OUT_OF_RANGE");
  EXPECT_EQ(content_fault("1e99999999999999999999"), "NUMBER_OUT_OF_RANGE");
  EXPECT_EQ(content_fault("1" + std::string(400, '0') + ".5"), "NUMBER_OUT_OF_RANGE");
  EXPECT_EQ(content_fault("1e-400"), "NUMBER_OUT_OF_RANGE");
  EXPECT_EQ(content_fault("0." + std::string(400, '0') + "1"), "NUMBER_OUT_OF_RANGE");
}

TEST(JsonCodec, WritesCompactTextInTheOrderOfTheKeys) {
  EXPECT_EQ(write_json(parsed(R"( { "b" : [ 1 , 2 ] , "a" : { } } )")), R"({"a":{},"b":[1,2]})");
}

TEST(JsonCodec, EscapesWhatAStringMayNotHold) {
  EXPECT_EQ(write_json(Value("\"\\\n\r\t\x01\x7f/")), R"("\"\\\n\r\t\u0001\u007f/")");
  EXPECT_EQ(write_json(parsed(R"("\u00e9\ud83d\ude00")")), "\"é😀\"");
}

TEST(JsonCodec, RefusesWhatIsNotStrictJson) {
  for (const char* text :
       {"",       " ",       "{",     "}",         "[1,]",    "{\"a\":1,}", "{a:1}",
        "'a'",    "01",      "+1",    ".5",        "1.",      "NaN",        "Infinity",
        "-",      "tru",     "nulll", "[1] [2]",   "[1]x",    "// c\n1",    "/* c */1",
        "\"\n\"", "\"\\x\"", "[1 2]", "{\"a\" 1}", "{\"a\":}"}) {
    EXPECT_TRUE(is_not_json(text)) << text;
  }
}

TEST(JsonCodec, RefusesAByteOrderMark) { EXPECT_TRUE(is_not_json("\xef\xbb\xbf{}")); }

TEST(JsonCodec, RefusesDuplicateKeysAtAnyDepth) {
  EXPECT_TRUE(is_not_json(R"({"a":1,"a":1})"));
  EXPECT_TRUE(is_not_json(R"([{"b":{"a":1,"\u0061":2}}])"));
  EXPECT_FALSE(is_not_json(R"([{"a":1},{"a":1}])"));
}

TEST(JsonCodec, RefusesLoneSurrogates) {
  for (const char* text : {R"("\ud800")", R"("\udc00")", R"("\ud800x")", R"("\ud800\u0041")",
                           R"({"\udfff":1})", "\"\xed\xa0\x80\""}) {
    EXPECT_TRUE(is_not_json(text)) << text;
  }
}

TEST(JsonCodec, RefusesInvalidUtf8) {
  for (const char* text :
       {"\"\xff\"", "\"\xc0\xaf\"", "\"\xe2\x82\"", "{\"\x80\":1}", "\"\xf4\x90\x80\x80\""}) {
    EXPECT_TRUE(is_not_json(text)) << text;
  }
}

TEST(JsonCodec, ReadsAHundredLevelsAndNoMore) {
  EXPECT_TRUE(parsed(nested(100)).is_list());
  EXPECT_EQ(content_fault(nested(101)), "TOO_DEEP");
  EXPECT_EQ(content_fault(nested(999)), "TOO_DEEP");
  EXPECT_EQ(content_fault(nested(1'000'000)), "TOO_DEEP");
}

TEST(JsonCodec, WhatIsNoJsonIsSoAtAnyDepth) {
  EXPECT_TRUE(is_not_json(std::string(101, '[')));
  EXPECT_TRUE(is_not_json(std::string(1'000'000, '[')));
  EXPECT_TRUE(is_not_json(nested(200) + "]"));
}

TEST(JsonCodec, TheSameKeyBelowTheDepthLimitIsNoCrash) {
  const std::string deep = std::string(150, '[') + R"({"a":1,"a":{"b":2}})" + std::string(150, ']');
  EXPECT_EQ(content_fault(deep), "TOO_DEEP");
}

TEST(JsonCodec, ANumberIsKeptDigitForDigitOrRefused) {
  for (const char* kept : {"18446744073709551615", "-9223372036854775808", "0.1", "-0.0", "1e22",
                           "100000000000000000000", "2.50", "1.0E+2"}) {
    EXPECT_NO_THROW(static_cast<void>(parsed(kept))) << kept;
  }
  for (const char* refused :
       {"18446744073709551617", "-9223372036854775809", "1e-400", "123456789012345680000",
        "123456789012345678901234567890", "0.1234567890123456789"}) {
    EXPECT_EQ(content_fault(refused), "NUMBER_OUT_OF_RANGE") << refused;
  }
}

}  // namespace
}  // namespace assay::service
