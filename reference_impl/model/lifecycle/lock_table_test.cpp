#include "reference_impl/model/lifecycle/lock_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <random>

namespace assay::lifecycle {
namespace {

using Owners = std::vector<LockTable::Owner>;

/// Grants whatever can be granted now, and says to whom.
Owners grant_all(LockTable& table) {
  Owners granted;
  while (const auto owner = table.next()) {
    table.hold(*owner);
    granted.push_back(*owner);
  }
  return granted;
}

TEST(LockTable, AFreeEntityIsGrantedAndThenHeld) {
  LockTable table;
  table.request(1, {"d1"});
  EXPECT_EQ(grant_all(table), Owners{1});
  EXPECT_EQ(table.holder("d1"), 1U);
  EXPECT_EQ(table.holder("d2"), std::nullopt);
}

TEST(LockTable, AHeldEntityIsWaitedForInOrderOfArrival) {
  LockTable table;
  for (const LockTable::Owner owner : {5U, 3U, 4U}) table.request(owner, {"d1"});
  EXPECT_EQ(grant_all(table), Owners{5});
  table.release(5);
  EXPECT_EQ(grant_all(table), Owners{3});
  table.release(3);
  EXPECT_EQ(grant_all(table), Owners{4});
  table.release(4);
  EXPECT_EQ(grant_all(table), Owners{});
  EXPECT_EQ(table.holder("d1"), std::nullopt);
}

TEST(LockTable, AllEntitiesAreGrantedOrNone) {
  LockTable table;
  table.request(1, {"d1"});
  table.request(2, {"d1", "d2"});
  EXPECT_EQ(grant_all(table), Owners{1});
  EXPECT_EQ(table.holder("d2"), std::nullopt);
}

TEST(LockTable, WhoNeedsNothingThatIsHeldNeverWaits) {
  LockTable table;
  table.request(1, {"d1"});
  table.request(2, {"d1", "d2"});
  table.request(3, {"d2"});
  table.request(4, {});
  EXPECT_EQ(grant_all(table), (Owners{1, 3, 4}));
}

TEST(LockTable, ReleasesOfSeveralEntitiesServeTheEarliestFirst) {
  LockTable table;
  table.request(1, {"d1", "d2"});
  EXPECT_EQ(grant_all(table), Owners{1});
  table.request(2, {"d2"});
  table.request(3, {"d1"});
  table.request(4, {"d1", "d2"});
  EXPECT_EQ(grant_all(table), Owners{});
  table.release(1);
  EXPECT_EQ(grant_all(table), (Owners{2, 3}));
  table.release(3);
  EXPECT_EQ(grant_all(table), Owners{});
  table.release(2);
  EXPECT_EQ(grant_all(table), Owners{4});
}

TEST(LockTable, AWaiterMovesOnToTheEntityThatStillBlocksIt) {
  LockTable table;
  table.request(1, {"d1"});
  table.request(2, {"d2"});
  table.request(3, {"d1", "d2"});
  table.request(4, {"d1"});
  EXPECT_EQ(grant_all(table), (Owners{1, 2}));
  table.release(1);
  EXPECT_EQ(grant_all(table), Owners{4});
  table.release(2);
  EXPECT_EQ(grant_all(table), Owners{});
  table.release(4);
  EXPECT_EQ(grant_all(table), Owners{3});
}

TEST(LockTable, AWithdrawnRequestBlocksNobody) {
  LockTable table;
  table.request(1, {"d1"});
  table.request(2, {"d1"});
  table.request(3, {"d1"});
  EXPECT_EQ(grant_all(table), Owners{1});
  table.release(2);
  table.release(1);
  EXPECT_EQ(grant_all(table), Owners{3});
  table.release(99);
  EXPECT_EQ(table.holder("d1"), 3U);
}

TEST(LockTable, AWithdrawnCandidateLeavesItsPlaceToTheNext) {
  LockTable table;
  for (const LockTable::Owner owner : {1U, 2U, 3U}) table.request(owner, {"d1"});
  EXPECT_EQ(grant_all(table), Owners{1});
  table.release(1);
  table.release(2);
  EXPECT_EQ(grant_all(table), Owners{3});
}

TEST(LockTable, AGrantThatIsNotTakenPassesOn) {
  LockTable table;
  for (const LockTable::Owner owner : {1U, 2U, 3U}) table.request(owner, {"d1"});
  EXPECT_EQ(table.next(), 1U);
  table.release(1);
  EXPECT_EQ(grant_all(table), Owners{2});
}

TEST(LockTable, AnyOrderOfRequestsAndReleasesIsExclusiveAndLosesNobody) {
  std::mt19937 random(20260801);
  const auto below = [&random](int limit) {
    return std::uniform_int_distribution(0, limit - 1)(random);
  };
  LockTable table;
  std::map<LockTable::Owner, std::set<std::string>> needs;
  std::set<LockTable::Owner> holding;
  std::set<LockTable::Owner> waiting;
  const auto grant = [&] {
    while (const auto owner = table.next()) {
      table.hold(*owner);
      ASSERT_EQ(waiting.erase(*owner), 1U);
      holding.insert(*owner);
    }
    std::set<std::string> held;
    for (const LockTable::Owner owner : holding) {
      for (const std::string& entity : needs[owner]) {
        ASSERT_TRUE(held.insert(entity).second) << entity << " is held twice";
      }
    }
    for (const LockTable::Owner owner : waiting) {
      const auto is_held = [&](const std::string& entity) { return held.count(entity) == 1; };
      ASSERT_TRUE(std::any_of(needs[owner].begin(), needs[owner].end(), is_held))
          << owner << " waits for nothing";
    }
  };
  for (LockTable::Owner owner = 1; owner <= 600; ++owner) {
    for (int count = 1 + below(3); count > 0; --count) {
      needs[owner].insert("d" + std::to_string(below(8)));
    }
    table.request(owner, needs[owner]);
    waiting.insert(owner);
    grant();
    const std::set<LockTable::Owner>& pool = below(5) == 0 && !waiting.empty() ? waiting : holding;
    if (!pool.empty() && below(3) > 0) {
      const LockTable::Owner leaving =
          *std::next(pool.begin(), below(static_cast<int>(pool.size())));
      waiting.erase(leaving);
      holding.erase(leaving);
      table.release(leaving);
      grant();
    }
  }
  while (!holding.empty()) {
    table.release(*holding.begin());
    holding.erase(holding.begin());
    grant();
  }
  EXPECT_TRUE(waiting.empty());
}

}  // namespace
}  // namespace assay::lifecycle
