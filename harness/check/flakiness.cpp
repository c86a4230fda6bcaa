#include "harness/check/flakiness.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace assay::check {
namespace {

using core::Verdict;

void count(Verdict verdict, FlakyCase& flaky) {
  if (verdict == Verdict::not_applicable || verdict == Verdict::error) return;
  ++flaky.played;
  flaky.failed += verdict == Verdict::pass ? 0U : 1U;
}

/// Wilson's interval, which holds for few plays and for rates near 0 and 1 as well.
void set_interval(FlakyCase& flaky) {
  constexpr double z = 1.959964;
  const auto played = static_cast<double>(flaky.played);
  const double rate = static_cast<double>(flaky.failed) / played;
  const double divisor = 1 + z * z / played;
  const double middle = (rate + z * z / (2 * played)) / divisor;
  const double half =
      z * std::sqrt(rate * (1 - rate) / played + z * z / (4 * played * played)) / divisor;
  flaky.lowest = std::max(0.0, middle - half);
  flaky.highest = std::min(1.0, middle + half);
}

}  // namespace

std::vector<FlakyCase> flaky_cases(std::span<const core::RunRecord> records) {
  std::map<std::string, FlakyCase> cases;
  for (const core::RunRecord& record : records) {
    for (const core::CaseResult& result : record.cases) {
      FlakyCase& flaky = cases[result.id];
      flaky.id = result.id;
      count(result.verdict, flaky);
    }
  }
  std::vector<FlakyCase> found;
  for (auto& [id, flaky] : cases) {
    if (flaky.failed == 0 || flaky.failed == flaky.played) continue;
    set_interval(flaky);
    found.push_back(std::move(flaky));
  }
  std::stable_sort(found.begin(), found.end(), [](const FlakyCase& left, const FlakyCase& right) {
    return left.failed * right.played > right.failed * left.played;
  });
  return found;
}

}  // namespace assay::check
