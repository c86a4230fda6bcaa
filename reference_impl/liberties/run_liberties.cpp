#include <algorithm>
#include <string>
#include <string_view>

#include "reference_impl/faults/log_reading.h"
#include "reference_impl/faults/rewriting.h"
#include "reference_impl/liberties/answers.h"
#include "reference_impl/liberties/kinds.h"
#include "reference_impl/service/problem.h"

namespace assay::liberties {
namespace {

constexpr const char* transition_route = "POST /runs/*/transitions";

bool asks_for_a_diagnostic(const Value& run) {
  const std::string status = run.string_at("status").value_or("");
  return status == "failed" || status == "denied" || status == "timeout";
}

/// What only a failure has is null elsewhere.
void keep_for_failures(Value& run) {
  if (!run.is_object() || run.find("status") == nullptr || asks_for_a_diagnostic(run)) return;
  for (const char* name : {"diagnostic", "error_code", "retryable"}) {
    if (Value* value = faults::member(run, name)) *value = nullptr;
  }
}

std::vector<AnswerChange> failures_only() {
  std::vector<AnswerChange> changes;
  for (const char* route : {"GET /runs/*", transition_route}) {
    changes.push_back(on_success(route, keep_for_failures));
  }
  changes.push_back(on_success("GET /runs/*/next-action", [](Value& body) {
    if (Value* because = faults::member(body, "because")) keep_for_failures(*because);
  }));
  changes.push_back(on_items("GET /runs/*/audit", "events", [](Object& event) {
    const bool is_failure = asks_for_a_diagnostic(Object{{"status", event["after_state"]}});
    if (event["outcome"] == Value("success") && !is_failure) event["error_code"] = nullptr;
  }));
  changes.push_back(on_problem([](Object& problem) {
    if (const auto run = problem.find("run"); run != problem.end()) keep_for_failures(run->second);
  }));
  return changes;
}

/// Whether a member of a diagnostic is there and not what it has to be.
bool has_wrong_member(const Value& diagnostic) {
  static constexpr const char* texts[] = {"error_code", "category", "message", "likely_cause",
                                          "suggested_fix"};
  const auto is_wrong = [&diagnostic](const char* name, bool (Value::*is_right)() const) {
    const Value* value = diagnostic.find(name);
    return value != nullptr && !value->is_null() && !(value->*is_right)();
  };
  static constexpr std::string_view severities[] = {"info", "warn", "error", "critical"};
  const Value* severity = diagnostic.find("severity");
  const bool is_odd = severity != nullptr && !severity->is_null() &&
                      std::none_of(std::begin(severities), std::end(severities),
                                   [&](std::string_view word) { return *severity == Value(word); });
  return is_odd || is_wrong("retryable", &Value::is_bool) ||
         std::any_of(std::begin(texts), std::end(texts),
                     [&](const char* name) { return is_wrong(name, &Value::is_string); });
}

bool is_wrong_type(const Value* diagnostic) {
  return diagnostic != nullptr && !diagnostic->is_null() && !diagnostic->is_object();
}

service::Reply wrong_type_is_a_field(service::Service& sound, const service::Request& request) {
  service::Reply reply = sound.handle(request);
  if (!faults::is_on_route(request, transition_route) || reply.status != 422) return reply;
  Value diagnostic;
  const auto look = [&diagnostic](const service::Request&, const Value& body) {
    if (const Value* given = body.find("diagnostic")) diagnostic = *given;
    return is_wrong_type(&diagnostic) || has_wrong_member(diagnostic);
  };
  return faults::refuses(transition_route, look, 422, "INVALID_FIELD")(sound, request);
}

service::Reply type_before_table(service::Service& sound, const service::Request& request) {
  if (!faults::is_on_route(request, transition_route)) return sound.handle(request);
  const std::string run = request.target.substr(0, request.target.rfind('/'));
  if (faults::ask(sound, run).is_null()) return sound.handle(request);
  return faults::refuses(
      transition_route,
      [](const service::Request&, const Value& body) {
        return body.string_at("to") && is_wrong_type(body.find("diagnostic"));
      },
      422, "INVALID_FIELD")(sound, request);
}

}  // namespace

std::vector<Liberty> run_liberties() {
  return {
      {"own-second-code",
       "A diagnostic of a wrong type, or with a member of one, is a fault of the field",
       "\"with no complete diagnostic → 422\"",
       {},
       wrong_type_is_a_field},
      {"diagnostic-of-failures-only",
       "A diagnostic given with running, waiting, success or canceled is passed over",
       "Specification 004 has a diagnostic for \"a run entering a terminal failure state\"; \"A "
       "run's error_code and retryable are asked for in failed, denied and timeout only\"",
       failures_only()},
      {.id = "codes-stay",
       .title = "error_code and retryable stay through transitions that give none",
       .words = "\"A run's error_code and retryable are asked for in failed, denied and timeout "
                "only\"",
       .configure =
           [](service::ServiceOptions& options) {
             options.run_policy.codes = runs::KeptCodes::until_replaced;
           }},
      {"audit-code-of-denials-only",
       "An audit event of an allowed transition has no error_code",
       "The code is named for refusals and the forced change only",
       {on_items("GET /runs/*/audit", "events",
                 [](Object& event) {
                   if (event["outcome"] == Value("success") &&
                       event["error_code"] != Value("INVALID_STATE_TRANSITION")) {
                     event["error_code"] = nullptr;
                   }
                 })}},
      {"diagnostic-type-before-table",
       "An undefined transition with a diagnostic of a wrong type is 422",
       "A wrong type is \"well-formed but invalid\"; \"the table is asked before the diagnostic\" "
       "is said of one that is missing",
       {},
       type_before_table},
  };
}

}  // namespace assay::liberties
