// Specifications 001 and 003: the control plane does the worker's part, and ignores its reports.
#include <functional>
#include <set>
#include <string>
#include <utility>

#include "reference_impl/faults/families.h"
#include "reference_impl/faults/log_reading.h"
#include "reference_impl/faults/rewriting.h"
#include "reference_impl/service/json_codec.h"

namespace assay::faults {
namespace {

/// Where a step run is scheduled and its worker has said nothing yet, the log ends in an event of
/// that type of the server's own.
Intercept reports_for_the_worker(const std::string& type) {
  return changes_log([type](List& events) {
    std::set<std::string> reported;
    for (const Value& event : events) {
      if (!is_type(event, "step.scheduled") && !has_text(event, "source", "server")) {
        reported.insert(text_of(event, "step_run_id"));
      }
    }
    List invented;
    for (const Value& event : events) {
      if (!is_type(event, "step.scheduled")) continue;
      if (reported.contains(text_of(event, "step_run_id"))) continue;
      Object own = event.as_object();
      own["event_type"] = type;
      own["event_id"] = text_of(event, "event_id") + "-own";
      own.erase("payload");
      invented.emplace_back(std::move(own));
    }
    for (Value& event : invented) events.push_back(std::move(event));
  });
}

/// Once a worker's event is stored for which `holds`, the server posts the step.done that it
/// expects.
Intercept ends_steps_at(const std::function<bool(const Value& event)>& holds) {
  return [holds](service::Service& sound, const service::Request& request) {
    service::Reply reply = sound.handle(request);
    if (!is_on_route(request, post_route) || reply.status != 201) return reply;
    const Value posted = json_of(request.body);
    if (!holds(posted)) return reply;
    Object end{{"event_id", text_of(posted, "event_id") + "-end"},
               {"event_type", "step.done"},
               {"timestamp", text_of(posted, "timestamp")},
               {"step_run_id", text_of(posted, "step_run_id")},
               {"status", "success"}};
    if (const Value* entity = posted.find("entity_id")) end.emplace("entity_id", *entity);
    static_cast<void>(sound.handle(with_body(request, Value(std::move(end)))));
    return reply;
  };
}

/// The tools of a driven execution, whose log begins with the server's own event, are not shown.
void hides_driven_tools(const List& events, Value& body) {
  if (events.empty() || !is_type(events.front(), "playbook.execution.requested")) return;
  if (List* tools = list_at(body, "tools")) tools->clear();
}

}  // namespace

std::vector<Fault> plane_faults() {
  return {
      {"server-starts-steps", "EVT-EMIT-WORKER",
       "The log has a step.started of the server's own for each step run that is scheduled",
       reports_for_the_worker("step.started")},
      {"server-starts-tasks", "EVT-EMIT-WORKER",
       "The log has a task.started of the server's own for each step run that is scheduled",
       reports_for_the_worker("task.started")},
      {"attempts-end-their-step", "RTE-PLANE-WORKER",
       "A step is done once one of its tasks has ended or an attempt has failed",
       ends_steps_at([](const Value& event) {
         return is_type(event, "task.attempt.failed") || is_type(event, "task.done");
       })},
      {"broken-off-tasks-end-their-step", "EVT-POL-TASK",
       "A policy.task.evaluated whose action is break ends the step run",
       ends_steps_at([](const Value& event) {
         const Value* action = event.at_pointer("/payload/action/do");
         return is_type(event, "policy.task.evaluated") && action != nullptr &&
                *action == Value("break");
       })},
      {"submitted-jobs-end-their-step", "EVT-JOB-REF",
       "A task.done with a job_ref, of a job that runs elsewhere, ends the step run",
       ends_steps_at([](const Value& event) {
         return is_type(event, "task.done") &&
                event.at_pointer("/payload/outcome/job_ref") != nullptr;
       })},
      {"driven-tools-are-hidden", "STM-TOOL-R1",
       "The outcomes of tools are not shown in the detail of a driven execution",
       alters_by_log(detail_route, hides_driven_tools)},
  };
}

}  // namespace assay::faults
