#include "harness/run/concurrency.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "harness/check/linearizability.h"
#include "harness/check/sequential_execution.h"
#include "harness/check/sequential_run.h"

namespace assay::run {
namespace {

const core::OperationTemplate* template_of(const core::Profile& profile,
                                           const check::PerformedCall& call) {
  const auto found = profile.operations.find(call.operation.name);
  return found == profile.operations.end() ? nullptr : &found->second;
}

/// The calls that can be judged, without what the target doesn't show of their answers.
std::vector<check::PerformedCall> judged_calls(std::span<const check::PerformedCall> calls,
                                               const core::Profile& profile) {
  std::vector<check::PerformedCall> judged;
  for (const check::PerformedCall& call : calls) {
    const core::OperationTemplate* form = template_of(profile, call);
    if (form != nullptr && profile.consistency.eventual && form->method == "GET") continue;
    judged.push_back(call);
    Value& mapped = judged.back().answer.mapped;
    if (form == nullptr || !mapped.is_object()) continue;
    for (const std::string& member : form->unobserved) mapped.as_object().erase(member);
  }
  return judged;
}

/// The exchanges of a call: those of the same operation and the same times.
void add_evidence(core::Check& check, const check::PerformedCall& call,
                  std::span<const core::Exchange> exchanges) {
  for (std::size_t index = 0; index < exchanges.size(); ++index) {
    const core::Exchange& exchange = exchanges[index];
    if (exchange.operation == call.operation.name && exchange.called_ms == call.called_ms &&
        exchange.returned_ms == call.returned_ms) {
      check.evidence.push_back(index);
    }
  }
}

/// A read that was answered and shows no state is explained by every order of the calls.
bool is_silent(const check::ExecutionCall& call) {
  return call.kind == check::ExecutionCall::Kind::read &&
         call.answer == core::Acceptance::accepted && !call.state;
}

bool is_silent(const check::RunCall& call) {
  return call.kind == check::RunCall::Kind::get && call.answer == core::Acceptance::accepted &&
         !call.status;
}

/// Whether a call's answer says anything of the object that another order could contradict.
bool is_telling(const check::ExecutionCall& call) {
  const auto tells = [](const check::PostedEvent& event) {
    return event.duplicate.has_value() || event.seq.has_value();
  };
  return call.state || call.already_terminal ||
         (call.kind == check::ExecutionCall::Kind::log && call.answer) ||
         std::any_of(call.events.begin(), call.events.end(), tells);
}

bool is_telling(const check::RunCall& call) { return call.status || call.audit_events; }

/// Why the history proves nothing though every answer is explained; empty: it proves something.
template <typename Call>
std::string why_unproven(const check::ObjectHistory<Call>& history) {
  const auto silent = [](const auto& observed) { return is_silent(observed.call); };
  const auto telling = [](const auto& observed) { return is_telling(observed.call); };
  const auto count = std::count_if(history.calls.begin(), history.calls.end(), silent);
  if (count > 0) return fmt::format("{} of the reads of {} show no state", count, history.id);
  if (std::any_of(history.calls.begin(), history.calls.end(), telling)) return "";
  return fmt::format("no answer shows anything of {}", history.id);
}

/// What is asked of one object's history.
template <typename Specification, typename Call>
std::optional<core::Check> judge(const Specification& specification, std::string_view kind,
                                 const check::ObjectHistory<Call>& history, Histories which) {
  std::vector<check::CallInterval> intervals;
  for (const auto& observed : history.calls) intervals.push_back(observed.interval);
  if (which == Histories::overlapping && !check::have_overlap(intervals)) return std::nullopt;
  check::LinearizabilityResult result = check::check_linearizability(specification, history.calls);
  core::Check check;
  check.verdict = result.verdict;
  const std::string unproven =
      result.verdict == core::Verdict::pass ? why_unproven(history) : std::string();
  if (!unproven.empty()) {
    check.verdict = core::Verdict::inconclusive;
    check.reason = unproven;
    return check;
  }
  if (result.verdict == core::Verdict::fail) {
    check.expected = fmt::format(
        "an order of the calls of {} {} that keeps to the time of each and explains every answer",
        kind, history.id);
    check.actual = std::move(result.explanation);
  } else {
    check.reason = std::move(result.explanation);
  }
  return check;
}

}  // namespace

std::vector<core::Check> judge_concurrent_calls(std::span<const check::PerformedCall> calls,
                                                const core::Profile& profile,
                                                std::span<const core::Exchange> exchanges,
                                                Histories which) {
  std::vector<core::Check> checks;
  if (!profile.capabilities.contains("binding.reference")) return checks;
  const std::vector<check::PerformedCall> judged = judged_calls(calls, profile);
  const auto add = [&](std::optional<core::Check> check,
                       const std::vector<std::size_t>& positions) {
    if (!check) return;
    if (check->verdict != core::Verdict::pass) {
      for (const std::size_t position : positions)
        add_evidence(*check, judged[position], exchanges);
    }
    checks.push_back(*std::move(check));
  };
  for (const check::ExecutionHistory& history : check::execution_histories(judged)) {
    const check::SequentialExecution specification(
        history.existed, check::execution_choices(profile.interpretations));
    add(judge(specification, "execution", history, which), history.positions);
  }
  for (const check::RunHistory& history : check::run_histories(judged)) {
    const check::SequentialRun specification(history.existed,
                                             check::run_choices(profile.interpretations));
    add(judge(specification, "run", history, which), history.positions);
  }
  return checks;
}

}  // namespace assay::run
