#include "harness/audit/payload_value.h"

#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "harness/wire/json.h"

namespace assay::audit {
namespace {

/// As the parser of everything else reads it; null where that does not.
Value value_of(const std::string& json) {
  auto read = wire::parse_json(json, {.max_depth = 400});
  return std::holds_alternative<Value>(read) ? std::get<Value>(std::move(read)) : Value();
}

TEST(PayloadValue, IsWhatTheOtherParserReads) {
  for (const std::string json :
       {R"({"mode":"exclusive","matched":[{"step":"a","when":null}],"selected":[]})",
        R"("\u00e9\n")", "[true,false,null,-1,9223372036854775807]", "18446744073709551615", "1.5",
        "1.0", "1e400", R"({"a":1,"a":2})", R"({"a":{"b":[1,{"b":2,"b":3}]}})", "{", "tru", "",
        "[1,]", "\"\xff\""}) {
    EXPECT_EQ(wire::to_json(payload_value(json)), wire::to_json(value_of(json))) << json;
  }
  const std::string nine(200, '9');
  EXPECT_EQ(wire::to_json(payload_value(nine)), wire::to_json(value_of(nine)));
}

TEST(PayloadValue, ReadsWhatIsNotTooDeep) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_TRUE(payload_value(nested(399)).is_list());
  EXPECT_TRUE(payload_value(nested(401)).is_null());
  EXPECT_TRUE(payload_value(nested(100'000)).is_null());
  EXPECT_TRUE(payload_value("[1]").is_list()) << "after one that was too deep";
}

}  // namespace
}  // namespace assay::audit
