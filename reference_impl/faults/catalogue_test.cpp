#include "reference_impl/faults/catalogue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace assay::faults {
namespace {

TEST(Catalogue, HasAtLeastTheFaultsThatItPromises) { EXPECT_GE(faults().size(), 120U); }

TEST(Catalogue, NamesEachFaultOnceInKebabCase) {
  std::set<std::string_view> seen;
  for (const Fault& fault : faults()) {
    EXPECT_TRUE(seen.insert(fault.id).second) << fault.id;
    EXPECT_TRUE(std::all_of(fault.id.begin(), fault.id.end(), [](char letter) {
      return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == '-';
    })) << fault.id;
  }
}

TEST(Catalogue, EveryFaultHasAClauseAndAMeans) {
  for (const Fault& fault : faults()) {
    EXPECT_FALSE(fault.clause.empty()) << fault.id;
    const bool has_means = std::visit([](const auto& means) { return bool(means); }, fault.means);
    EXPECT_TRUE(has_means) << fault.id;
  }
}

TEST(Catalogue, FindsByTheWholeId) {
  ASSERT_NE(find_fault("stores-duplicates"), nullptr);
  EXPECT_EQ(find_fault("stores-duplicates")->clause, "EVT-IDEM-1");
  EXPECT_EQ(find_fault("stores-duplicate"), nullptr);
}

}  // namespace
}  // namespace assay::faults
