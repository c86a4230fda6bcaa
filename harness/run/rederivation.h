#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/core/profile.h"
#include "harness/core/record.h"
#include "harness/core/scenario.h"

namespace assay::run {

/// What of a run's header the making of a case depends on.
struct RecordedRun {
  const core::Profile& profile;
  std::uint64_t seed = 0;
  /// What every identifier of the run begins with.
  std::string prefix;
  /// What the profile's setup captured, secrets masked as they are in the exchanges.
  Object setup = {};
  /// Whether the target was called without a socket, so that waits were single looks.
  bool is_immediate = false;
  /// Whether there was more than an adapter.
  bool speaks_http = true;
  /// Whether each answer can only be the one to its own request.
  bool pairs_answers = true;
};

/// What a case comes to when it is played against what was recorded of it.
struct Rederivation {
  core::CaseResult result;
  /// "GET /x": requests that the case makes and for which nothing is recorded.
  std::vector<std::string> unrecorded;
  /// "GET /x": recorded requests that the case did not make.
  std::vector<std::string> unasked;
  /// Whether bodies were cut or rewritten when they were recorded: another end may come of that.
  bool has_gaps = false;
};

/// Plays a case anew: each request is answered by the recorded exchange with the same method,
/// target and body, at the moment at which that answer came, each exchange once. Of looks that
/// decided nothing there is no record: a read that is sent more often gets the last answer again.
[[nodiscard]] Rederivation derive_again(const RecordedRun& run, const core::Case& one,
                                        const std::vector<core::Exchange>& exchanges);

}  // namespace assay::run
