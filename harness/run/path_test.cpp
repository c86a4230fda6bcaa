// The states that a workflow execution went through: kept by the target, or seen by the case.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "harness/run/testing/scripted_target.h"

namespace assay::run {
namespace {

using core::Verdict;
using ::testing::HasSubstr;
using testing::json;
using testing::TestRunner;

/// A workflow execution that each read finds one state further.
class Walk {
 public:
  Walk(const std::vector<std::string>& shown, const std::vector<std::string>& kept) {
    runner.target.on("POST", "/workflow-execution", [](const auto&) {
      return json(201, Object{{"uuid", "w"}, {"status", "NEW"}});
    });
    runner.target.on("GET", "/workflow-execution/id/w", [this, shown, kept](const auto&) {
      const std::string& now = shown.at(std::min(reads_++, shown.size() - 1));
      List history;
      for (const std::string& state : kept) history.emplace_back(Object{{"status", state}});
      return json(200, Object{{"uuid", "w"}, {"status", now}, {"history", history}});
    });
  }

  core::CaseResult judge() {
    return runner.run(R"(
  - execute: {workflow: w}
  - operation: {name: workflow.get}
  - operation: {name: workflow.get}
  - expect: {path: [NEW, VALID, READY, RUNNING, COMPLETED]}
)");
  }

  TestRunner runner;

 private:
  std::size_t reads_ = 0;
};

TEST(Path, OfAKeptHistoryIsTheWholeOfIt) {
  const std::vector<std::string> whole = {"NEW", "VALID", "READY", "RUNNING", "COMPLETED"};
  EXPECT_EQ(Walk({"COMPLETED"}, whole).judge().verdict, Verdict::pass);
  const core::CaseResult gap =
      Walk({"COMPLETED"}, {"NEW", "READY", "RUNNING", "COMPLETED"}).judge();
  EXPECT_EQ(gap.verdict, Verdict::fail);
  EXPECT_THAT(gap.checks.back().actual, HasSubstr("NEW, READY"));
}

TEST(Path, OfWhatWasSeenMayHaveGaps) {
  Walk walk({"NEW", "RUNNING", "COMPLETED"}, {});
  walk.runner.profile.operations["workflow.get"].unobserved = {"history"};
  EXPECT_EQ(walk.judge().verdict, Verdict::pass);
}

TEST(Path, OfWhatWasSeenGoesNowhereElseAndNeverBack) {
  for (const std::vector<std::string>& shown :
       {std::vector<std::string>{"RUNNING", "VALID", "COMPLETED"},
        {"NEW", "LOCKED", "COMPLETED"}}) {
    Walk walk(shown, {});
    walk.runner.profile.operations["workflow.get"].unobserved = {"history"};
    EXPECT_EQ(walk.judge().verdict, Verdict::fail) << shown.at(1);
  }
}

TEST(Path, EndsWhereTheExecutionIs) {
  Walk walk({"NEW", "RUNNING"}, {});
  walk.runner.profile.operations["workflow.get"].unobserved = {"history"};
  EXPECT_EQ(walk.judge().verdict, Verdict::fail);
}

TEST(Path, KnowsTheAcknowledgementsThatATargetMakesByItself) {
  Walk walk({"RUNNING", "COMPLETED", "COMPLETED_ACK"}, {});
  walk.runner.profile.operations["workflow.get"].unobserved = {"history"};
  EXPECT_EQ(walk.judge().verdict, Verdict::fail);
  Walk knowing({"RUNNING", "COMPLETED", "COMPLETED_ACK"}, {});
  knowing.runner.profile.operations["workflow.get"].unobserved = {"history"};
  knowing.runner.profile.own_acknowledgements = true;
  EXPECT_EQ(knowing.judge().verdict, Verdict::pass);
}

}  // namespace
}  // namespace assay::run
