#include "harness/core/operation_shape.h"

#include <algorithm>

namespace assay::core {
namespace {

using Names = std::vector<std::string_view>;

Names with_page(Names names) {
  names.insert(names.end(), {"after", "limit"});
  return names;
}

constexpr std::string_view execution = "execution_id";
constexpr std::string_view workflow = "uuid";
constexpr std::string_view run = "run_id";

std::vector<OperationShape> execution_shapes() {
  const Names status_fields = {"execution_id", "state",          "current_step",       "started_at",
                               "ended_at",     "terminal_event", "completion_inferred"};
  return {
      {.name = "server.health", .shows = true},
      {.name = "executions.start",
       .optional = {execution, "playbook", "workload", "vocabulary", "ends"},
       .fields = {execution},
       .makes = execution},
      {.name = "events.post", .required = {execution, "event"}, .subject = execution},
      {.name = "events.post_batch", .required = {execution, "events"}, .subject = execution},
      {.name = "executions.status",
       .required = {execution},
       .fields = status_fields,
       .shows = true,
       .subject = execution},
      {.name = "executions.detail",
       .required = {execution},
       .fields = {execution, "state"},
       .free_lists = {{"steps", ListOrder::any},
                      {"commands", ListOrder::any},
                      {"tools", ListOrder::any},
                      {"anomalies", ListOrder::open}},
       .shows = true,
       .subject = execution},
      {.name = "executions.variables",
       .required = {execution},
       .fields = {"workload", "ctx"},
       .shows = true,
       .subject = execution},
      {.name = "executions.marking",
       .required = {execution},
       .fields = {"tokens", "in_flight", "fan_in"},
       .free_lists = {{"tokens", ListOrder::any},
                      {"in_flight", ListOrder::any},
                      {"fan_in", ListOrder::any}},
       .shows = true,
       .subject = execution},
      {.name = "executions.ctx", .required = {execution, "patch"}, .subject = execution},
      {.name = "executions.pause",
       .required = {execution},
       .optional = {"reason"},
       .subject = execution},
      {.name = "executions.resume", .required = {execution}, .subject = execution},
      {.name = "executions.list",
       .optional = with_page({"state"}),
       .fields = {execution, "state"},
       .listing = true},
      {.name = "events.list",
       .required = {execution},
       .optional = with_page({"event_type", "entity_type", "entity_id"}),
       .fields = {"event_id", "event_type"},
       .listing = true,
       .in_order = true,
       .subject = execution},
      {.name = "events.published",
       .optional = with_page({"topic"}),
       .fields = {"subject", "headers", "event_id", "payload"},
       .listing = true,
       .in_order = true},
      {.name = "control.evict", .required = {execution}, .subject = execution},
      {.name = "executions.cancel",
       .required = {execution},
       .optional = {"reason"},
       .subject = execution},
  };
}

std::vector<OperationShape> workflow_shapes() {
  return {
      {.name = "blocks.register",
       .required = {"name", "pure"},
       .optional = {"acquires", "rollback"}},
      {.name = "definitions.register", .required = {"name", "steps"}},
      {.name = "workflow.start",
       .required = {"workflow"},
       .optional = {"parameters", "rollback", "await"},
       .fields = {workflow},
       .makes = workflow},
      {.name = "workflow.get",
       .required = {workflow},
       .fields = {workflow, "status"},
       .free_lists = {{"entities", ListOrder::any}},
       .shows = true,
       .subject = workflow},
      {.name = "workflow.list",
       .optional = with_page({}),
       .fields = {workflow, "status"},
       .listing = true},
      {.name = "workflow.active",
       .optional = with_page({}),
       .fields = {workflow, "status"},
       .listing = true},
      {.name = "workflow.by_state",
       .required = {"state"},
       .optional = with_page({}),
       .fields = {workflow, "status"},
       .listing = true},
      {.name = "jobs.list",
       .optional = with_page({workflow, "state"}),
       .fields = {"job_id", workflow, "type", "state"},
       .listing = true},
      {.name = "jobs.poll", .required = {"worker"}, .fields = {"job_id", workflow, "type"}},
      {.name = "jobs.push", .required = {"job_id", "success"}, .optional = {"entities", "data"}},
      {.name = "workflow.conditions", .required = {workflow, "met"}, .subject = workflow},
      {.name = "workflow.abort", .required = {workflow}, .subject = workflow},
      {.name = "workflow.ack", .required = {workflow}, .subject = workflow},
  };
}

std::vector<OperationShape> run_and_control_shapes() {
  const Names run_fields = {"run_id",     "status",        "error_code",  "retryable",
                            "diagnostic", "parent_run_id", "root_run_id", "created_at",
                            "started_at", "ended_at"};
  return {
      {.name = "runs.create",
       .optional = {run, "run_kind", "ends"},
       .fields = {run, "status"},
       .makes = run,
       .significant = {"run_kind"}},
      {.name = "runs.get", .required = {run}, .fields = run_fields, .shows = true, .subject = run},
      {.name = "runs.list",
       .optional = with_page({"status"}),
       .fields = {run, "status"},
       .listing = true},
      {.name = "runs.transition",
       .required = {run, "to"},
       .optional = {"reason", "error_code", "retryable", "diagnostic"},
       .fields = {run, "status"},
       .subject = run},
      {.name = "runs.next_action",
       .required = {run},
       .fields = {"action", "because"},
       .shows = true,
       .subject = run},
      {.name = "runs.audit",
       .required = {run},
       .optional = with_page({}),
       .fields = {"event_id", "outcome", "before_state", "after_state"},
       .listing = true,
       .in_order = true,
       .subject = run},
      {.name = "runs.retry",
       .required = {run},
       .fields = {run, "status"},
       .subject = run,
       .makes = run},
      {.name = "control.clock", .required = {"advance_ms"}},
      {.name = "control.lock_service", .required = {"available"}, .optional = {"mode"}},
      {.name = "control.lifecycle_hold", .required = {"state"}},
  };
}

}  // namespace

const std::vector<OperationShape>& operation_shapes() {
  static const std::vector<OperationShape> shapes = [] {
    std::vector<OperationShape> all = execution_shapes();
    for (const auto& part : {workflow_shapes(), run_and_control_shapes()}) {
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
  const OperationShape* shape = operation_shape(operation);
  return shape != nullptr && shape->shows;
}

}  // namespace assay::core
