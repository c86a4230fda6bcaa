#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <ostream>
#include <set>
#include <string_view>

#include "cli/baseline_file.h"
#include "cli/baseline_text.h"
#include "cli/record_file.h"
#include "cli/suite.h"
#include "cli/unified_diff.h"
#include "cli/usage_error.h"
#include "cli/verbs.h"
#include "harness/check/comparison.h"
#include "harness/core/failure.h"
#include "reports/comparison_report.h"

namespace assay::cli {
namespace {

struct DiffOptions {
  std::string before;
  std::string after;
  std::string baseline;
  std::string format = "text";
};

/// What `assay baseline update` would change for the newer record.
std::string patch_for(const std::string& path, core::RunRecord record) {
  BaselineFile file(path, today());
  const std::vector<std::string> ids = known_ids(record);
  file.use_row_names(ids);
  const core::BaselineFindings findings = file.apply(record, ids);
  const std::string text = read_file(path, most_record_bytes);
  const EntryDefaults defaults = default_entry();
  return unified_diff(
      path, text,
      updated_baseline(text, file.baseline(), findings, record, defaults, cases_at_one_moment()));
}

/// The cases that came to another verdict in the newer record, or fail in another way there.
std::set<std::string> changed_cases(const core::RunRecord& before, const core::RunRecord& after) {
  std::map<std::string_view, const core::CaseResult*> old_cases;
  for (const core::CaseResult& each : before.cases) old_cases.emplace(each.id, &each);
  std::set<std::string> changed;
  for (const core::CaseResult& each : after.cases) {
    const auto found = old_cases.find(each.id);
    const bool is_same = found != old_cases.end() && found->second->verdict == each.verdict &&
                         core::failures_of(*found->second) == core::failures_of(each);
    if (!is_same) changed.insert(each.id);
  }
  return changed;
}

core::ExitCode diff(const DiffOptions& options, Terminal& terminal) {
  const auto load = [](const std::string& path) {
    return can_be_read_again(path) ? load_verdicts(path) : load_record(path);
  };
  core::RunRecord before = load(options.before);
  core::RunRecord after = load(options.after);
  const std::set<std::string> changed = changed_cases(before, after);
  // Why they changed shows in what was asked and answered; of the others nobody asks.
  const auto forget_others = [&changed](const wire::ReadCase& each) {
    if (!changed.contains(each.result.id)) forget_exchanges(each.result);
  };
  for (const auto& [path, record] :
       {std::pair(&options.before, &before), std::pair(&options.after, &after)}) {
    if (changed.empty() || !can_be_read_again(*path)) continue;
    *record = load_record(*path, nullptr, forget_others);
  }
  for (const auto& [path, record] :
       {std::pair(&options.before, &before), std::pair(&options.after, &after)}) {
    if (record->footer) continue;
    throw UsageError(*path +
                     ": the record is incomplete; cases that did not run would look removed");
  }
  check::Comparison comparison = check::compare(before, after);
  if (!options.baseline.empty()) comparison.baseline_patch = patch_for(options.baseline, after);
  if (options.format == "json") {
    terminal.out << reports::comparison_json(comparison);
  } else if (options.format == "markdown") {
    terminal.out << reports::comparison_markdown(comparison);
  } else {
    terminal.out << reports::comparison_text(comparison);
  }
  return comparison.is_worse() ? core::ExitCode::unexpected_findings : core::ExitCode::conforms;
}

}  // namespace

void add_diff(CLI::App& application, Action& chosen) {
  CLI::App* verb = application.add_subcommand("diff", "Say what tells one run record from another");
  const auto options = std::make_shared<DiffOptions>();
  verb->add_option("old", options->before, "The older record")->required();
  verb->add_option("new", options->after, "The newer record")->required();
  verb->add_option("--baseline", options->baseline,
                   "A baseline: show the patch that makes it fit the newer record");
  verb->add_option("-f,--format", options->format, "text, markdown or json")
      ->capture_default_str()
      ->check(CLI::IsMember({"text", "markdown", "json"}));
  verb->footer(
      "Exits with 1 where the newer record fails under a clause, or in a way, that the older one\n"
      "does not, with 0 otherwise.\n"
      "Records of one target by two versions of assay are a preview of the upgrade: what the new\n"
      "suite asks besides, what comes to another verdict and why, and with --baseline its patch.\n"
      "Examples:\n  assay diff main.ndjson branch.ndjson --format markdown\n"
      "  assay diff old-assay.ndjson new-assay.ndjson --baseline known.yaml");
  verb->callback([options, &chosen] {
    chosen = [options](Terminal& terminal) { return diff(*options, terminal); };
  });
}

}  // namespace assay::cli
