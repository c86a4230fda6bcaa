#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>
#include <set>

#include "cli/generated.h"
#include "cli/judging.h"
#include "cli/judging_options.h"
#include "cli/record_file.h"
#include "cli/recorded_run.h"
#include "cli/usage_error.h"
#include "cli/verbs.h"

namespace assay::cli {
namespace {

struct ReplayOptions {
  JudgingOptions judging;
  std::string record;
  bool all = false;
  bool has_profile = false;
};

/// The cases of the record that are to be judged again.
std::set<std::string> wanted_cases(const core::RunRecord& record, bool all) {
  std::set<std::string> wanted;
  for (const core::CaseResult& result : record.cases) {
    const bool is_troubled = result.verdict > core::Verdict::pass;
    if (result.verdict != core::Verdict::not_applicable && (all || is_troubled)) {
      wanted.insert(result.id);
    }
  }
  return wanted;
}

core::ExitCode replay(ReplayOptions options, Terminal& terminal) {
  const std::unique_ptr<OutputFiles> outputs = open_outputs(options.judging, {options.record});
  const core::RunRecord record = load_verdicts(options.record);
  check_has_requests(record.header, options.record);
  const std::set<std::string> wanted = wanted_cases(record, options.all);
  if (wanted.empty()) {
    terminal.err << "assay: no case of the record needs to be judged again (--all judges each)\n";
    return core::ExitCode::nothing_proven;
  }
  if (!options.has_profile) options.judging.target.profile = record.header.profile;
  if (!options.judging.seed) options.judging.seed = record.header.seed;
  choose_recorded_target(options.judging.target, record.header, options.record);
  LoadedProfile profile = load_profile(options.judging.target.profile, terminal);
  if (!options.has_profile) check_recorded_profile(profile, record.header, options.record);
  if (options.judging.scenarios.empty()) options.judging.scenarios = record.header.scenarios;
  const Suite suite =
      whole_suite(options.judging.scenarios, profile.profile, {wanted.begin(), wanted.end()});
  if (suite.digest != record.header.suite_digest) {
    terminal.err << "assay: note: the record is of another version of the suite\n";
  }
  return judge({std::move(profile),
                recorded_cases(suite, wanted),
                suite.digest,
                case_ids(suite),
                {wanted.begin(), wanted.end()}},
               options.judging, *outputs, terminal);
}

}  // namespace

void add_replay(CLI::App& application, Action& chosen) {
  CLI::App* verb = application.add_subcommand(
      "replay",
      "Judge again what did not pass in a record, with the same target, profile and seed");
  const auto options = std::make_shared<ReplayOptions>();
  verb->add_option("record", options->record, "A record that `assay run --record` wrote")
      ->required();
  verb->add_flag("--all", options->all, "Also what passed");
  add_judging_options(*verb, options->judging);
  verb->footer("Example:\n  assay replay record.ndjson --target http://127.0.0.1:8080");
  verb->callback([options, verb, &chosen] {
    options->has_profile = verb->count("--profile") > 0;
    chosen = [options](Terminal& terminal) { return replay(*options, terminal); };
  });
}

}  // namespace assay::cli
