// What was right once and is changed by what comes later, or looks different from another side.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "reference_impl/faults/families.h"
#include "reference_impl/faults/log_reading.h"
#include "reference_impl/faults/rewriting.h"
#include "reference_impl/faults/workflow_calls.h"
#include "reference_impl/service/json_codec.h"

namespace assay::faults {
namespace {

constexpr const char* one_run_route = "GET /runs/*";
constexpr const char* one_workflow_route = "GET /workflow-execution/id/*";

Fault answering(std::string_view id, std::string_view clause, std::string_view title,
                Intercept intercept) {
  return {id, clause, title, std::move(intercept)};
}

Fault remembering(std::string_view id, std::string_view clause, std::string_view title,
                  Intercept (*make)()) {
  return {id, clause, title, make};
}

/// Changes a run's answer by its audit.
Intercept alters_run_by_audit(std::function<void(const List& audit, Value& run)> change) {
  return [change = std::move(change)](service::Service& sound, const service::Request& request) {
    const auto by_audit = [&](const service::Request&, Value& run) {
      Value page = ask(sound, request.target + "/audit?limit=1000");
      if (const List* audit = list_at(page, "events")) change(*audit, run);
    };
    return alters_answers(one_run_route, by_audit)(sound, request);
  };
}

std::string last_time(const List& audit, std::string_view member, std::string_view state) {
  std::string time;
  for (const Value& event : audit) {
    if (has_text(event, member, state)) time = text_of(event, "timestamp");
  }
  return time;
}

std::vector<Fault> moving_times() {
  return {
      answering("started-at-is-the-last-start", "RUN-T3", "started_at moves when a run goes on",
                alters_run_by_audit([](const List& audit, Value& run) {
                  const std::string time = last_time(audit, "after_state", "running");
                  if (!time.empty()) run.as_object()["started_at"] = time;
                })),
      answering("created-at-is-the-last-change", "RUN-T3",
                "created_at is the time of the last change",
                alters_run_by_audit([](const List& audit, Value& run) {
                  if (audit.empty()) return;
                  run.as_object()["created_at"] = text_of(audit.back(), "timestamp");
                })),
      answering("ended-at-moves-with-refusals", "RUN-TERMINAL",
                "ended_at is the time of the last refused move",
                alters_run_by_audit([](const List& audit, Value& run) {
                  const Value* ended = run.find("ended_at");
                  if (ended == nullptr || ended->is_null() || audit.empty()) return;
                  run.as_object()["ended_at"] = text_of(audit.back(), "timestamp");
                })),
  };
}

/// Targets of requests that were accepted, for calls from many threads.
class Remembered {
 public:
  void note(const std::string& path) {
    const std::lock_guard lock(mutex_);
    paths_.insert(path);
  }
  [[nodiscard]] bool has(const std::string& path) const {
    const std::lock_guard lock(mutex_);
    return paths_.contains(path);
  }

