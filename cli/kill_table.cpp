#include "cli/kill_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
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

/// Faults that a generated case caught, of those that were hunted so.
std::string property_text(std::span<const Kill> kills) {
  std::size_t hunted = 0;
  std::size_t caught = 0;
  std::uint64_t most_commands = 0;
  for (const Kill& kill : kills) {
    if (!kill.by_property) continue;
    ++hunted;
    if (kill.by_property->family.empty()) continue;
    ++caught;
    most_commands = std::max(most_commands, kill.by_property->commands);
  }
  if (hunted == 0) return {};
  return fmt::format(
      "{} of {} faults caught by a property ({:.1f} %), each within {} commands\n", caught, hunted,
      100.0 * static_cast<double>(caught) / static_cast<double>(hunted), most_commands);
}

/// "run-walks, 120 commands, smallest 3".
std::string catch_text(const Kill& kill) {
  if (!kill.by_property || kill.by_property->family.empty()) return "-";
  const Catch& caught = *kill.by_property;
  return fmt::format("{}: {} commands, {} in the smallest",
                     caught.family.substr(caught.family.find('/') + 1), caught.commands,
                     caught.smallest);
}

Value catch_json(const Kill& kill) {
  if (!kill.by_property) return {};
  const Catch& caught = *kill.by_property;
  return Object{{"family", caught.family.empty() ? Value() : Value(caught.family)},
                {"cases", caught.cases},
                {"commands", caught.commands},
                {"smallest", static_cast<std::uint64_t>(caught.smallest)}};
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
      kill.cases.insert(result.id);
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
  return text + fmt::format("{} of {} faults caught\n", caught_count(kills), kills.size()) +
         property_text(kills);
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
        {"property", catch_json(kill)},
        {"first_case", kill.caught() ? Value(kill.first_case) : Value()},
        {"accused", List(kill.accused.begin(), kill.accused.end())},
    });
  }
  return Object{{"faults", std::move(items)},
                {"caught", static_cast<std::uint64_t>(caught_count(kills))}};
}

std::string kill_markdown(std::span<const Kill> kills, bool by_own_clause) {
  // Without generated cases there is nothing to say of them.
  const bool was_hunted = std::any_of(
      kills.begin(), kills.end(), [](const Kill& kill) { return kill.by_property.has_value(); });
  std::string text = fmt::format(
      "# The zoo of broken servers\n\n"
      "Each fault is the reference with one rule broken: `assay serve --fault ID` serves it. The "
      "table is written by\n`assay selftest {}{}--markdown docs/zoo.md`, which fails if a fault "
      "survives,\nif it is caught only under other clauses, or if the correct reference fails a "
      "case.\n\n"
      "{} of {} faults are caught. Scenarios counts those with a failed check under the fault's "
      "own clause;\nrequests is what {} had sent, in the order of the suite, when the first of "
      "them ended.\n{}\n"
      "| fault | clause | what the server does | scenarios | requests | first case |{}\n"
      "|---|---|---|--:|--:|---|{}\n",
      by_own_clause ? "--own-clause " : "", was_hunted ? "" : "--property-commands 0 ",
      caught_count(kills), kills.size(),
      by_own_clause ? "the cases that check the clause" : "all cases", property_text(kills),
      was_hunted ? " property |" : "", was_hunted ? "---|" : "");
  for (const Kill& kill : kills) {
    text += fmt::format("| {} | {} | {} | {} | {} | {} |", kill.fault->id, kill.fault->clause,
                        kill.fault->title, kill.scenarios, kill.requests,
                        kill.caught() ? kill.first_case : kill_word(kill));
    text += was_hunted ? fmt::format(" {} |\n", catch_text(kill)) : "\n";
  }
  return text;
}

}  // namespace assay::cli
