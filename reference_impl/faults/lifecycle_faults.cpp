#include <algorithm>
#include <utility>

#include "reference_impl/faults/families.h"
#include "reference_impl/faults/log_reading.h"
#include "reference_impl/faults/rewriting.h"
#include "reference_impl/faults/switches.h"

namespace assay::faults {
namespace {

using lifecycle::State;

constexpr const char* get_route = "GET /workflow-execution/id/*";

/// The execution passes through a state without ever being shown in it.
template <State state>
void omit(service::ServiceOptions& options) {
  options.lifecycle_deviations.omitted_state = state;
}

std::vector<Fault> omission_faults() {
  return {
      {"omits-new", "WFX-INIT", "An execution is never shown as NEW", omit<State::new_execution>},
      {"omits-valid", "WFX-NEW-VALID", "An execution is never shown as VALID", omit<State::valid>},
      {"omits-ready", "WFX-VALID-READY", "An execution is never shown as READY",
       omit<State::ready>},
      {"omits-resource-discovery", "WFX-READY-DISC",
       "An execution is never shown as RESOURCE_DISCOVERY", omit<State::resource_discovery>},
      {"omits-resources-discovered", "WFX-DISC-DONE",
       "An execution is never shown as RESOURCES_DISCOVERED", omit<State::resources_discovered>},
      {"omits-scheduled", "WFX-DISC-SCHED", "An execution is never shown as SCHEDULED",
       omit<State::scheduled>},
      {"omits-locking", "WFX-SCHED-LOCKING", "An execution is never shown as LOCKING",
       omit<State::locking>},
      {"omits-locked", "WFX-LOCK-OK", "An execution is never shown as LOCKED", omit<State::locked>},
      {"omits-running", "WFX-LOCKED-RUN", "An execution is never shown as RUNNING",
       omit<State::running>},
      {"omits-error", "WFX-RUN-ERR", "An execution is never shown as ERROR", omit<State::error>},
  };
}

Intercept changes_history(const std::function<void(List& history)>& change) {
  return alters_answers(get_route, [change](const service::Request&, Value& body) {
    if (List* history = list_at(body, "history")) change(*history);
  });
}

/// Two states that follow each other change places in the history.
Intercept swaps_in_history(const std::string& first, const std::string& second) {
  return changes_history([=](List& history) {
    for (std::size_t at = 1; at < history.size(); ++at) {
      if (has_text(history[at - 1], "status", first) && has_text(history[at], "status", second)) {
        std::swap(history[at - 1], history[at]);
      }
    }
  });
}

/// A state is not in the history of an execution that needs no entity.
Intercept skips_without_entities(const std::string& state) {
  return alters_answers(get_route, [state](const service::Request&, Value& body) {
    const List* entities = list_at(body, "entities");
    if (entities == nullptr || !entities->empty()) return;
    remove_items(body, "history",
                 [&](const Value& entry) { return has_text(entry, "status", state); });
  });
}

std::vector<Fault> engine_faults() {
  return {
      {"unknown-block-accepted", "WFX-NEW-FAIL", "An unknown function block does not fail",
       switch_on<&lifecycle::Deviations::unknown_block_accepted>},
      {"acquire-jobs-missing", "WFX-DISC-JOBS", "No ACQUIRE jobs are made",
       switch_on<&lifecycle::Deviations::acquire_jobs_missing>},
      {"discovery-ends-early", "WFX-DISC-DONE",
       "Discovery ends with the first ACQUIRE job's result",
       switch_on<&lifecycle::Deviations::discovery_ends_with_first_result>},
      {"failed-acquire-ignored", "WFX-DISC-DONE", "A failed ACQUIRE job is taken for a success",
       switch_on<&lifecycle::Deviations::failed_acquire_ignored>},
      {"lock-given-to-two", "WFX-LOCK-EXCL", "Two executions lock one entity",
       switch_on<&lifecycle::Deviations::lock_given_to_two>},
      {"lock-failure-ignored", "WFX-LOCK-FAIL", "A failed lock request is taken for a success",
       switch_on<&lifecycle::Deviations::lock_failure_ignored>},
      {"lock-kept-after-completion", "WFX-DONE-RELEASE", "COMPLETED keeps its locks",
       switch_on<&lifecycle::Deviations::lock_kept_after_completion>},
      {"lock-kept-after-failure", "WFX-LOCK-EXCL", "A failed execution keeps its locks",
       switch_on<&lifecycle::Deviations::lock_kept_after_failure>},
      {"lock-kept-after-abort", "WFX-API-ABORT", "An aborted execution keeps its locks",
       switch_on<&lifecycle::Deviations::lock_kept_after_abort>},
      {"step-failure-ignored", "WFX-RUN-ERR", "A failed step is taken for a success",
       switch_on<&lifecycle::Deviations::step_failure_ignored>},
      {"completes-after-first-step", "WFX-RUN-DONE", "The execution completes after its first step",
       switch_on<&lifecycle::Deviations::completes_after_first_step>},
      {"impure-failure-called-safe", "WFX-ERR-UNSAFE",
       "A failure after an impure step ends FAILED_SAFE",
       switch_on<&lifecycle::Deviations::impure_failure_called_safe>},
      {"pure-failure-called-unsafe", "WFX-ERR-SAFE",
       "A failure after pure steps only ends FAILED_UNSAFE",
       switch_on<&lifecycle::Deviations::pure_failure_called_unsafe>},
      {"skipped-step-taints", "WFX-ERR-SAFE", "An impure step that was skipped counts as executed",
       switch_on<&lifecycle::Deviations::skipped_impure_step_taints>},
      {"abort-leaves-jobs", "WFX-API-ABORT", "Jobs of an aborted execution are still handed out",
       switch_on<&lifecycle::Deviations::abort_leaves_jobs>},
      {"abort-reopens-outcome", "WFX-TERMINAL", "An ended execution can be aborted",
       switch_on<&lifecycle::Deviations::abort_reopens_outcome>},
      {"late-result-changes-outcome", "WFX-TERMINAL", "A late result changes the outcome",
       switch_on<&lifecycle::Deviations::late_result_changes_outcome>},
      {"acknowledgement-crosses", "WFX-TERMINAL",
       "An acknowledgement leads to that of another outcome",
       switch_on<&lifecycle::Deviations::acknowledgement_crosses_outcomes>},
      {"job-handed-to-two", "WFX-PROGRESS", "One job is handed to two workers",
       switch_on<&lifecycle::Deviations::job_handed_to_two_workers>},
      {"stuck-job-never-fails", "WFX-STUCK", "A stuck job is never failed",
       switch_on<&lifecycle::Deviations::stuck_job_never_fails>},
      {"ended-listed-active", "WFX-API-ACTIVE", "Ended executions are listed as active",
       switch_on<&lifecycle::Deviations::ended_executions_listed_active>},
  };
}

std::vector<Fault> monitoring_faults() {
  return {
      {"stuck-a-second-early", "WFX-STUCK", "A job fails a second before its timeout",
       [](service::ServiceOptions& options) { options.job_timeout_ms -= 1'000; }},
      {"stuck-a-minute-late", "WFX-STUCK", "A job fails a minute after its timeout",
       [](service::ServiceOptions& options) { options.job_timeout_ms += 60'000; }},
      {"total-counts-completed-only", "WFX-PROGRESS", "jobs.total counts the completed jobs only",
       nullptr,
       alters_answers(get_route,
                      [](const service::Request&, Value& body) {
                        Value* jobs = member(body, "jobs");
                        if (jobs == nullptr || jobs->find("completed") == nullptr) return;
                        const Value completed = *jobs->find("completed");
                        jobs->as_object()["total"] = completed;
                      })},
      {"detail-is-of-no-one", "WFX-API-ID", "The detail of an execution has no uuid", nullptr,
       alters_answers(get_route, [](const service::Request&,
                                    Value& body) { body.as_object().erase("uuid"); })},
      {"state-list-is-empty", "WFX-API-STATE", "The list of a state is empty", nullptr,
       alters_answers("GET /workflow-execution/state/*",
                      [](const service::Request&, Value& body) {
                        remove_items(body, "executions", [](const Value&) { return true; });
                      })},
      {"active-list-is-empty", "WFX-API-ACTIVE", "The list of active executions is empty", nullptr,
       alters_answers("GET /workflow-execution/active",
                      [](const service::Request&, Value& body) {
                        remove_items(body, "executions", [](const Value&) { return true; });
                      })},
      {"failed-safe-has-another-name", "WFX-STATES", "FAILED_SAFE is written FAILED", nullptr,
       alters_answers(get_route,
                      [](const service::Request&, Value& body) {
                        replace_text(body, "status", "FAILED_SAFE", "FAILED");
                      })},
      {"waiting-shown-as-blocked", "WFX-SCHED-WAIT",
       "An execution that waits for a lock is shown as BLOCKED_WAITING", nullptr,
       alters_answers(get_route,
                      [](const service::Request&, Value& body) {
                        replace_text(body, "status", "SCHEDULED", "BLOCKED_WAITING");
                      })},
      {"completed-is-acknowledged-at-once", "WFX-RUN-DONE",
       "A completed execution is shown as COMPLETED_ACK", nullptr,
       alters_answers(get_route,
                      [](const service::Request&, Value& body) {
                        replace_text(body, "status", "COMPLETED", "COMPLETED_ACK");
                      })},
  };
}

std::vector<Fault> history_faults() {
  return {
      {"new-is-called-created", "WFX-INIT", "The history begins with CREATED instead of NEW",
       nullptr, changes_history([](List& history) {
         for (Value& entry : history) replace_text(entry, "status", "NEW", "CREATED");
       })},
      {"validated-twice", "WFX-NEW-VALID", "VALID is in the history twice", nullptr,
       changes_history([](List& history) {
         for (std::size_t at = 0; at < history.size(); ++at) {
           if (!has_text(history[at], "status", "VALID")) continue;
           const Value twin = history[at];
           history.push_back(twin);
           return;
         }
       })},
      {"ready-before-valid", "WFX-VALID-READY", "READY is in the history before VALID", nullptr,
       swaps_in_history("VALID", "READY")},
      {"no-entities-skip-discovery", "WFX-READY-DISC",
       "Without entities RESOURCE_DISCOVERY is left out", nullptr,
       skips_without_entities("RESOURCE_DISCOVERY")},
      {"no-entities-skip-scheduling", "WFX-DISC-SCHED", "Without entities SCHEDULED is left out",
       nullptr, skips_without_entities("SCHEDULED")},
      {"no-entities-skip-locking", "WFX-LOCK-OK", "Without entities LOCKED is left out", nullptr,
       skips_without_entities("LOCKED")},
      {"runs-before-it-is-locked", "WFX-LOCKED-RUN", "RUNNING is in the history before LOCKED",
       nullptr, swaps_in_history("LOCKED", "RUNNING")},
      {"unsafe-has-another-name", "WFX-STATES", "FAILED_UNSAFE is written FAILED", nullptr,
       alters_answers(get_route,
                      [](const service::Request&, Value& body) {
                        replace_text(body, "status", "FAILED_UNSAFE", "FAILED");
                      })},
      {"waiting-shown-as-locking", "WFX-SCHED-WAIT",
       "An execution that waits for a lock is shown as LOCKING", nullptr,
       alters_answers(get_route,
                      [](const service::Request&, Value& body) {
                        replace_text(body, "status", "SCHEDULED", "LOCKING");
                      })},
      {"lock-failure-is-unsafe", "WFX-LOCK-FAIL",
       "A failed lock request ends FAILED_UNSAFE where the function block is impure", nullptr,
       alters_answers(get_route,
                      [](const service::Request&, Value& body) {
                        const List* history = list_at(body, "history");
                        const auto has = [&](std::string_view state) {
                          return history != nullptr &&
                                 std::any_of(history->begin(), history->end(),
                                             [&](const Value& entry) {
                                               return has_text(entry, "status", state);
                                             });
                        };
                        if (!has("LOCKING") || has("LOCKED")) return;
                        replace_text(body, "status", "FAILED_SAFE", "FAILED_UNSAFE");
                      })},
      {"unsafe-in-the-first-step-only", "WFX-ERR-UNSAFE",
       "A failure is FAILED_UNSAFE only where one job was executed", nullptr,
       alters_answers(get_route,
                      [](const service::Request&, Value& body) {
                        const Value* total = body.at_pointer("/jobs/total");
                        if (total != nullptr && *total != Value(1)) {
                          replace_text(body, "status", "FAILED_UNSAFE", "FAILED_SAFE");
                        }
                      })},
      {"locking-before-scheduled", "WFX-SCHED-LOCKING",
       "LOCKING is in the history before SCHEDULED", nullptr,
       swaps_in_history("SCHEDULED", "LOCKING")},
  };
}

std::vector<Fault> lookup_faults() {
  return {
      {"block-entities-make-no-job", "WFX-DISC-JOBS",
       "What a function block acquires makes no ACQUIRE job", nullptr,
       alters_requests("POST /function-blocks",
                       [](Value& body) { body.as_object().erase("acquires"); })},
      {"unknown-definition-is-404", "WFX-NEW-FAIL",
       "An execution of an unknown definition is answered 404", nullptr,
       [](service::Service& sound, const service::Request& request) {
         service::Reply reply = sound.handle(request);
         if (is_on_route(request, "POST /workflow-execution") && reply.status == 201 &&
             request.body.find("\"workflow\":\"") != std::string::npos &&
             reply.body.find("FAILED_SAFE") != std::string::npos) {
           reply.status = 404;
         }
         return reply;
       }},
      {"ended-execution-is-unknown", "WFX-API-ID", "A completed execution is answered 404", nullptr,
       [](service::Service& sound, const service::Request& request) {
         service::Reply reply = sound.handle(request);
         if (is_on_route(request, get_route) &&
             reply.body.find("\"outcome\":\"COMPLETED\"") != std::string::npos) {
           reply.status = 404;
         }
         return reply;
       }},
      {"lower-case-state-is-unknown", "WFX-API-STATE",
       "A state in lower case is unknown to the list", nullptr,
       [](service::Service& sound, const service::Request& request) {
         service::Reply reply = sound.handle(request);
         const std::string state = request.target.substr(request.target.rfind('/') + 1);
         if (is_on_route(request, "GET /workflow-execution/state/*") && lowered(state) == state) {
           reply.status = 422;
         }
         return reply;
       }},
      {"several-steps-keep-their-locks", "WFX-DONE-RELEASE",
       "An execution of several steps keeps its locks when it completes",
       switch_on<&lifecycle::Deviations::lock_kept_after_several_steps>},
  };
}

}  // namespace

std::vector<Fault> lifecycle_faults() {
  std::vector<Fault> all;
  for (const auto family :
       {omission_faults, engine_faults, monitoring_faults, history_faults, lookup_faults}) {
    const std::vector<Fault> some = family();
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

}  // namespace assay::faults
