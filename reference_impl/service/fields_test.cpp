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
  EXPECT_TRUE(is_valid_id("a/b %2F 😀"));
  EXPECT_TRUE(is_valid_id(std::string(256, 'x')));
  for (const std::string& id :
       {std::string(), std::string(257, 'x'), std::string("a\nb"), std::string("\x7f"),
        std::string("\xc2\x85"), std::string("\0", 1), std::string("\xff")}) {
    EXPECT_FALSE(is_valid_id(id));
  }
  const Object members{{"id", ""}};
  EXPECT_EQ(refused([&] { return Fields(members).optional_id("id"); }), "INVALID_ID /id");
}

}  // namespace
}  // namespace assay::service
