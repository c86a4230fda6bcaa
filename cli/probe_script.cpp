#include "cli/probe_script.h"

#include <fmt/format.h>

#include <string_view>

#include "harness/core/operation_shape.h"
#include "harness/run/preflight.h"
#include "harness/wire/exchange.h"

namespace assay::cli {
namespace {

Object event(const std::string& id, std::string_view type) {
  return {{"event_id", id}, {"event_type", type}, {"timestamp", "2026-01-01T00:00:00Z"}};
}

}  // namespace

ProbeScript::ProbeScript(const core::Profile& profile, std::string unique, bool with_control)
    : profile_(profile), unique_(std::move(unique)), with_control_(with_control) {}

std::vector<std::string> ProbeScript::operations() const {
  std::vector<std::string> declared;
  for (const std::string_view name : core::operation_names()) {
    if (profile_.operations.contains(name)) declared.emplace_back(name);
  }
  return declared;
}

bool ProbeScript::is_left_out(const std::string& name) const {
  return !with_control_ && name.starts_with("control.");
}

std::string ProbeScript::why_skipped(const std::string& name) const {
  if (is_left_out(name)) {
    return "it changes the whole server (--control sends it)";
  }
  const core::OperationShape* shape = core::operation_shape(name);
  const std::string_view subject = shape == nullptr ? "" : shape->subject;
  if (!subject.empty() && !known_.contains(subject)) {
    return fmt::format("no {} is known: what makes one failed", subject);
  }
  if (name == "jobs.push" && !known_.contains("job_id")) return "no job was polled";
  return "";
}

core::Operation ProbeScript::operation(const std::string& name) const {
  Object parameters;
  const core::OperationShape* shape = core::operation_shape(name);
  if (shape != nullptr && !shape->subject.empty()) {
    parameters.emplace(shape->subject, known_.find(shape->subject)->second);
  }
  const auto set = [&parameters](const char* key, Value value) {
    parameters.insert_or_assign(key, std::move(value));
  };
  if (name == "executions.start" || name == "runs.create") {
    parameters = run::parameters_to_start(name, unique_, profile_.capabilities);
  }
  if (name == "events.post") set("event", event(unique_ + "-1", "playbook.initialized"));
  if (name == "events.post_batch") set("events", List{event(unique_ + "-2", "step.enter")});
  if (name == "executions.ctx") set("patch", Object{{"probe", true}});
  if (name == "control.clock") set("advance_ms", 0);
  if (name == "control.lock_service") set("available", true);
  if (name == "control.lifecycle_hold") set("state", nullptr);
  if (name == "workflow.conditions") set("met", List{});
  if (name == "blocks.register") {
    set("name", unique_);
    set("pure", true);
  }
  const List steps = {Object{{"label", "probe"}, {"functionBlock", unique_}}};
  if (name == "definitions.register") {
    set("name", unique_);
    set("steps", steps);
  }
  if (name == "workflow.start") set("workflow", Object{{"name", unique_}, {"steps", steps}});
  if (name == "workflow.by_state") set("state", "RUNNING");
  if (name == "jobs.poll") set("worker", unique_);
  if (name == "jobs.push") {
    set("job_id", known_.at("job_id"));
    set("success", true);
  }
  if (name == "runs.transition") set("to", "running");
  return {name, std::move(parameters)};
}

std::optional<core::Operation> ProbeScript::failure() const {
  const auto run = known_.find("run_id");
  if (run == known_.end() || profile_.missing_states.contains("failed")) return std::nullopt;
  core::Operation plain{"runs.transition", {{"run_id", run->second}, {"to", "failed"}}};
  core::Operation whole = plain;
  whole.parameters.emplace("diagnostic", Object{{"error_code", "TOOL_INTERNAL_ERROR"},
                                                {"category", "tool"},
                                                {"message", "the probe says so"},
                                                {"likely_cause", "none"},
                                                {"suggested_fix", "none"},
                                                {"retryable", false},
                                                {"severity", "error"}});
  const auto shorter = wire::render_request(profile_, plain);
  const auto longer = wire::render_request(profile_, whole);
  const bool is_said = longer && shorter && shorter->body != longer->body;
  return is_said ? std::optional(std::move(whole)) : std::nullopt;
}

void ProbeScript::learn(const std::string& name, const core::Answer& answer) {
  const auto take = [&](std::string_view key) {
    const Value* value = answer.mapped.find(key);
    if (value != nullptr && !value->is_null()) known_.insert_or_assign(std::string(key), *value);
  };
  const core::OperationShape* shape = core::operation_shape(name);
  if (shape != nullptr && !shape->makes.empty() && name != "runs.retry") take(shape->makes);
  if (name == "jobs.poll") take("job_id");
}

}  // namespace assay::cli
