#include "harness/check/concurrency.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "harness/check/histories.h"
#include "harness/check/linearizability.h"
#include "harness/check/sequential_execution.h"
#include "harness/check/sequential_run.h"
#include "harness/core/adapter_line.h"

namespace assay::check {
namespace {

/// The calls that can be judged, without what the target doesn't show of their answers.
core::History judged_calls(const core::History& history, const core::Profile& profile) {
  core::History judged;
  for (const core::Call& call : history.calls) {
    const auto form = profile.operations.find(call.asked.name);
    const bool is_known = form != profile.operations.end();
    const bool is_look = is_known && core::only_reads({form->second.method, form->first, {}, {}});
    if (is_look && profile.consistency.eventual) continue;
    judged.calls.push_back(call);
    if (!is_known || form->second.unobserved.empty() || !call.answer->mapped.is_object()) continue;
    core::Answer shown = *call.answer;
    for (const std::string& member : form->second.unobserved)
      shown.mapped.as_object().erase(member);
    judged.calls.back().answer = std::make_shared<const core::Answer>(std::move(shown));
  }
  return judged;
}

/// A read that was answered and shows no state is explained by every order of the calls.
bool is_silent(const ExecutionCall& call) {
  return call.kind == ExecutionCall::Kind::read && call.answer == core::Acceptance::accepted &&
         !call.state;
}

bool is_silent(const RunCall& call) {
  return call.kind == RunCall::Kind::get && call.answer == core::Acceptance::accepted &&
         !call.status;
}

/// Whether a call's answer says anything of the object that another order could contradict.
bool is_telling(const ExecutionCall& call) {
  const auto tells = [](const PostedEvent& event) {
    return event.duplicate.has_value() || event.seq.has_value();
  };
  return call.state || call.already_terminal ||
         (call.kind == ExecutionCall::Kind::log && call.answer) ||
         std::any_of(call.events.begin(), call.events.end(), tells);
}

bool is_telling(const RunCall& call) { return call.status || call.audit_events; }

/// Why the history proves nothing though every answer is explained; empty: it proves something.
template <typename Call>
std::string why_unproven(const ObjectHistory<Call>& history) {
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
                                 const ObjectHistory<Call>& history, Histories which) {
  std::vector<CallInterval> intervals;
  for (const auto& observed : history.calls) intervals.push_back(observed.interval);
  if (which == Histories::overlapping && !have_overlap(intervals)) return std::nullopt;
  LinearizabilityResult result = check_linearizability(specification, history.calls);
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
    check.expected = fmt::format("a linearization of the calls on {} {}", kind, history.id);
    check.actual = std::move(result.explanation);
  } else {
    check.reason = std::move(result.explanation);
  }
  return check;
}

}  // namespace

std::vector<core::Check> judge_concurrent_calls(const core::History& history,
                                                const core::Profile& profile, Histories which) {
  std::vector<core::Check> checks;
  if (!profile.capabilities.contains("binding.reference")) return checks;
  const core::History judged = judged_calls(history, profile);
  const auto add = [&](std::optional<core::Check> check,
                       const std::vector<std::size_t>& positions) {
    if (!check) return;
    if (check->verdict != core::Verdict::pass) {
      for (const std::size_t position : positions) {
        const std::vector<std::size_t>& exchanges = judged.calls[position].exchanges;
        check->evidence.insert(check->evidence.end(), exchanges.begin(), exchanges.end());
      }
    }
    checks.push_back(*std::move(check));
  };
  for (const ExecutionHistory& calls : execution_histories(judged)) {
    const SequentialExecution specification(calls.existed,
                                            execution_choices(profile.interpretations));
    add(judge(specification, "execution", calls, which), calls.positions);
  }
  for (const RunHistory& calls : run_histories(judged)) {
    const SequentialRun specification(calls.existed, run_choices(profile.interpretations));
    add(judge(specification, "run", calls, which), calls.positions);
  }
  return checks;
}

}  // namespace assay::check
