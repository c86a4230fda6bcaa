// Guards of playbooks in use (fixtures/playbooks/real_guards.txt), with what they mean there.

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "base/value.h"
#include "reference_impl/model/routing/guard.h"

namespace assay::routing {
namespace {

std::vector<std::string> real_guards() {
  std::ifstream file(ASSAY_SOURCE_DIR "/fixtures/playbooks/real_guards.txt");
  std::vector<std::string> guards;
  for (std::string line; std::getline(file, line);) guards.push_back(line);
  return guards;
}

/// A real guard by its line in the fixture, what it sees, and what it then is.
struct RealGuardCase {
  std::size_t line;
  Object scope;
  bool expected;
};

TEST(RealGuards, HoldAsTheirPlaybooksMean) {
  const auto rows = [](Object row) { return Object{{"rows", List{std::move(row)}}}; };
  const auto output = [](Object members) { return Object{{"output", std::move(members)}}; };
  const Object counts{{"ready_count", "0"}, {"claimed_count", 0}, {"waiting_retry_count", 2}};
  const std::vector<RealGuardCase> cases = {
      {1, output({{"status", "error"}}), true},
      {1, output({{"status", "ok"}}), false},
      {1, {}, false},
      {2, output({{"status", "error"}, {"error", Object{{"retryable", true}}}}), true},
      {2, output({{"status", "error"}}), false},
      {3, {{"event", Object{{"name", "loop.done"}}}}, true},
      {3, {{"event", Object{{"name", "step.done"}}}}, false},
      {4, {{"event", Object{{"name", "call.done"}}}}, true},
      {5, output({{"http", Object{{"status", 502}}}}), true},
      {5, output({{"http", Object{{"status", "502"}}}}), false},
      {5, {}, false},
      {6, output({{"status", "error"}, {"http", Object{{"status", 429}}}}), true},
      {6, output({{"status", "success"}, {"http", Object{{"status", 429}}}}), false},
      {7, output({{"error", Object{{"kind", "rate_limit"}}}}), true},
      {7, output({{"error", nullptr}}), false},
      {8, {}, true},
      {8, output({{"data", Object{{"row_count", "3"}}}}), false},
      {8, output({{"data", Object{{"row_count", 0.9}}}}), true},
      {9, {{"normalize_batch", Object{{"has_rows", true}}}}, true},
      {9, {{"normalize_batch", Object{{"has_rows", "TRUE"}}}}, true},
      {9, {}, false},
      {10, {}, true},
      {10, {{"ctx", Object{{"has_more", true}}}}, false},
      {10, {{"ctx", Object{{"has_more", 1}}}}, false},
      {11, {{"check_pagination", Object{{"has_more", true}}}}, true},
      {11, {}, false},
      {12, {{"start", Object{{"random_value", 0.75}}}, {"threshold", 0.5}}, true},
      {12, {{"start", Object{{"random_value", 1}}}, {"threshold", 2}}, false},
      {13, {{"start", rows({{"session_valid", true}})}}, true},
      {13, {{"start", Object{{"rows", List{}}}}}, false},
      {13, {}, false},
      {14, {{"request_id", "r1"}}, true},
      {14, {{"request_id", "r1"}, {"start", rows({{"session_valid", true}})}}, false},
      {14, {}, false},
      {15, {{"action", "drop_users"}}, true},
      {15, {{"action", "get_user"}}, false},
      {16, output({{"data", rows(counts)}}), true},
      {17, output({{"data", rows({{"mds_complete", "True"}})}}), false},
      {17, output({{"data", List{Object{{"mds_complete", false}}}}}), true},
      {17, {}, true},
      {18, {}, true},
      {18, {{"summarize", Object{{"is_complete", true}}}}, false},
      {19, {}, true},
      {20, {}, true},
      {21, {{"enabled", true}}, true},
      {21, {}, false},
  };
  const std::vector<std::string> guards = real_guards();
  ASSERT_EQ(guards.size(), 21U);
  for (const RealGuardCase& one : cases) {
    const auto guard = parse_guard(guards[one.line - 1]);
    ASSERT_TRUE(guard) << guards[one.line - 1];
    const Value members(one.scope);
    Scope scope;
    scope.show_members_of(members);
    const auto held = holds(*guard, scope);
    ASSERT_TRUE(held.has_value()) << guards[one.line - 1];
    EXPECT_EQ(*held, one.expected) << guards[one.line - 1];
  }
}

TEST(RealGuards, CannotBeEvaluatedWhereTheyOrderOrConvertWhatIsUndefined) {
  const std::vector<std::string> guards = real_guards();
  ASSERT_EQ(guards.size(), 21U);
  for (const std::size_t line : {12U, 16U}) {
    const auto held = holds(parse_guard(guards[line - 1]).value(), Scope());
    ASSERT_FALSE(held.has_value()) << guards[line - 1];
    EXPECT_EQ(held.error().fault, EvaluationFault::undefined_operand);
  }
}

}  // namespace
}  // namespace assay::routing
