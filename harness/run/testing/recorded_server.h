#pragma once

#include <string>
#include <vector>

#include "base/value.h"
#include "harness/core/profile.h"
#include "harness/core/record.h"
#include "harness/core/scenario.h"

namespace assay::run::testing {

/// A real server as fixtures/recordings has it, with the profile that it was judged by.
struct RecordedServer {
  core::RunRecord record;
  core::Profile profile;
  /// What the profile's setup had captured.
  Object setup;
};

/// "noetl-py", "noetl-rs" or "prefect".
[[nodiscard]] RecordedServer recorded_server(const std::string& name);

/// The scenario of a recorded case.
[[nodiscard]] core::Scenario recorded_scenario(const std::string& case_id);

/// The row of a recorded case, under the id of then: the names that it sent were made of that.
[[nodiscard]] core::Case recorded_row(const core::Scenario& scenario, const std::string& case_id);

/// What a case comes to today where these exchanges answer it.
[[nodiscard]] core::CaseResult judge_again(const RecordedServer& server, const core::Case& one,
                                           const std::vector<core::Exchange>& exchanges);

}  // namespace assay::run::testing
