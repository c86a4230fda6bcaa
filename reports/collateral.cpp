#include "reports/collateral.h"

#include <algorithm>
#include <optional>
#include <set>

#include "harness/check/cause.h"
#include "harness/core/adapter_line.h"

namespace assay::reports {
namespace {

/// The exchange that a check judged last.
std::optional<std::size_t> last_look(const core::CaseResult& result, const core::Check& check) {
  if (check.evidence.empty()) return std::nullopt;
  const std::size_t last = *std::max_element(check.evidence.begin(), check.evidence.end());
  return last < result.exchanges.size() ? std::optional(last) : std::nullopt;
}

bool reads_the_same(const core::CaseResult& result, const core::Check& first,
                    const core::Check& second) {
  const std::optional<std::size_t> from = last_look(result, first);
  const std::optional<std::size_t> to = last_look(result, second);
  if (!from || !to || *to < *from) return false;
  const auto& asked = result.exchanges[*from].request;
  const auto& again = result.exchanges[*to].request;
  if (*from == *to) return true;
  return core::only_reads(asked) && asked.method == again.method && asked.target == again.target &&
         asked.body == again.body &&
         std::all_of(result.exchanges.begin() + static_cast<std::ptrdiff_t>(*from),
                     result.exchanges.begin() + static_cast<std::ptrdiff_t>(*to),
                     [](const core::Exchange& each) { return core::only_reads(each.request); });
}

bool finds_the_same(const core::Check& first, const core::Check& second) {
  const check::Cause cause = check::cause_of(first);
  const check::Cause again = check::cause_of(second);
  return !cause.subject.empty() && cause.subject == again.subject && cause.actual == again.actual;
}

int rank_of(const core::ClauseTable& table, const std::string& id) {
  const core::Clause* clause = table.find(id);
  return clause == nullptr ? 0 : static_cast<int>(clause->level);
}

bool follows_from(const core::CaseResult& result, const core::Check& deciding,
                  const core::Check& check) {
  if (check.verdict != core::Verdict::fail || &check == &deciding) return false;
  return reads_the_same(result, deciding, check) || finds_the_same(deciding, check);
}

}  // namespace

std::vector<std::size_t> following_checks(const core::CaseResult& result) {
  std::vector<std::size_t> following;
  const core::Check* deciding = check::deciding_check(result);
  if (deciding == nullptr || deciding->verdict != core::Verdict::fail) return following;
  for (std::size_t place = 0; place < result.checks.size(); ++place) {
    if (follows_from(result, *deciding, result.checks[place])) following.push_back(place);
  }
  return following;
}

std::map<std::string, std::string> following_clauses(const core::RunRecord& record,
                                                     const std::vector<CaseReport>& cases,
                                                     const core::ClauseTable& table) {
  std::map<std::string, std::string> following;
  std::set<std::string> own;
  for (std::size_t number = 0; number < record.cases.size(); ++number) {
    const core::CaseResult& result = record.cases[number];
    const std::vector<std::size_t>& places = cases[number].following;
    const core::Check* deciding = check::deciding_check(result);
    for (std::size_t place = 0; place < result.checks.size(); ++place) {
      const core::Check& check = result.checks[place];
      if (check.verdict != core::Verdict::fail || check.clauses.empty()) continue;
      const bool is_collateral =
          deciding != nullptr && !deciding->clauses.empty() &&
          (deciding == &check || std::binary_search(places.begin(), places.end(), place));
      for (const std::string& id : check.clauses) {
        if (is_collateral && id != deciding->clauses.front() &&
            rank_of(table, deciding->clauses.front()) <= rank_of(table, id)) {
          following.try_emplace(id, deciding->clauses.front());
        } else {
          own.insert(id);
        }
      }
    }
  }
  std::erase_if(following, [&own](const auto& each) { return own.contains(each.first); });
  return following;
}

}  // namespace assay::reports
