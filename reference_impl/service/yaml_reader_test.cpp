#include "reference_impl/service/yaml_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference_impl/service/json_codec.h"

namespace assay::service {
namespace {

using testing::HasSubstr;

std::string as_json(std::string_view yaml) {
  const auto read = read_yaml(yaml);
  return read ? write_json(*read) : "refused: " + read.error().message;
}

YamlError fault_of(std::string_view yaml) {
  const auto read = read_yaml(yaml);
  EXPECT_FALSE(read) << yaml.substr(0, 100);
  return read ? YamlError{} : read.error();
}

TEST(YamlReader, ReadsMappingsSequencesAndFlow) {
  EXPECT_EQ(as_json("a:\n  - b: 1\n    c: [x, {d: null}]\n  - e\n"),
            R"({"a":[{"b":1,"c":["x",{"d":null}]},"e"]})");
}

TEST(YamlReader, ReadsTheCoreSchema) {
  const std::pair<const char*, const char*> cases[] = {
      {"~", "null"},
      {"null", "null"},
      {"true", "true"},
      {"False", "false"},
      {"yes", "\"yes\""},
      {"on", "\"on\""},
      {"12", "12"},
      {"-7", "-7"},
      {"+7", "7"},
      {"007", "7"},
      {"0x1F", "31"},
      {"0o17", "15"},
      {"1.5", "1.5"},
      {"1.", "1.0"},
      {".5", "0.5"},
      {"1e3", "1000.0"},
      {"1_000", "\"1_000\""},
      {"1.2.3", "\"1.2.3\""},
      {"-", "[null]"},
      {"12:30", "\"12:30\""},
      {"2026-03-01", "\"2026-03-01\""},
      {"'12'", "\"12\""},
      {"\"true\"", "\"true\""},
      {"!!str 12", "\"12\""},
      {"9223372036854775808", "9223372036854775808"},
      {"0xzz", "\"0xzz\""},
      {"'{{ a }}'", "\"{{ a }}\""},
      {"18446744073709551616", "18446744073709551616.0"},
      {"e3", "\"e3\""},
      {".", "\".\""},
  };
  for (const auto& [yaml, json] : cases) {
    EXPECT_EQ(as_json(yaml), json) << yaml;
  }
}

TEST(YamlReader, KeysAreStringsAsWritten) {
  EXPECT_EQ(as_json("1: a\ntrue: b\n1.50: c\n"), R"({"1":"a","1.50":"c","true":"b"})");
}

TEST(YamlReader, ReadsBlockScalars) {
  EXPECT_EQ(as_json("a: |\n  x\n  y\nb: >-\n  x\n  y\n"), R"({"a":"x\ny\n","b":"x y"})");
}

TEST(YamlReader, ExpandsAliases) {
  EXPECT_EQ(as_json("a: &x {n: 1}\nb: *x\n"), R"({"a":{"n":1},"b":{"n":1}})");
}

TEST(YamlReader, AnEmptyTextIsNull) {
  EXPECT_EQ(as_json(""), "null");
  EXPECT_EQ(as_json("# nothing\n"), "null");
}

TEST(YamlReader, RefusesAliasBombs) {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int level = 1; level < 12; ++level) {
    const std::string before = "*a" + std::to_string(level - 1);
    bomb += "a" + std::to_string(level) + ": &a" + std::to_string(level) + " [" + before;
    for (int count = 1; count < 10; ++count) bomb += ", " + before;
    bomb += "]\n";
  }
  EXPECT_THAT(fault_of(bomb).message, HasSubstr("aliases are expanded"));
  std::string texts = "a: &a '" + std::string(1'000'000, 'x') + "'\nb: [*a";
  for (int count = 0; count < 1'000; ++count) texts += ", *a";
  EXPECT_THAT(fault_of(texts + "]\n").message, HasSubstr("aliases are expanded"));
}

TEST(YamlReader, RefusesADeepNest) {
  EXPECT_EQ(as_json(std::string(99, '[') + "1" + std::string(99, ']')),
            std::string(99, '[') + "1" + std::string(99, ']'));
  for (const std::size_t levels : {101U, 400U, 10'000U, 1'000'000U}) {
    EXPECT_THAT(fault_of(std::string(levels, '[') + "1" + std::string(levels, ']')).message,
                HasSubstr("deeper"));
    static_cast<void>(fault_of(std::string(levels, '[')));
    static_cast<void>(fault_of(std::string(levels, '{')));
  }
  std::string blocks;
  for (int level = 0; level < 200; ++level) blocks += "- ";
  EXPECT_THAT(fault_of(blocks + "1").message, HasSubstr("deeper"));
  std::string aliases = "a0: &a0 [[1]]\n";
  for (int level = 1; level < 120; ++level) {
    aliases += "a" + std::to_string(level) + ": &a" + std::to_string(level) + " [*a" +
               std::to_string(level - 1) + "]\n";
  }
  EXPECT_THAT(fault_of(aliases).message, HasSubstr("deeper"));
}

TEST(YamlReader, RefusesWhatHasNoPlaceInAPlaybook) {
  for (const char* yaml :
       {"a: 1\na: 2\n", "<<: {a: 1}\n", "[a]: 1\n", "? {a: 1}\n: 2\n", "--- 1\n--- 2\n",
        "!!python/object:os.system x\n", "!mine x\n", "a: .inf\n", "a: 1e999\n", "a: *nowhere\n",
        "a: &x [*x]\n", "a: [1\n", "a: b: c\n", "\tx: 1\n", "~: c\n", "%YAML 9\n--- 1\n",
        "a: \"\\ud800\"\n", "}", "- a\nb: 1\n"}) {
    static_cast<void>(fault_of(yaml));
  }
}

TEST(YamlReader, RefusesALongText) {
  EXPECT_THAT(fault_of(std::string(10'000'000, 'x')).message, HasSubstr("longer"));
}

TEST(YamlReader, NamesTheLineOfAFault) {
  const YamlError error = fault_of("a: 1\nb: 2\na: 3\n");
  EXPECT_EQ(error.line, 3U);
  EXPECT_EQ(error.column, 1U);
}

TEST(YamlReader, FindsTheLineOfANode) {
  const char* yaml =
      "workflow:\n  - step: a\n  - step: b\n    next:\n      arcs:\n        - {step: z}\n";
  EXPECT_EQ(yaml_line_of(yaml, ""), 1U);
  EXPECT_EQ(yaml_line_of(yaml, "/workflow/1"), 3U);
  EXPECT_EQ(yaml_line_of(yaml, "/workflow/1/next/arcs/0/step"), 6U);
  EXPECT_EQ(yaml_line_of(yaml, "/nowhere"), std::nullopt);
}

}  // namespace
}  // namespace assay::service
