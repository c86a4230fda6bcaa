#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "reference_impl/faults/rewriting.h"
#include "reference_impl/liberties/answers.h"
#include "reference_impl/liberties/json_forms.h"
#include "reference_impl/liberties/kinds.h"
#include "reference_impl/model/events/taxonomy.h"
#include "reference_impl/model/events/timestamp.h"
#include "reference_impl/model/runs/diagnostic.h"

namespace assay::liberties {
namespace {

using faults::detail_route;
using faults::log_route;

constexpr const char* workflow_route = "GET /workflow-execution/id/*";
constexpr const char* marking_route = "GET /executions/*/marking";

/// The texts of a failure that the server itself forced.
void reword_forced(Value& run) {
  Value* diagnostic = faults::member(run, "diagnostic");
  if (diagnostic == nullptr || !diagnostic->is_object()) return;
  const Value forced = runs::forced_failure_diagnostic("", "");
  // A client's own diagnostic stays as it came.
  if (diagnostic->find("likely_cause") == nullptr ||
      *diagnostic->find("likely_cause") != *forced.find("likely_cause")) {
    return;
  }
  Object& words = diagnostic->as_object();
  words["category"] = "protocol";
  words["message"] = "This move is not in the table.";
  words["likely_cause"] = "Two clients at work.";
  words["suggested_fix"] = "Read first.";
  words["severity"] = "critical";
}

void reword_reason(Value& object) {
  Value* reason = faults::member(object, "reason");
  if (reason != nullptr && reason->is_string()) *reason = "as the manual says under E17";
}

std::vector<AnswerChange> own_words() {
  std::vector<AnswerChange> changes = {
      on_problem([](Object& problem) {
        problem["type"] = "tag:example.org,2026:problem";
        problem["title"] = "This did not work";
        problem["detail"] = "See the manual.";
        if (const auto run = problem.find("run"); run != problem.end()) reword_forced(run->second);
      }),
      on_items(detail_route, "anomalies",
               [](Object& anomaly) { anomaly["reason"] = "out of place"; }),
      on_items(log_route, "events", [](Object& event) {
        const Value whole(event);
        // A failure's; that of a cancel is the client's own.
        if (!faults::has_text(whole, "source", "server") ||
            event["event_type"] == Value("execution.cancelled")) {
          return;
        }
        const auto payload = event.find("payload");
        if (payload != event.end()) reword_reason(payload->second);
      })};
  for (const char* route :
       {workflow_route, "DELETE /workflow-execution/*", "POST /workflow-execution/*/ack"}) {
    changes.push_back(on_success(route, reword_reason));
  }
  for (const char* route : {"GET /runs/*", "POST /runs/*/transitions"}) {
    changes.push_back(on_success(route, reword_forced));
  }
  return changes;
}

AnswerChange own_codes() {
  return on_problem([](Object& problem) {
    static const std::map<std::string, std::string, std::less<>> kept = {
        {"EVENT_ID_CONFLICT", ""},
        {"TOO_DEEP", ""},
        {"LEGACY_EVENT", ""},
        {"EXTERNALISE_RESULT", ""},
        {"STEP_NOT_SCHEDULED", ""},
        {"SERVER_EVENT", ""},
        {"INVALID_STATE_TRANSITION", ""},
        {"DIAGNOSTIC_REQUIRED", ""},
        {"NOT_WAITING", ""}};
    Value& code = problem["code"];
    if (code.is_string() && !kept.contains(code.as_string())) code = "OTHER_" + code.as_string();
  });
}

/// Every object and list item of these answers has a member more.
std::vector<AnswerChange> extra_members() {
  const auto mark = [](Object& object) { object["x_more"] = Object{{"see", "manual"}}; };
  const auto mark_whole = [mark](Value& body) {
    if (body.is_object()) mark(body.as_object());
  };
  std::vector<AnswerChange> changes = {
      on_problem([](Object& problem) { problem["instance"] = "urn:another:17"; })};
  for (const char* route : {"POST /executions",
                            "POST /executions/*/events",
                            "POST /executions/*/events/batch",
                            detail_route,
                            "GET /executions",
                            log_route,
                            "GET /executions/*/variables",
                            marking_route,
                            "POST /executions/*/cancel",
                            "POST /executions/*/ctx",
                            "POST /control/*",
                            "POST /function-blocks",
                            "POST /workflow-definitions",
                            "POST /workflow-execution",
                            workflow_route,
                            "GET /workflow-execution/active",
                            "GET /workflow-execution/state/*",
                            "DELETE /workflow-execution/*",
                            "POST /workflow-execution/*/ack",
                            "GET /blackboard/jobs",
                            "POST /blackboard/jobs/**",
                            "POST /runs",
                            "GET /runs",
                            "GET /runs/*",
                            "POST /runs/**",
                            "GET /runs/*/next-action",
                            "GET /runs/*/audit",
                            "GET /healthz"}) {
    changes.push_back(on_success(route, mark_whole));
  }
  const std::pair<const char*, const char*> lists[] = {
      {detail_route, "steps"},
      {detail_route, "commands"},
      {detail_route, "tools"},
      {detail_route, "anomalies"},
      {"GET /executions", "executions"},
      {log_route, "events"},
      {marking_route, "tokens"},
      {marking_route, "in_flight"},
      {marking_route, "fan_in"},
      {workflow_route, "history"},
      {"GET /workflow-execution/active", "executions"},
      {"GET /workflow-execution/state/*", "executions"},
      {"GET /blackboard/jobs", "jobs"},
      {"GET /runs", "runs"},
      {"GET /runs/*/audit", "events"},
      {"POST /executions/*/events/batch", "results"}};
  for (const auto& [route, list] : lists) changes.push_back(on_items(route, list, mark));
  return changes;
}

constexpr const char* optional_event_fields[] = {
    "source",      "entity_type", "entity_id",   "parent_id", "event_alias", "workflow_run_id",
    "step_run_id", "task_run_id", "command_id",  "node_name", "iteration",   "iteration_id",
    "attempt",     "status",      "duration_ms", "payload"};

AnswerChange reversed(const char* route, const char* list) {
  return on_success(route, [list](Value& body) {
    if (List* items = faults::list_at(body, list)) std::reverse(items->begin(), items->end());
  });
}

std::vector<AnswerChange> other_orders() {
  const std::pair<const char*, const char*> lists[] = {
      {detail_route, "steps"},
      {detail_route, "commands"},
      {detail_route, "tools"},
      {detail_route, "anomalies"},
      {marking_route, "tokens"},
      {marking_route, "in_flight"},
      {marking_route, "fan_in"},
      {workflow_route, "entities"},
      {"GET /executions", "executions"},
      {"GET /runs", "runs"},
      {"GET /workflow-execution/active", "executions"},
      {"GET /workflow-execution/state/*", "executions"},
      {"GET /blackboard/jobs", "jobs"}};
  std::vector<AnswerChange> changes;
  changes.reserve(std::size(lists));
  for (const auto& [route, list] : lists) changes.push_back(reversed(route, list));
  return changes;
}

/// The same instant with nine fraction digits.
void write_long(Value& time) {
  if (!time.is_string() || !events::parse_timestamp(time.as_string())) return;
  std::string text = time.as_string();
  if (text.back() != 'Z') return;
  text.pop_back();
  const std::size_t point = text.find('.');
  const std::size_t digits = point == std::string::npos ? 0 : text.size() - point - 1;
  if (point == std::string::npos) text += '.';
  if (digits < 9) text.append(9 - digits, '0');
  time = text + "Z";
}

void write_times_long(Value& body, bool is_top = true) {
  static constexpr const char* names[] = {"timestamp",  "started_at", "ended_at",
                                          "created_at", "at",         "now"};
  if (body.is_list()) {
    for (Value& item : body.as_list()) write_times_long(item, false);
  }
  if (!body.is_object()) return;
  for (const char* name : names) {
    if (Value* time = faults::member(body, name)) write_long(*time);
  }
  if (!is_top) return;
  for (const char* list : {"events", "executions", "history", "run"}) {
    if (Value* items = faults::member(body, list)) write_times_long(*items, false);
  }
}

std::vector<AnswerChange> long_times() {
  std::vector<AnswerChange> changes;
  for (const char* route :
       {"GET /executions", detail_route, faults::status_route, log_route, "POST /control/clock",
        workflow_route, "DELETE /workflow-execution/*", "POST /workflow-execution/*/ack",
        "POST /runs", "GET /runs/*", "POST /runs/*/transitions", "POST /runs/*/retry",
        "GET /runs/*/audit"}) {
    changes.push_back(on_success(route, [](Value& body) { write_times_long(body); }));
  }
  changes.push_back(on_problem([](Object& problem) {
    if (const auto run = problem.find("run"); run != problem.end()) write_times_long(run->second);
  }));
  return changes;
}

std::vector<AnswerChange> bare_answers() {
  std::vector<AnswerChange> changes;
  for (const char* route : {"POST /executions/*/ctx", "POST /control/evict",
                            "POST /control/lock-service", "DELETE /workflow-execution/*",
                            "POST /workflow-execution/*/ack", "POST /blackboard/jobs/*/result"}) {
    changes.push_back(on_success(route, [](Value& body) { body = Object{}; }));
  }
  for (const char* route : {"POST /function-blocks", "POST /workflow-definitions"}) {
    changes.push_back(on_success(route, [](Value& body) {
      const Value* name = body.find("name");
      if (name != nullptr) body = Object{{"name", *name}};
    }));
  }
  return changes;
}

/// Ids that must be encoded in a path, and escaped in nothing else.
void odd_ids(service::ServiceOptions& options) {
  options.ids = [ids = std::move(options.ids)] { return "é/%? #{" + ids() + "}"; };
}

faults::Intercept ends_connections() {
  auto answered = std::make_shared<std::atomic<int>>(0);
  return [answered](service::Service& sound, const service::Request& request) {
    service::Reply reply = sound.handle(request);
    if (++*answered % 9 == 0) reply.headers.push_back({"Connection", "close"});
    return reply;
  };
}

std::vector<Liberty> json_liberties() {
  return {
      {"escaped-json",
       "JSON is written with \\u escapes for all that is not ASCII, and \\/",
       "\"JSON in and out, UTF-8\": escapes are JSON",
       {},
       {},
       nullptr,
       nullptr,
       escape_json},
      {"spaced-json",
       "JSON has white space between its tokens",
       "RFC 8259: insignificant white space is allowed",
       {},
       {},
       nullptr,
       nullptr,
       space_json},
      {"charset-named",
       "application/json;charset=UTF-8, also on problems",
       "RFC 9457 and \"JSON in and out, UTF-8\" leave parameters open",
       {},
       {},
       nullptr,
       nullptr,
       name_charset},
      {"extra-headers",
       "Answers have the headers Server, Cache-Control and Vary",
       "No header is forbidden",
       {},
       {},
       nullptr,
       nullptr,
       add_headers},
      {.id = "lower-case-headers",
       .title = "Names of headers are in lower case",
       .words = "RFC 9110: names of fields take any case",
       .form = lower_headers},
      {"connections-end",
       "Every ninth answer closes its connection",
       "HTTP/1.1: a server may close after any answer",
       {},
       {},
       ends_connections},
  };
}

}  // namespace

std::vector<Liberty> form_liberties() {
  std::vector<Liberty> all = json_liberties();
  const std::vector<Liberty> more = {
      {"own-words", "Problems, reasons and the forced diagnostic have texts of the server's own",
       "\"Texts (reason, title, detail, the words of a diagnostic) are the server's own\"",
       own_words()},
      {"own-codes",
       "Problems whose code the contract does not name have another one",
       "\"code, an UPPER_SNAKE word\": of most refusals no word is given",
       {own_codes()}},
      {"extra-members", "Every answer but the status has more members than named",
       "\"Objects may have more members than this page names; the status answer alone is closed\"",
       extra_members()},
      {"null-optionals",
       "A stored event shows its absent optional fields as null",
       "\"null for an optional field means absent\"",
       {on_items(log_route, "events",
                 [](Object& event) {
                   for (const char* name : optional_event_fields) event.try_emplace(name, nullptr);
                 })}},
      {"server-alias",
       "Events of the server carry event_alias",
       "\"event_alias … optional\"; specification 001, 1.2: MAY",
       {on_items(log_route, "events",
                 [](Object& event) {
                   const Value whole(event);
                   if (!faults::has_text(whole, "source", "server")) return;
                   event["event_alias"] = events::alias_of(*whole.string_at("event_type"));
                 })}},
      {"other-order", "Lists whose order is not promised come the other way round",
       "\"lists are in the order that this page promises (seq, sequence, history), else in any\"",
       other_orders()},
      {"long-times", "Times are shown with nine fraction digits",
       "\"stored and shown as the same instant in UTC with Z\"; \"Times are compared as instants\"",
       long_times()},
      {"bare-answers", "Answers that have no shape of their own are {}, or the name alone",
       "The table gives only \"→ 200\" or \"→ 201\" for them", bare_answers()},
      {"ids-need-encoding",
       "Ids of the server hold /, %, blank, é, ?, # and braces",
       "\"Ids are strings … 1 to 256 bytes of UTF-8 without control characters; in a path they are "
       "percent-encoded once\"",
       {},
       {},
       nullptr,
       nullptr,
       nullptr,
       odd_ids},
      {"no-pointer-to-the-root",
       "A body that is not an object is refused without a pointer",
       "\"pointer, a JSON Pointer, where a field is at fault\": the body is not a field",
       {on_problem([](Object& problem) {
         if (problem["pointer"] == Value("") || problem["pointer"].is_null()) {
           problem.erase("pointer");
         }
       })}},
  };
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace assay::liberties
