#pragma once

#include <functional>

#include "cli/terminal.h"
#include "harness/core/verdict.h"

namespace CLI {
class App;
}  // namespace CLI

namespace assay::cli {

/// What the command line asks for, once it is parsed.
using Action = std::function<core::ExitCode(Terminal&)>;

/// Each adds one verb to the application; parsing a command line that names it sets `chosen`.
/// Actions throw UsageError and std::exception; application.h says what becomes of them.
void add_audit(CLI::App& application, Action& chosen);
void add_baseline(CLI::App& application, Action& chosen);
void add_completion(CLI::App& application, Action& chosen);
void add_config(CLI::App& application, Action& chosen);
void add_diff(CLI::App& application, Action& chosen);
void add_explain(CLI::App& application, Action& chosen);
void add_explore(CLI::App& application, Action& chosen);
void add_flaky(CLI::App& application, Action& chosen);
void add_help(CLI::App& application, Action& chosen);
void add_init(CLI::App& application, Action& chosen);
void add_lint(CLI::App& application, Action& chosen);
void add_list(CLI::App& application, Action& chosen);
void add_matrix(CLI::App& application, Action& chosen);
void add_merge(CLI::App& application, Action& chosen);
void add_probe(CLI::App& application, Action& chosen);
void add_replay(CLI::App& application, Action& chosen);
void add_report(CLI::App& application, Action& chosen);
void add_repro(CLI::App& application, Action& chosen);
void add_run(CLI::App& application, Action& chosen);
void add_schema(CLI::App& application, Action& chosen);
void add_selftest(CLI::App& application, Action& chosen);
void add_serve(CLI::App& application, Action& chosen);
void add_show(CLI::App& application, Action& chosen);
void add_verify(CLI::App& application, Action& chosen);
void add_version(CLI::App& application, Action& chosen);

}  // namespace assay::cli
