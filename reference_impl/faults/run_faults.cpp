#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "reference_impl/faults/families.h"
#include "reference_impl/faults/log_reading.h"
#include "reference_impl/faults/moments.h"
#include "reference_impl/faults/rewriting.h"

namespace assay::faults {
namespace {

using runs::ForbiddenFamily;

/// Transitions of this family are allowed.
template <ForbiddenFamily family>
void accept(service::ServiceOptions& options) {
  options.run_policy.allows = [](runs::Status from, runs::Status to) {
    return runs::is_defined(from, to) || runs::forbidden_family(from, to) == family;
  };
}

/// The valid transition of this place in the table is refused.
template <std::size_t index>
void refuse(service::ServiceOptions& options) {
  options.run_policy.allows = [](runs::Status from, runs::Status to) {
    const runs::Transition& refused = runs::transitions.at(index);
    return runs::is_defined(from, to) && !(from == refused.from && to == refused.to);
  };
}

/// The audit has no such events, and counts the others without them.
Intercept hides_audit_events(const std::function<bool(const Value& event)>& unwanted) {
  return alters_answers("GET /runs/*/audit", [unwanted](const service::Request&, Value& body) {
    List* events = list_at(body, "events");
    if (events == nullptr || events->empty()) return;
    std::int64_t sequence = events->front().find("sequence")->to_int64().value_or(1);
    std::erase_if(*events, unwanted);
    for (Value& event : *events) event.as_object()["sequence"] = sequence++;
  });
}

/// A forced failure has another error code, in the run and in its audit.
Intercept records_other_code() {
  const auto change = [](const service::Request&, Value& body) {
    const auto rename = [](Value& item) {
      replace_text(item, "error_code", "INVALID_STATE_TRANSITION", "INTERNAL_ERROR");
    };
    rename(body);
    if (Value* diagnostic = member(body, "diagnostic")) rename(*diagnostic);
    each_item(body, "events", [&](Value& event) {
      if (has_text(event, "outcome", "success")) rename(event);
    });
  };
  return alters_answers_on({"GET /runs/*", "GET /runs/*/audit"}, change);
}

/// A failure without a diagnostic is taken, and the run has none.
Intercept needs_no_diagnostic() {
  constexpr const char* route = "POST /runs/*/transitions";
  constexpr const char* none = "none was given";
  const Intercept without_stand_in =
      alters_answers_on({"GET /runs/*", route}, [](const service::Request&, Value& body) {
        const Value* diagnostic = body.find("diagnostic");
        if (diagnostic == nullptr || !has_text(*diagnostic, "message", none)) return;
        for (const char* name : {"diagnostic", "error_code", "retryable"}) {
          body.as_object()[name] = Value();
        }
      });
  return [=](service::Service& sound, const service::Request& request) {
    service::Reply reply = without_stand_in(sound, request);
    Value body = json_of(request.body);
    if (!is_on_route(request, route) || reply.status != 422 ||
        member(body, "diagnostic") != nullptr ||
        !has_text(json_of(reply.body), "code", "DIAGNOSTIC_REQUIRED")) {
      return reply;
    }
    body.as_object()["diagnostic"] = Object{
        {"error_code", none},    {"category", none},   {"message", none},    {"likely_cause", none},
        {"suggested_fix", none}, {"retryable", false}, {"severity", "error"}};
    return without_stand_in(sound, with_body(request, body));
  };
}

/// Refuses to lead a run to a status where the run and its audit are as `applies` says.
Intercept refuses_transition(
    const std::string& to,
    const std::function<bool(const Value& run, const List& audit)>& applies) {
  constexpr const char* route = "POST /runs/*/transitions";
  return [=](service::Service& sound, const service::Request& request) {
    if (!is_on_route(request, route)) return sound.handle(request);
    const std::string path = request.target.substr(0, request.target.rfind('/'));
    const Value run = ask(sound, path);
    Value page = ask(sound, path + "/audit?limit=1000");
    const List* audit = list_at(page, "events");
    const bool is_refused = run.is_object() && audit != nullptr && applies(run, *audit);
    return refuses(
        route,
        [&](const service::Request&, const Value& body) {
          return is_refused && has_text(body, "to", to);
        },
        409, "INVALID_STATE_TRANSITION")(sound, request);
  };
}

bool has_waited(const Value& /*run*/, const List& audit) {
  return std::any_of(audit.begin(), audit.end(),
                     [](const Value& event) { return has_text(event, "before_state", "waiting"); });
}

std::vector<Fault> table_faults() {
  return {
      {"refuses-created-to-running", "RUN-T1", "created to running is refused", refuse<0>},
      {"refuses-running-to-waiting", "RUN-T2", "running to waiting is refused", refuse<1>},
      {"refuses-waiting-to-running", "RUN-T3", "waiting to running is refused", refuse<2>},
      {"refuses-running-to-success", "RUN-T4", "running to success is refused", refuse<3>},
      {"refuses-running-to-failed", "RUN-T5", "running to failed is refused", refuse<4>},
      {"refuses-running-to-denied", "RUN-T6", "running to denied is refused", refuse<5>},
      {"refuses-running-to-timeout", "RUN-T7", "running to timeout is refused", refuse<6>},
      {"refuses-running-to-canceled", "RUN-T8", "running to canceled is refused", refuse<7>},
      {"refuses-waiting-to-canceled", "RUN-T9", "waiting to canceled is refused", refuse<8>},
      {"accepts-self-transitions", "RUN-NO-OTHER", "A status may lead to itself",
       accept<ForbiddenFamily::self_transition>},
      {"accepts-retry-in-place", "RUN-RETRY", "A failed run may go back to running",
       accept<ForbiddenFamily::retry_in_place>},
      {"accepts-leaving-terminal", "RUN-TERMINAL", "A terminal status may be left",
       accept<ForbiddenFamily::leaving_terminal>},
      {"accepts-skipping-start", "RUN-NO-OTHER", "created may lead to any status",
       accept<ForbiddenFamily::skipping_start>},
      {"accepts-ending-while-waiting", "RUN-NO-OTHER", "waiting may lead to success or a failure",
       accept<ForbiddenFamily::ending_while_waiting>},
      {"accepts-return-to-created", "RUN-NO-OTHER", "running and waiting may lead to created",
       accept<ForbiddenFamily::returning_to_created>},
  };
}

std::vector<Fault> second_time_faults() {
  return {
      {"retried-run-cannot-start", "RUN-T1", "A run that is a retry does not start",
       refuses_transition("running",
                          [](const Value& run, const List&) {
                            const Value* parent = run.find("parent_run_id");
                            return parent != nullptr && parent->is_string() &&
                                   has_text(run, "status", "created");
                          })},
      {"waits-once-only", "RUN-T2", "A run that has waited does not wait again",
       refuses_transition("waiting", has_waited)},
      {"resumes-once-only", "RUN-T3", "A run that was resumed is not resumed again",
       refuses_transition("running",
                          [](const Value& run, const List& audit) {
                            return has_text(run, "status", "waiting") && audit.size() > 2;
                          })},
      {"no-success-after-waiting", "RUN-T4", "A run that has waited does not succeed",
       refuses_transition("success", has_waited)},
      {"no-failure-after-waiting", "RUN-T5", "A run that has waited does not fail",
       refuses_transition("failed", has_waited)},
      {"denied-reads-failed", "RUN-T6", "A denied run is shown as failed",
       alters_answers("GET /runs/*",
                      [](const service::Request&, Value& body) {
                        replace_text(body, "status", "denied", "failed");
                      })},
      {"no-timeout-after-waiting", "RUN-T7", "A run that has waited does not time out",
       refuses_transition("timeout", has_waited)},
      {"no-cancel-after-waiting", "RUN-T8", "A run that has waited is not canceled while running",
       refuses_transition("canceled",
                          [](const Value& run, const List& audit) {
                            return has_text(run, "status", "running") && has_waited(run, audit);
                          })},
      {"second-wait-cannot-be-canceled", "RUN-T9",
       "A run is not canceled while it waits for the second time",
       refuses_transition("canceled",
                          [](const Value& run, const List& audit) {
                            return has_text(run, "status", "waiting") && audit.size() > 2;
                          })},
  };
}

/// The intercept, but only for runs that were made with that run_kind.
Intercept for_kind(const std::string& kind, const Intercept& intercept) {
  return [=, runs = std::make_shared<Memory>()](service::Service& sound,
                                                const service::Request& request) {
    const std::string path = request.target.substr(0, request.target.find_first_of("/?", 6));
    if (runs->has(path)) return intercept(sound, request);
    service::Reply reply = sound.handle(request);
    if (is_on_route(request, "POST /runs") && has_text(json_of(request.body), "run_kind", kind)) {
      runs->keep("/runs/" + text_of(json_of(reply.body), "run_id"));
    }
    return reply;
  };
}

std::vector<Fault> rule_faults() {
  return {
      {"invalid-attempt-fails-terminal-run", "RUN-TERMINAL",
       "An undefined transition marks a terminal run as failed",
       [](service::ServiceOptions& options) {
         options.run_policy.on_terminal = runs::InvalidAttempt::fails_run;
       }},
      {"no-audit-on-transition", "RUN-AUDIT", "A transition writes no audit event",
       hides_audit_events([](const Value& event) {
         return has_text(event, "outcome", "success") &&
                !has_text(event, "error_code", "INVALID_STATE_TRANSITION");
       })},
      {"no-audit-on-refusal", "RUN-INVALID-AUDIT", "A refused transition writes no audit event",
       hides_audit_events([](const Value& event) { return has_text(event, "outcome", "deny"); })},
      {"refusal-leaves-the-run", "RUN-INVALID-FAIL",
       "An undefined transition leaves the run as it was",
       [](service::ServiceOptions& options) {
         options.run_policy.on_open = runs::InvalidAttempt::keeps_run;
       }},
      {"refusal-has-another-code", "RUN-INVALID-CODE",
       "An undefined transition records another error code", records_other_code()},
      {"diagnostic-not-required", "RUN-DIAG", "A run fails without a diagnostic",
       needs_no_diagnostic()},
      {"retry-reuses-id", "RUN-RETRY", "A retry has the id of the first run",
       alters_answers("POST /runs/*/retry",
                      [](const service::Request&, Value& body) {
                        body.as_object()["run_id"] = text_of(body, "parent_run_id");
                      })},
      {"orchestrator-ignores-retryable", "RUN-ORCH", "The next action does not follow retryable",
       alters_answers("GET /runs/*/next-action",
                      [](const service::Request&, Value& body) {
                        const Value* status = body.at_pointer("/because/status");
                        if (status == nullptr || *status == Value("denied")) return;
                        replace_text(body, "action", "escalate", "retry");
                      })},
  };
}

std::vector<Fault> kind_and_start_faults() {
  return {
      {"runs-of-a-kind-cannot-wait", "RUN-KINDS", "A run of kind tool does not wait",
       [] {
         return for_kind(
             "tool", refuses_transition("waiting", [](const Value&, const List&) { return true; }));
       }},
      {"runs-of-a-kind-need-no-diagnostic", "RUN-KINDS",
       "A run of kind workflow fails without a diagnostic",
       [] { return for_kind("workflow", needs_no_diagnostic()); }},
      {"runs-of-a-kind-read-done", "RUN-KINDS",
       "A run of kind agent that succeeded is shown as done",
       [] {
         return for_kind("agent",
                         alters_answers("GET /runs/*", [](const service::Request&, Value& body) {
                           replace_text(body, "status", "success", "done");
                         }));
       }},
      {"created-run-has-started", "RUN-DEF-CREATED", "started_at of a created run is its creation",
       alters_answers("GET /runs/*",
                      [](const service::Request&, Value& body) {
                        if (!has_text(body, "status", "created")) return;
                        body.as_object()["started_at"] = text_of(body, "created_at");
                      })},
      {"created-run-reads-running", "RUN-DEF-CREATED", "A created run is shown as running",
       alters_answers("GET /runs/*",
                      [](const service::Request&, Value& body) {
                        replace_text(body, "status", "created", "running");
                      })},
      {"retry-keeps-the-start", "RUN-DEF-CREATED", "A retry has started_at before it runs",
       alters_answers("GET /runs/*",
                      [](const service::Request&, Value& body) {
                        const Value* parent = body.find("parent_run_id");
                        if (parent == nullptr || !parent->is_string()) return;
                        if (!has_text(body, "status", "created")) return;
                        body.as_object()["started_at"] = text_of(body, "created_at");
                      })},
      {"undefined-transition-answers-200", "RUN-INVALID-REJECT",
       "An undefined transition is answered as if it were made",
       [](service::Service& sound, const service::Request& request) {
         service::Reply reply = sound.handle(request);
         if (is_on_route(request, "POST /runs/*/transitions") && reply.status == 409) {
           reply.status = 200;
         }
         return reply;
       }},
  };
}

std::vector<Fault> record_faults() {
  return {
      {"canceled-spelt-with-two-l", "RUN-STATUSES", "canceled is spelt cancelled",
       alters_answers("GET /runs/*",
                      [](const service::Request&, Value& body) {
                        replace_text(body, "status", "canceled", "cancelled");
                      })},
      {"timeout-in-upper-case", "RUN-STATUSES", "timeout is written TIMEOUT",
       alters_answers("GET /runs/*",
                      [](const service::Request&, Value& body) {
                        replace_text(body, "status", "timeout", "TIMEOUT");
                      })},
      {"diagnostic-is-not-kept", "RUN-DIAG", "The diagnostic of a timed out run is not kept",
       alters_answers("GET /runs/*",
                      [](const service::Request&, Value& body) {
                        if (has_text(body, "status", "timeout")) {
                          body.as_object()["diagnostic"] = Value();
                        }
                      })},
      {"audit-lists-only-success", "RUN-INVALID-AUDIT", "Refusals are not listed in the audit",
       alters_answers("GET /runs/*/audit",
                      [](const service::Request&, Value& body) {
                        remove_items(body, "events", [](const Value& event) {
                          return has_text(event, "outcome", "deny");
                        });
                      })},
      {"audit-loses-the-third", "RUN-AUDIT", "The third audit event of a run is lost",
       alters_answers("GET /runs/*/audit",
                      [](const service::Request&, Value& body) {
                        remove_items(body, "events", [](const Value& event) {
                          const Value* sequence = event.find("sequence");
                          return sequence != nullptr && *sequence == Value(3);
                        });
                      })},
  };
}

std::vector<Fault> answer_faults() {
  return {
      {"forced-failure-lacks-code", "RUN-INVALID-CODE",
       "A run that an undefined transition failed has no error_code",
       alters_answers("GET /runs/*",
                      [](const service::Request&, Value& body) {
                        replace_text(body, "error_code", "INVALID_STATE_TRANSITION", "UNKNOWN");
                      })},
      {"denied-is-retried", "RUN-ORCH", "The next action of a denied run is retry",
       alters_answers("GET /runs/*/next-action",
                      [](const service::Request&, Value& body) {
                        Value* because = member(body, "because");
                        if (because != nullptr && has_text(*because, "status", "denied")) {
                          body.as_object()["action"] = "retry";
                        }
                      })},
      {"forced-failure-reads-denied", "RUN-INVALID-FAIL",
       "A run that an undefined transition failed is shown as denied",
       alters_answers("GET /runs/*",
                      [](const service::Request&, Value& body) {
                        if (has_text(body, "error_code", "INVALID_STATE_TRANSITION")) {
                          replace_text(body, "status", "failed", "denied");
                        }
                      })},
      {"denial-of-the-ended-answers-200", "RUN-INVALID-REJECT",
       "A transition out of a terminal status is answered as if it were made",
       [](service::Service& sound, const service::Request& request) {
         constexpr std::string_view kept = "\"error_code\":\"INVALID_STATE_TRANSITION\"";
         service::Reply reply = sound.handle(request);
         if (is_on_route(request, "POST /runs/*/transitions") && reply.status == 409 &&
             reply.body.find(kept) == std::string::npos) {
           reply.status = 200;
         }
         return reply;
       }},
      {"retry-forgets-its-root", "RUN-RETRY", "A retry of a retry has its parent as its root",
       alters_answers("GET /runs/*",
                      [](const service::Request&, Value& run) {
                        const Value* parent = run.find("parent_run_id");
                        if (parent != nullptr && parent->is_string()) {
                          const Value root = *parent;
                          run.as_object()["root_run_id"] = root;
                        }
                      })},
  };
}

}  // namespace

std::vector<Fault> run_faults() {
  std::vector<Fault> all;
  for (const auto family : {table_faults, second_time_faults, rule_faults, kind_and_start_faults,
                            record_faults, answer_faults}) {
    const std::vector<Fault> some = family();
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

}  // namespace assay::faults
