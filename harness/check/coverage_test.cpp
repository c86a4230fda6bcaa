#include "harness/check/coverage.h"

#include <gtest/gtest.h>

#include "harness/check/judge.h"

namespace assay::check {
namespace {

using Names = std::vector<std::string>;

core::RunRecord half_covered() {
  core::RunRecord record;
  record.cases.emplace_back().verdict = core::Verdict::pass;
  record.footer.emplace().coverage = {{"run",
                                       {"created", "running"},
                                       {"created", "running"},
                                       {"created -> running: RUN-T1", "running -> failed: RUN-T5"},
                                       {"created -> running: RUN-T1"},
                                       {"created + failed: deny"},
                                       {}},
                                      {"events", {"a", "b", "c", "d"}, {"c"}, {}, {}, {}, {}}};
  return record;
}

TEST(Coverage, CountsStatesAndTransitionsOfAllLayers) {
  const CoverageTotal total = coverage_total(half_covered().footer->coverage);
  EXPECT_EQ(total.seen, 4U);
  EXPECT_EQ(total.defined, 8U);
  EXPECT_EQ(total.percent(), 50);
  EXPECT_EQ(coverage_total({}).percent(), 0);
}

TEST(Coverage, NamesWhatWasNeverExercised) {
  EXPECT_EQ(never_exercised(half_covered().footer->coverage),
            (Names{"run: running -> failed: RUN-T5", "events: a", "events: b", "events: d"}));
}

TEST(Coverage, OfLessThanIsRequiredIsAFinding) {
  core::RunRecord record = half_covered();
  EXPECT_EQ(exit_code_of(record), core::ExitCode::conforms);
  record.footer->required_coverage = 50;
  EXPECT_EQ(exit_code_of(record), core::ExitCode::conforms);
  record.footer->required_coverage = 50.5;
  EXPECT_EQ(exit_code_of(record), core::ExitCode::unexpected_findings);
}

}  // namespace
}  // namespace assay::check
