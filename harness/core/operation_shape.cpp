#include "harness/core/operation_shape.h"

#include <algorithm>
#include <set>

namespace assay::core {
namespace {

using Names = std::vector<std::string_view>;

Names with_page(Names names) {
  names.insert(names.end(), {"after", "limit"});
  return names;
}

std::vector<OperationShape> execution_shapes() {
  const Names status_fields = {"execution_id", "state",          "current_step",       "started_at",
                               "ended_at",     "terminal_event", "completion_inferred"};

  const std::string_view id = "execution_id";
  return {
      {"executions.start",
       {},
       {id, "playbook", "workload", "vocabulary", "ends"},
       {id},
       false,
       {},
       id},
      {"executions.status", {id}, {}, status_fields, false, id, {}},
      {"executions.detail", {id}, {}, {id, "state"}, false, id, {}},
      {"executions.list", {}, with_page({"state"}), {id, "state"}, true, {}, {}},
      {"executions.variables", {id}, {}, {"workload", "ctx"}, false, id, {}},
      {"executions.marking", {id}, {}, {"tokens", "in_flight", "fan_in"}, false, id, {}},
      {"executions.cancel", {id}, {"reason"}, {}, false, id, {}},
      {"executions.ctx", {id, "patch"}, {}, {}, false, id, {}},
      {"executions.pause", {id}, {"reason"}, {}, false, id, {}},
      {"executions.resume", {id}, {}, {}, false, id, {}},
      {"events.post", {id, "event"}, {}, {}, false, id, {}},
      {"events.post_batch", {id, "events"}, {}, {}, false, id, {}},
      {"events.list",
       {id},
       with_page({"event_type", "entity_type", "entity_id"}),
       {"event_id", "event_type"},
       true,
       id,
       {}},
      {"events.published",
       {},
       with_page({"topic"}),
       {"subject", "headers", "event_id", "payload"},
       true,
       {},
       {}},
      {"control.evict", {id}, {}, {}, false, id, {}},
      {"control.clock", {"advance_ms"}, {}, {}, false, {}, {}},
      {"control.lock_service", {"available"}, {"mode"}, {}, false, {}, {}},
      {"control.lifecycle_hold", {"state"}, {}, {}, false, {}, {}},
  };
}

std::vector<OperationShape> workflow_shapes() {
  return {
      {"blocks.register", {"name", "pure"}, {"acquires", "rollback"}, {}, false, {}, {}},
      {"definitions.register", {"name", "steps"}, {}, {}, false, {}, {}},
      {"workflow.start",
       {"workflow"},
       {"parameters", "rollback", "await"},
       {"uuid"},
       false,
       {},
       "uuid"},
      {"workflow.get", {"uuid"}, {}, {"uuid", "status"}, false, "uuid", {}},
      {"workflow.list", {}, with_page({}), {"uuid", "status"}, true, {}, {}},
      {"workflow.active", {}, with_page({}), {"uuid", "status"}, true, {}, {}},
      {"workflow.by_state", {"state"}, with_page({}), {"uuid", "status"}, true, {}, {}},
      {"workflow.abort", {"uuid"}, {}, {}, false, "uuid", {}},
      {"workflow.ack", {"uuid"}, {}, {}, false, "uuid", {}},
      {"workflow.conditions", {"uuid", "met"}, {}, {}, false, "uuid", {}},
      {"jobs.list",
       {},
       with_page({"uuid", "state"}),
       {"job_id", "uuid", "type", "state"},
       true,
       {},
       {}},
      {"jobs.poll", {"worker"}, {}, {"job_id", "uuid", "type"}, false, {}, {}},
      {"jobs.push", {"job_id", "success"}, {"entities", "data"}, {}, false, {}, {}},
  };
}

std::vector<OperationShape> run_shapes() {
  const Names run_fields = {"run_id",     "status",        "error_code",  "retryable",
                            "diagnostic", "parent_run_id", "root_run_id", "created_at",
                            "started_at", "ended_at"};
  return {
      {"runs.create",
       {},
       {"run_id", "run_kind", "ends"},
       {"run_id", "status"},
       false,
       {},
       "run_id",
       {"run_kind"}},
      {"runs.get", {"run_id"}, {}, run_fields, false, "run_id", {}},
      {"runs.list", {}, with_page({"status"}), {"run_id", "status"}, true, {}, {}},
      {"runs.transition",
       {"run_id", "to"},
       {"reason", "error_code", "retryable", "diagnostic"},
       {"run_id", "status"},
       false,
       "run_id",
       {}},
      {"runs.retry", {"run_id"}, {}, {"run_id", "status"}, false, "run_id", "run_id"},
      {"runs.next_action", {"run_id"}, {}, {"action", "because"}, false, "run_id", {}},
      {"runs.audit",
       {"run_id"},
       with_page({}),
       {"event_id", "outcome", "before_state", "after_state"},
       true,
       "run_id",
       {}},
      {"server.health", {}, {}, {}, false, {}, {}},
  };
}

}  // namespace

const std::vector<OperationShape>& operation_shapes() {
  static const std::vector<OperationShape> shapes = [] {
    std::vector<OperationShape> all = execution_shapes();
    for (const auto& part : {workflow_shapes(), run_shapes()}) {
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }();
  return shapes;
}

const OperationShape* operation_shape(std::string_view operation) {
  const std::vector<OperationShape>& shapes = operation_shapes();
  const auto found =
      std::find_if(shapes.begin(), shapes.end(),
                   [operation](const OperationShape& shape) { return shape.name == operation; });
  return found == shapes.end() ? nullptr : &*found;
}

bool only_reads(std::string_view operation) {
  static const std::set<std::string_view> single = {
      "executions.status", "executions.detail", "executions.variables", "executions.marking",
      "workflow.get",      "runs.get",          "runs.next_action",     "server.health"};
  const OperationShape* shape = operation_shape(operation);
  return single.contains(operation) || (shape != nullptr && shape->listing);
}

}  // namespace assay::core
