// Specification 002: the life of one workflow execution, and what its end is called.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "properties/families/families.h"
#include "properties/families/patterns.h"
#include "properties/families/steps.h"
#include "properties/families/workflows.h"

namespace assay::properties::lifecycle_families {
namespace {

using core::Step;

Value condition_of(std::uint8_t operand) {
  switch (operand % 8) {
    case 3:
      return false;
    case 4:
      return "{{ parameters.go }}";
    case 5:
      return "{{ parameters.n > 1 }}";
    case 6:
      return "{{ results.s0.n == 1 }}";
    case 7:
      return true;
    default:
      return {};
  }
}

/// One step for each part: its block, what it acquires, and its condition.
Opening open_life(const Draft& draft) {
  Opening opening{std::nullopt, register_blocks()};
  List steps;
  for (const Move& part : draft.construction) {
    const bool is_unknown = part.operands[3] == largest_operand;
    const std::string block =
        is_unknown ? "none" : pick(part.operands[0], {"pure", "impure", "impure", "locking"});
    Object step{{"label", fmt::format("s{}", steps.size())},
                {"functionBlock", "${unique}-" + block}};
    // Half of the steps need nothing: what the others need makes the jobs of discovery.
    const int entities_wanted = part.operands[1] < 8 ? 0 : part.operands[1] - 8;
    if (List entities = entities_of(static_cast<std::uint8_t>(entities_wanted));
        !entities.empty()) {
      step.emplace("acquire", std::move(entities));
    }
    if (Value condition = condition_of(part.operands[2]); !condition.is_null()) {
      step.emplace("condition", std::move(condition));
    }
    steps.emplace_back(std::move(step));
  }
  const std::uint8_t way = draft.construction.empty() ? 0 : draft.construction[0].operands[2];
  if (way % 4 < 2) {
    opening.steps.push_back(start_workflow(std::move(steps), "main"));
    return opening;
  }
  // By the name of a definition, which may be that of none.
  const std::string name = way % 8 == 7 ? "${unique}-none" : "${unique}-flow";
  opening.steps.push_back(
      operate("definitions.register", {{"name", "${unique}-flow"}, {"steps", std::move(steps)}}));
  opening.steps.push_back(operate(
      "workflow.start", {{"workflow", name}, {"parameters", Object{{"go", true}, {"n", 1}}}},
      "main", "main"));
  return opening;
}

/// The names of jobs that a worker has taken and not pushed at once.
std::vector<std::string> taken(const View& view) {
  std::vector<std::string> names;
  for (const Step& step : view.steps()) {
    if (!std::holds_alternative<core::Job>(step.action)) continue;
    for (const auto& [name, pointer] : step.capture) names.push_back(name);
  }
  return names;
}

std::optional<Step> take_job(const Move& move, const View& view) {
  std::optional<Step> step = work_on(move, view, "main", true);
  if (!step) return std::nullopt;
  core::Job& job = std::get<core::Job>(step->action);
  job.push = false;
  job.data.reset();
  job.entities.reset();
  step->capture.emplace(fmt::format("job{}", view.steps().size()), "/job_id");
  return step;
}

/// The result of a job that was taken, now or again.
std::optional<Step> push_result(const Move& move, const View& view) {
  const std::vector<std::string> names = taken(view);
  if (names.empty()) return std::nullopt;
  const std::string& name = names[move.operands[0] % names.size()];
  Object result{{"job_id", "${" + name + "}"}, {"success", move.operands[1] % 4 != 3}};
  if (move.operands[2] % 4 == 3) result.emplace("data", Object{{"n", move.operands[3] % 3}});
  return operate("jobs.push", std::move(result));
}

Step advance(const Move& move) {
  constexpr std::array<std::int64_t, 5> steps_ms = {720'000, 719'000, 1'000, 300'000, 400'000};
  return operate("control.clock", {{"advance_ms", steps_ms.at(move.operands[0] % 5)}});
}

/// A job that is done while no lock can be had. What the next case finds is a service that works.
std::optional<Step> work_without_locks(const Move& move, const View& view) {
  std::optional<Step> work = work_on(move, view, "main", true);
  if (!work) return std::nullopt;
  core::Repeat all{1, {}};
  all.steps = {operate("control.lock_service", {{"available", false}}), *std::move(work),
               operate("control.lock_service", {{"available", true}})};
  Step step;
  step.action = std::move(all);
  return step;
}

std::optional<Step> step_of(std::string_view kind, const Move& move, const View& view) {
  if (kind == "work") return work_on(move, view, "main", true);
  if (kind == "fail") return work_on(move, view, "main", false);
  if (kind == "take") return take_job(move, view);
  if (kind == "push") return push_result(move, view);
  if (kind == "clock") return advance(move);
  if (kind == "no locks") return work_without_locks(move, view);
  if (kind == "block") {
    return operate("blocks.register", {{"name", "${unique}-pure"}, {"pure", true}});
  }
  if (kind == "locks") return operate("control.lock_service", {{"available", true}});
  return operate(kind == "abort" ? "workflow.abort" : "workflow.ack");
}

std::string state_of(const View& view) { return workflow_status(view, "main"); }

Value parameters_of(const Step& step) {
  const auto* action = std::get_if<core::Operate>(&step.action);
  return action == nullptr ? Value() : Value(action->operation.parameters);
}

/// What makes a result one that has to be taken.
std::string clause_of_result(const Value& result) {
  const Value* success = result.find("success");
  return success != nullptr && *success == Value(false) ? "WFX-RUN-ERR" : "WFX-PROGRESS";
}

/// The clause by which a function block, a definition or an execution of it is taken.
std::vector<std::string> answer_of_making(const TakenStep& taken) {
  const Value parameters = parameters_of(taken.step);
  if (taken.made == "blocks.register") {
    if (taken.acceptance == core::Acceptance::duplicate) return {"API-CONFLICT"};
    if (parameters.find("acquires") != nullptr) return {"WFX-DISC-JOBS"};
    return {};
  }
  if (taken.made == "definitions.register") return {"WFX-NEW-VALID"};
  // An invalid one fails, or is refused at once, as the profile's invalid_submission has it.
  const bool fails = !core::is_taken(taken.acceptance) ||
                     is_outcome(taken.view.read("workflow.get").string_at("status").value_or(""));
  return {fails ? "WFX-NEW-FAIL" : "WFX-NEW-VALID"};
}

std::vector<std::string> answer_of(const TakenStep& taken) {
  const bool was_refused = taken.acceptance == core::Acceptance::refused;
  if (taken.made == "jobs.push") {
    return {was_refused ? "API-CONFLICT" : clause_of_result(parameters_of(taken.step))};
  }
  if (taken.made == "workflow.start" || taken.made.ends_with(".register")) {
    return answer_of_making(taken);
  }
  if (taken.made == "control.lock_service") return {"WFX-LOCK-FAIL"};
  if (taken.made == "workflow.ack") return {"WFX-TERMINAL"};
  if (taken.made == "workflow.abort") return {"WFX-API-ABORT"};
  return {};
}

bool has_passed(const View& view, std::string_view status) {
  const Value* history = view.read("workflow.get").find("history");
  if (history == nullptr) return false;
  const List& entries = history->as_list();
  return std::any_of(entries.begin(), entries.end(),
                     [status](const Value& entry) { return entry.string_at("status") == status; });
}

/// The clause by which an execution has failed without harm.
std::string clause_of_safe_end(const TakenStep& taken) {
  if (has_passed(taken.view, "ERROR")) return "WFX-ERR-SAFE";
  if (taken.made == "workflow.start") return "WFX-NEW-FAIL";
  if (taken.made == "workflow.abort") return "WFX-API-ABORT";
  if (taken.made == "control.clock") return "WFX-STUCK";
  return has_passed(taken.view, "LOCKING") ? "WFX-LOCK-FAIL" : "WFX-DISC-DONE";
}

/// How far the clock has been moved in all.
std::int64_t told_ms(const View& view) {
  std::int64_t sum = 0;
  for (const Step& step : view.steps()) {
    const Value parameters = parameters_of(step);
    if (const Value* by = parameters.find("advance_ms")) sum += by->to_int64().value_or(0);
  }
  return sum;
}

/// Whether a job is overdue is a matter of the timeout; that long before none is, of the clock.
std::string clause_of_clock(const View& view) {
  constexpr std::int64_t nearly_overdue_ms = 710'000;
  return told_ms(view) < nearly_overdue_ms ? "API-CLOCK" : "WFX-STUCK";
}

/// The clause by which an execution is where it is.
std::string clause_of_status(const TakenStep& taken, std::string_view now) {
  if (is_outcome(taken.before)) return "WFX-TERMINAL";
  if (now == "COMPLETED") return "WFX-RUN-DONE";
  if (now == "FAILED_UNSAFE") return "WFX-ERR-UNSAFE";
  if (now == "FAILED_SAFE") return clause_of_safe_end(taken);
  if (taken.made == "control.clock") return clause_of_clock(taken.view);
  if (now == "RESOURCE_DISCOVERY") {
    return taken.made == "workflow.start" ? "WFX-READY-DISC" : "WFX-DISC-DONE";
  }
  return taken.before == "RUNNING" ? "WFX-RUN-DONE" : "WFX-LOCKED-RUN";
}

/// The clause by which the jobs are as they are.
std::string clause_of_jobs(const TakenStep& taken, std::string_view now) {
  if (taken.made == "workflow.abort") return "WFX-API-ABORT";
  if (now == "RUNNING" && taken.before != "RUNNING") return "WFX-RUN-JOBS";
  return taken.made == "control.clock" ? clause_of_clock(taken.view) : "WFX-PROGRESS";
}

/// A state is written as one of them, before it is asked which.
Observation is_spelt() {
  Observation observation{"workflow.get", {"status"}, {"WFX-STATES"}};
  observation.rule = object(
      {{"status", one_of({"NEW", "VALID", "BLOCKED_WAITING", "READY", "RESOURCE_DISCOVERY",
                          "RESOURCES_DISCOVERED", "SCHEDULED", "LOCKING", "LOCKED", "RUNNING",
                          "ERROR", "ROLLBACK", "COMPLETED", "FAILED_SAFE", "FAILED_UNSAFE",
                          "COMPLETED_ACK", "FAILED_SAFE_ACK", "FAILED_UNSAFE_ACK"})}});
  return observation;
}

Object jobs_of_main() { return {{"uuid", "${id}"}}; }

/// Whether it has ended and as what, then what that is called, then its jobs.
std::vector<Observation> observe(const TakenStep& taken) {
  if (taken.made.ends_with(".register")) return {};
  const std::string now = state_of(taken.view);
  std::vector<Observation> observations;
  if (taken.made == "workflow.start") {
    const std::string clause = is_outcome(now) ? "WFX-NEW-FAIL" : "WFX-DISC-JOBS";
    observations.push_back({"jobs.list", {"type", "label"}, {clause}, jobs_of_main()});
  }
  const bool fails_now = has_passed(taken.view, "ERROR") && !is_outcome(taken.before);
  if (fails_now) {
    const Value* history = taken.view.read("workflow.get").find("history");
    Observation passed{"workflow.get", {"history.status"}, {"WFX-RUN-ERR"}};
    passed.only_item = history->as_list().size() - 2;
    if (taken.made == "control.clock") passed.clauses = {"WFX-STUCK"};
    if (taken.made == "workflow.abort") passed.clauses = {"WFX-API-ABORT"};
    observations.push_back(passed);
  }
  const std::string clause = clause_of_status(taken, now);
  // An end that is not shown at all is not one that is wrong.
  if (is_outcome(now)) observations.push_back({"workflow.get", {"uuid"}, {"WFX-API-ID"}});
  if (taken.made == "workflow.ack") observations.push_back(is_spelt());
  observations.push_back({"workflow.get", {"outcome"}, {clause}});
  Observation status{"workflow.get", {"status"}, {clause}};
  status.given = {"outcome"};
  if (is_outcome(now) && !is_outcome(taken.before)) observations.push_back(is_spelt());
  observations.push_back(status);
  observations.push_back(
      {"jobs.list", {"type", "label", "state"}, {clause_of_jobs(taken, now)}, jobs_of_main()});
  // What comes after the end has no effect, and need not be shown.
  if (!is_outcome(taken.before)) {
    observations.push_back(
        {"jobs.list", {"result.success"}, {"WFX-RESULT"}, jobs_of_main(), "main", {"state"}});
    observations.push_back(
        {"jobs.list", {"result.data"}, {"WFX-RESULT"}, jobs_of_main(), "main", {"state"}});
  }
  observations.push_back({"workflow.get", {"jobs"}, {"WFX-PROGRESS"}});
  return observations;
}

/// The clause that each state of a life is due by.
std::string clause_of_passing(std::string_view status) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 11> clauses = {{
      {"NEW", "WFX-INIT"},
      {"VALID", "WFX-NEW-VALID"},
      {"READY", "WFX-VALID-READY"},
      {"RESOURCE_DISCOVERY", "WFX-READY-DISC"},
      {"RESOURCES_DISCOVERED", "WFX-DISC-DONE"},
      {"SCHEDULED", "WFX-DISC-SCHED"},
      {"LOCKING", "WFX-SCHED-LOCKING"},
      {"LOCKED", "WFX-LOCK-OK"},
      {"RUNNING", "WFX-LOCKED-RUN"},
      {"ERROR", "WFX-RUN-ERR"},
      {"COMPLETED", "WFX-RUN-DONE"},
  }};
  for (const auto& [state, clause] : clauses) {
    if (state == status) return std::string(clause);
  }
  return "WFX-TERMINAL";
}

core::Pattern entry(const std::string& status) { return object({{"status", literal(status)}}); }

/// The history has the state, once, and not in the place of the one before it.
void observe_passing(const List& history, std::size_t place,
                     std::vector<Observation>& observations) {
  const auto status_at = [&](std::size_t at) {
    return history[at].string_at("status").value_or("");
  };
  const std::string status = status_at(place);
  Observation passed{"workflow.get", {"history.status"}, {clause_of_passing(status)}};
  passed.only_item = place;
  observations.push_back(passed);
  passed.only_item.reset();
  const core::Pattern twice = of(How::contains, {entry(status), entry(status)});
  passed.rule = object({{"history", of(How::none_of, {twice})}});
  observations.push_back(passed);
  if (place == 0) return;
  std::vector<core::Pattern> swapped(history.size(), any());
  swapped[place - 1] = entry(status);
  swapped[place] = entry(status_at(place - 1));
  passed.rule = object({{"history", of(How::none_of, {of(How::list, std::move(swapped))})}});
  observations.push_back(passed);
}

/// The clause by which an execution that went so far went no further.
std::string clause_of_not_passing(std::string_view state, std::string_view last) {
  if (state == "BLOCKED_WAITING") return "WFX-VALID-READY";
  if (last == "LOCKING") return "WFX-LOCK-FAIL";
  if (last == "NEW") return "WFX-NEW-FAIL";
  return last == "RESOURCE_DISCOVERY" ? "WFX-DISC-DONE" : "WFX-STATES";
}

/// The history of one that has ended has no states that it did not pass.
void observe_not_passing(const List& history, std::vector<Observation>& observations) {
  if (history.size() < 2) return;
  std::vector<std::string> passed;
  for (const Value& one : history) passed.push_back(one.string_at("status").value_or(""));
  const auto end = std::find_if(passed.begin(), passed.end(), is_outcome);
  if (end == passed.begin() || end == passed.end()) return;
  for (const char* state : {"BLOCKED_WAITING", "VALID", "READY", "RESOURCES_DISCOVERED",
                            "SCHEDULED", "LOCKED", "RUNNING"}) {
    if (std::find(passed.begin(), passed.end(), state) != passed.end()) continue;
    Observation none{
        "workflow.get", {"history.status"}, {clause_of_not_passing(state, *(end - 1))}};
    none.rule = object({{"history", of(How::excludes, {entry(state)})}});
    observations.push_back(std::move(none));
  }
}

/// Those that have not ended are active, and no others.
Observation observe_active(const View& view) {
  Observation active{"workflow.active", {"uuid", "status"}, {"WFX-API-ACTIVE"}};
  active.among_others = true;
  if (is_outcome(state_of(view))) {
    active.rule = of(How::excludes, {object({{"uuid", literal("${id:main}")}})});
  }
  return active;
}

Observation observe_listed(std::string state) {
  Observation listed{
      "workflow.by_state", {"uuid", "status"}, {"WFX-API-STATE"}, {{"state", std::move(state)}}};
  listed.among_others = true;
  return listed;
}

std::vector<Observation> observe_end(const View& view) {
  std::vector<Observation> observations = {{"workflow.get", {"uuid"}, {"WFX-API-ID"}}};
  const Value* history = view.read("workflow.get").find("history");
  for (std::size_t place = 0; history != nullptr && place < history->as_list().size(); ++place) {
    observe_passing(history->as_list(), place, observations);
  }
  if (history != nullptr) observe_not_passing(history->as_list(), observations);
  observations.push_back({"workflow.get", {"history.status"}, {"WFX-STATES"}});
  observations.push_back({"workflow.get", {"isPureExecution"}, {"WFX-ERR-SAFE"}});
  observations.push_back(observe_active(view));
  Observation all{"workflow.list", {"uuid", "status"}, {"WFX-LIST-ALL"}};
  all.among_others = true;
  observations.push_back(all);
  observations.push_back(observe_listed(state_of(view)));
  observations.push_back(observe_listed(in_lower_case(state_of(view))));
  const std::string now = state_of(view);
  if (now.ends_with("_ACK")) {
    Observation left = observe_listed(now.substr(0, now.size() - 4));
    left.rule = of(How::excludes, {object({{"uuid", literal("${id:main}")}})});
    observations.push_back(left);
  }
  return observations;
}

}  // namespace

std::vector<Family> all() {
  Family life;
  life.id = "properties/lifecycle-and-purity";
  life.title = "Every life of a workflow execution, what it passes and what its end is called";
  life.clauses = {
      "API-CLOCK",    "API-CONFLICT",   "WFX-LOCK-FAIL",  "WFX-API-ABORT",  "WFX-API-ACTIVE",
      "WFX-API-ID",   "WFX-API-STATE",  "WFX-DISC-DONE",  "WFX-DISC-JOBS",  "WFX-DISC-SCHED",
      "WFX-ERR-SAFE", "WFX-ERR-UNSAFE", "WFX-INIT",       "WFX-LIST-ALL",   "WFX-RESULT",
      "WFX-RUN-JOBS", "WFX-LOCK-OK",    "WFX-LOCKED-RUN", "WFX-NEW-FAIL",   "WFX-NEW-VALID",
      "WFX-PROGRESS", "WFX-READY-DISC", "WFX-RUN-DONE",   "WFX-RUN-ERR",    "WFX-SCHED-LOCKING",
      "WFX-STATES",   "WFX-STUCK",      "WFX-TERMINAL",   "WFX-VALID-READY"};
  life.kinds = {{"work", 12}, {"fail", 3},  {"take", 4},     {"push", 3},  {"abort", 1},
                {"ack", 3},   {"clock", 5}, {"no locks", 2}, {"locks", 1}, {"block", 1}};
  life.parts = {{"step", 1}};
  life.most_parts = 5;
  life.open = open_life;
  life.step = step_of;
  life.answer = answer_of;
  life.observe = observe;
  life.observe_end = observe_end;
  life.state = state_of;
  return {life};
}

}  // namespace assay::properties::lifecycle_families
