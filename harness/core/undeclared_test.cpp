#include "harness/core/undeclared.h"

#include <gtest/gtest.h>

namespace assay::core {
namespace {

TEST(ShortestReasons, NameTheFewestThatAnyServerCanDeclare) {
  EXPECT_EQ(shortest_reasons({undeclared_reason({"binding.reference"}),
                              undeclared_reason({"jobs.poll", "runs.get", "workflow.get"}),
                              undeclared_reason({"control.clock", "runs.get", "runs.retry"})}),
            "the profile does not declare control.clock, runs.get, runs.retry");
  EXPECT_EQ(shortest_reasons({undeclared_reason({"binding.reference"}),
                              undeclared_reason({"binding.reference", "jobs.poll"})}),
            "the profile does not declare binding.reference");
}

TEST(ShortestReasons, CountManyOfOneKind) {
  EXPECT_EQ(shortest_reasons({undeclared_reason({"runs.audit", "runs.create", "runs.get",
                                                 "runs.list", "runs.retry", "jobs.poll"})}),
            "the profile does not declare jobs.poll, runs.* (5 of them)");
}

TEST(ShortestReasons, KeepWhatIsSaidInOtherWords) {
  EXPECT_EQ(shortest_reasons({"needs a choice", undeclared_reason({"runs.get"})}),
            "the profile does not declare runs.get; needs a choice");
  EXPECT_EQ(shortest_reasons({"needs a choice"}), "needs a choice");
}

}  // namespace
}  // namespace assay::core
