#include "harness/run/rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <utility>

#include "harness/check/judge.h"

namespace assay::run {
namespace {

void append(core::CaseResult& whole, core::CaseResult&& round, std::size_t number) {
  const std::size_t first = whole.exchanges.size();
  whole.rounds.push_back({number, round.checks.size(), round.exchanges.size()});
  for (core::Check& check : round.checks) {
    for (std::size_t& index : check.evidence) index += first;
    whole.checks.push_back(std::move(check));
  }
  std::move(round.exchanges.begin(), round.exchanges.end(), std::back_inserter(whole.exchanges));
  whole.duration_ms += round.duration_ms;
  std::set<std::string> clauses(whole.clauses.begin(), whole.clauses.end());
  clauses.insert(round.clauses.begin(), round.clauses.end());
  whole.clauses.assign(clauses.begin(), clauses.end());
}

template <typename T>
std::vector<T> part_of(const std::vector<T>& all, std::size_t first, std::size_t count) {
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

}  // namespace

std::string prefix_of_round(std::string_view prefix, std::size_t number) {
  return fmt::format("{}-n{}", prefix, number);
}

core::CaseResult joined_rounds(std::vector<core::CaseResult> rounds, bool last_first) {
  core::CaseResult whole = rounds.front();
  if (rounds.size() == 1) return whole;
  whole.checks.clear();
  whole.exchanges.clear();
  whole.clauses.clear();
  whole.duration_ms = 0;
  if (last_first) append(whole, std::move(rounds.back()), rounds.size() - 1);
  const std::size_t others = last_first ? rounds.size() - 1 : rounds.size();
  for (std::size_t number = 0; number < others; ++number) {
    append(whole, std::move(rounds[number]), number);
  }
  whole.verdict = check::case_verdict(whole.checks);
  whole.repro += " --keep-going";
  return whole;
}

std::optional<std::vector<core::CaseResult>> separate_rounds(
    const std::vector<core::Check>& checks, const std::vector<core::Exchange>& exchanges,
    const std::vector<core::Round>& rounds) {
  std::vector<core::CaseResult> separate(std::max<std::size_t>(rounds.size(), 1));
  if (rounds.empty()) {
    separate.front().checks = checks;
    separate.front().exchanges = exchanges;
    return separate;
  }
  std::set<std::size_t> numbers;
  std::size_t first_check = 0;
  std::size_t first_exchange = 0;
  for (const core::Round& round : rounds) {
    const bool fits = round.number < rounds.size() && numbers.insert(round.number).second &&
                      round.checks <= checks.size() - first_check &&
                      round.exchanges <= exchanges.size() - first_exchange;
    if (!fits) return std::nullopt;
    core::CaseResult& result = separate[round.number];
    result.checks = part_of(checks, first_check, round.checks);
    result.exchanges = part_of(exchanges, first_exchange, round.exchanges);
    first_check += round.checks;
    first_exchange += round.exchanges;
  }
  if (first_check != checks.size() || first_exchange != exchanges.size()) return std::nullopt;
  return separate;
}

}  // namespace assay::run
