#include "harness/cli/judging_options.h"

#include <CLI/CLI.hpp>

namespace assay::cli {

void add_judging_options(CLI::App& verb, JudgingOptions& options) {
  add_target_options(verb, options.target);
  verb.add_option("--scenarios", options.scenarios,
                  "A file or folder of scenarios instead of the built-in ones");
  verb.add_option("--jobs", options.jobs, "Cases that run at the same moment")
      ->capture_default_str()
      ->check(CLI::Range(1, 4'096));
  verb.add_flag("--fail-fast", options.fail_fast,
                "Start no further case after the first that fails");
  verb.add_option("--seed", options.seed,
                  "Of the identifiers that are made; the same seed makes the same run");
  verb.add_option("--report", options.reports,
                  "FORMAT=FILE, one of `assay list formats` (repeatable)")
      ->expected(1)
      ->take_all();
  verb.add_option("--record", options.record, "Write the run record to this file");
  verb.add_flag("--quiet", options.quiet, "Print no report");
}

}  // namespace assay::cli
