#include "properties/all_cores.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace assay::properties::all_cores_test {
namespace {

TEST(AllCores, DoEachPartOnce) {
  for (const std::size_t count : {0U, 1U, 2U, 1'000U}) {
    std::vector<std::atomic<int>> times(count);
    share_out(count, [&](std::size_t number) { ++times.at(number); });
    for (const auto& each : times) EXPECT_EQ(each, 1);
  }
}

TEST(AllCores, TellWhatOneOfThemThrew) {
  const auto fail_at = [](std::size_t number) {
    if (number == 7) throw std::runtime_error("seven");
  };
  EXPECT_THROW(share_out(100, fail_at), std::runtime_error);
}

}  // namespace
}  // namespace assay::properties::all_cores_test
