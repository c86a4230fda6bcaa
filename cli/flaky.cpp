#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>

#include "base/visible.h"
#include "cli/record_file.h"
#include "cli/verbs.h"
#include "harness/check/flakiness.h"

namespace assay::cli {
namespace {

std::string counted_times(std::size_t times) {
  return times == 1 ? "once" : fmt::format("{} times", times);
}

core::ExitCode flaky(const std::vector<std::string>& paths, Terminal& terminal) {
  std::vector<core::RunRecord> records;
  records.reserve(paths.size());
  for (const std::string& path : paths) records.push_back(load_verdicts(path));
  const std::vector<check::FlakyCase> found = check::flaky_cases(records);
  for (const check::FlakyCase& each : found) {
    terminal.out << fmt::format("{}  did not pass {} of {} times: {}\n", each.id, each.rate.failed,
                                each.rate.played, check::rate_text(each.rate));
    if (each.ways.size() < 2) continue;
    terminal.out << fmt::format("  fails in {} different ways\n", each.ways.size());
    for (const check::FailingWay& way : each.ways) {
      terminal.out << fmt::format(
          "  {}  {}\n", counted_times(way.times),
          visible(fmt::format("{}", fmt::join(way.failures, "; ")), 2000, Lines::one));
    }
  }
  if (found.empty()) terminal.out << "no flaky case in these records\n";
  return core::ExitCode::conforms;
}

}  // namespace

void add_flaky(CLI::App& application, Action& chosen) {
  CLI::App* verb = application.add_subcommand(
      "flaky", "Name the cases that pass in some runs only, or fail in different ways");
  const auto paths = std::make_shared<std::vector<std::string>>();
  verb->add_option("records", *paths, "Records that `assay run --record` wrote")->required();
  verb->footer("Example:\n  assay flaky *.ndjson");
  verb->callback([paths, &chosen] {
    chosen = [paths](Terminal& terminal) { return flaky(*paths, terminal); };
  });
}

}  // namespace assay::cli
