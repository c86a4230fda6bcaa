#include "harness/cli/kill_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace assay::cli {
namespace {

bool names(const std::vector<std::string>& clauses, std::string_view clause) {
  return std::find(clauses.begin(), clauses.end(), clause) != clauses.end();
}

/// The scenario of a case: what comes before the values of its matrix.
std::string scenario_of(const std::string& case_id) {
  return case_id.substr(0, case_id.find_first_of("[#"));
}

std::size_t caught_count(std::span<const Kill> kills) {
  return static_cast<std::size_t>(
      std::count_if(kills.begin(), kills.end(), [](const Kill& kill) { return kill.caught(); }));
}

}  // namespace

Kill kill_of(const faults::Fault& fault, const core::RunRecord& record) {
  Kill kill;
  kill.fault = &fault;
  std::set<std::string> accused;
  std::set<std::string> scenarios;
  for (const core::CaseResult& result : record.cases) {
    if (kill.first_case.empty()) kill.requests += result.exchanges.size();
    for (const core::Check& check : result.checks) {
      if (check.verdict != core::Verdict::fail) continue;
      accused.insert(check.clauses.begin(), check.clauses.end());
      if (!names(check.clauses, fault.clause)) continue;
      scenarios.insert(scenario_of(result.id));
      if (kill.first_case.empty()) kill.first_case = result.id;
    }
  }
  kill.scenarios = scenarios.size();
  kill.accused.assign(accused.begin(), accused.end());
  return kill;
}

std::vector<std::string> accusing_cases(const core::RunRecord& record) {
  std::vector<std::string> ids;
  for (const core::CaseResult& result : record.cases) {
    if (result.verdict == core::Verdict::fail) ids.push_back(result.id);
  }
  return ids;
}

std::string kill_word(const Kill& kill) {
  if (kill.caught()) return "caught";
  if (kill.accused.empty()) return "survived";
  return fmt::format("caught only under {}", fmt::join(kill.accused, ", "));
}

std::string kill_text(std::span<const Kill> kills) {
  std::string text = fmt::format("{:<36} {:<20} {:>9} {:>8}  {}\n", "fault", "clause", "scenarios",
                                 "requests", "first case");
  for (const Kill& kill : kills) {
    text += fmt::format("{:<36} {:<20} {:>9} {:>8}  {}\n", kill.fault->id, kill.fault->clause,
                        kill.scenarios, kill.requests,
                        kill.caught() ? kill.first_case : kill_word(kill));
  }
  return text + fmt::format("{} of {} faults caught\n", caught_count(kills), kills.size());
}

Value kill_json(std::span<const Kill> kills) {
  List items;
  for (const Kill& kill : kills) {
    items.emplace_back(Object{
        {"fault", kill.fault->id},
        {"clause", kill.fault->clause},
        {"title", kill.fault->title},
        {"scenarios", static_cast<std::uint64_t>(kill.scenarios)},
        {"requests", static_cast<std::uint64_t>(kill.requests)},
        {"first_case", kill.caught() ? Value(kill.first_case) : Value()},
        {"accused", List(kill.accused.begin(), kill.accused.end())},
    });
  }
  return Object{{"faults", std::move(items)},
                {"caught", static_cast<std::uint64_t>(caught_count(kills))}};
}

std::string kill_markdown(std::span<const Kill> kills) {
  std::string text = fmt::format(
      "# The zoo of broken servers\n\n"
      "Each fault is the reference with one rule broken: `assay serve --fault ID` serves it. The "
      "table is\nwritten by `assay selftest --markdown docs/zoo.md`, which fails where a fault "
      "survives, where it is\ncaught under other clauses only, or where the sound reference is "
      "accused.\n\n"
      "{} of {} faults are caught. Scenarios counts those with a failed check under the fault's "
      "own clause;\nrequests is what had been sent, in the order of the suite, when the first of "
      "them ended.\n\n"
      "| fault | clause | what the server does | scenarios | requests | first case |\n"
      "|---|---|---|--:|--:|---|\n",
      caught_count(kills), kills.size());
  for (const Kill& kill : kills) {
    text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", kill.fault->id, kill.fault->clause,
                        kill.fault->title, kill.scenarios, kill.requests,
                        kill.caught() ? kill.first_case : kill_word(kill));
  }
  return text;
}

}  // namespace assay::cli
