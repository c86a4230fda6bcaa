#include "harness/run/control.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/check/judge.h"
#include "harness/run/identity.h"
#include "harness/run/preflight.h"

namespace assay::run {
namespace {

bool are_alike(const core::HttpResponse& left, const core::HttpResponse& right) {
  return left.status == right.status && left.body == right.body;
}

std::vector<const core::HttpResponse*> answers_of(const core::CaseResult& result) {
  std::vector<const core::HttpResponse*> answers;
  for (const core::Exchange& exchange : result.exchanges) {
    if (exchange.response) answers.push_back(&*exchange.response);
  }
  return answers;
}

bool is_accepted(const core::HttpResponse* answer) {
  return answer->status >= 200 && answer->status < 300;
}

bool none_accepted(const std::vector<const core::HttpResponse*>& answers) {
  return std::none_of(answers.begin(), answers.end(), is_accepted);
}

constexpr std::string_view missing_control = "no positive control: ";

}  // namespace

bool needs_control(const core::CaseResult& result) {
  if (result.verdict != core::Verdict::pass) return false;
  const std::vector<const core::HttpResponse*> answers = answers_of(result);
  if (answers.empty()) return false;
  const bool all_alike = std::all_of(answers.begin(), answers.end(), [&answers](const auto* each) {
    return are_alike(*each, *answers.front());
  });
  return all_alike || none_accepted(answers);
}

bool is_missing_control(const core::Check& check) {
  return check.verdict == core::Verdict::inconclusive && check.reason.starts_with(missing_control);
}

boost::asio::awaitable<void> check_control(const RunContext& context, core::CaseResult& result) {
  if (!needs_control(result)) co_return;
  const std::vector<const core::HttpResponse*> answers = answers_of(result);
  const core::HttpResponse& first = *answers.front();
  std::string id = Identity(context.prefix, result.id).subject("control");
  const OperationsFinding control = co_await check_operations(context, std::move(id), &first);
  if (!control.was_asked || control.trouble.empty()) co_return;
  core::Check check;
  check.clauses = result.clauses;
  check.verdict = core::Verdict::inconclusive;
  check.reason = fmt::format(
      "{}{}, and neither a listing nor a creation is accepted with another one", missing_control,
      none_accepted(answers) ? "no request of the case was accepted"
                             : "all requests of the case had the same answer");
  result.checks.push_back(std::move(check));
  result.verdict = check::case_verdict(result.checks);
}

}  // namespace assay::run
