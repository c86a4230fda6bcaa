#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <utility>

#include "reference_impl/faults/families.h"
#include "reference_impl/faults/log_reading.h"
#include "reference_impl/faults/rewriting.h"
#include "reference_impl/faults/workflow_calls.h"

namespace assay::faults {
namespace {

using lifecycle::Ending;

std::vector<Fault> omission_faults() {
  return {
      {"omits-new", "WFX-INIT", "An execution is never shown as NEW", omits("NEW")},
      {"omits-valid", "WFX-NEW-VALID", "An execution is never shown as VALID", omits("VALID")},
      {"omits-ready", "WFX-VALID-READY", "An execution is never shown as READY", omits("READY")},
      {"omits-resource-discovery", "WFX-READY-DISC",
       "An execution is never shown as RESOURCE_DISCOVERY", omits("RESOURCE_DISCOVERY")},
      {"omits-resources-discovered", "WFX-DISC-DONE",
       "An execution is never shown as RESOURCES_DISCOVERED", omits("RESOURCES_DISCOVERED")},
      {"omits-scheduled", "WFX-DISC-SCHED", "An execution is never shown as SCHEDULED",
       omits("SCHEDULED")},
      {"omits-locking", "WFX-SCHED-LOCKING", "An execution is never shown as LOCKING",
       omits("LOCKING")},
      {"omits-locked", "WFX-LOCK-OK", "An execution is never shown as LOCKED", omits("LOCKED")},
      {"omits-running", "WFX-LOCKED-RUN", "An execution is never shown as RUNNING",
       omits("RUNNING")},
      {"omits-error", "WFX-RUN-ERR", "An execution is never shown as ERROR", omits("ERROR")},
  };
}

Intercept changes_history(const std::function<void(List& history)>& change) {
  return alters_answers(workflow_route, [change](const service::Request&, Value& body) {
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
  return alters_answers(workflow_route, [state](const service::Request&, Value& body) {
    const List* entities = list_at(body, "entities");
    if (entities == nullptr || !entities->empty()) return;
    remove_items(body, "history",
                 [&](const Value& entry) { return has_text(entry, "status", state); });
  });
}

/// An execution that ends so keeps its locks.
template <Ending kept>
void keeps_locks(service::ServiceOptions& options) {
  options.lifecycle_policy.locks.releases = [](Ending ending, std::size_t) {
    return ending != kept;
  };
}

/// No step has entity requirements, whatever was sent.
Intercept needs_nothing() {
  const Intercept in_definitions = changes_definitions([](List& steps) {
    for (Value& step : steps) {
      if (step.is_object()) step.as_object().erase("acquire");
    }
  });
  const Intercept in_blocks = alters_requests(
      "POST /function-blocks", [](Value& block) { block.as_object().erase("acquires"); });
  return [=](service::Service& sound, const service::Request& request) {
    const bool is_block = is_on_route(request, "POST /function-blocks");
    return (is_block ? in_blocks : in_definitions)(sound, request);
  };
}

/// It failed by a step, or was aborted: not at its submission, in discovery or over its locks.
bool has_failed_while_running(const Value& execution) {
  const std::string reason = text_of(execution, "reason");
  return reason == "aborted" || reason.starts_with("step ") || reason.starts_with("the condition");
}

/// X leads to Y_ACK.
Intercept crosses_acknowledgements() {
  return changes_execution([](const service::Request&, Value& body) {
    const auto cross = [](Value& item) {
      if (replace_text(item, "status", "COMPLETED_ACK", "FAILED_UNSAFE_ACK")) return;
      replace_text(item, "status", "FAILED_UNSAFE_ACK", "COMPLETED_ACK");
      replace_text(item, "status", "FAILED_SAFE_ACK", "COMPLETED_ACK");
    };
    cross(body);
    each_item(body, "history", cross);
  });
}

std::vector<Fault> engine_faults() {
  return {
      {"unknown-block-accepted", "WFX-NEW-FAIL", "An unknown function block does not fail",
       takes_unknown_blocks()},
      {"acquire-jobs-missing", "WFX-DISC-JOBS", "No ACQUIRE jobs are made", needs_nothing()},
      {"discovery-ends-early", "WFX-DISC-DONE",
       "Discovery ends with the first ACQUIRE job's result",
       [](service::ServiceOptions& options) {
         options.lifecycle_policy.discovery = lifecycle::Discovery::first_result;
       }},
      {"failed-acquire-ignored", "WFX-DISC-DONE", "A failed ACQUIRE job is taken for a success",
       [] { return takes_failures_for_successes("ACQUIRE"); }},
      {"lock-given-to-two", "WFX-LOCK-EXCL", "Two executions lock one entity",
       [](service::ServiceOptions& options) {
         options.lifecycle_policy.locks.sharing = lifecycle::LockTable::Sharing::shared;
       }},
      {"lock-failure-ignored", "WFX-LOCK-FAIL", "A failed lock request is taken for a success",
       alters_requests("POST /control/lock-service",
                       [](Value& body) { body.as_object()["available"] = true; })},
      {"lock-kept-after-completion", "WFX-DONE-RELEASE", "COMPLETED keeps its locks",
       keeps_locks<Ending::completion>},
      {"lock-kept-after-failure", "WFX-LOCK-EXCL", "A failed execution keeps its locks",
       keeps_locks<Ending::failure>},
      {"lock-kept-after-abort", "WFX-API-ABORT", "An aborted execution keeps its locks",
       keeps_locks<Ending::abort>},
      {"step-failure-ignored", "WFX-RUN-ERR", "A failed step is taken for a success",
       [] { return takes_failures_for_successes("EXECUTE"); }},
      {"completes-after-first-step", "WFX-RUN-DONE", "The execution completes after its first step",
       changes_definitions([](List& steps) {
         if (steps.size() > 1) steps.resize(1);
       })},
      {"impure-failure-called-safe", "WFX-ERR-UNSAFE",
       "A failure after an impure step ends FAILED_SAFE",
       confuses_outcome("FAILED_UNSAFE", "FAILED_SAFE", [](const Value&) { return true; })},
      {"pure-failure-called-unsafe", "WFX-ERR-SAFE",
       "A failure after pure steps only ends FAILED_UNSAFE",
       confuses_outcome("FAILED_SAFE", "FAILED_UNSAFE", has_failed_while_running)},
      {"skipped-step-taints", "WFX-ERR-SAFE", "An impure step that was skipped counts as executed",
       [](service::ServiceOptions& options) {
         options.lifecycle_policy.taint = lifecycle::Taint::reached_steps;
       }},
      {"abort-leaves-jobs", "WFX-API-ABORT", "Jobs of an aborted execution are still handed out",
       hands_out_withdrawn_jobs},
      {"abort-reopens-outcome", "WFX-TERMINAL", "An ended execution can be aborted",
       aborts_what_has_ended},
      {"late-result-changes-outcome", "WFX-TERMINAL", "A late result changes the outcome",
       takes_late_results},
      {"acknowledgement-crosses", "WFX-TERMINAL",
       "An acknowledgement leads to that of another outcome", crosses_acknowledgements()},
      {"job-handed-to-two", "WFX-PROGRESS", "One job is handed to two workers", hands_out_twice},
      {"stuck-job-never-fails", "WFX-STUCK", "A stuck job is never failed",
       [](service::ServiceOptions& options) {
         options.job_timeout_ms = std::numeric_limits<std::int64_t>::max();
       }},
      {"ended-listed-active", "WFX-API-ACTIVE", "Ended executions are listed as active",
       lists_ended_as_active()},
  };
}

std::vector<Fault> monitoring_faults() {
  return {
      {"stuck-a-second-early", "WFX-STUCK", "A job fails a second before its timeout",
       [](service::ServiceOptions& options) { options.job_timeout_ms -= 1'000; }},
      {"stuck-a-minute-late", "WFX-STUCK", "A job fails a minute after its timeout",
       [](service::ServiceOptions& options) { options.job_timeout_ms += 60'000; }},
      {"total-counts-completed-only", "WFX-PROGRESS", "jobs.total counts the completed jobs only",
       alters_answers(workflow_route,
                      [](const service::Request&, Value& body) {
                        Value* jobs = member(body, "jobs");
                        if (jobs == nullptr || jobs->find("completed") == nullptr) return;
                        const Value completed = *jobs->find("completed");
                        jobs->as_object()["total"] = completed;
                      })},
      {"detail-is-of-no-one", "WFX-API-ID", "The detail of an execution has no uuid",
       alters_answers(workflow_route, [](const service::Request&,
                                         Value& body) { body.as_object().erase("uuid"); })},
      {"state-list-is-empty", "WFX-API-STATE", "The list of a state is empty",
       alters_answers("GET /workflow-execution/state/*",
                      [](const service::Request&, Value& body) {
                        remove_items(body, "executions", [](const Value&) { return true; });
                      })},
      {"active-list-is-empty", "WFX-API-ACTIVE", "The list of active executions is empty",
       alters_answers("GET /workflow-execution/active",
                      [](const service::Request&, Value& body) {
                        remove_items(body, "executions", [](const Value&) { return true; });
                      })},
      {"failed-safe-has-another-name", "WFX-STATES", "FAILED_SAFE is written FAILED",
       alters_answers(workflow_route,
                      [](const service::Request&, Value& body) {
                        replace_text(body, "status", "FAILED_SAFE", "FAILED");
                      })},
      {"waiting-shown-as-blocked", "WFX-SCHED-WAIT",
       "An execution that waits for a lock is shown as BLOCKED_WAITING",
       alters_answers(workflow_route,
                      [](const service::Request&, Value& body) {
                        replace_text(body, "status", "SCHEDULED", "BLOCKED_WAITING");
                      })},
      {"completed-is-acknowledged-at-once", "WFX-RUN-DONE",
       "A completed execution is shown as COMPLETED_ACK",
       alters_answers(workflow_route,
                      [](const service::Request&, Value& body) {
                        replace_text(body, "status", "COMPLETED", "COMPLETED_ACK");
                      })},
  };
}

/// The history of a workflow execution passes LOCKING and not LOCKED.
bool got_no_lock(const Value& body) {
  const Value* history = body.find("history");
  if (history == nullptr || !history->is_list()) return false;
  const List& entries = history->as_list();
  const auto has = [&entries](std::string_view state) {
    return std::any_of(entries.begin(), entries.end(),
                       [&](const Value& entry) { return has_text(entry, "status", state); });
  };
  return has("LOCKING") && !has("LOCKED");
}

std::vector<Fault> history_faults() {
  return {
      {"new-is-called-created", "WFX-INIT", "The history begins with CREATED instead of NEW",
       changes_history([](List& history) {
         for (Value& entry : history) replace_text(entry, "status", "NEW", "CREATED");
       })},
      {"validated-twice", "WFX-NEW-VALID", "VALID is in the history twice",
       changes_history([](List& history) {
         for (std::size_t at = 0; at < history.size(); ++at) {
           if (!has_text(history[at], "status", "VALID")) continue;
           const Value twin = history[at];
           history.push_back(twin);
           return;
         }
       })},
      {"ready-before-valid", "WFX-VALID-READY", "READY is in the history before VALID",
       swaps_in_history("VALID", "READY")},
      {"no-entities-skip-discovery", "WFX-READY-DISC",
       "Without entities RESOURCE_DISCOVERY is left out",
       skips_without_entities("RESOURCE_DISCOVERY")},
      {"no-entities-skip-scheduling", "WFX-DISC-SCHED", "Without entities SCHEDULED is left out",
       skips_without_entities("SCHEDULED")},
      {"no-entities-skip-locking", "WFX-LOCK-OK", "Without entities LOCKED is left out",
       skips_without_entities("LOCKED")},
      {"runs-before-it-is-locked", "WFX-LOCKED-RUN", "RUNNING is in the history before LOCKED",
       swaps_in_history("LOCKED", "RUNNING")},
      {"unsafe-has-another-name", "WFX-STATES", "FAILED_UNSAFE is written FAILED",
       alters_answers(workflow_route,
                      [](const service::Request&, Value& body) {
                        replace_text(body, "status", "FAILED_UNSAFE", "FAILED");
                      })},
      {"waiting-shown-as-locking", "WFX-SCHED-WAIT",
       "An execution that waits for a lock is shown as LOCKING",
       alters_answers(workflow_route,
                      [](const service::Request&, Value& body) {
                        replace_text(body, "status", "SCHEDULED", "LOCKING");
                      })},
      {"lock-failure-is-unsafe", "WFX-LOCK-FAIL",
       "A failed lock request ends FAILED_UNSAFE where the function block is impure",
       alters_answers(workflow_route,
                      [](const service::Request&, Value& body) {
                        if (!got_no_lock(body)) return;
                        replace_text(body, "status", "FAILED_SAFE", "FAILED_UNSAFE");
                      })},
      {"lock-failure-passes-locked", "WFX-LOCK-FAIL",
       "An execution whose lock request failed was LOCKED by its history",
       alters_answers(workflow_route,
                      [](const service::Request&, Value& body) {
                        List* history = list_at(body, "history");
                        if (!got_no_lock(body) || !has_text(body, "status", "FAILED_SAFE")) return;
                        Value locked = history->back();
                        locked.as_object()["status"] = "LOCKED";
                        history->insert(std::prev(history->end()), std::move(locked));
                      })},
      {"unsafe-in-the-first-step-only", "WFX-ERR-UNSAFE",
       "A failure is FAILED_UNSAFE only where one job was executed",
       alters_answers(workflow_route,
                      [](const service::Request&, Value& body) {
                        const Value* total = body.at_pointer("/jobs/total");
                        if (total != nullptr && *total != Value(1)) {
                          replace_text(body, "status", "FAILED_UNSAFE", "FAILED_SAFE");
                        }
                      })},
      {"locking-before-scheduled", "WFX-SCHED-LOCKING",
       "LOCKING is in the history before SCHEDULED", swaps_in_history("SCHEDULED", "LOCKING")},
  };
}

std::vector<Fault> lookup_faults() {
  return {
      {"block-entities-make-no-job", "WFX-DISC-JOBS",
       "What a function block acquires makes no ACQUIRE job",
       alters_requests("POST /function-blocks",
                       [](Value& body) { body.as_object().erase("acquires"); })},
      {"unknown-definition-is-404", "WFX-NEW-FAIL",
       "An execution of an unknown definition is answered 404",
       [](service::Service& sound, const service::Request& request) {
         service::Reply reply = sound.handle(request);
         if (is_on_route(request, "POST /workflow-execution") && reply.status == 201 &&
             request.body.find("\"workflow\":\"") != std::string::npos &&
             reply.body.find("FAILED_SAFE") != std::string::npos) {
           reply.status = 404;
         }
         return reply;
       }},
      {"ended-execution-is-unknown", "WFX-API-ID", "A completed execution is answered 404",
       [](service::Service& sound, const service::Request& request) {
         service::Reply reply = sound.handle(request);
         if (is_on_route(request, workflow_route) &&
             reply.body.find("\"outcome\":\"COMPLETED\"") != std::string::npos) {
           reply.status = 404;
         }
         return reply;
       }},
      {"lower-case-state-is-unknown", "WFX-API-STATE",
       "A state in lower case is unknown to the list",
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
       [](service::ServiceOptions& options) {
         options.lifecycle_policy.locks.releases = [](Ending ending, std::size_t executed_steps) {
           return ending != Ending::completion || executed_steps < 2;
         };
       }},
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
