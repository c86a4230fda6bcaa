#include "cli/acquittal.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

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

constexpr std::string_view name_of_all = "all";

/// About how many commands a generated case has: only for the number of cases.
constexpr std::uint64_t commands_of_a_case = 12;

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
  const std::vector<const liberties::Liberty*>& taken = acquittal.server.taken;
  return taken.size() == 1 ? taken.front()->title : "All of these at once";
}

/// A row for each liberty, with what was made of the server that takes it, alone or with others.
void add_rows(std::string& text, const Acquittal& acquittal) {
  const auto add = [&](std::string_view name, std::string_view title, std::string_view words) {
    text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", name, title, words, acquittal.cases,
                        acquittal.commands, verdict_of(acquittal));
  };
  if (acquittal.server.name == name_of_all) return add(name_of_all, title_of(acquittal), "");
  for (const liberties::Liberty* liberty : acquittal.server.taken) {
    add(liberty->id, liberty->title, liberty->words);
  }
}

std::unique_ptr<service::Service> make_sound(const SoundServer& server) {
  return liberties::make_free(server.taken, reference_options(in_process_seed));
}

}  // namespace

std::string accusation_of(const core::CaseResult& result) {
  const auto is_open = [](const core::Check& check) {
    return check.verdict != core::Verdict::pass && check.verdict != core::Verdict::not_applicable;
  };
  const std::vector<core::Check>& checks = result.checks;
  auto found = std::find_if(checks.begin(), checks.end(), [](const core::Check& check) {
    return check.verdict == core::Verdict::fail;
  });
  if (found == checks.end()) found = std::find_if(checks.begin(), checks.end(), is_open);
  if (found == checks.end()) return fmt::format("{}: {}", result.id, result.reason);
  return fmt::format("{}: {} at {}: expected {}, found {} {}", result.id,
                     fmt::join(found->clauses, " "), found->at, found->expected, found->actual,
                     found->reason);
}

SoundServer taking(const liberties::Liberty& liberty) {
  return {std::string(liberty.id), {&liberty}};
}

SoundServer taking_all() {
  SoundServer all{std::string(name_of_all), {}};
  for (const liberties::Liberty& liberty : liberties::liberties()) all.taken.push_back(&liberty);
  return all;
}

std::vector<SoundServer> sharing_out(std::size_t count) {
  const std::vector<const liberties::Liberty*> all = taking_all().taken;
  std::vector<SoundServer> servers(std::min(count, all.size()));
  for (std::size_t index = 0; index < all.size(); ++index) {
    servers[index % servers.size()].taken.push_back(all[index]);
  }
  for (SoundServer& server : servers) {
    server.name = fmt::format("{} and {} more", server.taken.front()->id, server.taken.size() - 1);
  }
  return servers;
}

GeneratedOutcome explore_sound(service::Service& service, const core::Profile& profile,
                               std::uint64_t property_commands, const std::stop_token& stop) {
  std::vector<const properties::Family*> families;
  for (const properties::Family& family : properties::families()) families.push_back(&family);
  boost::asio::io_context io{1};
  target::InProcessTarget target(service);
  target::SystemClock clock;
  run::TimerWaiter waiter;
  const run::RunContext context{
      .target = target,
      .profile = profile,
      .clock = clock,
      .waiter = waiter,
      .seed = in_process_seed,
      .prefix = run::prefix_of_run(run::run_id_of_seed(in_process_seed)) + "-x"};
  properties::CampaignOptions options;
  options.seed = in_process_seed;
  options.cases =
      std::max<std::uint64_t>(1, property_commands / (families.size() * commands_of_a_case));
  options.most_causes = 50;
  options.stop = stop;
  const properties::CampaignOutcome outcome =
      properties::run_campaign(io, context, reference_profile(), families, options);
  GeneratedOutcome made;
  for (const properties::FamilyTally& tally : outcome.families) {
    made.commands += tally.commands;
  }
  for (const properties::Finding& finding : outcome.findings) {
    made.causes.push_back(finding.cause);
  }
  return made;
}

Acquittal acquit(const SoundServer& server, SuiteRunner& runner, std::uint64_t property_commands,
                 const std::stop_token& stop) {
  Acquittal acquittal;
  acquittal.server = server;
  acquittal.cases = runner.size();
  const std::unique_ptr<service::Service> service = make_sound(server);
  for (const core::CaseResult& result : runner.run(*service).cases) {
    if (result.verdict == core::Verdict::fail) {
      acquittal.accusing.push_back(accusation_of(result));
    }
  }
  if (property_commands > 0) {
    GeneratedOutcome explored =
        explore_sound(*make_sound(server), reference_profile(), property_commands, stop);
    acquittal.commands = explored.commands;
    acquittal.causes = std::move(explored.causes);
  }
  return acquittal;
}

std::string acquittal_text(std::span<const Acquittal> acquittals) {
  std::string text =
      fmt::format("{:<36} {:>6} {:>9}  {}\n", "liberty", "cases", "commands", "verdict");
  for (const Acquittal& acquittal : acquittals) {
    text += fmt::format("{:<36} {:>6} {:>9}  {}\n", acquittal.server.name, acquittal.cases,
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
        Object{{"liberty", acquittal.server.name},
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
      "fails where one is. With `--own-clause` and\n`--liberty '*'` a few servers share the "
      "liberties out among them, and each row tells of the server that takes it.\n\n"
      "{}\n"
      "| liberty | a sound server may | the words that allow it | cases | generated commands | "
      "verdict |\n"
      "|---|---|---|--:|--:|---|\n",
      summary_of(acquittals));
  for (const Acquittal& acquittal : acquittals) add_rows(text, acquittal);
  return text;
}

}  // namespace assay::cli
