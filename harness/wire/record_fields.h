#pragma once

#include <concepts>
#include <type_traits>

#include "harness/core/record.h"

namespace assay::wire {

/// A part of a record, const or not.
template <typename T, typename Part>
concept Of = std::same_as<std::remove_const_t<T>, Part>;

// The members of each part of a run record, named once: writing and reading both visit them by
// visit(name, member), so that the two cannot drift apart.

void visit_fields(Of<core::Header> auto& part, const auto& visit) {
  visit("name", part.name);
  visit("value", part.value);
  visit("secret", part.secret);
}

void visit_fields(Of<core::HttpRequest> auto& part, const auto& visit) {
  visit("method", part.method);
  visit("target", part.target);
  visit("headers", part.headers);
  visit("body", part.body);
}

void visit_fields(Of<core::HttpResponse> auto& part, const auto& visit) {
  visit("status", part.status);
  visit("headers", part.headers);
  visit("body", part.body);
}

void visit_fields(Of<core::TransportError> auto& part, const auto& visit) {
  visit("fault", part.fault);
  visit("detail", part.detail);
  visit("request_sent", part.request_sent);
}

void visit_fields(Of<core::Exchange> auto& part, const auto& visit) {
  visit("operation", part.operation);
  visit("request", part.request);
  visit("response", part.response);
  visit("error", part.error);
  visit("called_ms", part.called_ms);
  visit("returned_ms", part.returned_ms);
}

void visit_fields(Of<core::Operation> auto& part, const auto& visit) {
  visit("name", part.name);
  visit("parameters", part.parameters);
}

void visit_fields(Of<core::Answer> auto& part, const auto& visit) {
  visit("acceptance", part.acceptance);
  visit("status", part.status);
  visit("mapped", part.mapped);
  visit("body", part.body);
  visit("trouble", part.trouble);
  visit("transport", part.transport);
}

void visit_fields(Of<core::Call> auto& part, const auto& visit) {
  visit("asked", part.asked);
  visit("answer", part.answer);
  visit("called_ms", part.called_ms);
  visit("returned_ms", part.returned_ms);
  visit("exchanges", part.exchanges);
  visit("is_look", part.is_look);
  visit("is_later_page", part.is_later_page);
}

void visit_fields(Of<core::Check> auto& part, const auto& visit) {
  visit("clauses", part.clauses);
  visit("verdict", part.verdict);
  visit("at", part.at);
  visit("expected", part.expected);
  visit("actual", part.actual);
  visit("reason", part.reason);
  visit("looked_ms", part.looked_ms);
  visit("looks", part.looks);
  visit("evidence", part.evidence);
}

void visit_fields(Of<core::Round> auto& part, const auto& visit) {
  visit("number", part.number);
  visit("checks", part.checks);
  visit("exchanges", part.exchanges);
}

void visit_fields(Of<core::Retry> auto& part, const auto& visit) {
  visit("verdict", part.verdict);
  visit("duration_ms", part.duration_ms);
  visit("checks", part.checks);
  visit("exchanges", part.exchanges);
  visit("rounds", part.rounds);
}

void visit_fields(Of<core::CaseResult> auto& part, const auto& visit) {
  visit("id", part.id);
  visit("title", part.title);
  visit("seed", part.seed);
  visit("clauses", part.clauses);
  visit("verdict", part.verdict);
  visit("expected_fail", part.expected_fail);
  visit("unexpected_pass", part.unexpected_pass);
  visit("baseline_reasons", part.baseline_reasons);
  visit("reason", part.reason);
  visit("duration_ms", part.duration_ms);
  visit("checks", part.checks);
  visit("exchanges", part.exchanges);
  visit("rounds", part.rounds);
  visit("repro", part.repro);
  visit("retries", part.retries);
}

void visit_fields(Of<core::LayerCoverage> auto& part, const auto& visit) {
  visit("layer", part.layer);
  visit("states", part.states);
  visit("states_seen", part.states_seen);
  visit("transitions", part.transitions);
  visit("transitions_seen", part.transitions_seen);
  visit("attempts", part.attempts);
  visit("attempts_seen", part.attempts_seen);
}

void visit_fields(Of<core::RecordHeader> auto& part, const auto& visit) {
  visit("assay_version", part.assay_version);
  visit("suite_digest", part.suite_digest);
  visit("profile", part.profile);
  visit("profile_digest", part.profile_digest);
  visit("target", part.target);
  visit("target_source", part.target_source);
  visit("target_identity", part.target_identity);
  visit("seed", part.seed);
  visit("run_id", part.run_id);
  visit("label", part.label);
  visit("started_at", part.started_at);
  visit("selection", part.selection);
  visit("scenarios", part.scenarios);
  visit("suite_cases", part.suite_cases);
  visit("interpretations", part.interpretations);
  visit("setup", part.setup);
  visit("baseline", part.baseline);
  visit("baseline_digest", part.baseline_digest);
  visit("flaky", part.flaky);
}

void visit_fields(Of<core::Sensitivity> auto& part, const auto& visit) {
  visit("clause", part.clause);
  visit("known", part.known);
  visit("caught", part.caught);
  visit("hidden_by", part.hidden_by);
}

void visit_fields(Of<core::RecordFooter> auto& part, const auto& visit) {
  visit("cases", part.cases);
  visit("duration_ms", part.duration_ms);
  visit("coverage", part.coverage);
  visit("baseline_findings", part.baseline_findings);
  visit("required_coverage", part.required_coverage);
  visit("sensitivity", part.sensitivity);
  visit("required_shown", part.required_shown);
  visit("stopped", part.stopped);
  visit("notes", part.notes);
  visit("digest", part.digest);
}

}  // namespace assay::wire
