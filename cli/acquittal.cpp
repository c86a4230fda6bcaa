#include "cli/acquittal.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>

#include "cli/generated.h"
#include "cli/in_process_run.h"
#include "cli/reference.h"
#include "harness/run/identity.h"
#include "harness/run/session.h"
#include "harness/run/waiter.h"
#include "harness/target/clock.h"
#include "harness/target/in_process_target.h"
#include "properties/campaign.h"
#include "reference_impl/liberties/catalogue.h"

namespace assay::cli {
namespace {

/// About how many commands a generated case has: only for the number of cases.
constexpr std::uint64_t commands_of_a_case = 12;

/// "CASE: CLAUSE at FILE:LINE: expected X, found Y".
std::string accusation_of(const core::CaseResult& result) {
  for (const core::Check& check : result.checks) {
    if (check.verdict != core::Verdict::fail) continue;
    std::string text = result.id + ": ";
    for (const std::string& clause : check.clauses) text += clause + " ";
    return text +
           fmt::format("at {}: expected {}, found {}", check.at, check.expected, check.actual);
  }
  return result.id;
}

/// Adds what generated cases make of the server.
void explore(Acquittal& acquittal, service::Service& service, std::uint64_t property_commands) {
  std::vector<const properties::Family*> families;
  for (const properties::Family& family : properties::families()) families.push_back(&family);
  boost::asio::io_context io{1};
  target::InProcessTarget target(service);
  target::SystemClock clock;
  run::TimerWaiter waiter;
  const run::RunContext context{
      .target = target,
      .profile = reference_profile(),
      .clock = clock,
      .waiter = waiter,
      .seed = in_process_seed,
      .prefix = run::prefix_of_run(run::run_id_of_seed(in_process_seed)) + "-x"};
  properties::CampaignOptions options;
  options.seed = in_process_seed;
  options.cases =
      std::max<std::uint64_t>(1, property_commands / (families.size() * commands_of_a_case));
  options.most_causes = 50;
  const properties::CampaignOutcome outcome =
      properties::run_campaign(io, context, reference_profile(), families, options);
  for (const properties::FamilyTally& tally : outcome.families)
    acquittal.commands += tally.commands;
  for (const properties::Finding& finding : outcome.findings) {
    acquittal.causes.push_back(finding.cause);
  }
}

std::string verdict_of(const Acquittal& acquittal) {
  if (acquittal.acquitted()) return "acquitted";
  return fmt::format("accused by {} cases, for {} generated causes", acquittal.accusing.size(),
                     acquittal.causes.size());
}

std::size_t acquitted_count(std::span<const Acquittal> acquittals) {
  return static_cast<std::size_t>(
      std::count_if(acquittals.begin(), acquittals.end(),
                    [](const Acquittal& acquittal) { return acquittal.acquitted(); }));
}

std::string summary_of(std::span<const Acquittal> acquittals) {
  return fmt::format("{} of {} sound servers acquitted\n", acquitted_count(acquittals),
                     acquittals.size());
}

std::string_view title_of(const Acquittal& acquittal) {
  return acquittal.liberty == nullptr ? "All of these at once" : acquittal.liberty->title;
}

}  // namespace

std::string_view Acquittal::name() const { return liberty == nullptr ? "all" : liberty->id; }

std::unique_ptr<service::Service> make_with_liberty(const liberties::Liberty* liberty) {
  service::ServiceOptions options = reference_options(in_process_seed);
  if (liberty == nullptr) return liberties::make_free(std::move(options));
  return liberties::make_free(std::span(&liberty, 1), std::move(options));
}

Acquittal acquit(const liberties::Liberty* liberty, SuiteBench& bench,
                 std::uint64_t property_commands) {
  Acquittal acquittal;
  acquittal.liberty = liberty;
  acquittal.cases = bench.size();
  const std::unique_ptr<service::Service> service = make_with_liberty(liberty);
  for (const core::CaseResult& result : bench.run(*service).cases) {
    if (result.verdict == core::Verdict::fail) {
      acquittal.accusing.push_back(accusation_of(result));
    }
  }
  if (property_commands > 0) {
    explore(acquittal, *make_with_liberty(liberty), property_commands);
  }
  return acquittal;
}

std::string acquittal_text(std::span<const Acquittal> acquittals) {
  std::string text =
      fmt::format("{:<36} {:>6} {:>9}  {}\n", "liberty", "cases", "commands", "verdict");
  for (const Acquittal& acquittal : acquittals) {
    text += fmt::format("{:<36} {:>6} {:>9}  {}\n", acquittal.name(), acquittal.cases,
                        acquittal.commands, verdict_of(acquittal));
    for (const std::string& accusation : acquittal.accusing) text += "    " + accusation + "\n";
    for (const std::string& cause : acquittal.causes) text += "    generated: " + cause + "\n";
  }
  return text + summary_of(acquittals);
}

Value acquittal_json(std::span<const Acquittal> acquittals) {
  List items;
  for (const Acquittal& acquittal : acquittals) {
    items.emplace_back(
        Object{{"liberty", acquittal.name()},
               {"title", title_of(acquittal)},
               {"cases", static_cast<std::uint64_t>(acquittal.cases)},
               {"accused_by", List(acquittal.accusing.begin(), acquittal.accusing.end())},
               {"commands", acquittal.commands},
               {"causes", List(acquittal.causes.begin(), acquittal.causes.end())}});
  }
  return items;
}

std::string acquittal_markdown(std::span<const Acquittal> acquittals) {
  std::string text = fmt::format(
      "# The liberties of a sound server\n\n"
      "What the specifications and the contract leave open, a server may do either way. Each "
      "liberty is the\nreference with another choice in one such place: `assay serve --liberty ID` "
      "serves it, and\n`assay serve --liberty all` takes them all at once. None may be accused. "
      "The table is written by\n`assay selftest --liberties-markdown docs/liberties.md`, which "
      "fails where one is.\n\n"
      "{}\n"
      "| liberty | a sound server may | the words that allow it | cases | generated commands | "
      "verdict |\n"
      "|---|---|---|--:|--:|---|\n",
      summary_of(acquittals));
  for (const Acquittal& acquittal : acquittals) {
    text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", acquittal.name(), title_of(acquittal),
                        acquittal.liberty == nullptr ? "" : acquittal.liberty->words,
                        acquittal.cases, acquittal.commands, verdict_of(acquittal));
  }
  return text;
}

}  // namespace assay::cli
