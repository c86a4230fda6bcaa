#include "reports/causes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "harness/check/cause.h"

namespace assay::reports {
namespace {

/// A cause and the cases that have it, by their place in the record.
struct Group {
  check::Cause cause;
  Outcome outcome = Outcome::inconclusive;
  std::vector<std::size_t> cases;
};

bool is_told(Outcome outcome) {
  return outcome != Outcome::pass && outcome != Outcome::not_applicable;
}

std::vector<Group> groups_of(const core::RunRecord& record, const std::vector<CaseReport>& cases) {
  std::vector<Group> groups;
  std::map<std::pair<Outcome, std::string>, std::size_t> index;
  for (std::size_t at = 0; at < cases.size(); ++at) {
    if (!is_told(cases[at].outcome)) continue;
    check::Cause cause = check::cause_of(record.cases[at]);
    const auto [found, added] =
        index.try_emplace({cases[at].outcome, check::cause_text(cause)}, groups.size());
    if (added) groups.push_back({std::move(cause), cases[at].outcome, {}});
    groups[found->second].cases.push_back(at);
  }
  return groups;
}

/// Whether its requests are at hand, whether a person wrote it, and then how short it is: what
/// shows a cause best.
auto clarity_of(const core::CaseResult& result, const CaseReport& shown) {
  return std::tuple(shown.is_cut, result.id.starts_with("properties/"), shown.exchange_count);
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void add_new(std::vector<std::string>& names, const std::string& name) {
  if (!has(names, name)) names.push_back(name);
}

/// What the deciding checks accuse of, and what the other checks of the same cases do.
void add_clauses(CauseReport& report, const Group& group, const core::RunRecord& record,
                 const std::vector<CaseReport>& cases,
                 const std::function<std::string(const std::string&)>& safe) {
  if (!group.cause.clause.empty()) report.clauses.push_back(safe(group.cause.clause));
  for (const std::size_t at : group.cases) {
    const core::CaseResult& result = record.cases[at];
    if (const core::Check* deciding = check::deciding_check(result)) {
      for (const std::string& clause : deciding->clauses) add_new(report.clauses, safe(clause));
    }
  }
  for (const std::size_t at : group.cases) {
    const std::vector<std::size_t>& following = cases[at].following;
    for (std::size_t place = 0; place < record.cases[at].checks.size(); ++place) {
      const core::Check& check = record.cases[at].checks[place];
      if (check.verdict <= core::Verdict::pass) continue;
      const bool follows = std::binary_search(following.begin(), following.end(), place);
      for (const std::string& clause : check.clauses) {
        const std::string shown = safe(clause);
        if (!has(report.clauses, shown)) {
          add_new(follows ? report.following : report.other_clauses, shown);
        }
      }
    }
  }
  std::erase_if(report.following,
                [&report](const std::string& each) { return has(report.other_clauses, each); });
}

/// "cause-STM-EXEC-R1-executions.status-state-is-RUNNING", of what is safe in an address.
std::string anchor_of(std::string_view text, std::set<std::string>& taken) {
  constexpr std::size_t limit_bytes = 90;
  std::string anchor = "cause-";
  for (const char letter : text) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '.';
    if (anchor.size() == limit_bytes) break;
    if (is_plain || anchor.back() != '-') anchor += is_plain ? letter : '-';
  }
  while (anchor.back() == '-') anchor.pop_back();
  std::string unique = anchor;
  for (int number = 2; !taken.insert(unique).second; ++number) {
    unique = fmt::format("{}-{}", anchor, number);
  }
  return unique;
}

int level_rank(const CauseReport& report, const core::ClauseTable& table) {
  int rank = static_cast<int>(core::Level::may) + 1;
  for (const std::string& id : report.clauses) {
    const core::Clause* clause = table.find(id);
    rank = std::min(rank, clause == nullptr ? 0 : static_cast<int>(clause->level));
  }
  return rank;
}

int outcome_rank(Outcome outcome) {
  switch (outcome) {
    case Outcome::fail:
      return 0;
    case Outcome::unexpected_pass:
      return 1;
    case Outcome::flaky:
      return 2;
    case Outcome::error:
      return 3;
    case Outcome::inconclusive:
      return 4;
    default:
      return 5;
  }
}

}  // namespace

std::vector<CauseReport> group_causes(const core::RunRecord& record,
                                      const std::vector<CaseReport>& cases,
                                      const core::ClauseTable& table,
                                      const std::function<std::string(const std::string&)>& safe) {
  std::vector<CauseReport> reports;
  for (Group& group : groups_of(record, cases)) {
    CauseReport& report = reports.emplace_back();
    report.outcome = group.outcome;
    add_clauses(report, group, record, cases, safe);
    check::Cause said = group.cause;
    said.clause.clear();
    report.text = group.outcome == Outcome::unexpected_pass
                      ? "passed, although the baseline expects a failure"
                      : safe(check::cause_text(said));
    std::stable_sort(group.cases.begin(), group.cases.end(),
                     [&record, &cases](std::size_t left, std::size_t right) {
                       return clarity_of(record.cases[left], cases[left]) <
                              clarity_of(record.cases[right], cases[right]);
                     });
    report.cases = std::move(group.cases);
  }
  std::stable_sort(reports.begin(), reports.end(), [&table](const auto& left, const auto& right) {
    const auto rank = [&table](const CauseReport& each) {
      return std::tuple(outcome_rank(each.outcome), level_rank(each, table),
                        -static_cast<std::ptrdiff_t>(each.cases.size()));
    };
    return rank(left) < rank(right);
  });
  std::set<std::string> taken;
  for (CauseReport& report : reports) {
    const std::string clause = report.clauses.empty() ? "" : report.clauses.front() + " ";
    report.anchor = anchor_of(clause + report.text, taken);
  }
  return reports;
}

}  // namespace assay::reports
