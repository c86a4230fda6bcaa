#include "harness/wire/json_walk.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "harness/wire/fast_json.h"
#include "harness/wire/json.h"
#include "reference_impl/model/testing/mutator.h"

namespace assay::wire::json_walk_test {
namespace {

/// What a visitor is told, as text.
class Told final : public JsonVisitor {
 public:
  void scalar(const Value& value) override { said += to_json(value) + " "; }
  void text(std::string_view text) override { said += to_json(Value(text)) + " "; }
  void open_list() override { said += "[ "; }
  void open_object() override { said += "{ "; }
  void key(std::string_view name) override { said += std::string(name) + ": "; }
  void close() override { said += "; "; }

  std::string said;
};

std::string told(std::string_view text) {
  Told visitor;
  return walk_json(text, visitor) ? visitor.said : "no JSON";
}

/// The same by the parser that simdjson leaves texts to: one with a NUL byte is always its own.
std::string told_slowly(std::string_view text) { return told(std::string(text) + '\0'); }

TEST(JsonWalk, TellsWhatATextHasInItsOrder) {
  EXPECT_EQ(told(R"({"b":[1,-2,18446744073709551615,0.5],"a":{"c":null,"c":true},"":"x\n"})"),
            R"({ b: [ 1 -2 18446744073709551615 0.5 ; a: { c: null c: true ; : "x\n" ; )");
  EXPECT_EQ(told(" 7 "), "7 ");
}

TEST(JsonWalk, IsTheSameByEitherParser) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  for (const std::string& text :
       {std::string(), std::string("{}"), nested(200), nested(201), nested(3'000),
        std::string(3'000, '['), std::string(R"({"a":1,"a":{"a":2,"a":3},"a":4})"),
        std::string(R"(["\u0000","\ud83d\ude42","\ud800"])"), std::string("[\"\xFF\"]"),
        std::string("[1e999]"), std::string("[1e22,-0,-0.0,5e-324,123456789012345678901234567890]"),
        std::string("[9223372036854775807,9223372036854775808,-9223372036854775808]"),
        std::string("\xEF\xBB\xBF[1]"), std::string("[1] x"), std::string("[01]"),
        "[\"" + std::string(5'000, 'x') + "\"]", "[\"" + std::string(200'000, 'x') + "\"]"}) {
    EXPECT_EQ(told(text), told_slowly(text)) << text.substr(0, 80);
  }
  fuzzing::over_mutations(
      {R"({"state":"RUNNING","items":[{"a":1.5,"b":"\u00e9"},{"b":null}],"state":-7,"x":true})"},
      10'000, [](std::string_view text) {
        // What stands behind a NUL byte is not looked at.
        const std::string_view before = text.substr(0, text.find('\0'));
        EXPECT_EQ(told(before), told_slowly(before)) << before;
      });
}

}  // namespace
}  // namespace assay::wire::json_walk_test
