#include "harness/check/flakiness.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace assay::check {
namespace {

using core::Verdict;

void count(Verdict verdict, FailureRate& rate) {
  if (verdict == Verdict::not_applicable || verdict == Verdict::error) return;
  ++rate.played;
  rate.failed += verdict == Verdict::pass ? 0U : 1U;
}

void count(const core::CaseResult& result, FailureRate& rate) {
  count(result.verdict, rate);
  for (const core::Retry& retry : result.retries) count(retry.verdict, rate);
}

/// Wilson's interval, which holds for few plays and for rates near 0 and 1 as well.
void set_interval(FailureRate& rate) {
  if (rate.played == 0) return;
  constexpr double z = 1.959964;
  const auto played = static_cast<double>(rate.played);
  const double share = static_cast<double>(rate.failed) / played;
  const double divisor = 1 + z * z / played;
  const double middle = (share + z * z / (2 * played)) / divisor;
  const double half =
      z * std::sqrt(share * (1 - share) / played + z * z / (4 * played * played)) / divisor;
  rate.lowest = std::max(0.0, middle - half);
  rate.highest = std::min(1.0, middle + half);
}

}  // namespace

std::string rate_text(const FailureRate& rate) {
  const double share =
      rate.played == 0 ? 0 : static_cast<double>(rate.failed) / static_cast<double>(rate.played);
  return fmt::format("{:.0f} % (95 % interval {:.0f} to {:.0f} %)", 100 * share, 100 * rate.lowest,
                     100 * rate.highest);
}

FailureRate failure_rate(const core::CaseResult& result) {
  FailureRate rate;
  count(result, rate);
  set_interval(rate);
  return rate;
}

bool is_flaky(const core::CaseResult& result) {
  return result.verdict > Verdict::pass &&
         std::any_of(result.retries.begin(), result.retries.end(),
                     [](const core::Retry& retry) { return retry.verdict == Verdict::pass; });
}

bool is_let_through(const core::CaseResult& result, const core::RecordHeader& header) {
  return header.flaky == core::flaky_policy::warn && is_flaky(result);
}

std::vector<FlakyCase> flaky_cases(std::span<const core::RunRecord> records) {
  std::map<std::string, FlakyCase> cases;
  for (const core::RunRecord& record : records) {
    for (const core::CaseResult& result : record.cases) {
      FlakyCase& flaky = cases[result.id];
      flaky.id = result.id;
      count(result, flaky.rate);
    }
  }
  std::vector<FlakyCase> found;
  for (auto& [id, flaky] : cases) {
    if (flaky.rate.failed == 0 || flaky.rate.failed == flaky.rate.played) continue;
    set_interval(flaky.rate);
    found.push_back(std::move(flaky));
  }
  std::stable_sort(found.begin(), found.end(), [](const FlakyCase& left, const FlakyCase& right) {
    return left.rate.failed * right.rate.played > right.rate.failed * left.rate.played;
  });
  return found;
}

}  // namespace assay::check
