#include "harness/check/case_history.h"

#include <algorithm>
#include <cstddef>
#include <set>

#include "harness/check/text.h"
#include "harness/core/adapter_line.h"
#include "harness/core/operation_shape.h"

namespace assay::check {
namespace {

bool may_have_changed(const core::Call& call, const std::vector<core::Exchange>& exchanges) {
  if (call.asked.name != core::raw_request) return !core::only_reads(call.asked.name);
  return std::any_of(call.exchanges.begin(), call.exchanges.end(), [&](std::size_t index) {
    return !core::only_reads(exchanges[index].request);
  });
}

/// What the caller itself named that is to be made.
std::optional<std::string> named_id(const core::OperationShape& shape,
                                    const core::Operation& asked) {
  const auto id = asked.parameters.find(std::string(shape.makes));
  if (id == asked.parameters.end() || !id->second.is_string()) return std::nullopt;
  return id->second.as_string();
}

}  // namespace

std::optional<double> last_changed_ms(const core::History& history) {
  const auto& calls = history.calls;
  const auto last = std::find_if(calls.rbegin(), calls.rend(), [&](const core::Call& call) {
    return may_have_changed(call, history.exchanges);
  });
  return last == calls.rend() ? std::nullopt : std::optional(last->returned_ms);
}

std::optional<std::string> made_id(const core::OperationShape& shape, const core::Answer& answer) {
  const Value* id = answer.mapped.find(shape.makes);
  if (id == nullptr) return std::nullopt;
  if (id->is_string()) return id->as_string();
  if (id->is_integer()) return number_text(*id);
  return std::nullopt;
}

std::vector<core::Operation> undoings(const core::History& history) {
  static const std::vector<core::Operation> services = {
      {"control.lock_service", {{"available", true}}}, {"control.lifecycle_hold", {{"state", {}}}}};
  std::vector<core::Operation> undoings;
  for (const core::Operation& service : services) {
    const auto last = std::find_if(history.calls.rbegin(), history.calls.rend(),
                                   [&service](const core::Call& call) {
                                     return call.asked.name == service.name &&
                                            call.answer->acceptance != core::Acceptance::refused;
                                   });
    if (last == history.calls.rend()) continue;
    const auto& [parameter, working] = *service.parameters.begin();
    const auto asked = last->asked.parameters.find(parameter);
    if (asked != last->asked.parameters.end() && asked->second != working) {
      undoings.push_back(service);
    }
  }
  return undoings;
}

std::vector<std::pair<std::string, std::string>> made_things(const core::History& history) {
  std::vector<std::pair<std::string, std::string>> made;
  for (const core::Call& call : history.calls) {
    const core::OperationShape* shape = core::operation_shape(call.asked.name);
    if (shape == nullptr || shape->makes.empty()) continue;
    std::optional<std::string> id;
    if (core::is_taken(call.answer->acceptance)) {
      id = made_id(*shape, *call.answer);
    } else if (call.answer->transport && shape->subject.empty()) {
      id = named_id(*shape, call.asked);
    }
    if (id) made.emplace_back(shape->makes, *std::move(id));
  }
  return made;
}

std::vector<std::string> states_seen(const core::History& history, std::string_view operation,
                                     std::string_view uuid) {
  std::vector<std::string> seen;
  for (const core::Call& call : history.calls) {
    const core::Answer& answer = *call.answer;
    if (call.asked.name != operation || !core::is_taken(answer.acceptance)) continue;
    const auto status = answer.mapped.string_at("status");
    if (!status || answer.mapped.string_at("uuid") != uuid) continue;
    if (seen.empty() || seen.back() != *status) seen.push_back(*status);
  }
  return seen;
}

void record_exchanges(core::CaseResult& result, const std::set<std::size_t>& deciding) {
  const core::History& history = result.history;
  std::vector<bool> is_recorded(history.exchanges.size(), true);
  for (const core::Call& call : history.calls) {
    if (!call.is_look) continue;
    for (const std::size_t index : call.exchanges) is_recorded[index] = false;
  }
  for (const core::Check& check : result.checks) {
    for (const std::size_t index : check.evidence) is_recorded[index] = true;
  }
  for (const std::size_t index : deciding) is_recorded[index] = true;
  std::vector<std::size_t> place(history.exchanges.size());
  for (std::size_t index = 0; index < place.size(); ++index) {
    place[index] = result.exchanges.size();
    if (is_recorded[index]) result.exchanges.push_back(history.exchanges[index]);
  }
  for (core::Check& check : result.checks) {
    for (std::size_t& index : check.evidence) index = place[index];
  }
}

}  // namespace assay::check
