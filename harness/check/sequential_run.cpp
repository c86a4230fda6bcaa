#include "harness/check/sequential_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

#include "base/words.h"

namespace assay::check {
namespace {

using core::Acceptance;
using Diagnostic = RunCall::Diagnostic;
using RunCallKind = RunCall::Kind;
using State = SequentialRun::State;

constexpr std::string_view undefined_code = "INVALID_STATE_TRANSITION";
constexpr std::string_view diagnostic_code = "DIAGNOSTIC_REQUIRED";

/// Specification 004, Valid Transitions.
bool is_defined(std::string_view from, std::string_view to) {
  static const std::set<std::pair<std::string_view, std::string_view>> defined = {
      {"created", "running"}, {"running", "waiting"},  {"waiting", "running"},
      {"running", "success"}, {"running", "failed"},   {"running", "denied"},
      {"running", "timeout"}, {"running", "canceled"}, {"waiting", "canceled"}};
  return defined.contains({from, to});
}

/// Specification 004, Terminal Statuses.
bool has_ended(const State& state) {
  return state.status != "created" && state.status != "running" && state.status != "waiting";
}

/// Specification 004, Failure Diagnostic Requirement and Retry Rule.
bool is_failure(std::string_view status) {
  return status == "failed" || status == "denied" || status == "timeout";
}

/// Whether what the answer shows of the run is what it is.
bool shows(const RunCall& call, const State& state) {
  return (!call.status || *call.status == state.status) &&
         (!call.error_code || *call.error_code == state.error_code) &&
         (!call.audit_events || *call.audit_events == state.audit_events);
}

bool is_refusal(const RunCall& call, std::string_view code) {
  return call.answer == Acceptance::refused &&
         call.refusal_code.value_or(std::string(code)) == code;
}

std::vector<State> only_if(bool is_permitted, State state) {
  std::vector<State> states;
  if (is_permitted) states.push_back(std::move(state));
  return states;
}

std::vector<State> create(const State& state, const RunCall& call) {
  const bool is_new = state.status.empty();
  State next = state;
  if (is_new) next.status = "created";
  if (!call.answer) return {std::move(next)};
  const bool is_permitted = is_new ? call.answer == Acceptance::accepted && shows(call, next)
                                   : call.answer == Acceptance::refused;
  return only_if(is_permitted, std::move(next));
}

/// The run as an accepted transition leaves it. Whether a code from before outlives a transition
/// that brings none is not said: both are permitted.
std::vector<State> accept(const State& state, const RunCall& call) {
  State next = state;
  next.status = call.to;
  ++next.audit_events;
  std::vector<State> permitted;
  if (call.sent_error_code || state.error_code.empty()) {
    next.error_code = call.sent_error_code.value_or("");
    permitted = {next};
  } else {
    permitted = {next, next};
    permitted.back().error_code.clear();
  }
  if (!call.answer) return permitted;
  if (call.answer != Acceptance::accepted) return {};
  std::erase_if(permitted, [&call](const State& each) { return !shows(call, each); });
  return permitted;
}

/// Refused for its diagnostic, with nothing changed.
std::vector<State> refuse_diagnostic(const State& state, const RunCall& call) {
  return only_if(!call.answer || is_refusal(call, diagnostic_code), state);
}

}  // namespace

State SequentialRun::initial() const { return {exists_ ? "created" : "", "", 0}; }

std::vector<State> SequentialRun::step(const State& state, const Call& call) const {
  if (call.kind == RunCallKind::create) return create(state, call);
  if (state.status.empty())
    return only_if(!call.answer || call.answer == Acceptance::unknown, state);
  if (call.kind == RunCallKind::transition) return transition(state, call);
  if (!call.answer) return {state};
  if (call.kind == RunCallKind::retry) {
    const bool is_due =
        choices_.success_and_canceled_are_retried ? has_ended(state) : is_failure(state.status);
    return only_if(call.answer == (is_due ? Acceptance::accepted : Acceptance::refused), state);
  }
  return only_if(call.answer == Acceptance::accepted && shows(call, state), state);
}

std::vector<State> SequentialRun::transition(const State& state, const Call& call) const {
  const bool needs_diagnostic = is_failure(call.to) && call.diagnostic != Diagnostic::complete;
  if (choices_.diagnostic_before_table && needs_diagnostic) return refuse_diagnostic(state, call);
  if (!is_defined(state.status, call.to)) return refuse_undefined(state, call);
  if (needs_diagnostic) return refuse_diagnostic(state, call);
  std::vector<State> permitted = accept(state, call);
  // An incomplete diagnostic that nobody asked for: the specification is silent about it.
  if (call.diagnostic == Diagnostic::incomplete) {
    for (State& refused : refuse_diagnostic(state, call)) permitted.push_back(std::move(refused));
  }
  return permitted;
}

std::vector<State> SequentialRun::refuse_undefined(const State& state, const Call& call) const {
  State next = state;
  ++next.audit_events;
  if (!has_ended(state)) {
    next.status = "failed";
    next.error_code = undefined_code;
    ++next.audit_events;
  }
  if (!call.answer) return {std::move(next)};
  const bool is_permitted = is_refusal(call, undefined_code) && shows(call, next);
  return only_if(is_permitted, std::move(next));
}

bool SequentialRun::only_reads(const Call& call) const {
  const bool may_change = call.kind == RunCallKind::create || call.kind == RunCallKind::transition;
  return !may_change || call.answer == Acceptance::unknown;
}

std::string SequentialRun::text(const State& state) const {
  if (state.status.empty()) return "no such run";
  return fmt::format("{}{}{}, {} audit events", state.status,
                     state.error_code.empty() ? "" : " with ", state.error_code,
                     state.audit_events);
}

std::string SequentialRun::text(const Call& call) const {
  constexpr Words<RunCallKind::audit> words = {"create", "transition", "retry", "get", "audit"};
  std::string text(words[call.kind]);
  if (call.kind == RunCallKind::transition) {
    text += " to " + call.to;
    if (call.diagnostic == Diagnostic::incomplete) text += " with an incomplete diagnostic";
    if (call.diagnostic == Diagnostic::none && is_failure(call.to)) text += " without a diagnostic";
  }
  text += " -> ";
  if (!call.answer) return text + "no answer";
  text += core::acceptance_words[*call.answer];
  if (call.refusal_code) text += ", " + *call.refusal_code;
  if (call.status) text += ", " + *call.status;
  if (call.error_code && !call.error_code->empty()) text += " with " + *call.error_code;
  if (call.audit_events) text += fmt::format(", {} events", *call.audit_events);
  return text;
}

SequentialRun::Choices run_choices(
    const std::map<std::string, std::string, std::less<>>& interpretations) {
  const auto is = [&interpretations](std::string_view key, std::string_view choice) {
    const auto found = interpretations.find(key);
    return found != interpretations.end() && found->second == choice;
  };
  return {.success_and_canceled_are_retried = is("retry_of_success_and_canceled", "made"),
          .diagnostic_before_table = is("table_or_diagnostic", "diagnostic")};
}

}  // namespace assay::check
