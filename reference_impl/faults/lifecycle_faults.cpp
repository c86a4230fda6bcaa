#include "reference_impl/faults/families.h"
#include "reference_impl/faults/rewriting.h"
#include "reference_impl/faults/switches.h"

namespace assay::faults {
namespace {

using lifecycle::Deviations;
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

std::vector<Fault> engine_faults() {
  return {
      {"unknown-block-accepted", "WFX-NEW-FAIL", "An unknown function block does not fail",
       switch_on<&Deviations::unknown_block_accepted>},
      {"acquire-jobs-missing", "WFX-DISC-JOBS", "No ACQUIRE jobs are made",
       switch_on<&Deviations::acquire_jobs_missing>},
      {"discovery-ends-early", "WFX-DISC-DONE",
       "Discovery ends with the first ACQUIRE job's result",
       switch_on<&Deviations::discovery_ends_with_first_result>},
      {"failed-acquire-ignored", "WFX-DISC-DONE", "A failed ACQUIRE job is taken for a success",
       switch_on<&Deviations::failed_acquire_ignored>},
      {"lock-given-to-two", "WFX-LOCK-EXCL", "Two executions lock one entity",
       switch_on<&Deviations::lock_given_to_two>},
      {"lock-failure-ignored", "WFX-LOCK-FAIL", "A failed lock request is taken for a success",
       switch_on<&Deviations::lock_failure_ignored>},
      {"lock-kept-after-completion", "WFX-DONE-RELEASE", "COMPLETED keeps its locks",
       switch_on<&Deviations::lock_kept_after_completion>},
      {"lock-kept-after-failure", "WFX-SCHED-LOCKING", "A failed execution keeps its locks",
       switch_on<&Deviations::lock_kept_after_failure>},
      {"lock-kept-after-abort", "WFX-API-ABORT", "An aborted execution keeps its locks",
       switch_on<&Deviations::lock_kept_after_abort>},
      {"step-failure-ignored", "WFX-RUN-ERR", "A failed step is taken for a success",
       switch_on<&Deviations::step_failure_ignored>},
      {"completes-after-first-step", "WFX-RUN-DONE", "The execution completes after its first step",
       switch_on<&Deviations::completes_after_first_step>},
      {"impure-failure-called-safe", "WFX-ERR-UNSAFE",
       "A failure after an impure step ends FAILED_SAFE",
       switch_on<&Deviations::impure_failure_called_safe>},
      {"pure-failure-called-unsafe", "WFX-ERR-SAFE",
       "A failure after pure steps only ends FAILED_UNSAFE",
       switch_on<&Deviations::pure_failure_called_unsafe>},
      {"skipped-step-taints", "WFX-ERR-SAFE", "An impure step that was skipped counts as executed",
       switch_on<&Deviations::skipped_impure_step_taints>},
      {"abort-leaves-jobs", "WFX-API-ABORT", "Jobs of an aborted execution are still handed out",
       switch_on<&Deviations::abort_leaves_jobs>},
      {"abort-reopens-outcome", "WFX-TERMINAL", "An ended execution can be aborted",
       switch_on<&Deviations::abort_reopens_outcome>},
      {"late-result-changes-outcome", "WFX-TERMINAL", "A late result changes the outcome",
       switch_on<&Deviations::late_result_changes_outcome>},
      {"acknowledgement-crosses", "WFX-TERMINAL",
       "An acknowledgement leads to that of another outcome",
       switch_on<&Deviations::acknowledgement_crosses_outcomes>},
      {"job-handed-to-two", "WFX-RUN-DONE", "One job is handed to two workers",
       switch_on<&Deviations::job_handed_to_two_workers>},
      {"stuck-job-never-fails", "WFX-STUCK", "A stuck job is never failed",
       switch_on<&Deviations::stuck_job_never_fails>},
      {"ended-listed-active", "WFX-API-ACTIVE", "Ended executions are listed as active",
       switch_on<&Deviations::ended_executions_listed_active>},
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

}  // namespace

std::vector<Fault> lifecycle_faults() {
  std::vector<Fault> all;
  for (const auto family : {omission_faults, engine_faults, monitoring_faults}) {
    const std::vector<Fault> some = family();
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

}  // namespace assay::faults
