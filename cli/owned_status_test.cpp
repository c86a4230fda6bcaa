// A server whose scheduler alone sets a run to running: a client that tries is refused. Its profile
// says so, and nothing that needs it is held against the server.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "cli/generated.h"
#include "cli/in_process_run.h"
#include "cli/reference.h"
#include "cli/suite_runner.h"
#include "reference_impl/service/problem.h"
#include "reference_impl/service/reference.h"

namespace assay::cli {
namespace {

class ScheduledServer final : public service::Service {
 public:
  service::Reply handle(const service::Request& request) override {
    if (request.method == "POST" && request.target.ends_with("/transitions") &&
        request.body.find(R"("running")") != std::string::npos) {
      return service::problem_reply(
          service::conflict("CONFLICT", "the scheduler begins runs").problem());
    }
    return sound_->handle(request);
  }

 private:
  std::unique_ptr<service::Service> sound_ =
      service::make_reference(reference_options(in_process_seed));
};

std::size_t count_of(const core::RunRecord& record, core::Verdict verdict) {
  return static_cast<std::size_t>(
      std::count_if(record.cases.begin(), record.cases.end(),
                    [&](const core::CaseResult& result) { return result.verdict == verdict; }));
}

TEST(OwnedStatus, AccusesNobodyWhereTheProfileSaysSo) {
  core::Profile profile = reference_profile();
  profile.operations.at("runs.transition").lacks_values["to"] = {"running"};
  SuiteRunner runner(profile);
  for (const std::string_view clause : {"RUN-T1", "RUN-T2", "RUN-TERMINAL", "RUN-STATUSES"}) {
    ScheduledServer server;
    const core::RunRecord record = runner.run_clause(clause, server);
    EXPECT_EQ(count_of(record, core::Verdict::fail), 0U) << clause;
    EXPECT_GT(count_of(record, core::Verdict::not_applicable), 0U) << clause;
  }
}

TEST(OwnedStatus, IsMissedWhereTheProfileIsSilent) {
  SuiteRunner runner(reference_profile());
  ScheduledServer server;
  EXPECT_GT(count_of(runner.run_clause("RUN-T1", server), core::Verdict::fail), 0U);
}

}  // namespace
}  // namespace assay::cli
