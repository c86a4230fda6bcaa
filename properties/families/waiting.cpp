// Specification 002: what an execution waits for before its steps run: conditions, and a lock
// service that gives no answer.
#include <fmt/format.h>

#include <utility>

#include "properties/families/families.h"
#include "properties/families/patterns.h"
#include "properties/families/steps.h"
#include "properties/families/workflows.h"

namespace assay::properties::waiting_families {
namespace {

using core::Pattern;
using core::Step;

std::string condition_name(std::size_t number) { return fmt::format("c{}", number); }

/// One execution of one step, which perhaps acquires, and of four three await a condition for each
/// part.
Opening open_waiting(const Draft& draft) {
  Opening opening{std::nullopt, register_blocks()};
  Object step{{"label", "s0"}, {"functionBlock", "${unique}-pure"}};
  const std::uint8_t way = draft.construction.empty() ? 0 : draft.construction[0].operands[0];
  if (way % 4 != 3) step.emplace("acquire", entities_of(1));
  Object parameters{
      {"workflow", Object{{"name", "${unique}-main"}, {"steps", List{std::move(step)}}}}};
  List awaited;
  for (std::size_t number = 0; way < 12 && number < draft.construction.size(); ++number) {
    awaited.emplace_back(condition_name(number));
  }
  if (!awaited.empty()) parameters.emplace("await", std::move(awaited));
  opening.steps.push_back(operate("workflow.start", std::move(parameters), "main", "main"));
  return opening;
}

/// The conditions that the execution was submitted with.
List awaited_in(const View& view) {
  for (const Step& step : view.steps()) {
    const auto* action = std::get_if<core::Operate>(&step.action);
    if (action == nullptr || action->operation.name != "workflow.start") continue;
    const auto found = action->operation.parameters.find("await");
    if (found != action->operation.parameters.end()) return found->second.as_list();
  }
  return {};
}

/// Those that are awaited, as the bits of an operand choose them; one at least.
std::optional<Step> meet(const Move& move, const View& view) {
  const List awaited = awaited_in(view);
  if (awaited.empty()) return std::nullopt;
  List met;
  for (std::size_t number = 0; number < awaited.size(); ++number) {
    if ((move.operands[0] >> number) % 2 == 1) met.push_back(awaited[number]);
  }
  if (met.empty()) met.push_back(awaited[move.operands[1] % awaited.size()]);
  return operate("workflow.conditions", {{"met", std::move(met)}});
}

Step advance(const Move& move) {
  const std::int64_t by_ms = move.operands[0] % 2 == 0 ? 721'000 : 1'000;
  return operate("control.clock", {{"advance_ms", by_ms}});
}

std::optional<Step> work(const Move& move, const View& view) {
  Move work = move;
  // An ACQUIRE job reports at least one entity.
  work.operands[1] = 1;
  return work_on(work, view, "main", true);
}

bool is_silent(const View& view) {
  bool is_silent = false;
  for (const Step& step : view.steps()) {
    const auto* action = std::get_if<core::Operate>(&step.action);
    if (action == nullptr || action->operation.name != "control.lock_service") continue;
    is_silent = action->operation.parameters.at("available") == Value(false);
  }
  return is_silent;
}

/// What would change nothing is left out: the way through all waits is long.
std::optional<Step> step_of(std::string_view kind, const Move& move, const View& view) {
  const std::string now = workflow_status(view, "main");
  if (is_outcome(now)) return std::nullopt;
  if (kind == "abort" && move.operands[0] < 12) return std::nullopt;
  if (kind == "abort") return operate("workflow.abort");
  if (kind == "work") return work(move, view);
  if (kind == "meet") return now == "BLOCKED_WAITING" ? meet(move, view) : std::nullopt;
  if (kind == "clock") return now == "LOCKING" ? std::optional(advance(move)) : std::nullopt;
  if (is_silent(view) != (kind == "locks")) return std::nullopt;
  if (kind == "locks") return operate("control.lock_service", {{"available", true}});
  return operate("control.lock_service", {{"available", false}, {"mode", "hang"}});
}

/// What comes of conditions that nobody awaits any more is the binding's.
std::vector<std::string> answer_of(const TakenStep& taken) {
  const bool is_met = taken.made == "workflow.conditions" && core::is_taken(taken.acceptance);
  return is_met ? std::vector<std::string>{"WFX-VALID-BLOCK"} : std::vector<std::string>{};
}

std::string state_of(const View& view) { return workflow_status(view, "main"); }

/// The clause by which an execution is where it is.
std::string clause_of(const TakenStep& taken, std::string_view now) {
  if (taken.made == "workflow.abort") return "WFX-API-ABORT";
  if (now == "BLOCKED_WAITING" || taken.before == "BLOCKED_WAITING") return "WFX-VALID-BLOCK";
  if (now == "LOCKING" || taken.before == "LOCKING") return "WFX-LOCK-STUCK";
  if (now == "RESOURCE_DISCOVERY") return "WFX-READY-DISC";
  return now == "COMPLETED" ? "WFX-RUN-DONE" : "WFX-LOCKED-RUN";
}

/// What waits for a lock service that was silent for longer than a job may take says so, in words.
std::vector<Observation> say_why() {
  const Pattern text = of(By::type, "string");
  const Pattern no_words = of(How::none_of, {literal("")});
  std::vector<Observation> observations;
  for (const Pattern& reason : {text, no_words}) {
    Observation told{"workflow.get", {"reason"}, {"WFX-LOCK-STUCK"}};
    told.rule = object({{"reason", reason}});
    told.given = {"status"};
    observations.push_back(std::move(told));
  }
  return observations;
}

bool has_reason(const View& view) {
  const Value* reason = view.read("workflow.get").find("reason");
  return reason != nullptr && reason->is_string();
}

std::vector<Observation> observe(const TakenStep& taken) {
  if (taken.made.ends_with(".register")) return {};
  const std::string now = state_of(taken.view);
  if (now.empty() || (is_outcome(now) && is_outcome(taken.before))) return {};
  const std::string clause = clause_of(taken, now);
  Observation status{"workflow.get", {"status"}, {clause}};
  status.given = {"outcome"};
  std::vector<Observation> observations = {{"workflow.get", {"outcome"}, {clause}}, status};
  Observation jobs{"jobs.list", {"type", "label", "state"}, {clause}, {{"uuid", "${id}"}}};
  if (now == "BLOCKED_WAITING" || now == "LOCKING") observations.push_back(jobs);
  if (now == "LOCKING" && has_reason(taken.view)) {
    for (Observation& told : say_why()) observations.push_back(std::move(told));
  }
  return observations;
}

/// That it was blocked at all is in its history.
std::vector<Observation> observe_end(const View& view) {
  if (awaited_in(view).empty()) return {};
  Observation passed{"workflow.get", {"history.status"}, {"WFX-VALID-BLOCK"}};
  passed.rule =
      object({{"history", of(How::contains, {object({{"status", literal("BLOCKED_WAITING")}})})}});
  return {passed};
}

}  // namespace

std::vector<Family> all() {
  Family waiting;
  waiting.id = "properties/waiting-before-the-run";
  waiting.title = "An execution waits for its conditions, and for a lock service that is silent";
  waiting.clauses = {"WFX-API-ABORT",  "WFX-LOCK-STUCK", "WFX-LOCKED-RUN",
                     "WFX-READY-DISC", "WFX-RUN-DONE",   "WFX-VALID-BLOCK"};
  waiting.kinds = {{"meet", 6},  {"work", 8},  {"silence", 4},
                   {"clock", 5}, {"locks", 2}, {"abort", 1}};
  waiting.parts = {{"condition", 1}};
  waiting.most_parts = 3;
  waiting.open = open_waiting;
  waiting.step = step_of;
  waiting.answer = answer_of;
  waiting.observe = observe;
  waiting.observe_end = observe_end;
  waiting.state = state_of;
  waiting.needs = {"workflow.await", "lock_service.hang"};
  return {waiting};
}

}  // namespace assay::properties::waiting_families
