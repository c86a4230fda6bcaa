#include "harness/check/histories.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "harness/check/instant.h"

namespace assay::check {
namespace {

using core::Acceptance;

std::optional<std::string> text_at(const Value& value, std::string_view member) {
  const Value* found = value.find(member);
  if (found == nullptr || !found->is_string()) return std::nullopt;
  return found->as_string();
}

/// The same with null as the empty text.
std::optional<std::string> text_or_null_at(const Value& value, std::string_view member) {
  const Value* found = value.find(member);
  return found != nullptr && found->is_null() ? std::optional<std::string>("")
                                              : text_at(value, member);
}

std::optional<bool> bool_at(const Value& value, std::string_view member) {
  const Value* found = value.find(member);
  if (found == nullptr || !found->is_bool()) return std::nullopt;
  return found->as_bool();
}

std::optional<std::int64_t> integer_at(const Value& value, std::string_view member) {
  const Value* found = value.find(member);
  return found == nullptr ? std::nullopt : found->to_int64();
}

std::optional<std::string> parameter(const core::Call& call, std::string_view name) {
  const auto found = call.asked.parameters.find(name);
  if (found == call.asked.parameters.end() || !found->second.is_string()) return std::nullopt;
  return found->second.as_string();
}

bool has_parameter(const core::Call& call, std::string_view name) {
  const auto found = call.asked.parameters.find(name);
  return found != call.asked.parameters.end() && !found->second.is_null();
}

/// An object is called what the target says that it made, else what was asked for.
std::optional<std::string> object_of(const core::Call& call, std::string_view member) {
  if (core::is_taken(call.answer->acceptance)) {
    if (const auto made = text_at(call.answer->mapped, member)) return made;
  }
  return parameter(call, member);
}

/// Nothing where the outcome is not known: no answer, one that the profile does not name, or one
/// that can be read in two ways.
std::optional<Acceptance> known_answer(const core::Answer& answer) {
  if (answer.acceptance == Acceptance::no_answer || answer.acceptance == Acceptance::unexpected ||
      answer.is_ambiguous) {
    return std::nullopt;
  }
  return answer.acceptance;
}

bool was_never_sent(const core::Answer& answer) {
  return answer.transport && !answer.transport->request_sent;
}

/// Refused whatever the state: no JSON, too large, of the wrong type, or with an invalid field.
bool is_refused_for_itself(const core::Answer& answer) {
  constexpr std::array<int, 4> statuses = {400, 413, 415, 422};
  const auto found = std::find(statuses.begin(), statuses.end(), answer.status);
  return answer.acceptance == Acceptance::refused && found != statuses.end() &&
         text_at(answer.body, "code") != "DIAGNOSTIC_REQUIRED";
}

/// A listing from its first item to its last, with nothing filtered out.
bool is_whole_listing(const core::Call& call) {
  for (const std::string_view name : {"after", "event_type", "entity_type", "entity_id"}) {
    if (has_parameter(call, name)) return false;
  }
  const Value* items = call.answer->mapped.find("items");
  const Value* next = call.answer->mapped.find("next");
  return items != nullptr && items->is_list() && next != nullptr && next->is_null();
}

/// What makes two posts of one event id the same or not (CONTRACT.md): the server's seq, the
/// execution_id of the path and absent members are no content, one instant is one in every zone.
Value content_of(Object event) {
  event.erase("seq");
  event.erase("execution_id");
  std::erase_if(event, [](const auto& member) { return member.second.is_null(); });
  const auto timestamp = event.find("timestamp");
  if (timestamp != event.end() && timestamp->second.is_string()) {
    if (const auto instant = parse_instant(timestamp->second.as_string())) {
      timestamp->second = List{instant->seconds, instant->fraction};
    }
  }
  return event;
}

/// Gives the event ids of one history numbers, and the contents under each of them.
class EventNumbers {
 public:
  PostedEvent posted(const Object& event) {
    PostedEvent posted;
    const Value body(event);
    posted.event_id = body.string_at("event_id").value_or("");
    posted.event_type = body.string_at("event_type").value_or("");
    if (posted.event_type == "playbook.finished") {
      posted.status = body.string_at("status").value_or("");
    }
    posted.id_number = ids_.try_emplace(posted.event_id, ids_.size()).first->second;
    contents_.resize(ids_.size());
    std::vector<Value>& contents = contents_[posted.id_number];
    Value content = content_of(event);
    const auto found = std::find(contents.begin(), contents.end(), content);
    posted.content_number = static_cast<std::size_t>(found - contents.begin());
    if (found == contents.end()) contents.push_back(std::move(content));
    return posted;
  }

