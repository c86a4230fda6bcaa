#include "harness/check/refused_requests.h"

#include <fmt/format.h>

#include <map>

#include "base/visible.h"
#include "harness/core/operation_shape.h"

namespace assay::check {
namespace {

/// Fewer may all be of cases that ask for what has to be refused.
constexpr std::size_t least_requests = 3;
constexpr std::size_t shown_answer_bytes = 200;

struct Requests {
  std::size_t sent = 0;
  std::size_t refused = 0;
  /// Some of them are of a case that did not pass.
  bool is_felt = false;
  int first_status = 0;
  std::string first_answer = {};
};

void count(const core::CaseResult& result, const core::Exchange& exchange, Requests& requests) {
  if (!exchange.response) return;
  ++requests.sent;
  const int status = exchange.response->status;
  if (status != 400 && status != 415 && status != 422) return;
  if (++requests.refused == 1) {
    requests.first_status = status;
    requests.first_answer = exchange.response->body;
  }
  requests.is_felt |=
      result.verdict > core::Verdict::pass && result.verdict != core::Verdict::not_applicable;
}

}  // namespace

std::vector<std::string> notes_on_refused_requests(std::span<const core::CaseResult> cases) {
  std::map<std::string, Requests> by_operation;
  for (const core::CaseResult& result : cases) {
    for (const core::Exchange& exchange : result.exchanges) {
      if (core::operation_shape(exchange.operation) == nullptr) continue;
      count(result, exchange, by_operation[exchange.operation]);
    }
  }
  std::vector<std::string> notes;
  for (const auto& [operation, requests] : by_operation) {
    if (requests.refused < least_requests || requests.refused != requests.sent) continue;
    if (!requests.is_felt) continue;
    notes.push_back(fmt::format(
        "The target refused each of the {} {} requests as malformed ({}: {}): is operations.{} of "
        "the profile right? assay probe says more",
        requests.sent, operation, requests.first_status,
        visible(requests.first_answer, shown_answer_bytes), operation));
  }
  return notes;
}

}  // namespace assay::check
