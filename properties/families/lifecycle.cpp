// Seed 002: the life of one workflow execution, and what its end is called.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "properties/families/families.h"
#include "properties/families/steps.h"
#include "properties/families/workflows.h"

namespace assay::properties {
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
    const std::string block = is_unknown ? "none" : pick(part.operands[0], {"pure", "impure"});
    Object step{{"label", fmt::format("s{}", steps.size())},
                {"functionBlock", "${unique}-" + block}};
    if (List entities = entities_of(part.operands[1] / 2); !entities.empty()) {
      step.emplace("acquire", std::move(entities));
    }
    if (Value condition = condition_of(part.operands[2]); !condition.is_null()) {
      step.emplace("condition", std::move(condition));
    }
    steps.emplace_back(std::move(step));
  }
  opening.steps.push_back(start_workflow(std::move(steps), "main"));
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
  return operate("jobs.push",
                 {{"job_id", "${" + name + "}"}, {"success", move.operands[1] % 4 != 3}});
}

Step advance(const Move& move) {
  constexpr std::array<std::int64_t, 4> steps_ms = {720'000, 719'000, 1'000, 300'000};
  return operate("control.clock", {{"advance_ms", steps_ms.at(move.operands[0] % 4)}});
}

std::optional<Step> step_of(std::string_view kind, const Move& move, const View& view) {
  if (kind == "work") return work_on(move, view, "main", true);
  if (kind == "fail") return work_on(move, view, "main", false);
  if (kind == "take") return take_job(move, view);
  if (kind == "push") return push_result(move, view);
  if (kind == "clock") return advance(move);
  return operate(kind == "abort" ? "workflow.abort" : "workflow.ack");
}

std::string state_of(const View& view) { return workflow_status(view, "main"); }

