#include "base/result.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "base/value.h"

namespace assay {
namespace {

Result<Value, std::string> read(bool is_sound) {
  if (!is_sound) return unexpected(std::string("no"));
  return "yes";
}

TEST(Result, IsAValueOrAnErrorEvenWhereOneCouldBeTheOther) {
  EXPECT_EQ(read(true).value(), Value("yes"));
  ASSERT_FALSE(read(false));
  EXPECT_EQ(read(false).error(), "no");
}

TEST(Result, HasAValueThatIsFalse) {
  const Result<bool, std::string> no = false;
  EXPECT_TRUE(no.has_value());
  EXPECT_FALSE(*no);
}

TEST(Result, MovesWhatItHolds) {
  Result<std::unique_ptr<int>, std::unique_ptr<int>> good = std::make_unique<int>(1);
  EXPECT_EQ(*(*std::move(good)), 1);
  Result<std::unique_ptr<int>, std::unique_ptr<int>> bad = unexpected(std::make_unique<int>(2));
  const Result<Value, std::unique_ptr<int>> passed_on = unexpected(std::move(bad).error());
  EXPECT_EQ(*passed_on.error(), 2);
}

TEST(Result, HasNoValueToTakeWhereItIsAnError) {
  EXPECT_THROW(static_cast<void>(read(false).value()), tl::bad_expected_access<std::string>);
}

}  // namespace
}  // namespace assay
