#include "cli/quick.h"

#include <algorithm>
#include <sstream>

#include "assay_embed/specification.h"

namespace assay::cli {
namespace {

/// A case costs something even where it sends little: its set-up, its place in the report.
constexpr double requests_of_any_case = 4;

std::set<std::string> read_quick_cases(std::string_view text) {
  std::set<std::string> cases;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && !line.starts_with('#')) cases.insert(line);
  }
  return cases;
}

/// The faults that each case catches.
using CaughtFaults = std::map<std::string, std::set<std::string>>;

CaughtFaults by_case(const CatchingCases& catching) {
  CaughtFaults caught;
  for (const auto& [fault, cases] : catching) {
    for (const std::string& one : cases) caught[one].insert(fault);
  }
  return caught;
}

double cost_of(const std::string& one, const RequestsOfCases& requests) {
  const auto known = requests.find(one);
  return requests_of_any_case +
         (known == requests.end() ? 0.0 : static_cast<double>(known->second));
}

/// Leaves out each case all of whose faults others of the chosen catch, the latest choice first.
std::vector<std::string> without_needless(std::vector<std::string> chosen,
                                          const CaughtFaults& caught) {
  std::map<std::string, std::size_t> times;
  for (const std::string& one : chosen) {
    for (const std::string& fault : caught.at(one)) ++times[fault];
  }
  for (std::size_t index = chosen.size(); index-- > 0;) {
    const std::set<std::string>& faults = caught.at(chosen[index]);
    const auto others_catch_it = [&times](const std::string& fault) { return times[fault] > 1; };
    if (!std::all_of(faults.begin(), faults.end(), others_catch_it)) continue;
    for (const std::string& fault : faults) --times[fault];
    chosen.erase(chosen.begin() + static_cast<std::ptrdiff_t>(index));
  }
  return chosen;
}

}  // namespace

const std::set<std::string>& quick_cases() {
  static const std::set<std::string> cases = [] {
    for (const embed::File& file : embed::specification()) {
      if (file.path == "quick_cases.txt") return read_quick_cases(file.content);
    }
    return std::set<std::string>();
  }();
  return cases;
}

RequestsOfCases requests_of_cases(const core::RunRecord& record) {
  RequestsOfCases requests;
  for (const core::CaseResult& result : record.cases) requests[result.id] = result.exchanges.size();
  return requests;
}

CatchingCases catching_cases(std::span<const Kill> kills, const core::ClauseTable& clauses) {
  CatchingCases catching;
  for (const Kill& kill : kills) {
    const core::Clause* clause = clauses.find(kill.fault->clause);
    if (clause == nullptr || clause->level != core::Level::must || !kill.caught()) continue;
    catching.emplace(kill.fault->id, kill.cases);
  }
  return catching;
}

std::vector<std::string> greedy_cover(const CatchingCases& catching,
                                      const RequestsOfCases& requests) {
  const CaughtFaults caught = by_case(catching);
  CaughtFaults open = caught;
  std::vector<std::string> chosen;
  const auto worth = [&requests](const auto& entry) {
    return static_cast<double>(entry.second.size()) / cost_of(entry.first, requests);
  };
  while (!open.empty()) {
    const auto best = std::max_element(
        open.begin(), open.end(),
        [&worth](const auto& left, const auto& right) { return worth(left) < worth(right); });
    if (best->second.empty()) break;
    const std::set<std::string> now_caught = best->second;
    chosen.push_back(best->first);
    for (auto& [one, faults] : open) {
      std::erase_if(faults, [&](const std::string& fault) { return now_caught.contains(fault); });
    }
  }
  chosen = without_needless(std::move(chosen), caught);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

std::string quick_cases_text(std::span<const std::string> cases) {
  std::string text =
      "# The cases of `assay run --quick`, one a line: few that together catch every fault of the "
      "zoo that\n# breaks a MUST clause. Chosen by `assay selftest --own-clause "
      "--property-commands 0 --quick-cases FILE`\n# (cli/quick.h has the rule); do not edit.\n";
  for (const std::string& one : cases) text += one + "\n";
  return text;
}

}  // namespace assay::cli
