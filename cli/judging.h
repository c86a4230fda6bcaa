#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/output_files.h"
#include "cli/suite.h"
#include "cli/target_choice.h"
#include "cli/terminal.h"
#include "harness/core/record.h"
#include "harness/core/scenario.h"
#include "harness/core/verdict.h"

namespace assay::cli {

/// How a run goes and what it leaves, as the command line says it.
struct JudgingOptions {
  TargetChoice target;
  std::size_t jobs = 64;
  bool fail_fast = false;
  /// Make generated cases again behind every failure, not only behind what the baseline excuses.
  bool keep_going = false;
  /// Nothing: another one each time.
  std::optional<std::uint64_t> seed;
  /// Empty: the seed where the server is started for this run, else another one each time.
  std::string run_id;
  /// Who runs it, for record and reports.
  std::string label;
  /// A file of expected failures; empty: none is expected.
  std::string baseline;
  /// A record: what fails as it did there fails no run; empty: none.
  std::string against;
  std::string record;
  std::vector<std::string> reports;
  /// A file or folder of scenarios instead of the built-in ones.
  std::string scenarios;
  bool quiet = false;
  /// How often a case that does not pass is run again, and what is done with one that then passes:
  /// a word of core::flaky_policy.
  std::size_t retries = 0;
  std::string flaky = std::string(core::flaky_policy::fail);
  /// How long a target that is not there yet is waited for.
  double wait_s = 0;
  /// How many of the slowest cases are named at the end.
  std::size_t durations = 0;
  bool verbose = false;
  /// The percentage of the model's states and transitions that the run has to exercise, if any.
  std::optional<double> required_coverage;
  /// The percentage of the MUST clauses that the run reaches which it has to show, if any.
  std::optional<double> required_shown;
  /// Measure what the passes would have noticed anew, and keep nothing of it.
  bool no_cache = false;
  /// Sees each case as it ends; empty: nobody does.
  std::function<void(const core::CaseResult&)> on_case;
};

/// What `run` and `replay` judge.
struct Judging {
  LoadedProfile profile;
  std::vector<core::Case> cases;
  std::string suite_digest;
  /// The ids of all of the suite's cases.
  std::vector<std::string> known_cases;
  /// For the record's header.
  std::vector<std::string> selection;
};

/// The files that the options name for writing, opened.
[[nodiscard]] std::unique_ptr<OutputFiles> open_outputs(const JudgingOptions& options,
                                                        const std::vector<std::string>& inputs);

/// Runs the cases, writes record and reports, prints the text report. The exit code is the run's.
[[nodiscard]] core::ExitCode judge(Judging judging, const JudgingOptions& options,
                                   OutputFiles& outputs, Terminal& terminal);

}  // namespace assay::cli
