#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>

#include "harness/core/http.h"
#include "harness/core/record.h"
#include "harness/core/scenario.h"
#include "harness/run/ending.h"
#include "harness/run/rounds.h"
#include "harness/run/session.h"

namespace boost::asio {
class io_context;
}  // namespace boost::asio

namespace assay::run {

struct RunOptions {
  /// Cases that run at the same moment.
  std::size_t jobs = 64;
  /// Starts no further case after the first that fails unexpectedly.
  bool fail_fast = false;
  /// Of the record: the run fills in what the target says of itself.
  core::RecordHeader header;
  /// Called with each case as it ends, before it counts: a baseline has its say here.
  std::function<void(core::CaseResult&)> amend;
  /// The percentage of the model's states and transitions that the run has to exercise, if any.
  std::optional<double> required_coverage;
  /// How often a case that fails unexpectedly, or is not decided, is run again, under new names.
  std::size_t retries = 0;
  /// How long a target that is not there yet is waited for.
  double wait_ms = 0;
  /// Asks the target first whether it is there at all.
  bool asks_first = true;
  /// And whether it answers any operation as the profile describes it.
  bool checks_operations = false;
  /// Asks for a positive control where a case has none of its own (control.h).
  bool asks_for_control = false;
  /// How much of the answers that are longer than check::kept_body_bytes is kept whole in the
  /// record; what comes beyond is cut.
  std::size_t long_answer_bytes = std::size_t{64} * 1024 * 1024;
  /// How cases that end at their first failure go on behind it, if they do.
  std::optional<GoingOn> going_on;
  /// Counts for the record what the cases exercise of the model.
  bool counts_coverage = true;
  /// Called for each case as it ends, in that order; a result stays as it is until the run ends.
  std::function<void(const core::CaseResult&)> on_case;
  /// Called for each case after that, to be written somewhere: a large one beside the thread of the
  /// cases, while smaller ones may be under way there.
  std::function<void(const core::CaseResult&)> keep_case;
  /// Once requested (from any thread), no case goes on: those under way clean up after themselves,
  /// and the profile's teardown is tried, both within a bound. The record has no footer.
  std::stop_token stop;
  /// How long those have for the answers that they wait for, then to clean up, and after them the
  /// teardown.
  std::int64_t clean_up_ms = default_clean_up_ms;
};

struct RunOutcome {
  /// Its cases are in the order of the plan, whichever ended first. It has a footer where the run
  /// was not cancelled.
  core::RunRecord record;
  /// Why no case was run, or none of those that are missing: "http://127.0.0.1:1: the connection
  /// was refused"; empty where the target could be judged to the end.
  std::string unreachable;
  /// What is wrong is not the target but the profile.
  bool is_profile_fault = false;
};

/// Runs cases against the context's target on `io`, whose thread is the caller's, and returns once
/// all have ended. First the target is asked whether it is there at all; one that stops answering
/// ends the run after a few cases more. Cases that use what a server has only once (its clock, its
/// lock service, its queue of jobs) run one by one after all others.
RunOutcome run_cases(boost::asio::io_context& io, const RunContext& context,
                     std::span<const core::Case> cases, const RunOptions& options);

/// Whether a scenario uses what a server has only once, or asks for it by the tag `alone`.
[[nodiscard]] bool runs_alone(const core::Scenario& scenario);

}  // namespace assay::run
