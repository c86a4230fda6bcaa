#include "reference_impl/service/workflows_api.h"

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "reference_impl/service/fields.h"
#include "reference_impl/service/instant_json.h"
#include "reference_impl/service/paging.h"
#include "reference_impl/service/problem.h"
#include "reference_impl/service/words.h"

namespace assay::service {
namespace {

using lifecycle::Job;

/// Every entity or label as a JSON string.
template <typename Strings>
List strings_json(const Strings& strings) {
  return List(strings.begin(), strings.end());
}

Value block_json(const lifecycle::FunctionBlock& block) {
  Object shown{
      {"name", block.name}, {"pure", block.pure}, {"acquires", strings_json(block.acquires)}};
  if (block.rollback) shown["rollback"] = true;
  return shown;
}

Value definition_json(const lifecycle::Definition& definition) {
  List steps;
  for (const lifecycle::StepDefinition& step : definition.steps) {
    Object item{{"label", step.label},
                {"functionBlock", step.function_block},
                {"acquire", strings_json(step.acquire)}};
    if (step.condition) item["condition"] = *step.condition;
    steps.emplace_back(std::move(item));
  }
  return Object{{"name", definition.name}, {"steps", std::move(steps)}};
}

Value summary_json(const lifecycle::Execution& execution) {
  return Object{{"uuid", execution.uuid}, {"status", to_string(execution.state)}};
}

Value execution_json(const lifecycle::Execution& execution) {
  List history;
  history.reserve(execution.history.size());
  for (const lifecycle::HistoryEntry& entry : execution.history) {
    history.emplace_back(
        Object{{"status", to_string(entry.state)}, {"at", instant_json(entry.at)}});
  }
  return Object{
      {"uuid", execution.uuid},
      {"status", to_string(execution.state)},
      {"outcome", execution.outcome ? Value(to_string(*execution.outcome)) : Value(nullptr)},
      {"reason", or_null(execution.reason)},
      {"isPureExecution", execution.is_pure},
      {"entities", strings_json(execution.entities)},
      {"jobs", Object{{"completed", std::uint64_t{execution.jobs_completed}},
                      {"total", std::uint64_t{execution.jobs_total}}}},
      {"history", std::move(history)}};
}

Value result_json(const std::optional<lifecycle::JobResult>& result) {
  if (!result) return nullptr;
  Object shown{{"success", result->success}};
  if (!result->entities.empty()) shown["entities"] = strings_json(result->entities);
  if (result->data) shown["data"] = *result->data;
  return shown;
}

Value job_json(const Job& job) {
  return Object{{"job_id", job.job_id},
                {"uuid", job.uuid},
                {"type", to_string(job.type)},
                {"label", job.label},
                {"functionBlock", job.function_block},
                {"state", to_string(job.state)},
                {"result", result_json(job.result)}};
}

/// The parsed content, or Refusal 422 with the problem's pointer.
template <typename Parsed>
Parsed accept(Result<Parsed, lifecycle::Problem> parsed, std::string_view code) {
  if (parsed) return *std::move(parsed);
  lifecycle::Problem problem = std::move(parsed).error();
  throw invalid(code, std::move(problem.detail), std::move(problem.pointer));
}

/// 201 for what is new, 200 for the same again.
Reply registration_reply(lifecycle::Registration registration, const Value& registered) {
  if (registration == lifecycle::Registration::conflict) {
    throw conflict("NAME_CONFLICT", "this name is registered with other content");
  }
  return json_reply(registration == lifecycle::Registration::created ? 201 : 200, registered);
}

/// One page of what the engine lists: `select(after, limit)`, then each as JSON.
template <typename Select, typename Render>
Reply page_reply(const Call& call, const std::string& scope, std::string_view name,
                 const Select& select, const Render& render) {
  const Page page = read_page(call.query, scope);
  PageBuilder builder(page, scope);
  for (const auto* item : select(page.after, page.limit + 1)) {
    builder.offer(item->number, render(*item));
  }
  return json_reply(200, std::move(builder).finish(name));
}

}  // namespace

WorkflowsApi::WorkflowsApi(Clock& clock, IdSource ids, Options options)
    : clock_(clock),
      ids_(std::move(ids)),
      max_body_bytes_(options.max_body_bytes),
      refuses_invalid_(options.policy.invalid_submission ==
                       lifecycle::InvalidSubmission::is_refused),
      conditions_(options.conditions),
      engine_({.policy = options.policy,
               .conditions = std::move(options.conditions),
               .next_job_id = ids_}) {}

void WorkflowsApi::add_routes(Router& router) {
  const auto add = [&](std::string_view method, std::string_view pattern, BodyRule rule,
                       Reply (WorkflowsApi::*handler)(const Call&)) {
    router.add(method, pattern, rule, max_body_bytes_, [this, handler](const Call& call) {
      const std::lock_guard lock(mutex_);
      // What the clock alone has done shows in every answer.
      engine_.advance_to(now());
      return (this->*handler)(call);
    });
  };
  using Api = WorkflowsApi;
  add("POST", "/function-blocks", BodyRule::required, &Api::register_block);
  add("POST", "/workflow-definitions", BodyRule::required, &Api::register_definition);
  add("POST", "/workflow-execution", BodyRule::required, &Api::start);
  add("GET", "/workflow-execution/id/{uuid}", BodyRule::ignored, &Api::show);
  add("GET", "/workflow-execution", BodyRule::ignored, &Api::list_all);
  add("GET", "/workflow-execution/active", BodyRule::ignored, &Api::list_active);
  add("GET", "/workflow-execution/state/{state}", BodyRule::ignored, &Api::list_in_state);
  add("DELETE", "/workflow-execution/{uuid}", BodyRule::ignored, &Api::abort);
  add("POST", "/workflow-execution/{uuid}/ack", BodyRule::optional, &Api::acknowledge);
  add("POST", "/workflow-execution/{uuid}/conditions", BodyRule::required, &Api::meet);
  add("GET", "/blackboard/jobs", BodyRule::ignored, &Api::list_jobs);
  add("POST", "/blackboard/jobs/poll", BodyRule::required, &Api::poll);
  add("POST", "/blackboard/jobs/{job_id}/result", BodyRule::required, &Api::push);
  add("POST", "/control/lock-service", BodyRule::required, &Api::set_lock_service);
  add("POST", "/control/lifecycle-hold", BodyRule::optional, &Api::hold_lifecycle);
}

Reply WorkflowsApi::register_block(const Call& call) {
  auto block = accept(lifecycle::parse_function_block(call.object()), "INVALID_FUNCTION_BLOCK");
  const Value shown = block_json(block);
  return registration_reply(engine_.register_block(std::move(block)), shown);
}

Reply WorkflowsApi::register_definition(const Call& call) {
  auto definition =
      accept(lifecycle::parse_definition(call.object(), lifecycle::NameRule::required, conditions_),
             "INVALID_DEFINITION");
  const Value shown = definition_json(definition);
  return registration_reply(engine_.register_definition(std::move(definition)), shown);
}

Reply WorkflowsApi::start(const Call& call) {
  const Fields fields(call.object());
  lifecycle::Workflow workflow = resolve(fields.required("workflow"));
  const auto fault = refuses_invalid_ ? engine_.fault_of(workflow) : std::nullopt;
  if (fault) throw invalid("INVALID_WORKFLOW", *fault, "/workflow");
  const Object* parameters = fields.optional_object("parameters");
  const auto awaited =
      accept(lifecycle::parse_conditions(fields.find("await"), "/await"), "INVALID_FIELD");
  lifecycle::Terms terms{.rollback = fields.optional_bool("rollback").value_or(false),
                         .await = {awaited.begin(), awaited.end()}};
  return json_reply(201, summary_json(engine_.start(ids_(), std::move(workflow),
                                                    parameters != nullptr ? *parameters : Object{},
                                                    now(), std::move(terms))));
}

lifecycle::Workflow WorkflowsApi::resolve(const Value& workflow) const {
  if (workflow.is_string()) {
    const lifecycle::Definition* definition = engine_.find_definition(workflow.as_string());
    if (definition != nullptr) return *definition;
    return lifecycle::Unresolved{"no workflow definition is named " + workflow.as_string()};
  }
  if (!workflow.is_object()) {
    throw invalid("INVALID_FIELD", "workflow must be a name or a definition", "/workflow");
  }
  auto parsed = lifecycle::parse_definition(workflow, lifecycle::NameRule::optional, conditions_);
  if (parsed) return *std::move(parsed);
  const lifecycle::Problem& problem = parsed.error();
  return lifecycle::Unresolved{"the definition is invalid at \"" + problem.pointer +
                               "\": " + problem.detail};
}

Reply WorkflowsApi::show(const Call& call) {
  return json_reply(200, execution_json(execution_of(call)));
}

Reply WorkflowsApi::list_all(const Call& call) {
  return page_reply(
      call, "workflow-execution", "executions",
      [this](std::uint64_t after, std::size_t limit) { return engine_.all(after, limit); },
      summary_json);
}

Reply WorkflowsApi::list_active(const Call& call) {
  return page_reply(
      call, "workflow-execution/active", "executions",
      [this](std::uint64_t after, std::size_t limit) { return engine_.active(after, limit); },
      summary_json);
}

Reply WorkflowsApi::list_in_state(const Call& call) {
  const auto state = lifecycle::parse_state(call.parameters.front());
  if (!state) throw invalid("UNKNOWN_STATE", "no state has this name");
  return page_reply(
      call, "workflow-execution/state/" + std::string(to_string(*state)), "executions",
      [&](std::uint64_t after, std::size_t limit) {
        return engine_.in_state(*state, after, limit);
      },
      summary_json);
}

Reply WorkflowsApi::abort(const Call& call) {
  static_cast<void>(execution_of(call));
  return json_reply(200, execution_json(*engine_.abort(call.parameters.front(), now())));
}

Reply WorkflowsApi::acknowledge(const Call& call) {
  const lifecycle::Execution& execution = execution_of(call);
  if (!engine_.acknowledge(execution.uuid, now())) {
    throw conflict("NOT_AN_OUTCOME", "an execution in " + std::string(to_string(execution.state)) +
                                         " can't be acknowledged");
  }
  return json_reply(200, execution_json(execution));
}

Reply WorkflowsApi::meet(const Call& call) {
  const lifecycle::Execution& execution = execution_of(call);
  const Fields fields(call.object());
  static_cast<void>(fields.required_list("met"));
  const auto met = accept(lifecycle::parse_conditions(fields.find("met"), "/met"), "INVALID_FIELD");
  switch (engine_.meet(execution.uuid, met, now())) {
    case lifecycle::Meeting::not_waiting:
      throw conflict("NOT_WAITING", "the execution waits for no condition");
    case lifecycle::Meeting::unknown_condition:
      throw invalid("UNKNOWN_CONDITION", "the execution awaits no condition of this name", "/met");
    case lifecycle::Meeting::taken:
      break;
  }
  return json_reply(200, execution_json(execution));
}

Reply WorkflowsApi::list_jobs(const Call& call) {
  const std::optional<std::string> uuid = call.query.get("uuid");
  const std::optional<std::string> word =
      word_filter(call.query, "state", {"PENDING", "POLLED", "PUSHED"});
  const auto state = word ? lifecycle::parse_job_state(*word) : std::nullopt;
  const std::string scope = "jobs?state=" + word.value_or("") + "&uuid=" + uuid.value_or("");
  return page_reply(
      call, scope, "jobs",
      [&](std::uint64_t after, std::size_t limit) {
        return engine_.jobs(uuid, state, after, limit);
      },
      job_json);
}

Reply WorkflowsApi::poll(const Call& call) {
  const std::string& worker = Fields(call.object()).required_id("worker");
  const Job* job = engine_.poll(worker, now());
  if (job == nullptr) return {204, "", "", {}};
  return json_reply(200, job_json(*job));
}

Reply WorkflowsApi::push(const Call& call) {
  const Job* job = engine_.find_job(call.parameters.front());
  if (job == nullptr) throw not_found("no job has this job_id");
  const Fields fields(call.object());
  lifecycle::JobResult result{.success = fields.required_bool("success")};
  result.entities =
      accept(lifecycle::parse_entities(fields.find("entities"), "/entities"), "INVALID_FIELD");
  if (const Value* data = fields.find("data")) result.data = *data;
  if (engine_.push(job->job_id, std::move(result), now()) != lifecycle::PushOutcome::accepted) {
    throw conflict("JOB_NOT_POLLED", "only a POLLED job takes a result");
  }
  return json_reply(200, job_json(*job));
}

Reply WorkflowsApi::set_lock_service(const Call& call) {
  const Fields fields(call.object());
  const bool available = fields.required_bool("available");
  const std::string* mode = fields.optional_string("mode");
  if (mode != nullptr && *mode != "fail" && *mode != "hang") {
    throw invalid("INVALID_FIELD", "mode is fail or hang", fields.pointer_to("mode"));
  }
  const bool hangs = mode != nullptr && *mode == "hang";
  const auto down = hangs ? lifecycle::LockService::hanging : lifecycle::LockService::failing;
  engine_.set_lock_service(available ? lifecycle::LockService::available : down, now());
  return json_reply(200, Object{{"available", available}});
}

Reply WorkflowsApi::hold_lifecycle(const Call& call) {
  const Fields fields(call.object());
  const std::string* word = fields.optional_string("state");
  const auto state = word == nullptr ? std::nullopt : lifecycle::parse_state(*word);
  if (word != nullptr && !state) {
    throw invalid("UNKNOWN_STATE", "no state has this name", fields.pointer_to("state"));
  }
  engine_.hold_at(state, now());
  return json_reply(200, Object{{"state", state ? Value(to_string(*state)) : Value()}});
}

const lifecycle::Execution& WorkflowsApi::execution_of(const Call& call) {
  const lifecycle::Execution* execution = engine_.find(call.parameters.front());
  if (execution == nullptr) throw not_found("no execution has this uuid");
  return *execution;
}

Instant WorkflowsApi::now() const { return Instant(std::chrono::nanoseconds(clock_.now())); }

}  // namespace assay::service