 private:
  mutable std::mutex mutex_;
  std::set<std::string> paths_;
};

std::string last_path_segment(const service::Request& request) {
  return request.target.substr(request.target.rfind('/') + 1);
}

void take_ack_back(Value& execution) {
  const std::string status = text_of(execution, "status");
  if (status.ends_with("_ACK"))
    execution.as_object()["status"] = status.substr(0, status.size() - 4);
}

/// An abort of an acknowledged execution takes the acknowledgement back.
Intercept abort_takes_ack_back() {
  return [aborted = std::make_shared<Remembered>()](service::Service& sound,
                                                    const service::Request& request) {
    if (is_on_route(request, "DELETE /workflow-execution/*")) {
      const std::string uuid = last_path_segment(request);
      const Value shown = ask(sound, "/workflow-execution/id/" + uuid);
      if (text_of(shown, "status").ends_with("_ACK")) aborted->note(uuid);
    }
    if (!is_on_route(request, one_workflow_route) || !aborted->has(last_path_segment(request))) {
      return sound.handle(request);
    }
    const auto change = [](const service::Request&, Value& body) { take_ack_back(body); };
    return alters_answers(one_workflow_route, change)(sound, request);
  };
}

/// A second acknowledgement, although refused, shows the execution as completed.
Intercept second_ack_completes() {
  return [acknowledged = std::make_shared<Remembered>()](service::Service& sound,
                                                         const service::Request& request) {
    service::Reply reply = sound.handle(request);
    if (is_on_route(request, "POST /workflow-execution/*/ack") && reply.status == 409) {
      const std::string path = request.target.substr(0, request.target.rfind('/'));
      acknowledged->note(path.substr(path.rfind('/') + 1));
    }
    if (!is_on_route(request, one_workflow_route) ||
        !acknowledged->has(last_path_segment(request))) {
      return reply;
    }
    const auto change = [](const service::Request&, Value& body) {
      if (text_of(body, "status").ends_with("_ACK")) body.as_object()["status"] = "COMPLETED_ACK";
    };
    return alters_answers(one_workflow_route, change)(sound, request);
  };
}

/// A patch of ctx after the end shows the execution as running again.
Intercept patch_reopens() {
  return [patched = std::make_shared<Remembered>()](service::Service& sound,
                                                    const service::Request& request) {
    const std::string path = execution_path(request);
    if (is_on_route(request, "POST /executions/*/ctx")) {
      const Value* ended = nullptr;
      const Value shown = ask(sound, path + "/status");
      ended = shown.find("ended_at");
      if (ended != nullptr && ended->is_string()) patched->note(path);
    }
    if (!is_on_route(request, status_route) || !patched->has(path)) return sound.handle(request);
    const auto change = [](const service::Request&, Value& body) {
      Object& status = body.as_object();
      status["state"] = "RUNNING";
      status["ended_at"] = nullptr;
      status["terminal_event"] = nullptr;
    };
    return alters_answers(status_route, change)(sound, request);
  };
}

std::vector<Fault> late_calls() {
  return {
      remembering("abort-takes-the-ack-back", "WFX-TERMINAL",
                  "An abort takes an acknowledgement back", abort_takes_ack_back),
      remembering("second-ack-completes", "WFX-TERMINAL",
                  "A second acknowledgement makes each outcome COMPLETED_ACK",
                  second_ack_completes),
      remembering("late-patch-reopens", "STM-EXEC-R1",
                  "A patch of ctx after the end opens an execution again", patch_reopens),
  };
}

/// Cuts a list of entities down to its first.
void keep_first(Value& body, std::string_view name) {
  List* entities = list_at(body, name);
  if (entities != nullptr && entities->size() > 1) entities->resize(1);
}

void keep_last(Value& body, std::string_view name) {
  List* entities = list_at(body, name);
  if (entities != nullptr && entities->size() > 1) *entities = {entities->back()};
}

/// Each request that names entities names fewer of them.
Intercept reduces_entities(void (*reduce)(Value& body, std::string_view name)) {
  return [reduce](service::Service& sound, const service::Request& request) {
    const auto steps = [reduce](Value& body) {
      Value* workflow = member(body, "workflow");
      if (workflow == nullptr) return;
      each_item(*workflow, "steps", [&](Value& step) { reduce(step, "acquire"); });
    };
    const auto result = [reduce](Value& body) { reduce(body, "entities"); };
    if (is_on_route(request, "POST /workflow-execution")) {
      return alters_requests("POST /workflow-execution", steps)(sound, request);
    }
    return alters_requests("POST /blackboard/jobs/*/result", result)(sound, request);
  };
}

/// Shows an execution as waiting while another waits that needs one of its entities.
Intercept waiting_holds() {
  return [](service::Service& sound, const service::Request& request) {
    const auto change = [&](const service::Request&, Value& body) {
      if (!has_text(body, "status", "RUNNING")) return;
      const List* entities = list_at(body, "entities");
      if (entities == nullptr || entities->empty()) return;
      Value waiting = ask(sound, "/workflow-execution/state/SCHEDULED");
      each_item(waiting, "executions", [&](Value& one) {
        const Value other = ask(sound, "/workflow-execution/id/" + text_of(one, "uuid"));
        if (share_an_entity(other, body)) body.as_object()["status"] = "SCHEDULED";
      });
    };
    return alters_answers(one_workflow_route, change)(sound, request);
  };
}

std::vector<Fault> several_entities() {
  return {
      answering("locks-the-first-entity-only", "WFX-LOCK-EXCL",
                "Of several entities the first alone is locked", reduces_entities(keep_first)),
      answering("locks-the-last-entity-only", "WFX-LOCK-EXCL",
                "Of several entities the last alone is locked", reduces_entities(keep_last)),
      answering("waiting-holds-entities", "WFX-LOCK-OK",
                "An execution that waits keeps its entities from others", waiting_holds()),
      answering("scheduled-is-not-active", "WFX-API-ACTIVE",
                "SCHEDULED executions are not listed as active",
                alters_answers("GET /workflow-execution/active",
                               [](const service::Request&, Value& body) {
                                 remove_items(body, "executions", [](const Value& one) {
                                   return has_text(one, "status", "SCHEDULED");
                                 });
                               })),
  };
}

/// The steps of which the last outcome (or else the first) of all their runs is a failure.
bool has_failed_step(const List& events, bool last_counts) {
  std::map<std::string, std::string> step_of_run;
  std::map<std::string, bool> failed;
  for (const Value& event : events) {
    const std::string run = text_of(event, "step_run_id");
    if (is_type(event, "step.scheduled")) step_of_run[run] = text_of(event, "entity_id");
    if (!is_type(event, "step.done") && !is_type(event, "step.failed")) continue;
    const bool is_failure = is_type(event, "step.failed");
    const auto [entry, is_first] = failed.try_emplace(step_of_run[run], is_failure);
    if (last_counts && !is_first) entry->second = is_failure;
  }
  return std::any_of(failed.begin(), failed.end(), [](const auto& step) { return step.second; });
}

Intercept judges_by_step(bool last_counts) {
  return alters_by_log(status_route, [last_counts](const List& events, Value& body) {
    const bool was_failed = has_text(body, "state", "FAILED") && count_type(events, "step.failed");
    if (was_failed && !has_failed_step(events, last_counts))
      body.as_object()["state"] = "COMPLETED";
  });
}

std::vector<Fault> verdicts_by_name() {
  return {
      answering("later-success-mends-a-step", "RTE-STATUS",
                "A step's last run alone decides whether it failed", judges_by_step(true)),
      answering("first-run-speaks-for-the-step", "RTE-STATUS",
                "A step's first run alone decides whether it failed", judges_by_step(false)),
      answering("most-runs-decide", "RTE-STATUS",
                "An execution of which most runs succeeded is COMPLETED",
                alters_by_log(status_route,
                              [](const List& events, Value& body) {
                                const std::size_t failed = count_type(events, "step.failed");
                                const bool is_outvoted =
                                    failed > 0 && count_type(events, "step.done") > 2 * failed;
                                if (is_outvoted && has_text(body, "state", "FAILED")) {
                                  body.as_object()["state"] = "COMPLETED";
                                }
                              })),
  };
}

/// Changes what is shown of a run that was retried.
Intercept changes_retried(const std::string& route, ChangeBody change) {
  return [route, change = std::move(change), retried = std::make_shared<Remembered>()](
             service::Service& sound, const service::Request& request) {
    service::Reply reply = sound.handle(request);
    if (is_on_route(request, "POST /runs/*/retry") && reply.status == 201) {
      retried->note(request.target.substr(0, request.target.rfind('/')));
    }
    std::string path = request.target.substr(0, request.target.find('?'));
    if (path.ends_with("/audit")) path.resize(path.size() - 6);
    if (!is_on_route(request, route) || !retried->has(path)) return reply;
    return alters_answers(route, change)(sound, request);
  };
}

Intercept retry_clears_the_old() {
  return changes_retried(one_run_route, [](const service::Request&, Value& run) {
    run.as_object()["diagnostic"] = nullptr;
  });
}

Intercept retry_is_audited_in_the_old() {
  return changes_retried("GET /runs/*/audit", [](const service::Request&, Value& body) {
    List* events = list_at(body, "events");
    if (events == nullptr || events->empty()) return;
    Value again = events->back();
    again.as_object()["sequence"] = static_cast<std::int64_t>(events->size()) + 1;
    events->push_back(std::move(again));
  });
}

Intercept retry_makes_the_old_a_child() {
  return changes_retried(one_run_route, [](const service::Request&, Value& run) {
    run.as_object()["parent_run_id"] = text_of(run, "run_id");
  });
}

/// A retry begins with what made the run before it fail.
service::Reply retry_inherits(service::Service& sound, const service::Request& request) {
  const auto change = [&](const service::Request&, Value& run) {
    const std::string parent = text_of(run, "parent_run_id");
    if (parent.empty() || !has_text(run, "status", "created")) return;
    const Value before = ask(sound, "/runs/" + parent);
    if (const Value* diagnostic = before.find("diagnostic")) {
      run.as_object()["diagnostic"] = *diagnostic;
    }
  };
  return alters_answers(one_run_route, change)(sound, request);
}

/// Refusals of one move in a row are audited once.
void keep_first_refusals(const service::Request& /*request*/, Value& body) {
  List* events = list_at(body, "events");
  if (events == nullptr) return;
  const auto is_same = [](const Value& left, const Value& right) {
    return has_text(left, "outcome", "deny") && has_text(right, "outcome", "deny") &&
           text_of(left, "attempted_state") == text_of(right, "attempted_state");
  };
  events->erase(std::unique(events->begin(), events->end(), is_same), events->end());
}

std::vector<Fault> retries_and_refusals() {
  return {
      remembering("retry-clears-the-old-diagnostic", "RUN-DIAG",
                  "A retry clears the diagnostic of the run that failed", retry_clears_the_old),
      remembering("retry-is-audited-in-the-old-run", "RUN-AUDIT",
                  "A retry adds to the audit of the run that failed", retry_is_audited_in_the_old),
      remembering("retry-makes-the-old-run-a-child", "RUN-RETRY",
                  "A retry gives the run that failed a parent", retry_makes_the_old_a_child),
      answering("retry-inherits-the-diagnostic", "RUN-RETRY",
                "A retry begins with the diagnostic of the run that failed", retry_inherits),
      answering("same-refusal-audited-once", "RUN-INVALID-AUDIT",
                "The same refused move is audited once, however often it is tried",
                alters_answers("GET /runs/*/audit", keep_first_refusals)),
  };
}

std::vector<Fault> differing_reads() {
  return {
      answering("detail-has-an-outcome-early", "STM-LAYER-EXEC",
                "The detail has an outcome once the workflow has ended",
                alters_answers(detail_route,
                               [](const service::Request&, Value& body) {
                                 const bool is_early =
                                     has_text(body, "state", "RUNNING") &&
                                     has_text(body, "workflow_state", "COMPLETED");
                                 if (is_early) body.as_object()["outcome"] = "success";
                               })),
      answering("detail-shows-the-workload", "STM-API-NOVARS", "The detail shows the workload",
                [](service::Service& sound, const service::Request& request) {
                  const auto change = [&](const service::Request&, Value& body) {
                    const Value variables = ask(sound, execution_path(request) + "/variables");
                    if (const Value* workload = variables.find("workload")) {
                      body.as_object()["workload"] = *workload;
                    }
                  };
                  return alters_answers(detail_route, change)(sound, request);
                }),
      answering("detail-follows-the-second-end", "STM-EXEC-R1",
                "The detail shows the last of several ends",
                alters_by_log(detail_route,
                              [](const List& events, Value& body) {
                                if (!body.find("ended_at") || body.find("ended_at")->is_null())
                                  return;
                                for (const Value& event : events) {
                                  if (is_type(event, "playbook.failed")) {
                                    body.as_object()["state"] = "FAILED";
                                  } else if (is_type(event, "playbook.completed")) {
                                    body.as_object()["state"] = "COMPLETED";
                                  } else if (is_type(event, "execution.cancelled")) {
                                    body.as_object()["state"] = "CANCELLED";
                                  }
                                }
                              })),
      answering("invalid-utf-8-is-replaced", "API-VALID",
                "Bytes that are not UTF-8 are replaced instead of refused",
                [](service::Service& sound, const service::Request& request) {
                  service::Request changed = request;
                  std::replace_if(
                      changed.body.begin(), changed.body.end(),
                      [](char byte) { return static_cast<unsigned char>(byte) == 0xFF; }, '?');
                  return sound.handle(changed);
                }),
  };
}

}  // namespace

std::vector<Fault> afterthought_faults() {
  std::vector<Fault> all;
  for (const auto family : {moving_times, late_calls, several_entities, verdicts_by_name,
                            retries_and_refusals, differing_reads}) {
    for (Fault& fault : family()) all.push_back(std::move(fault));
  }
  return all;
}

}  // namespace assay::faults
