#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <ostream>

#include "cli/case_script.h"
#include "cli/generated.h"
#include "cli/record_file.h"
#include "cli/report_files.h"
#include "cli/specification.h"
#include "cli/usage_error.h"
#include "cli/verbs.h"
#include "harness/core/case_name.h"
#include "harness/run/plan.h"
#include "reports/repro_bundle.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;

struct ReproOptions {
  std::string record;
  std::string id;
  std::string folder;
  std::string scenarios;
};

const core::CaseResult& result_of(const core::RunRecord& record, const std::string& asked) {
  std::vector<std::string> ids;
  for (const core::CaseResult& each : record.cases) ids.push_back(each.id);
  const std::string id = core::id_of_index(asked, ids).value_or(asked);
  for (const core::CaseResult& each : record.cases) {
    if (each.id != id) continue;
    if (!each.exchanges.empty()) return each;
    throw UsageError(fmt::format("{}: nothing was sent in this run", id));
  }
  throw UsageError(unknown_name_text("case in the record", asked, ids));
}

/// The case's script, where the suite that the record is of is at hand.
std::string script_of(const ReproOptions& options, const std::string& id) {
  const Suite suite = whole_suite(options.scenarios, reference_profile(), {id});
  const run::Plan plan = run::make_plan(suite.scenarios, {.globs = {id}}, clause_table());
  return plan.cases.size() == 1 ? case_script(plan.cases.front()) : "";
}

core::ExitCode repro(const ReproOptions& options, Terminal& terminal) {
  const std::string_view scenario = core::scenario_of_id(options.id);
  const core::RunRecord record =
      load_record(options.record, nullptr, [scenario](const wire::ReadCase& each) {
        // Which row an index means is known once all were read.
        if (core::scenario_of_id(each.result.id) != scenario) forget_exchanges(each.result);
      });
  const core::CaseResult& result = result_of(record, options.id);
  std::error_code fault;
  fs::create_directories(options.folder, fault);
  if (fault) throw UsageError(fmt::format("{}: {}", options.folder, fault.message()));
  const auto path = [&options](const char* name) {
    return (fs::path(options.folder) / name).string();
  };
  write_file(path("exchanges.har"), reports::har_of(record, result));
  write_file(path("repro.sh"), reports::repro_script(record, result));
  fs::permissions(path("repro.sh"), fs::perms::owner_exec | fs::perms::group_exec,
                  fs::perm_options::add, fault);
  const std::string script = script_of(options, result.id);
  if (!script.empty()) write_file(path("scenario.yaml"), script);
  terminal.out << fmt::format("{}: {}exchanges.har, repro.sh\n", options.folder,
                              script.empty() ? "" : "scenario.yaml, ");
  return core::ExitCode::conforms;
}

}  // namespace

void add_repro(CLI::App& application, Action& chosen) {
  CLI::App* verb = application.add_subcommand(
      "repro", "Write what shows a failure without assay: scenario, HTTP archive, curl script");
  const auto options = std::make_shared<ReproOptions>();
  verb->add_option("record", options->record, "A record that `assay run --record` wrote")
      ->required();
  verb->add_option("case", options->id, "The id of a case")->required();
  verb->add_option("-o,--output", options->folder, "The folder to write to")->required();
  verb->add_option("--scenarios", options->scenarios,
                   "The scenarios that were run, if not the built-in ones");
  verb->footer(
      "Example:\n  assay repro run.ndjson 'status/cancelled-is-for-ever[step.enter]' -o bug\n"
      "  bug/repro.sh http://127.0.0.1:8080       exits with 1 where the fault is there");
  verb->callback([options, &chosen] {
    chosen = [options](Terminal& terminal) { return repro(*options, terminal); };
  });
}

}  // namespace assay::cli
