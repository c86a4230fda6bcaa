#include "reference_impl/service/fields.h"

#include <gtest/gtest.h>

#include <string>

#include "reference_impl/service/problem.h"

namespace assay::service {
namespace {

template <typename Read>
std::string refused(Read read) {
  try {
    static_cast<void>(read());
  } catch (const Refusal& refusal) {
    EXPECT_EQ(refusal.problem().status, 422);
    return refusal.problem().code + " " + refusal.problem().pointer.value_or("none");
  }
  return "";
}

TEST(Fields, NullMeansAbsent) {
  const Object members{{"a", nullptr}};
  EXPECT_EQ(Fields(members).optional_string("a"), nullptr);
  EXPECT_EQ(Fields(members).optional_object("b"), nullptr);
  EXPECT_EQ(refused([&] { return Fields(members).required_string("a"); }), "MISSING_FIELD /a");
}

TEST(Fields, AnotherTypeIsRefusedWithItsPointer) {
  const Object members{{"a/b", 1}, {"c", List{}}};
  EXPECT_EQ(refused([&] { return Fields(members, "/x").optional_string("a/b"); }),
            "INVALID_FIELD /x/a~1b");
  EXPECT_EQ(refused([&] { return Fields(members).required_object("c"); }), "INVALID_FIELD /c");
  EXPECT_EQ(refused([&] { return Fields(members).required_bool("c"); }), "INVALID_FIELD /c");
}

TEST(Fields, AnIdHasOneTo256BytesAndNoControlCharacters) {
  const Object valid{{"id", "a/b %2F 😀"}};
  EXPECT_EQ(*Fields(valid).optional_id("id"), "a/b %2F 😀");
  const Object members{{"id", ""}};
  EXPECT_EQ(refused([&] { return Fields(members).optional_id("id"); }), "INVALID_ID /id");
}

}  // namespace
}  // namespace assay::service