  [[nodiscard]] std::optional<std::size_t> number_of(const std::string& event_id) const {
    const auto found = ids_.find(event_id);
    return found == ids_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::map<std::string, std::size_t> ids_;
  std::vector<std::vector<Value>> contents_;
};

/// The posted events of a call with what the answer says of each; nothing where one is no event
/// with an id and a type.
std::optional<std::vector<PostedEvent>> posted_events(const core::Call& call,
                                                      EventNumbers& numbers) {
  const bool is_batch = call.asked.name == "events.post_batch";
  const auto found = call.asked.parameters.find(is_batch ? "events" : "event");
  if (found == call.asked.parameters.end()) return std::nullopt;
  const List events =
      is_batch && found->second.is_list() ? found->second.as_list() : List{found->second};
  const Value& answer = call.answer->mapped;
  const Value* results = is_batch ? answer.find("results") : nullptr;
  const bool has_results =
      results != nullptr && results->is_list() && results->as_list().size() == events.size();
  std::vector<PostedEvent> posted;
  for (const Value& event : events) {
    if (!event.string_at("event_id") || !event.string_at("event_type")) return std::nullopt;
    posted.push_back(numbers.posted(event.as_object()));
    if (!core::is_taken(call.answer->acceptance) || (is_batch && !has_results)) continue;
    const Value& result = is_batch ? results->as_list()[posted.size() - 1] : answer;
    posted.back().duplicate = bool_at(result, "duplicate");
    posted.back().seq = integer_at(result, "seq");
  }
  return posted;
}

std::optional<ExecutionCall::Kind> execution_kind(std::string_view operation) {
  using Kind = ExecutionCall::Kind;
  static const std::map<std::string_view, Kind> kinds = {
      {"executions.start", Kind::start}, {"events.post", Kind::post},
      {"events.post_batch", Kind::post}, {"executions.cancel", Kind::cancel},
      {"executions.status", Kind::read}, {"executions.detail", Kind::read},
      {"events.list", Kind::log}};
  const auto found = kinds.find(operation);
  return found == kinds.end() ? std::nullopt : std::optional(found->second);
}

/// The numbers of the listed events that the history's clients posted.
std::vector<std::size_t> listed_numbers(const Value& items, const EventNumbers& numbers) {
  std::vector<std::size_t> listed;
  for (const Value& event : items.as_list()) {
    const auto number = numbers.number_of(event.string_at("event_id").value_or(""));
    if (number) listed.push_back(*number);
  }
  std::sort(listed.begin(), listed.end());
  return listed;
}

bool is_post(const core::Call& call) {
  return execution_kind(call.asked.name) == ExecutionCall::Kind::post;
}

/// Whether a call may have changed or shown an object whatever its kind.
bool says_something(const core::Answer& answer) {
  return !was_never_sent(answer) && !is_refused_for_itself(answer);
}

/// The call as one of an execution, nothing where it says nothing. `posted` are the events of a
/// post.
std::optional<ExecutionCall> execution_call(const core::Call& performed,
                                            std::vector<PostedEvent> posted) {
  using Kind = ExecutionCall::Kind;
  const auto kind = execution_kind(performed.asked.name);
  const core::Answer& answer = *performed.answer;
  if (!kind || !says_something(answer)) return std::nullopt;
  ExecutionCall call;
  call.kind = *kind;
  call.events = std::move(posted);
  call.answer = known_answer(answer);
  const bool is_read = call.kind == Kind::read || call.kind == Kind::log;
  if (is_read && !call.answer) return std::nullopt;
  if (call.kind == Kind::log && core::is_taken(answer.acceptance) && !is_whole_listing(performed)) {
    return std::nullopt;
  }
  if (call.kind != Kind::post && core::is_taken(answer.acceptance)) {
    call.state = text_at(answer.mapped, "state");
    call.terminal_event = text_or_null_at(answer.mapped, "terminal_event");
    call.already_terminal = bool_at(answer.mapped, "already_terminal");
  }
  return call;
}

RunCall::Diagnostic diagnostic_of(const core::Call& performed) {
  const auto found = performed.asked.parameters.find("diagnostic");
  if (found == performed.asked.parameters.end() || found->second.is_null()) {
    return RunCall::Diagnostic::none;
  }
  const Value& diagnostic = found->second;
  for (const std::string_view name :
       {"error_code", "category", "message", "likely_cause", "suggested_fix"}) {
    if (diagnostic.string_at(name).value_or("").empty()) return RunCall::Diagnostic::incomplete;
  }
  static const std::set<std::string> severities = {"info", "warn", "error", "critical"};
  const bool is_complete = bool_at(diagnostic, "retryable").has_value() &&
                           severities.contains(diagnostic.string_at("severity").value_or(""));
  return is_complete ? RunCall::Diagnostic::complete : RunCall::Diagnostic::incomplete;
}

std::optional<std::string> sent_error_code(const core::Call& performed) {
  if (auto own = parameter(performed, "error_code")) return own;
  const auto found = performed.asked.parameters.find("diagnostic");
  if (found == performed.asked.parameters.end()) return std::nullopt;
  return text_at(found->second, "error_code");
}

std::optional<RunCall::Kind> run_kind(std::string_view operation) {
  using Kind = RunCall::Kind;
  static const std::map<std::string_view, Kind> kinds = {{"runs.create", Kind::create},
                                                         {"runs.transition", Kind::transition},
                                                         {"runs.retry", Kind::retry},
                                                         {"runs.get", Kind::get},
                                                         {"runs.audit", Kind::audit}};
  const auto found = kinds.find(operation);
  return found == kinds.end() ? std::nullopt : std::optional(found->second);
}

/// Adds what the answer shows of the run; a retry's is about the new one.
void add_run_answer(RunCall& call, const core::Answer& answer) {
  if (call.kind == RunCall::Kind::retry) return;
  if (core::is_taken(answer.acceptance)) {
    call.status = text_at(answer.mapped, "status");
    call.error_code = text_or_null_at(answer.mapped, "error_code");
  } else if (answer.acceptance == Acceptance::refused) {
    call.refusal_code = text_at(answer.body, "code");
    if (const Value* run = answer.body.find("run")) {
      call.status = text_at(*run, "status");
      call.error_code = text_or_null_at(*run, "error_code");
    }
  }
}

/// The call as one of a run, nothing where it says nothing.
std::optional<RunCall> run_call(const core::Call& performed) {
  using Kind = RunCall::Kind;
  const auto kind = run_kind(performed.asked.name);
  const core::Answer& answer = *performed.answer;
  if (!kind || !says_something(answer)) return std::nullopt;
  RunCall call;
  call.kind = *kind;
  call.answer = known_answer(answer);
  const bool changes = call.kind == Kind::create || call.kind == Kind::transition;
  if (!changes && !call.answer) return std::nullopt;
  if (call.kind == Kind::audit && core::is_taken(answer.acceptance)) {
    if (!is_whole_listing(performed)) return std::nullopt;
    const std::size_t events = answer.mapped.find("items")->as_list().size();
    call.audit_events = static_cast<std::int64_t>(events);
  }
  if (call.kind == Kind::transition) {
    call.to = parameter(performed, "to").value_or("");
    call.diagnostic = diagnostic_of(performed);
    call.sent_error_code = sent_error_code(performed);
  }
  add_run_answer(call, answer);
  return call;
}

/// A lost answer may come at any time: its call has no end.
CallInterval interval_of(const core::Call& performed, bool is_answered) {
  return {performed.called_ms, is_answered ? std::optional(performed.returned_ms) : std::nullopt};
}

bool has_raw_request(const std::vector<core::Call>& performed) {
  return std::any_of(performed.begin(), performed.end(),
                     [](const auto& call) { return call.asked.name == core::raw_request; });
}

template <typename Call>
void append(ObjectHistory<Call>& history, Call call, const core::Call& performed,
            std::size_t position) {
  const bool is_answered = call.answer.has_value();
  history.calls.push_back({std::move(call), interval_of(performed, is_answered)});
  history.positions.push_back(position);
}

/// What the logs list, once every post of the history has its number.
void add_listed(ExecutionHistory& history, const std::vector<core::Call>& performed,
                const EventNumbers& numbers) {
  for (std::size_t index = 0; index < history.calls.size(); ++index) {
    ExecutionCall& call = history.calls[index].call;
    if (call.kind != ExecutionCall::Kind::log || call.answer != Acceptance::accepted) continue;
    const Value& mapped = performed[history.positions[index]].answer->mapped;
    call.listed = listed_numbers(*mapped.find("items"), numbers);
  }
}

template <typename Call>
std::vector<ObjectHistory<Call>> in_order(std::map<std::string, ObjectHistory<Call>> by_id,
                                          typename Call::Kind maker) {
  std::vector<ObjectHistory<Call>> histories;
  for (auto& [id, history] : by_id) {
    history.id = id;
    history.existed = std::none_of(history.calls.begin(), history.calls.end(),
                                   [maker](const auto& each) { return each.call.kind == maker; });
    if (!history.calls.empty()) histories.push_back(std::move(history));
  }
  return histories;
}

}  // namespace

std::vector<ExecutionHistory> execution_histories(const core::History& history) {
  const std::vector<core::Call>& performed = history.calls;
  if (has_raw_request(performed)) return {};
  std::map<std::string, ExecutionHistory> by_id;
  std::map<std::string, EventNumbers> numbers;
  std::set<std::string> not_judged;
  for (std::size_t position = 0; position < performed.size(); ++position) {
    const core::Call& each = performed[position];
    const auto id = object_of(each, "execution_id");
    if (!id) continue;
    if (has_parameter(each, "playbook")) not_judged.insert(*id);
    std::optional<std::vector<PostedEvent>> posted = std::vector<PostedEvent>{};
    if (is_post(each) && says_something(*each.answer)) posted = posted_events(each, numbers[*id]);
    if (!posted) {
      not_judged.insert(*id);
      continue;
    }
    auto call = execution_call(each, *std::move(posted));
    if (call) append(by_id[*id], *std::move(call), each, position);
  }
  for (const std::string& id : not_judged) by_id.erase(id);
  for (auto& [id, calls] : by_id) add_listed(calls, performed, numbers[id]);
  return in_order(std::move(by_id), ExecutionCall::Kind::start);
}

std::vector<RunHistory> run_histories(const core::History& history) {
  const std::vector<core::Call>& performed = history.calls;
  if (has_raw_request(performed)) return {};
  std::map<std::string, RunHistory> by_id;
  for (std::size_t position = 0; position < performed.size(); ++position) {
    const core::Call& each = performed[position];
    // The answer to a retry names the new run, the request the one that is retried.
    const bool is_retry = each.asked.name == "runs.retry";
    const auto id = is_retry ? parameter(each, "run_id") : object_of(each, "run_id");
    if (!id) continue;
    auto call = run_call(each);
    if (call) append(by_id[*id], *std::move(call), each, position);
  }
  return in_order(std::move(by_id), RunCall::Kind::create);
}

}  // namespace assay::check
