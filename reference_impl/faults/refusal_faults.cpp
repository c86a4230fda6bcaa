#include <string>
#include <vector>

#include "reference_impl/faults/families.h"
#include "reference_impl/faults/log_reading.h"
#include "reference_impl/faults/moments.h"
#include "reference_impl/faults/rewriting.h"

namespace assay::faults {
namespace {

constexpr std::size_t longest_id_bytes = 256;

bool always(const service::Request& /*request*/, const Value& /*body*/) { return true; }

/// Refuses a body that has the member, whatever its value.
Intercept refuses_member(std::string route, const std::string& pointer) {
  return refuses(
      std::move(route),
      [pointer](const service::Request&, const Value& body) {
        const Value* found = body.at_pointer(pointer);
        return found != nullptr && !found->is_null();
      },
      422, "UNKNOWN_FIELD");
}

/// Refuses a request on the route by what the sound service answers to a GET on `target`.
Intercept refuses_when(const std::string& route, const std::string& target,
                       const std::function<bool(const Value& answer)>& applies, int status) {
  return [=](service::Service& sound, const service::Request& request) {
    if (!is_on_route(request, route) || !applies(ask(sound, execution_path(request) + target))) {
      return sound.handle(request);
    }
    return refuses(route, always, status, "NOT_NOW")(sound, request);
  };
}

bool has_ended(const Value& status) {
  const Value* ended = status.find("ended_at");
  return ended != nullptr && !ended->is_null();
}

/// Answers 422 where the query has that text.
Intercept refuses_query(std::string route, const std::string& text) {
  return refuses(
      std::move(route),
      [text](const service::Request& request, const Value&) {
        return request.target.find(text) != std::string::npos;
      },
      422, "BAD_QUERY");
}

bool has_step_with(const Value& body, const std::function<bool(const Value& step)>& holds) {
  const Value* workflow = body.at_pointer("/playbook/workflow");
  if (workflow == nullptr || !workflow->is_list()) return false;
  for (const Value& step : workflow->as_list()) {
    if (holds(step)) return true;
  }
  return false;
}

Intercept refuses_playbooks(const std::function<bool(const Value& step)>& holds) {
  return refuses(
      "POST /executions",
      [holds](const service::Request&, const Value& body) { return has_step_with(body, holds); },
      422, "BAD_PLAYBOOK");
}

std::vector<Fault> playbook_faults() {
  return {
      {"keychain-refused", "RTE-ROOT", "A playbook with a keychain is refused",
       refuses_member("POST /executions", "/playbook/keychain")},
      {"workbook-refused", "RTE-ROOT", "A playbook with a workbook is refused",
       refuses_member("POST /executions", "/playbook/workbook")},
      {"foreign-root-key-refused", "RTE-ROOT", "A playbook with apiVersion is refused",
       refuses_member("POST /executions", "/playbook/apiVersion")},
      {"yaml-text-refused", "RTE-ROOT", "A playbook that is a text of YAML is refused",
       refuses(
           "POST /executions",
           [](const service::Request&, const Value& body) {
             const Value* playbook = body.find("playbook");
             return playbook != nullptr && playbook->is_string();
           },
           422, "BAD_PLAYBOOK")},
      {"reserved-name-end", "RTE-NAMES", "A playbook with a step named end is refused",
       refuses_playbooks([](const Value& step) { return has_text(step, "step", "end"); })},
      {"start-step-is-required", "RTE-NAMES", "A playbook without a step named start is refused",
       refuses(
           "POST /executions",
           [](const service::Request&, const Value& body) {
             return body.at_pointer("/playbook/workflow/0") != nullptr &&
                    !has_step_with(
                        body, [](const Value& step) { return has_text(step, "step", "start"); });
           },
           422, "NO_START")},
      {"noop-refused", "RTE-NOOP", "A step of kind noop is refused",
       refuses_playbooks([](const Value& step) {
         const Value* kind = step.at_pointer("/tool/kind");
         return kind != nullptr && *kind == Value("noop");
       })},
      {"later-noop-refused", "RTE-NOOP", "A step of kind noop is refused behind another step",
       refuses(
           "POST /executions",
           [](const service::Request&, const Value& body) {
             const Value* kind = body.at_pointer("/playbook/workflow/1/tool/kind");
             return kind != nullptr && *kind == Value("noop");
           },
           422, "BAD_PLAYBOOK")},
      {"large-args-of-a-token-refused", "RTE-ARGS-SMALL",
       "An arc whose args hold a reference is refused", refuses_playbooks([](const Value& step) {
         return step.at_pointer("/next/arcs/0/args/result_ref") != nullptr;
       })},
  };
}

std::vector<Fault> event_faults_of_refusal() {
  return {
      {"refuses-after-the-end", "EVT-LOG-1", "An ended execution takes no more events",
       refuses_when(post_route, "/status", has_ended, 409)},
      {"other-vocabulary-refused", "API-VALID",
       "A status-matrix execution refuses names of specification 001",
       [](service::Service& sound, const service::Request& request) {
         const bool is_of_seed_001 = request.body.find("\"playbook.started\"") != std::string::npos;
         if (!is_on_route(request, post_route) || !is_of_seed_001 ||
             !has_text(ask(sound, execution_path(request)), "vocabulary", "status-matrix")) {
           return sound.handle(request);
         }
         return refuses(post_route, always, 422, "OTHER_VOCABULARY")(sound, request);
       }},
      {"batch-of-one-refused", "API-ATOMIC", "A batch of one event is refused",
       refuses(
           "POST /executions/*/events/batch",
           [](const service::Request&, const Value& body) {
             return body.at_pointer("/events/0") != nullptr &&
                    body.at_pointer("/events/1") == nullptr;
           },
           422, "TOO_FEW")},
      {"repeated-execution-id-refused", "EVT-ENV-EXEC",
       "An event that repeats its execution's id is refused",
       refuses_member(post_route, "/execution_id")},
      {"body-limit-is-one-low", "API-VALID", "An event of exactly the limit's size is refused",
       [](service::ServiceOptions& options) { --options.limits.max_event_bytes; }},
      {"batch-limit-is-one-low", "API-VALID", "A batch of exactly the limit's size is refused",
       [](service::ServiceOptions& options) { --options.limits.max_batch_bytes; }},
  };
}

std::vector<Fault> execution_refusals() {
  return {
      {"longest-id-is-refused", "API-IDS", "An execution id of 256 bytes is refused",
       refuses(
           "POST /executions",
           [](const service::Request&, const Value& body) {
             return text_of(body, "execution_id").size() == longest_id_bytes;
           },
           422, "BAD_ID")},
      {"replay-with-workload-refused", "API-VALID", "A workload without a playbook is refused",
       refuses(
           "POST /executions",
           [](const service::Request&, const Value& body) {
             return body.find("workload") != nullptr && body.find("playbook") == nullptr;
           },
           422, "NO_PLAYBOOK")},
      {"vocabulary-refused", "API-VALID", "A start that names its vocabulary is refused",
       refuses_member("POST /executions", "/vocabulary")},
      {"cancel-with-reason-refused", "API-CANCEL", "A cancel with a reason is refused",
       refuses_member("POST /executions/*/cancel", "/reason")},
      {"second-cancel-refused", "API-CANCEL", "Cancelling an ended execution is a conflict",
       refuses_when("POST /executions/*/cancel", "/status", has_ended, 409)},
      {"ctx-after-the-end-refused", "API-VALID", "An ended execution takes no patch of ctx",
       refuses_when("POST /executions/*/ctx", "/status", has_ended, 409)},
      {"ctx-of-a-replay-refused", "API-VALID", "A replay takes no patch of ctx",
       refuses_when(
           "POST /executions/*/ctx", "/status",
           [](const Value& status) { return has_text(status, "state", "PENDING"); }, 409)},
      {"empty-patch-refused", "API-VALID", "An empty patch of ctx is refused",
       refuses(
           "POST /executions/*/ctx",
           [](const service::Request&, const Value& body) {
             const Value* patch = body.find("patch");
             return patch != nullptr && patch->is_object() && patch->as_object().empty();
           },
           422, "EMPTY")},
      {"evict-of-the-ended-refused", "STM-API-INFER", "An ended execution is not evicted",
       [](service::Service& sound, const service::Request& request) {
         const bool is_evict = is_on_route(request, "POST /control/evict");
         const std::size_t at = request.body.find("execution_id\":\"");
         if (!is_evict || at == std::string::npos) return sound.handle(request);
         const std::size_t begin = at + std::string_view("execution_id\":\"").size();
         const std::string id = request.body.substr(begin, request.body.find('"', begin) - begin);
         if (!has_ended(ask(sound, "/executions/" + id + "/status"))) return sound.handle(request);
         return refuses("POST /control/evict", always, 409, "ENDED")(sound, request);
       }},
      {"clock-of-zero-refused", "API-CLOCK", "A clock that moves by nothing is refused",
       refuses(
           "POST /control/clock",
           [](const service::Request&, const Value& body) {
             const Value* by = body.find("advance_ms");
             return by != nullptr && *by == Value(0);
           },
           422, "NOTHING_TO_DO")},
      {"marking-of-a-replay-refused", "API-DETAIL", "A replay has no marking",
       refuses_when(
           "GET /executions/*/marking", "/status",
           [](const Value& status) { return has_text(status, "state", "PENDING"); }, 409)},
      {"variables-of-a-replay-refused", "STM-API-VIEW", "A PENDING execution has no variables",
       refuses_when(
           "GET /executions/*/variables", "/status",
           [](const Value& status) { return has_text(status, "state", "PENDING"); }, 409)},
  };
}

std::vector<Fault> list_faults() {
  return {
      {"largest-limit-refused", "API-PAGING", "A limit of 1000 is refused",
       refuses_query(log_route, "limit=1000")},
      {"largest-limit-of-executions-refused", "API-PAGING",
       "A limit of 1000 is refused in the list of executions",
       refuses_query("GET /executions", "limit=1000")},
      {"largest-limit-of-runs-refused", "API-PAGING",
       "A limit of 1000 is refused in the list of runs", refuses_query("GET /runs", "limit=1000")},
      {"largest-limit-of-jobs-refused", "API-PAGING",
       "A limit of 1000 is refused in the list of jobs",
       refuses_query("GET /blackboard/jobs", "limit=1000")},
      {"filter-by-pending-refused", "API-FILTER", "The state filter does not know PENDING",
       refuses_query("GET /executions", "state=PENDING")},
      {"filter-by-two-refused", "EVT-IDX-1", "Two filters of events at once are refused",
       refuses(
           log_route,
           [](const service::Request& request, const Value&) {
             return !query_parameter(request, "event_type").empty() &&
                    !query_parameter(request, "entity_id").empty();
           },
           422, "BAD_QUERY")},
  };
}

std::vector<Fault> lifecycle_faults_of_refusal() {
  return {
      {"acquiring-block-refused", "WFX-DISC-JOBS", "A function block that acquires is refused",
       refuses_member("POST /function-blocks", "/acquires")},
      {"same-block-again-refused", "API-CONFLICT",
       "Registering the same function block again is a conflict",
       [](service::Service& sound, const service::Request& request) {
         service::Reply reply = sound.handle(request);
         if (is_on_route(request, "POST /function-blocks") && reply.status == 200) {
           return refuses("POST /function-blocks", always, 409, "EXISTS")(sound, request);
         }
         return reply;
       }},
      {"conditional-definition-refused", "WFX-NEW-VALID",
       "A definition with a condition is refused",
       refuses_member("POST /workflow-definitions", "/steps/1/condition")},
      {"parameters-refused", "WFX-NEW-VALID", "An execution with parameters is refused",
       refuses_member("POST /workflow-execution", "/parameters")},
      {"abort-of-the-ended-refused", "WFX-API-ABORT", "Aborting an ended execution is a conflict",
       [](service::Service& sound, const service::Request& request) {
         constexpr const char* route = "DELETE /workflow-execution/*";
         if (!is_on_route(request, route)) return sound.handle(request);
         const std::string id = request.target.substr(request.target.rfind('/') + 1);
         const Value* outcome = nullptr;
         const Value detail = ask(sound, "/workflow-execution/id/" + id);
         outcome = detail.find("outcome");
         if (outcome == nullptr || outcome->is_null()) return sound.handle(request);
         return refuses(route, always, 409, "ENDED")(sound, request);
       }},
      {"failed-result-refused", "WFX-RUN-ERR", "A result with success false is refused",
       refuses(
           "POST /blackboard/jobs/*/result",
           [](const service::Request&, const Value& body) {
             const Value* success = body.find("success");
             return success != nullptr && *success == Value(false);
           },
           422, "NO_SUCCESS")},
      {"result-with-data-refused", "WFX-PROGRESS", "A result with data is refused",
       refuses_member("POST /blackboard/jobs/*/result", "/data")},
      {"poll-without-work-is-404", "WFX-PROGRESS", "A poll is 404 where no job is pending",
       [](service::Service& sound, const service::Request& request) {
         service::Reply reply = sound.handle(request);
         if (is_on_route(request, "POST /blackboard/jobs/poll") && reply.status == 204) {
           return refuses("POST /blackboard/jobs/poll", always, 404, "NO_JOB")(sound, request);
         }
         return reply;
       }},
      {"acknowledgement-of-unsafe-refused", "WFX-TERMINAL",
       "A FAILED_UNSAFE execution is not acknowledged",
       [](service::Service& sound, const service::Request& request) {
         constexpr const char* route = "POST /workflow-execution/*/ack";
         if (!is_on_route(request, route)) return sound.handle(request);
         const std::string above = request.target.substr(0, request.target.rfind('/'));
         const std::string id = above.substr(above.rfind('/') + 1);
         const Value detail = ask(sound, "/workflow-execution/id/" + id);
         if (!has_text(detail, "status", "FAILED_UNSAFE")) return sound.handle(request);
         return refuses(route, always, 409, "UNSAFE")(sound, request);
       }},
      {"lock-service-as-it-is-refused", "API-VALID",
       "A lock service that is available cannot be told so again",
       refuses(
           "POST /control/lock-service",
           [](const service::Request&, const Value& body) {
             const Value* available = body.find("available");
             return available != nullptr && *available == Value(true);
           },
           409, "AS_IT_IS")},
  };
}

std::vector<Fault> run_faults_of_refusal() {
  return {
      {"run-kind-refused", "API-VALID", "A run that names its kind is refused",
       refuses_member("POST /runs", "/run_kind")},
      {"run-without-body-refused", "API-VALID", "A run without a body is refused",
       refuses(
           "POST /runs",
           [](const service::Request& request, const Value&) { return request.body.empty(); }, 422,
           "NO_BODY")},
      {"longest-run-id-is-refused", "API-IDS", "A run id of 256 bytes is refused",
       refuses(
           "POST /runs",
           [](const service::Request&, const Value& body) {
             return text_of(body, "run_id").size() == longest_id_bytes;
           },
           422, "BAD_ID")},
      {"transition-with-reason-refused", "API-VALID", "A transition with a reason is refused",
       refuses_member("POST /runs/*/transitions", "/reason")},
      {"retry-of-timeout-refused", "RUN-RETRY", "A timed out run cannot be retried",
       [](service::Service& sound, const service::Request& request) {
         constexpr const char* route = "POST /runs/*/retry";
         if (!is_on_route(request, route)) return sound.handle(request);
         const std::string run = request.target.substr(0, request.target.rfind('/'));
         if (!has_text(ask(sound, run), "status", "timeout")) return sound.handle(request);
         return refuses(route, always, 409, "NOT_RETRYABLE")(sound, request);
       }},
      {"second-retry-refused", "RUN-RETRY", "A run can be retried once only",
       [] { return refuses_second("POST /runs/*/retry", 409, "RETRIED"); }},
      {"second-audit-page-refused", "RUN-AUDIT", "An audit can be read once only",
       [] { return refuses_second("GET /runs/*/audit", 409, "READ"); }},
  };
}

}  // namespace

std::vector<Fault> refusal_faults() {
  std::vector<Fault> all;
  for (const auto family : {playbook_faults, event_faults_of_refusal, execution_refusals,
                            list_faults, lifecycle_faults_of_refusal, run_faults_of_refusal}) {
    const std::vector<Fault> some = family();
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

}  // namespace assay::faults
