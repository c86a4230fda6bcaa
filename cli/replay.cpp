#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>
#include <set>

#include "cli/generated.h"
#include "cli/judging.h"
#include "cli/judging_options.h"
#include "cli/record_file.h"
#include "cli/usage_error.h"
#include "cli/verbs.h"
#include "harness/core/case_name.h"

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

std::vector<core::Case> find_cases(const Suite& suite, const std::set<std::string>& recorded) {
  const std::vector<std::string> ids = case_ids(suite);
  std::set<std::string> wanted;
  // Records of before the rows of a matrix had names have their indexes.
  for (const std::string& id : recorded) wanted.insert(core::id_of_index(id, ids).value_or(id));
  std::vector<core::Case> cases;
  for (const core::Scenario& scenario : suite.scenarios) {
    for (core::Case& each : core::cases_of(scenario)) {
      if (wanted.erase(each.id) > 0) cases.push_back(std::move(each));
    }
  }
  if (!wanted.empty()) {
    throw UsageError(fmt::format("the suite has no case {}: the record is of another one",
                                 fmt::join(wanted, ", ")));
  }
  return cases;
}

/// The target of the record, where the command line names none: the same address, or a server that
/// is started in the same way. A record is never judged against another server in silence.
void choose_target(TargetChoice& choice, const core::RecordHeader& header,
                   const std::string& record) {
  if (!choice.url.empty() || choice.in_process) return;
  const std::string& source = header.target_source;
  if (source == core::target_source::in_process) {
    choice.in_process = true;
  } else if (source == core::target_source::url || source == core::target_source::profile) {
    choice.url = header.target;
  } else if (source.empty()) {
    throw UsageError(
        fmt::format("{}: does not say how its target {} was come by; give --target URL or "
                    "--in-process",
                    record, header.target));
  }
}

/// A profile of the same name can say other things by now, or be another file's.
void check_profile(const LoadedProfile& profile, const core::RecordHeader& header,
                   const std::string& record) {
  if (profile.digest == header.profile_digest || header.profile_digest.empty()) return;
  throw UsageError(
      fmt::format("{}: was made with another profile {} than this one; give the one that is meant "
                  "by --profile",
                  record, header.profile));
}

core::ExitCode replay(ReplayOptions options, Terminal& terminal) {
  const std::unique_ptr<OutputFiles> outputs = open_outputs(options.judging, {options.record});
  const core::RunRecord record = load_record(options.record);
  const std::set<std::string> wanted = wanted_cases(record, options.all);
  if (wanted.empty()) {
    terminal.err << "assay: no case of the record needs to be judged again (--all judges each)\n";
    return core::ExitCode::nothing_proven;
  }
  if (!options.has_profile) options.judging.target.profile = record.header.profile;
  if (!options.judging.seed) options.judging.seed = record.header.seed;
  choose_target(options.judging.target, record.header, options.record);
  LoadedProfile profile = load_profile(options.judging.target.profile, terminal);
  if (!options.has_profile) check_profile(profile, record.header, options.record);
  if (options.judging.scenarios.empty()) options.judging.scenarios = record.header.scenarios;
  const Suite suite =
      whole_suite(options.judging.scenarios, profile.profile, {wanted.begin(), wanted.end()});
  if (suite.digest != record.header.suite_digest) {
    terminal.err << "assay: note: the record is of another version of the suite\n";
  }
  return judge({std::move(profile),
                find_cases(suite, wanted),
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
