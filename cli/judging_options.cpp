#include "cli/judging_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>

#include "cli/number_checks.h"

namespace assay::cli {
namespace {

std::string check_run_id(const std::string& text) {
  constexpr std::size_t limit = 48;
  const auto is_plain = [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') || letter == '-' || letter == '_';
  };
  const bool fits = !text.empty() && text.size() <= limit;
  if (fits && std::all_of(text.begin(), text.end(), is_plain)) return "";
  return "expected 1 to 48 letters, digits, - or _";
}

}  // namespace

void add_judging_options(CLI::App& verb, JudgingOptions& options) {
  add_target_options(verb, options.target);
  verb.add_option("--scenarios", options.scenarios,
                  "A file or folder of scenarios instead of the built-in ones");
  verb.add_option("--jobs", options.jobs, "Maximum number of cases to run concurrently")
      ->capture_default_str()
      ->check(CLI::Range(1, 4'096));
  verb.add_flag("--fail-fast", options.fail_fast, "Start no new cases after the first failure");
  verb.add_flag("--keep-going", options.keep_going,
                "Make each generated case again without what it failed at, until nothing of it "
                "fails:\nfor a record that a baseline is made of")
      ->excludes("--fail-fast");
  verb.add_option("--seed", options.seed,
                  "Seed for generated identifiers. Reproduces a run if assay starts the server\n"
                  "(embedded, in process, or by the profile)");
  verb.add_option(
          "--run-id", options.run_id,
          "Prefix, after \"assay-\", of the names of everything this run creates. Default: the\n"
          "seed; on a server that assay did not start, also a random part. The same seed and\n"
          "run id send the same requests again, so a server that kept the last run's data\n"
          "sees the same names twice")
      ->check(CLI::Validator(check_run_id, "1 to 48 letters, digits, - or _"));
  verb.add_option("--label", options.label,
                  "Who runs it (a person, a job, a commit), for the record and the reports");
  verb.add_option("--baseline", options.baseline,
                  "A file of expected failures. They don't fail the run; if one no longer occurs, "
                  "assay exits with 5");
  verb.add_option(
          "--against", options.against,
          "A record to compare with: only new failures, or failures of another kind, fail this run")
      ->excludes("--baseline");
  CLI::Option* retries =
      verb.add_option(
              "--retries", options.retries,
              "Run each case that fails unexpectedly or stays undecided this many more times")
          ->check(CLI::Range(0, 100));
  verb.add_option("--flaky", options.flaky,
                  "Whether a case that passes only on a retry fails the run: fail or warn")
      ->capture_default_str()
      ->needs(retries)
      ->check(CLI::IsMember({core::flaky_policy::fail, core::flaky_policy::warn}));
  verb.add_option("--wait", options.wait_s, "Wait up to this many seconds for the target to start")
      ->check(finite_number(0, 86'400));
  verb.add_option("--durations", options.durations, "List this many of the slowest cases")
      ->check(CLI::Range(0, 10'000));
  verb.add_option("--report", options.reports,
                  "FORMAT=FILE, one of `assay list formats`; - is standard output (repeatable)")
      ->expected(1)
      ->take_all();
  verb.add_option("--record", options.record, "Write the run record to this file");
  verb.add_flag(
      "--no-cache", options.no_cache,
      "Record generated cases and measure sensitivity again instead of using the cache, and "
      "don't cache the results");
  verb.add_flag("--quiet", options.quiet, "Print one line instead of the report");
  verb.add_flag("-v,--verbose", options.verbose,
                "Print every cause in full, with curl commands, and every untested clause");
}

}  // namespace assay::cli
