// Specification 001 section 2: events whose envelope is as it should be but for one field, or quite
// as it should be, posted to a replay execution.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "properties/families/event_types.h"
#include "properties/families/families.h"
#include "properties/families/patterns.h"
#include "properties/families/steps.h"

namespace assay::properties::envelope_families {
namespace {

using core::Step;

/// payload.inputs and payload.outcome may be so long, as compact JSON.
constexpr std::size_t payload_cap_bytes = 65'536;
/// And the payload as a whole.
constexpr std::size_t whole_cap_bytes = 262'144;

struct Field {
  std::string_view name;
  std::string_view clause;
};

/// The optional fields, each under the clause that says what it may be.
constexpr std::array<Field, 16> fields = {{
    {"execution_id", "EVT-ENV-EXEC"},
    {"event_alias", "EVT-ALIAS-1"},
    {"source", "EVT-ENV-SOURCE"},
    {"entity_type", "EVT-ENV-ENTITY"},
    {"entity_id", "EVT-ENV-ENTITYID"},
    {"parent_id", "EVT-ENV-PARENT"},
    {"workflow_run_id", "EVT-COR-IDS"},
    {"step_run_id", "EVT-COR-IDS"},
    {"task_run_id", "EVT-COR-IDS"},
    {"iteration", "EVT-COR-ITER"},
    {"iteration_id", "EVT-COR-ITER"},
    {"attempt", "EVT-COR-ATTEMPT"},
    {"status", "EVT-COR-STATUS"},
    {"duration_ms", "EVT-COR-DURATION"},
    {"payload", "EVT-PAY-FIELDS"},
    {"seq", "API-SEQ"},
}};

std::size_t number_of(const Move& move) {
  return move.operands[0] + std::size_t{16} * (move.operands[1] % 2);
}

std::string type_of(const Move& move) {
  return std::string(event_types()[number_of(move) % event_types().size()].name);
}

/// "task.attempt.done" as "TaskAttemptDone".
std::string alias_of(std::string_view type) {
  std::string alias;
  bool begins = true;
  for (const char letter : type) {
    if (letter != '.') alias += begins ? static_cast<char>(letter - 'a' + 'A') : letter;
    begins = letter == '.';
  }
  return alias;
}

/// Values for a field: what it may be and what it may not.
Value value_for(std::string_view field, std::uint8_t operand) {
  const auto any = [operand](std::vector<Value> values) { return values[operand % values.size()]; };
  if (field == "execution_id") return any({"${id:main}", "another", 1, Value(), "", List{}});
  if (field == "event_alias")
    return any({"StepStarted", "stepStarted", "StepDone", 7, "", Value()});
  if (field == "source") return any({"server", "worker", "client", "Server", 1, "", Value()});
  if (field == "entity_type") {
    return any({"step", "playbook", "workflow", "task", "loop", "next", "policy", "result", "case",
                "retry", "sink", "Step", 3, Value()});
  }
  if (field == "iteration" || field == "duration_ms") {
    return any({0, 1, -1, 1.5, "1", true, 2.0, 9'007'199'254'740'991, Value()});
  }
  if (field == "attempt") return any({1, 0, 2, -1, 1.5, "1", false, 3.0, Value()});
  if (field == "status") {
    return any({"success", "in_progress", "error", "skipped", "paused", "Success", "COMPLETED",
                "failed", "case_handled", "done", "ok", 1, "", Value()});
  }
  if (field == "payload") {
    return any({Object{}, "text", List{}, 1, Value(), Object{{"meta", Object{{"k", 1}}}},
                Object{{"result_ref", Object{{"uri", "s3://bucket/key"}}}},
                Object{{"inputs", Object{{"a", List{1, 2.5, Value()}}}}}, Object{{"meta", 1}},
                Object{{"outcome", Object{{"status", "success"}, {"result", List{1, "two"}}}}},
                Object{{"meta", Object{{"Key", "  spaced  "}, {"key", 1}}}},
                Object{{"error", Object{{"kind", "http"}}}, {"meta", Object{{"k", 1}}}},
                Object{{"outcome", Object{{"status", "error"}, {"error", Object{{"kind", "io"}}}}}},
                Object{{"meta", Object{{"list", List{}}, {"object", Object{}}, {"Key", ""}}}}});
  }
  if (field == "seq") return any({77, 1});
  if (field == "parent_id") {
    return any({"step:fetch:run:7", "one", 1, List{}, Object{}, true, Value(), ""});
  }
  return any({"one", 1, "größe/ß ${unique}", List{}, Object{}, true, Value(), "", "one-more", "ONE",
              "step:fetch:run:7"});
}

Object odd_name(const Move& move) {
  if (move.operands[1] % 8 == 7) return {{"type", pick(move.operands[0], {"step/done", "a/b/c"})}};
  return {{"type",
           pick(move.operands[0],
                {"Step.started", "step_started", "step", "step.started.now.then", "step..started",
                 ".step", "step.", "1step.started", "step.1st", "step-started.now", "STEP.STARTED",
                 "step started.now", "cache.warmed", "a.b_2.c", "schritt.größe", "_a.b"})}};
}

/// Legacy events whose standard name is beyond doubt: what was processed says how it ended, in a
/// word of specification 001, and nothing tells of the purpose of a case but its type.
Object legacy(const Move& move) {
  const std::string type =
      pick(move.operands[0], {"tool.started", "tool.processed", "retry.started", "retry.processed",
                              "sink.started", "sink.processed", "case.evaluated", "case.matched"});
  Object event{{"type", type}};
  const bool is_processed = type.ends_with(".processed");
  const std::string status = is_processed ? pick(move.operands[1], {"success", "error"})
                                          : pick(move.operands[1], {"", "success"});
  if (!status.empty()) event.emplace("status", status);
  if (status == "error" && move.operands[2] % 2 == 1) {
    event.emplace("payload", Object{{"error", Object{{"kind", "http"}}}});
  }
  return event;
}

/// Times beside the one that events have by their number.
Value odd_time(std::uint8_t operand) {
  static const std::vector<Value> times = {"2026-01-01T00:00:00",
                                           "2026-01-01T01:30:00+01:30",
                                           "2026-01-01T00:00:00.123456789Z",
                                           "2026-01-01t00:00:00z",
                                           "2026-01-01T00:00:00-00:00",
                                           "2026-01-01 00:00:00Z",
                                           "2026-02-29T00:00:00Z",
                                           "2024-02-29T23:59:60Z",
                                           "0000-01-01T00:00:00Z",
                                           "9999-12-31T23:59:59-00:01",
                                           "2026-01-01T24:00:00Z",
                                           "2026-13-01T00:00:00Z",
                                           "2026-01-01T00:00:00.5Z",
                                           "tomorrow",
                                           "",
                                           "2025-12-31T23:59:59-00:30"};
  return times[operand % times.size()];
}

std::string id_of(std::uint8_t operand, std::size_t number) {
  const std::string id = fmt::format("${{unique}}-{}", number);
  switch (operand % 6) {
    case 0:
      return std::string(257, 'x');
    case 1:
      return id + "/Größe ☃ ?#%2F";
    case 2:
      return "";
    case 3:
      return id + "\n";
    case 4:
      return std::string(256, static_cast<char>('a' + number % 26));
    default:
      return id + "-UPPER";
  }
}

/// The event posted last, in other words: another zone, 1.0 for 1.
std::optional<Step> again(const Move& move, const View& view) {
  const std::vector<Step>& steps = view.steps();
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    const auto* action = std::get_if<core::Post>(&step->action);
    if (action == nullptr || action->batch || step->on != "main") continue;
    Object event = action->events.front().as_object();
    if (!event.contains("id") || !event.contains("time")) return std::nullopt;
    const Value& time = event.at("time");
    if (move.operands[0] % 4 == 1) event.insert_or_assign("x_other", move.operands[1]);
    if (move.operands[0] % 4 == 2) return post(std::move(event), "other");
    if (move.operands[0] % 4 == 3 && time.is_string() && time.as_string().ends_with("00Z")) {
      const std::string& text = time.as_string();
      event.insert_or_assign("time", text.substr(0, text.size() - 1) + ".000+00:00");
    }
    return post(std::move(event));
  }
  return std::nullopt;
}

Step without(Object event, std::string member, std::string_view shorthand) {
  event.erase(std::string(shorthand));
  Step step = post(std::move(event));
  std::get<core::Post>(step.action).omit.front() = {std::move(member)};
  return step;
}

std::optional<Step> required_field(const Move& move, Object event) {
  static const std::vector<std::pair<std::string_view, std::string_view>> required = {
      {"event_id", "id"}, {"timestamp", "time"}, {"event_type", "type"}};
  const auto& [member, shorthand] = required[move.operands[0] % required.size()];
  const std::vector<Value> wrong = {Value(), 1, List{}, true, Object{}};
  if (move.operands[1] % 2 == 0) return without(std::move(event), std::string(member), shorthand);
  event.insert_or_assign(std::string(shorthand), wrong[move.operands[2] % wrong.size()]);
  return post(std::move(event));
}

/// A payload of the largest size, or a byte more: as a whole, or in the member that is capped.
Object sized_payload(const Move& move) {
  if (move.operands[2] % 4 == 3) {
    constexpr std::size_t around = std::string_view(R"({"meta":{"k":""}})").size();
    const std::size_t size = whole_cap_bytes + move.operands[0] % 2;
    return {{"meta", Object{{"k", std::string(size - around, 'x')}}}};
  }
  const std::size_t size = payload_cap_bytes + move.operands[0] % 2;
  // Two bytes are the quotation marks.
  return {{pick(move.operands[1], {"outcome", "inputs"}), std::string(size - 2, 'x')}};
}

Step batch(const Move& move, std::size_t number) {
  List events;
  const std::size_t count = 2 + move.operands[0] % 3;
  for (std::size_t index = 0; index < count; ++index) {
    events.emplace_back(numbered_event(
        number * 100 + index, {{"type", pick(move.operands[1], {"task.done", "cache.warmed"})}}));
  }
  if (move.operands[2] % 4 == 0) {
    events.back().as_object().insert_or_assign("type", "NoName");
  } else if (move.operands[2] % 4 == 1) {
    events.back().as_object().insert_or_assign("type", "retry.started");
  }
  return post_batch(std::move(events));
}

/// An event of one time with others, with an id and a type that lead elsewhere in any other order.
Object tied_event(const Move& move, std::size_t number) {
  Object event = numbered_event(
      number, {{"type", pick(move.operands[0], {"task.started", "cache.warmed", "step.done"})}});
  constexpr std::size_t most_steps = 999;
  event.insert_or_assign("id",
                         fmt::format("${{unique}}-tie{}-e", most_steps - number % most_steps));
  event.insert_or_assign("time", "2026-01-01T00:00:00Z");
  return event;
}

bool is_tied(const Value& event) {
  return event.string_at("id").value_or("").find("-tie") != std::string::npos;
}

bool is_legacy(std::string_view type) {
  return type.starts_with("tool.") || type.starts_with("retry.") || type.starts_with("sink.") ||
         type.starts_with("case.");
}

std::optional<Step> step_of(std::string_view kind, const Move& move, const View& view) {
  const std::size_t number = view.steps().size();
  if (kind == "again") return again(move, view);
  if (kind == "batch") return batch(move, number);
  if (kind == "name") return post(numbered_event(number, odd_name(move)));
  if (kind == "legacy") return post(numbered_event(number, legacy(move)));
  if (kind == "tie") return post(tied_event(move, number));
  Object event = numbered_event(number, {{"type", "step.started"}});
  if (kind == "required") return required_field(move, std::move(event));
  if (kind == "type") event.insert_or_assign("type", type_of(move));
  if (kind == "alias") {
    event.insert_or_assign("type", type_of(move));
    event.insert_or_assign("event_alias", alias_of(type_of(move)));
  }
  if (kind == "field") {
    const Field& field = fields[move.operands[0] % fields.size()];
    event.insert_or_assign(std::string(field.name), value_for(field.name, move.operands[1]));
  }
  if (kind == "payload") event.insert_or_assign("payload", value_for(kind, move.operands[0]));
  if (kind == "result") {
    event.insert_or_assign("type", pick(move.operands[1], {"task.done", "step.done"}));
    event.insert_or_assign("payload",
                           Object{{"result_ref", Object{{"kind", "object"}, {"uri", "s3://b/k"}}},
                                  {"extracted", Object{{"n", move.operands[0]}}}});
  }
  if (kind == "time") event.insert_or_assign("time", odd_time(move.operands[0]));
  if (kind == "id") event.insert_or_assign("id", id_of(move.operands[0], number));
  if (kind == "size") event.insert_or_assign("payload", sized_payload(move));
  return post(std::move(event));
}

const Value& event_of(const Step& step) {
  static const Value nothing;
  const auto* action = std::get_if<core::Post>(&step.action);
  return action == nullptr || action->batch ? nothing : action->events.front();
}

std::string clause_of_name(const std::string& name) {
  if (std::string clause = clause_of_type(name); !clause.empty()) return clause;
  if (std::any_of(name.begin(), name.end(), [](char c) { return c >= 'A' && c <= 'Z'; })) {
    return "EVT-NAME-LOWER";
  }
  for (const auto& [prefix, clause] :
       {std::pair("tool.", "EVT-LEG-TOOL"), std::pair("retry.", "EVT-LEG-RETRY"),
        std::pair("sink.", "EVT-LEG-SINK"), std::pair("case.", "EVT-LEG-CASE")}) {
    if (name.starts_with(prefix)) return clause;
  }
  if (name.find('.') == std::string::npos || name.front() == '.' || name.back() == '.' ||
      name.find("..") != std::string::npos) {
    return "EVT-NAME-DOTS";
  }
  return "EVT-NAME-SHAPE";
}

std::string clause_of_payload(const Value& payload, bool is_task) {
  if (const Value* whole = payload.at_pointer("/meta/k"); whole != nullptr && whole->is_string()) {
    return "EVT-REF-2";
  }
  if (payload.at_pointer("/meta/Key") != nullptr) return "EVT-LOG-1";
  if (payload.find("error") != nullptr) return "EVT-PAY-FIELDS";
  if (payload.at_pointer("/outcome/status") != nullptr) return "EVT-PAY-OUTCOME";
  if (payload.find("extracted") != nullptr) return is_task ? "EVT-RES-EMBED" : "EVT-REF-1";
  for (const char* member : {"inputs", "outcome"}) {
    const Value* value = payload.find(member);
    if (value != nullptr && value->is_string()) return "EVT-PAY-CAP";
  }
  return payload.find("result_ref") != nullptr ? "EVT-REF-1" : "EVT-PAY-FIELDS";
}

/// The clause of what is particular about an event.
std::string clause_of(const Value& event) {
  const std::string name = event.string_at("type").value_or("");
  if (name.empty()) return "EVT-ENV-TYPE";
  std::string of_name = clause_of_name(name);
  if (of_name.starts_with("EVT-LEG")) return of_name;
  for (const Field& field : fields) {
    const Value* value = event.find(field.name);
    if (value == nullptr) continue;
    if (field.name != "payload") return std::string(field.clause);
    return clause_of_payload(*value, name.starts_with("task."));
  }
  if (is_tied(event)) return "EVT-LOG-1";
  const Value* id = event.find("id");
  if (id == nullptr || !id->is_string()) return "EVT-ENV-ID";
  const Value* time = event.find("time");
  if (time == nullptr || !time->is_string()) return "EVT-ENV-TIME";
  const bool is_odd = id->as_string().find("-e") == std::string::npos;
  if (is_odd) return "API-IDS";
  if (!time->as_string().starts_with("2026-01-01T00:") || time->as_string().size() != 20 ||
      !time->as_string().ends_with('Z') || time->as_string().find('t') != std::string::npos) {
    return "API-TIME";
  }
  return of_name;
}

std::vector<std::string> answer_of(const TakenStep& taken) {
  using core::Acceptance;
  if (taken.made == "executions.start") return {};
  if (taken.made == "events.post_batch") {
    const auto& events = std::get<core::Post>(taken.step.action).events;
    const bool is_old = is_legacy(events.back().string_at("type").value_or(""));
    if (is_old && taken.acceptance == Acceptance::refused) return {"EVT-LEG-REJECT"};
    return {"API-ATOMIC"};
  }
  if (taken.acceptance == Acceptance::duplicate) return {"EVT-IDEM-1"};
  if (event_of(taken.step).find("x_other") != nullptr) return {"API-CONFLICT"};
  // The same id in another execution is another event.
  if (taken.step.on == "other" && taken.acceptance == Acceptance::accepted) {
    return {"EVT-IDEM-1"};
  }
  std::string clause = clause_of(event_of(taken.step));
  const bool is_refused_by_choice =
      clause.starts_with("EVT-LEG") && taken.acceptance == Acceptance::refused;
  return {is_refused_by_choice ? "EVT-LEG-REJECT" : std::move(clause)};
}

Observation newest(std::string member, std::string clause) {
  Observation observation{"events.list", {std::move(member)}, {std::move(clause)}};
  observation.newest = true;
  return observation;
}

/// No event keeps a name that the current model does not have.
Observation has_no_old_name(const std::string& name) {
  Observation observation{"events.list", {}, {"EVT-LOG-OLD"}};
  observation.rule = of(How::excludes, {object({{"event_type", literal(name)}})});
  return observation;
}

Observation log_has_its_length(const View& view, std::string clause) {
  Observation observation{"events.list", {}, {std::move(clause)}};
  const Value* items = view.read("events.list").find("items");
  observation.rule = length(items != nullptr && items->is_list() ? items->as_list().size() : 0);
  return observation;
}

/// What a log must show of the event that was just stored, under the clause of what it shows.
std::vector<Observation> observe_stored(const Value& event, std::size_t number) {
  const std::string clause = clause_of(event);
  const std::string type = event.string_at("type").value_or("");
  if (is_tied(event)) return {{"events.list", {"event_id"}, {"EVT-LOG-1"}}};
  if (clause.starts_with("EVT-LEG")) {
    std::vector<Observation> observations{newest("event_type", clause)};
    // That it lost its name, or which it has now: either may be told first.
    if (clause != "EVT-LEG-TOOL") {
      observations.insert(number % 2 == 0 ? observations.begin() : observations.end(),
                          has_no_old_name(type));
    }
    return observations;
  }
  // However else an event is called, it is listed by its name.
  if (event.find("event_alias") != nullptr && clause == "EVT-ALIAS-1" &&
      !clause_of_type(type).empty()) {
    return {newest("event_type", clause_of_type(type)), newest("event_alias", clause)};
  }
  if (clause == "API-TIME") return {newest("timestamp", clause)};
  if (clause == "API-IDS") return {newest("event_id", clause)};
  static constexpr std::array<std::string_view, 5> of_payloads = {
      "EVT-LOG-1", "EVT-PAY-FIELDS", "EVT-PAY-OUTCOME", "EVT-REF-1", "EVT-RES-EMBED"};
  if (std::find(of_payloads.begin(), of_payloads.end(), clause) != of_payloads.end()) {
    return {newest("payload", clause)};
  }
  for (const Field& field : fields) {
    if (event.find(field.name) != nullptr && clause == field.clause) {
      return {newest(std::string(field.name), clause)};
    }
  }
  if (type == "task.attempt.started") return {newest("event_type", "EVT-TASK-RETRY")};
  if (type == "task.failed") return {newest("event_type", "EVT-TASK-FINAL")};
  if (type != "step.started") return {};
  return {newest("event_id", "EVT-ENV-ID"), newest("event_type", "EVT-ENV-TYPE"),
          newest("timestamp", "EVT-ENV-TIME"), newest("execution_id", "EVT-ENV-EXEC")};
}

std::vector<Observation> observe(const TakenStep& taken) {
  using core::Acceptance;
  if (taken.made == "executions.start" || taken.step.on != "main") return {};
  if (taken.made == "events.post_batch") {
    if (taken.acceptance == Acceptance::refused) {
      return {log_has_its_length(taken.view, answer_of(taken).front())};
    }
    return {{"events.list", {"event_id"}, {"API-ATOMIC"}}};
  }
  if (taken.acceptance == Acceptance::accepted) {
    return observe_stored(event_of(taken.step), taken.view.steps().size());
  }
  if (taken.acceptance == Acceptance::refused && is_legacy(taken.made)) {
    return {log_has_its_length(taken.view, "EVT-LEG-REJECT")};
  }
  if (taken.acceptance == Acceptance::duplicate) {
    return {log_has_its_length(taken.view, "EVT-IDEM-1")};
  }
  return {};
}

std::vector<Observation> observe_end(const View& /*view*/) {
  return {
      {"events.list", {"event_id"}, {"EVT-ENV-SEQ"}},
      {"events.list", {"event_type", "timestamp"}, {"EVT-IDX-1"}, {{"event_type", "step.started"}}},
      {"events.list", {"entity_type"}, {"EVT-IDX-1"}, {{"entity_type", "step"}}},
      {"events.list", {"entity_id"}, {"EVT-IDX-1"}, {{"entity_id", "one"}}},
  };
}

Opening open(const Draft& /*draft*/) {
  return {std::nullopt,
          {operate("executions.start", {}, "main"), operate("executions.start", {}, "other")}};
}

}  // namespace

std::vector<Family> all() {
  Family family;
  family.id = "properties/event-envelopes";
  family.title = "An event is stored if and only if every field of its envelope is as it should be";
  family.clauses = {
      "API-ATOMIC",     "API-CONFLICT",     "API-IDS",          "API-SEQ",        "API-TIME",
      "EVT-ALIAS-1",    "EVT-COR-ATTEMPT",  "EVT-COR-DURATION", "EVT-COR-IDS",    "EVT-COR-ITER",
      "EVT-COR-STATUS", "EVT-ENV-ENTITY",   "EVT-ENV-ENTITYID", "EVT-ENV-EXEC",   "EVT-ENV-ID",
      "EVT-ENV-PARENT", "EVT-ENV-SEQ",      "EVT-ENV-SOURCE",   "EVT-ENV-TIME",   "EVT-ENV-TYPE",
      "EVT-IDEM-1",     "EVT-IDX-1",        "EVT-LEG-CASE",     "EVT-LEG-REJECT", "EVT-LEG-RETRY",
      "EVT-LEG-SINK",   "EVT-LEG-TOOL",     "EVT-LOG-1",        "EVT-LOG-OLD",    "EVT-PAY-OUTCOME",
      "EVT-REF-2",      "EVT-RES-EMBED",    "EVT-NAME-DOTS",    "EVT-NAME-LOWER", "EVT-NAME-SHAPE",
      "EVT-PAY-CAP",    "EVT-PAY-FIELDS",   "EVT-REF-1",        "EVT-TASK-FINAL", "EVT-TASK-RETRY",
      "EVT-TAX-LOOP",   "EVT-TAX-PLAYBOOK", "EVT-TAX-POLICY",   "EVT-TAX-RESULT", "EVT-TAX-STEP",
      "EVT-TAX-TASK",   "EVT-TAX-WORKFLOW"};
  family.kinds = {{"type", 4},    {"field", 16}, {"required", 3}, {"name", 3},  {"alias", 4},
                  {"time", 4},    {"legacy", 3}, {"id", 2},       {"again", 3}, {"size", 1},
                  {"payload", 4}, {"result", 1}, {"batch", 2},    {"tie", 3}};
  family.open = open;
  family.step = step_of;
  family.answer = answer_of;
  family.observe = observe;
  family.observe_end = observe_end;
  // Elsewhere a profile makes the envelope, of what the target wants.
  family.needs = {"binding.reference"};
  return {family};
}

}  // namespace assay::properties::envelope_families
