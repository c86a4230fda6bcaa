#include "harness/check/flakiness.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "harness/core/failure.h"

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

/// Whether it passed, and did not pass.
bool is_at_times(const FailureRate& rate) { return rate.failed > 0 && rate.failed < rate.played; }

/// A generated case is another one by another seed; a scripted one is always the same.
std::uint64_t seed_of(const core::CaseResult& result, const core::RecordHeader& header) {
  return result.id.starts_with("properties/") ? header.seed : 0;
}

void count_way(const core::CaseResult& result, FlakyCase& flaky) {
  std::set<std::string> failures;
  for (const core::Failure& each : core::failures_of(result)) {
    failures.insert(fmt::format("{} {}", each.clause, core::whole_signature(each)));
  }
  if (failures.empty()) return;
  const std::vector<std::string> listed(failures.begin(), failures.end());
  const auto found =
      std::find_if(flaky.ways.begin(), flaky.ways.end(),
                   [&listed](const FailingWay& way) { return way.failures == listed; });
  if (found == flaky.ways.end()) {
    flaky.ways.push_back({listed, 1});
  } else {
    ++found->times;
  }
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
  std::map<std::pair<std::string, std::uint64_t>, FlakyCase> cases;
  for (const core::RunRecord& record : records) {
    for (const core::CaseResult& result : record.cases) {
      FlakyCase& flaky = cases[{result.id, seed_of(result, record.header)}];
      flaky.id = result.id;
      count(result, flaky.rate);
      count_way(result, flaky);
    }
  }
  std::vector<FlakyCase> found;
  for (auto& [key, flaky] : cases) {
    const bool passes_at_times = is_at_times(flaky.rate);
    if (!passes_at_times && flaky.ways.size() < 2) continue;
    set_interval(flaky.rate);
    std::stable_sort(flaky.ways.begin(), flaky.ways.end(),
                     [](const auto& left, const auto& right) { return left.times > right.times; });
    found.push_back(std::move(flaky));
  }
  std::stable_sort(found.begin(), found.end(), [](const FlakyCase& left, const FlakyCase& right) {
    if (is_at_times(left.rate) != is_at_times(right.rate)) return is_at_times(left.rate);
    return left.rate.failed * right.rate.played > right.rate.failed * left.rate.played;
  });
  return found;
}

}  // namespace assay::check
