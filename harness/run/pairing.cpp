#include "harness/run/pairing.h"

#include <algorithm>
#include <string_view>

namespace assay::run {
namespace {

using core::Verdict;

constexpr std::string_view mixed_answers =
    "the target sent responses that nobody had asked for, so an answer may belong to another "
    "request";

/// Before an accusation: behind an answer in the place of another one comes that other one.
constexpr std::chrono::milliseconds longest_wait{50};

bool accuses(const core::Check& check) { return check.verdict == Verdict::fail; }

}  // namespace

bool are_answers_doubted(const std::vector<core::Check>& checks) {
  return std::any_of(checks.begin(), checks.end(), [](const core::Check& check) {
    return check.verdict == Verdict::inconclusive && check.reason == mixed_answers;
  });
}

boost::asio::awaitable<void> doubt_mixed_answers(target::Target& target,
                                                 std::chrono::steady_clock::time_point began,
                                                 std::vector<core::Check>& checks) {
  const bool is_accused = std::any_of(checks.begin(), checks.end(), accuses);
  const auto wait = is_accused ? longest_wait : std::chrono::milliseconds(0);
  if (co_await target.pairs_answers(began, wait)) co_return;
  for (core::Check& check : checks) {
    if (!accuses(check) && check.verdict != Verdict::pass) continue;
    check.verdict = Verdict::inconclusive;
    check.reason = mixed_answers;
    check.expected.clear();
    check.actual.clear();
  }
}

}  // namespace assay::run
