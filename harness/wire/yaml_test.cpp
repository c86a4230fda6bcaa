#include "harness/wire/yaml.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "harness/wire/json.h"

namespace assay::wire::yaml_test {
namespace {

YamlNode parsed(std::string_view text) {
  auto result = read_yaml(text, "x.yaml");
  if (!result) {
    ADD_FAILURE() << core::diagnostic_text(result.error());
    return {};
  }
  return std::move(result).value();
}

std::string refused(std::string_view text) {
  const auto result = read_yaml(text, "x.yaml");
  if (result) return "accepted";
  return core::diagnostic_text(result.error());
}

std::string as_json(std::string_view text) { return to_json(to_value(parsed(text))); }

TEST(Yaml, TypesScalarsByTheCoreSchema) {
  EXPECT_EQ(as_json("[1, -2, +3, 0o17, 0xFF, 18446744073709551615, 1.5, .5, 1e3, 1.]"),
            "[1,-2,3,15,255,18446744073709551615,1.5,0.5,1000.0,1.0]");
  EXPECT_EQ(as_json("[true, False, null, ~, , yes, no, on, 1_000, 1:30, 2026-01-01, 0x, 1e]"),
            R"([true,false,null,null,null,"yes","no","on","1_000","1:30","2026-01-01","0x","1e"])");
}

TEST(Yaml, KeepsQuotedScalarsAsText) {
  EXPECT_EQ(as_json(R"(["1", 'true', "null", "", !!str 5])"), R"(["1","true","null","","5"])");
}

TEST(Yaml, KnowsWhereEachNodeIs) {
  const YamlNode root = parsed("a: 1\nb:\n  - {c: x}\n");
  const YamlNode* c = root.find("b")->items.at(0).find("c");
  ASSERT_NE(c, nullptr);
  EXPECT_EQ(c->line, 3);
  EXPECT_EQ(c->column, 9);
}

TEST(Yaml, KeepsLocalTags) {
  const YamlNode root = parsed("a: !one_of [1]\nb: !any\nc: !exactly {x: 1}\nd: {e: !absent }");
  EXPECT_EQ(root.find("a")->tag, "one_of");
  EXPECT_EQ(root.find("b")->tag, "any");
  EXPECT_TRUE(root.find("b")->is_null());
  EXPECT_EQ(root.find("c")->tag, "exactly");
  EXPECT_EQ(root.find("d")->find("e")->tag, "absent");
}

TEST(Yaml, KeepsTheTypeOfTaggedScalars) {
  EXPECT_EQ(as_json("[!not \"1\", !not 1, &x !not '1', é, !not 'true', !not true]"),
            R"(["1",1,"1","é","true",true])");
  EXPECT_EQ(as_json("a: !not |\n  1\nb: !not\n  '2'\n"), R"({"a":"1\n","b":"2"})");
}

TEST(Yaml, ResolvesAliases) {
  EXPECT_EQ(as_json("a: &x {k: [1]}\nb: *x\nc: [*x]"),
            R"({"a":{"k":[1]},"b":{"k":[1]},"c":[{"k":[1]}]})");
}

TEST(Yaml, RefusesAliasBombs) {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 30; ++i) {
    const std::string name = "a" + std::to_string(i);
    const std::string last = "*a" + std::to_string(i - 1);
    bomb += fmt::format("{0}: &{0} [{1}, {1}, {1}, {1}]\n", name, last);
  }
  EXPECT_NE(refused(bomb).find("nodes, aliases included"), std::string::npos) << refused(bomb);
  EXPECT_NE(refused("&a [*a]").find("not yet whole"), std::string::npos) << refused("&a [*a]");
}

TEST(Yaml, RefusesDeepNestingOfEveryForm) {
  for (const std::string_view opening : {"[", "{a: ", "- ", "? ", "[? ", "{? "}) {
    std::string text;
    while (text.size() < 200'000) text += opening;
    EXPECT_NE(refused(text), "accepted") << opening;
  }
  std::string indented;
  for (std::size_t i = 0; i < 1'000; ++i) indented += std::string(i, ' ') + "a:\n";
  EXPECT_NE(refused(indented).find("nested deeper than 64"), std::string::npos);
}

TEST(Yaml, NamesTheKeyThatStandsTwice) {
  EXPECT_EQ(refused("a: 1\nb: {c: 1, c: 2}\n"), "x.yaml:2:11: the key \"c\" stands here twice");
}

TEST(Yaml, RefusesWhatHasNoJsonForm) {
  EXPECT_EQ(refused("a: .inf"), "x.yaml:1:4: .inf has no JSON form; quote it to have text");
  EXPECT_NE(refused("a: 18446744073709551616").find("does not fit 64 bits"), std::string::npos);
  EXPECT_NE(refused("1: a").find("a key that is not a string"), std::string::npos);
  EXPECT_NE(refused("[a]: b").find("a key that is not a string"), std::string::npos);
  EXPECT_NE(refused("a: !!binary aGk=").find("not known here"), std::string::npos);
}

TEST(Yaml, RefusesBrokenDocuments) {
  EXPECT_EQ(refused("a: \"\xff\""), "x.yaml:1:5: found bytes that are not UTF-8");
  EXPECT_EQ(refused(std::string_view("a: \0", 4)), "x.yaml:1:4: found a NUL character");
  EXPECT_NE(refused("a: [1, 2\nb: 3"), "accepted");
  EXPECT_NE(refused("a: 1\n---\nb: 2"), "accepted");
  EXPECT_NE(refused(""), "accepted");
  EXPECT_NE(refused("a: *nobody"), "accepted");
  EXPECT_NE(refused(std::string(5'000'000, 'a')).find("expected at most"), std::string::npos);
}

}  // namespace
}  // namespace assay::wire::yaml_test
