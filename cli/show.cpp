#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>

#include "cli/case_script.h"
#include "cli/generated.h"
#include "cli/specification.h"
#include "cli/usage_error.h"
#include "cli/verbs.h"
#include "harness/run/plan.h"

namespace assay::cli {
namespace {

struct ShowOptions {
  std::string id;
  std::string scenarios;
};

core::ExitCode show(const ShowOptions& options, Terminal& terminal) {
  const Suite suite = whole_suite(options.scenarios, reference_profile(), {options.id});
  const run::Plan plan = run::make_plan(suite.scenarios, {.globs = {options.id}}, clause_table());
  if (!plan.problems.empty()) throw UsageError(fmt::format("{}", fmt::join(plan.problems, "\n")));
  for (const std::string& hint : plan.hints) terminal.err << "assay: note: " << hint << "\n";
  bool is_first = true;
  for (const core::Case& one : plan.cases) {
    if (!is_first) terminal.out << "---\n";
    is_first = false;
    terminal.out << case_script(one);
  }
  return core::ExitCode::conforms;
}

}  // namespace

void add_show(CLI::App& application, Action& chosen) {
  CLI::App* verb =
      application.add_subcommand("show", "Print the script of a case, with the values of its row");
  const auto options = std::make_shared<ShowOptions>();
  verb->add_option("case", options->id, "A case's id, or a glob over ids")->required();
  verb->add_option("--scenarios", options->scenarios,
                   "A file or folder of scenarios instead of the built-in ones");
  verb->footer("Example:\n  assay show 'status/cancelled-is-for-ever[step.enter]'");
  verb->callback([options, &chosen] {
    chosen = [options](Terminal& terminal) { return show(*options, terminal); };
  });
}

}  // namespace assay::cli
