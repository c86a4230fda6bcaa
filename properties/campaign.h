#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "harness/core/profile.h"
#include "harness/core/record.h"
#include "harness/core/verdict.h"
#include "harness/run/session.h"
#include "properties/family.h"
#include "properties/recorder.h"

namespace boost::asio {
class io_context;
}  // namespace boost::asio

namespace assay::properties {

struct CampaignOptions {
  std::uint64_t seed = 1;
  /// Of each family: the index of the first case, and how many.
  std::uint64_t first_case = 0;
  std::uint64_t cases = 100;
  std::size_t most_moves = 24;
  /// Cases in flight.
  std::size_t jobs = 64;
  /// Ends after so many different causes; failures of a known cause are counted and cost nothing.
  std::size_t most_causes = 10;
  std::size_t shrink_runs = 100;
  std::size_t shrink_requests = 500;
  /// Once requested, no further request is sent.
  std::stop_token stop = {};
  /// Called as cases end, with how many have.
  std::function<void(std::uint64_t)> on_progress = {};
  /// Called with each result before it, or its history, is forgotten.
  std::function<void(const core::CaseResult&)> on_case = {};
};

/// Failures with one cause: what was done, in which state, and what differed. Identifiers and times
/// are no part of it.
struct Finding {
  std::string cause;
  std::string family;
  /// Failing cases with this cause.
  std::uint64_t count = 0;
  /// The smallest case that shows it, and how it went.
  core::Scenario scenario;
  core::CaseResult result;
  /// Moves of the case as it was found, and of the smallest.
  std::size_t moves_found = 0;
  std::size_t moves_left = 0;
  std::size_t shrink_runs = 0;
  std::size_t shrink_requests = 0;
  /// How many of three further runs failed for the same cause; fewer than three: flaky, and not
  /// made smaller.
  int reproduced = 0;

  [[nodiscard]] bool is_flaky() const { return reproduced < 3; }
};

/// What came of the cases of one family.
struct FamilyTally {
  std::string family;
  std::uint64_t cases = 0;
  std::uint64_t commands = 0;
  std::uint64_t requests = 0;
  std::uint64_t failed = 0;
  /// Cases that decided nothing: inconclusive, error, not applicable.
  std::uint64_t undecided = 0;
  /// The worst verdict among those.
  core::Verdict worst = core::Verdict::not_applicable;
  /// Why the last of them did not.
  std::string reason = {};
};

struct CampaignOutcome {
  std::vector<FamilyTally> families;
  std::vector<Finding> findings;
  /// FNV-1a over the requests of all steps in the order of the cases: equal for equal seeds.
  std::uint64_t request_digest = 0;
  /// Whether it was stopped before its cases were over.
  bool was_cut_short = false;
  /// Why no case was run, or no further one; empty where the target could be judged to the end.
  std::string unreachable;
  /// What is wrong is not the target but the profile.
  bool is_profile_fault = false;

  [[nodiscard]] bool has_cases() const;
};

/// Runs generated cases of the families against the context's target, round after round, and makes
/// each new cause's first case small. `reference` is the profile of the reference binding.
CampaignOutcome run_campaign(boost::asio::io_context& io, const run::RunContext& context,
                             const core::Profile& reference,
                             std::span<const Family* const> families,
                             const CampaignOptions& options);

/// The steps of a scenario that are no checks, those of branches among them.
[[nodiscard]] std::uint64_t commands_of(const core::Scenario& scenario);

/// "properties/run-walks-17".
[[nodiscard]] std::string case_id_of(const Family& family, std::uint64_t index);

}  // namespace assay::properties