std::vector<std::string> answer_of(const Moment& moment) {
  const bool was_refused = moment.acceptance == core::Acceptance::refused;
  if (moment.made == "jobs.push") {
    return was_refused ? std::vector<std::string>{"API-CONFLICT"} : std::vector<std::string>{};
  }
  if (moment.made == "workflow.ack") return {"WFX-TERMINAL"};
  if (moment.made == "workflow.abort") return {"WFX-API-ABORT"};
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
std::string clause_of_safe_end(const Moment& moment) {
  if (has_passed(moment.view, "ERROR")) return "WFX-ERR-SAFE";
  if (moment.made == "workflow.start") return "WFX-NEW-FAIL";
  if (moment.made == "workflow.abort") return "WFX-API-ABORT";
  return moment.made == "control.clock" ? "WFX-STUCK" : "WFX-DISC-DONE";
}

/// The clause by which an execution is where it is.
std::string clause_of_status(const Moment& moment, std::string_view now) {
  if (is_outcome(moment.before)) return "WFX-TERMINAL";
  if (now == "COMPLETED") return "WFX-RUN-DONE";
  if (now == "FAILED_UNSAFE") return "WFX-ERR-UNSAFE";
  if (now == "FAILED_SAFE") return clause_of_safe_end(moment);
  if (moment.made == "control.clock") return "WFX-STUCK";
  if (now == "RESOURCE_DISCOVERY") {
    return moment.made == "workflow.start" ? "WFX-READY-DISC" : "WFX-DISC-DONE";
  }
  return moment.before == "RUNNING" ? "WFX-RUN-DONE" : "WFX-LOCKED-RUN";
}

/// The clause by which the jobs are as they are.
std::string clause_of_jobs(const Moment& moment) {
  if (moment.made == "workflow.abort") return "WFX-API-ABORT";
  return moment.made == "control.clock" ? "WFX-STUCK" : "WFX-PROGRESS";
}

Object jobs_of_main() { return {{"uuid", "${id}"}}; }

/// Whether it has ended and as what, then what that is called, then its jobs.
std::vector<Watch> watch(const Moment& moment) {
  if (moment.made == "blocks.register") return {};
  const std::string now = state_of(moment.view);
  std::vector<Watch> watches;
  if (moment.made == "workflow.start") {
    const std::string clause = is_outcome(now) ? "WFX-NEW-FAIL" : "WFX-DISC-JOBS";
    watches.push_back({"jobs.list", {"type", "label"}, {clause}, jobs_of_main()});
  }
  const bool fails_now = has_passed(moment.view, "ERROR") && !is_outcome(moment.before);
  if (fails_now) {
    const Value* history = moment.view.read("workflow.get").find("history");
    Watch passed{"workflow.get", {"history.status"}, {"WFX-RUN-ERR"}};
    passed.only_item = history->as_list().size() - 2;
    if (moment.made == "control.clock") passed.clauses = {"WFX-STUCK"};
    if (moment.made == "workflow.abort") passed.clauses = {"WFX-API-ABORT"};
    watches.push_back(passed);
  }
  const std::string clause = clause_of_status(moment, now);
  watches.push_back({"workflow.get", {"outcome"}, {clause}});
  Watch status{"workflow.get", {"status"}, {clause}};
  status.given = {"outcome"};
  if (is_outcome(now) && !is_outcome(moment.before) && now != "COMPLETED") {
    status.clauses = {"WFX-STATES"};
  }
  watches.push_back(status);
  watches.push_back(
      {"jobs.list", {"type", "label", "state"}, {clause_of_jobs(moment)}, jobs_of_main()});
  watches.push_back({"workflow.get", {"jobs"}, {"WFX-PROGRESS"}});
  return watches;
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

std::vector<Watch> watch_end(const View& view) {
  std::vector<Watch> watches = {{"workflow.get", {"uuid"}, {"WFX-API-ID"}}};
  const Value* history = view.read("workflow.get").find("history");
  for (std::size_t place = 0; history != nullptr && place < history->as_list().size(); ++place) {
    const std::string status = history->as_list()[place].string_at("status").value_or("");
    Watch passed{"workflow.get", {"history.status"}, {clause_of_passing(status)}};
    passed.only_item = place;
    watches.push_back(passed);
  }
  watches.push_back({"workflow.get", {"history.status"}, {"WFX-STATES"}});
  watches.push_back({"workflow.get", {"isPureExecution"}, {"WFX-ERR-SAFE"}});
  Watch active{"workflow.active", {"uuid", "status"}, {"WFX-API-ACTIVE"}};
  active.among_others = true;
  watches.push_back(active);
  Watch listed{
      "workflow.by_state", {"uuid", "status"}, {"WFX-API-STATE"}, {{"state", state_of(view)}}};
  listed.among_others = true;
  watches.push_back(listed);
  return watches;
}

}  // namespace

std::vector<Family> lifecycle_families() {
  Family life;
  life.id = "properties/lifecycle-and-purity";
  life.title = "Every life of a workflow execution, what it passes and what its end is called";
  life.clauses = {"API-CONFLICT",   "WFX-API-ABORT",  "WFX-API-ACTIVE", "WFX-API-ID",
                  "WFX-API-STATE",  "WFX-DISC-DONE",  "WFX-DISC-JOBS",  "WFX-DISC-SCHED",
                  "WFX-ERR-SAFE",   "WFX-ERR-UNSAFE", "WFX-INIT",       "WFX-LOCK-OK",
                  "WFX-LOCKED-RUN", "WFX-NEW-FAIL",   "WFX-NEW-VALID",  "WFX-PROGRESS",
                  "WFX-READY-DISC", "WFX-RUN-DONE",   "WFX-RUN-ERR",    "WFX-SCHED-LOCKING",
                  "WFX-STATES",     "WFX-STUCK",      "WFX-TERMINAL",   "WFX-VALID-READY"};
  life.kinds = {{"work", 12}, {"fail", 3}, {"take", 3}, {"push", 3},
                {"abort", 1}, {"ack", 1},  {"clock", 2}};
  life.parts = {{"step", 1}};
  life.most_parts = 5;
  life.open = open_life;
  life.step = step_of;
  life.answer = answer_of;
  life.watch = watch;
  life.watch_end = watch_end;
  life.state = state_of;
  return {life};
}

}  // namespace assay::properties
