#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <ostream>
#include <set>

#include "cli/generated.h"
#include "cli/judging.h"
#include "cli/judging_options.h"
#include "cli/number_checks.h"
#include "cli/quick.h"
#include "cli/record_file.h"
#include "cli/specification.h"
#include "cli/usage_error.h"
#include "cli/verbs.h"
#include "harness/check/comparison.h"
#include "harness/check/merging.h"
#include "harness/run/plan.h"
#include "harness/run/shard.h"

namespace assay::cli {
namespace {

struct RunOptions {
  JudgingOptions judging;
  run::Selection selection;
  std::vector<std::string> cases;
  std::vector<std::string> levels;
  /// "2/3"; empty: all.
  std::string shard;
  /// Records: by whose durations shards are balanced, and what of did not pass is run.
  std::string durations_from;
  std::string last_failed;
  bool quick = false;
  bool list = false;
};

core::Level level_of(const std::string& word) {
  if (const auto level = core::level_words.parse(word)) return *level;
  throw UsageError(unknown_name_text("level", word, core::level_words.names()));
}

run::Selection selection_of(const RunOptions& options) {
  run::Selection selection = options.selection;
  selection.globs.insert(selection.globs.end(), options.cases.begin(), options.cases.end());
  for (const std::string& word : options.levels) selection.levels.push_back(level_of(word));
  return selection;
}

/// The selection in words, for the record.
std::vector<std::string> selection_words(const RunOptions& options) {
  std::vector<std::string> words = options.selection.globs;
  const auto add = [&words](const char* name, const std::vector<std::string>& values) {
    for (const std::string& value : values) words.push_back(fmt::format("{}={}", name, value));
  };
  add("case", options.cases);
  add("clause", options.selection.clauses);
  add("tag", options.selection.tags);
  add("level", options.levels);
  if (!options.last_failed.empty()) words.push_back("last-failed");
  if (options.quick) words.emplace_back(quick_word);
  return words;
}

std::map<std::string, double> durations_of(const std::string& path,
                                           const std::vector<std::string>& ids) {
  std::map<std::string, double> durations_ms;
  if (path.empty()) return durations_ms;
  core::RunRecord record = load_verdicts(path);
  check::use_row_names(record, ids);
  for (const core::CaseResult& result : record.cases) {
    durations_ms[result.id] = result.duration_ms;
  }
  return durations_ms;
}

/// Leaves the cases that did not pass in a record.
void keep_last_failed(const std::string& path, const std::vector<std::string>& ids,
                      std::vector<core::Case>& cases) {
  if (path.empty()) return;
  core::RunRecord record = load_verdicts(path);
  check::use_row_names(record, ids);
  std::set<std::string> failed;
  for (const core::CaseResult& result : record.cases) {
    if (result.verdict > core::Verdict::pass) failed.insert(result.id);
  }
  std::erase_if(cases, [&failed](const core::Case& one) { return !failed.contains(one.id); });
}

/// Leaves the cases of this shard, and says among the words which part of what they are.
void keep_shard(const RunOptions& options, const std::vector<std::string>& ids,
                std::vector<core::Case>& cases, std::vector<std::string>& words) {
  if (options.shard.empty()) return;
  words.push_back(check::shard_word + options.shard);
  words.push_back(fmt::format("{}{}", check::cases_word, cases.size()));
  cases = run::cases_of_shard(std::move(cases), *run::shard_from_text(options.shard),
                              durations_of(options.durations_from, ids));
}

/// The built-in cases that are named; nothing: all. Only those are worth recording.
std::vector<std::string> named_cases(const RunOptions& options, const run::Selection& selection) {
  if (!selection.globs.empty()) {
    const bool globs_say_all =
        selection.clauses.empty() && selection.tags.empty() && selection.levels.empty();
    return globs_say_all ? selection.globs : std::vector<std::string>{};
  }
  if (!options.quick) return {};
  return {quick_cases().begin(), quick_cases().end()};
}

core::ExitCode run_verb(const RunOptions& options, Terminal& terminal) {
  const std::unique_ptr<OutputFiles> outputs = open_outputs(
      options.judging, {options.judging.against, options.last_failed, options.durations_from});
  LoadedProfile profile = load_profile(options.judging.target.profile, terminal);
  const run::Selection selection = selection_of(options);
  const Suite suite =
      whole_suite(options.judging.scenarios, profile.profile, named_cases(options, selection),
                  SuiteCache(terminal, !options.judging.no_cache, profile));
  if (suite.scenarios.empty()) {
    terminal.err << fmt::format(
        "assay: {}: no *.yaml file in this folder, so there is nothing to "
        "judge\n",
        options.judging.scenarios);
    return core::ExitCode::nothing_proven;
  }
  run::Plan plan = run::make_plan(suite.scenarios, selection, clause_table());
  if (!plan.problems.empty()) throw UsageError(fmt::format("{}", fmt::join(plan.problems, "\n")));
  for (const std::string& hint : plan.hints) terminal.err << "assay: note: " << hint << "\n";
  const std::vector<std::string> ids = case_ids(suite);
  std::vector<std::string> words = selection_words(options);
  if (options.quick) {
    std::erase_if(plan.cases,
                  [](const core::Case& one) { return !quick_cases().contains(one.id); });
  }
  keep_last_failed(options.last_failed, ids, plan.cases);
  keep_shard(options, ids, plan.cases, words);
  if (options.list) {
    for (const core::Case& each : plan.cases) {
      terminal.out << fmt::format("{}  {}\n", each.id, each.scenario->title);
    }
    return plan.cases.empty() ? core::ExitCode::nothing_proven : core::ExitCode::conforms;
  }
  return judge({std::move(profile), std::move(plan.cases), suite.digest, ids, words},
               options.judging, *outputs, terminal);
}

}  // namespace

void add_run(CLI::App& application, Action& chosen) {
  CLI::App* verb = application.add_subcommand("run", "Judge a server by scenarios");
  const auto options = std::make_shared<RunOptions>();
  verb->add_option("globs", options->selection.globs,
                   "Ids of scenarios or cases; * stands for any characters. Without any: all");
  verb->add_option("--clause", options->selection.clauses,
                   "Only cases that check this clause (repeatable)")
      ->transform(as_clause_id)
      ->expected(1)
      ->take_all();
  verb->add_option("--tag", options->selection.tags, "Only scenarios with this tag (repeatable)")
      ->expected(1)
      ->take_all();
  verb->add_option("--level", options->levels,
                   "Only cases that check a MUST, SHOULD or MAY (repeatable)")
      ->expected(1)
      ->take_all()
      ->transform([](std::string word) {
        for (char& letter : word) letter = static_cast<char>(std::toupper(letter));
        return word;
      });
  verb->add_option("--case", options->cases, "Only this case (repeatable)")
      ->expected(1)
      ->take_all();
  verb->add_option("--last-failed", options->last_failed, "Only what did not pass in this record");
  verb->add_option("--shard", options->shard, "Only part I of N of the cases: I/N")
      ->check(CLI::Validator(
          [](const std::string& text) {
            return run::shard_from_text(text) ? std::string()
                                              : std::string("expected I/N, such as 2/3");
          },
          "I/N"));
  verb->add_option("--durations-from", options->durations_from,
                   "Balance the shards by the durations of this record, the same for all of them")
      ->needs("--shard");
  verb->add_flag("--list", options->list, "Print the chosen cases and run none");
  add_judging_options(*verb, options->judging);
  verb->add_flag(
          "--quick", options->quick,
          "Only the few cases that together notice every MUST clause broken in each way that "
          "the zoo knows: as quick as the server is, and no proof of all of it")
      ->excludes("--scenarios");
  verb->add_option("--require-coverage", options->judging.required_coverage,
                   "Fail (exit 1) where less than this percentage of the model's states and "
                   "transitions was exercised that the target's capabilities allow")
      ->check(finite_number(0, 100));
  verb->add_option("--require-shown", options->judging.required_shown,
                   "Fail (exit 1) where less than this percentage of the MUST clauses that the "
                   "target's capabilities reach was shown to hold or to be broken")
      ->check(finite_number(0, 100));
  verb->footer(
      "Examples:\n"
      "  assay run                                       the embedded reference, all cases\n"
      "  assay run --target http://127.0.0.1:8080        a server that speaks the reference "
      "binding\n"
      "  assay run --quick                               a few cases that notice each MUST broken\n"
      "  assay run --profile my-profile.yaml --level MUST\n"
      "  assay run --profile prefect --target http://127.0.0.1:4200 --baseline known.yaml\n"
      "  assay run 'status/*' --clause STM-INF-BATCH --report html=report.html --report "
      "junit=junit.xml");
  verb->callback([options, &chosen] {
    chosen = [options](Terminal& terminal) { return run_verb(*options, terminal); };
  });
}

}  // namespace assay::cli
