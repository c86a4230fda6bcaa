// Specification 004: walks over the statuses of runs.
#include <algorithm>
#include <array>
#include <utility>

#include "harness/check/transition_clauses.h"
#include "properties/families/families.h"
#include "properties/families/patterns.h"
#include "properties/families/steps.h"

namespace assay::properties::run_families {
namespace {

using core::Step;

Object diagnostic_of(const Move& move) {
  // Whatever the code says: what counts is the status.
  Object diagnostic{
      {"error_code", pick(move.operands[3] / 4, {"E_STORE", "SUCCESS", "CANCELED", "RUNNING"})},
      {"category", "storage"},
      {"message", "disk full"},
      {"likely_cause", "no space"},
      {"suggested_fix", "clean"},
      {"retryable", move.operands[2] % 2 == 1},
      {"severity", pick(move.operands[3], {"error", "info", "warn", "critical"})}};
  return diagnostic;
}

/// The runs of a case: main, and its retries.
std::vector<std::string> runs_of(const View& view) {
  std::vector<std::string> names{"main"};
  for (const Step& step : view.steps()) {
    const auto* action = std::get_if<core::Operate>(&step.action);
    if (action != nullptr && action->operation.name == "runs.retry" && !step.as.empty()) {
      names.push_back(step.as);
    }
  }
  return names;
}

std::string on_of(const Move& move, const View& view) {
  const std::vector<std::string> names = runs_of(view);
  return names[move.operands[1] % 4 == 0 ? names.size() - 1 : move.operands[1] % names.size()];
}

Step transition(const Move& move, std::string to, std::string on, bool with_diagnostic) {
  Object parameters{{"to", std::move(to)}};
  if (with_diagnostic) parameters.emplace("diagnostic", diagnostic_of(move));
  if (move.operands[2] % 4 == 2) parameters.emplace("reason", "because");
  return operate("runs.transition", std::move(parameters), {}, std::move(on));
}

bool is_terminal(std::string_view status) {
  return status != "created" && status != "running" && status != "waiting" && !status.empty();
}

/// The names of what was kept of the times of a run: "started7" of what "remember" read as seventh.
std::string remembered(const View& view, const std::string& on, std::string_view what) {
  std::string newest;
  for (const Step& step : view.steps()) {
    if (step.on != on) continue;
    for (const auto& [name, pointer] : step.capture) {
      if (name.starts_with(what)) newest = name;
    }
  }
  return newest;
}

/// Keeps the times that a run must not change any more.
Step remember(const View& view, const std::string& on) {
  const std::string status = view.read("runs.get", on).string_at("status").value_or("");
  const std::string number = std::to_string(view.steps().size());
  Step step = operate("runs.get", {}, {}, on);
  step.capture.emplace("created" + number, "/created_at");
  if (status == "running" || status == "waiting") {
    step.capture.emplace("started" + number, "/started_at");
  }
  if (is_terminal(status)) step.capture.emplace("ended" + number, "/ended_at");
  return step;
}

/// As often to waiting and back as makes the audit longer than any page; once in a case.
std::optional<Step> to_and_fro(const View& view) {
  const std::vector<Step>& steps = view.steps();
  const bool was_there = std::any_of(steps.begin(), steps.end(), [](const Step& step) {
    return std::holds_alternative<core::Repeat>(step.action);
  });
  if (was_there || view.read("runs.get").string_at("status") != "running") return std::nullopt;
  constexpr int most_times = 52;
  core::Repeat repeat{most_times, {}};
  for (const char* to : {"waiting", "running"}) {
    repeat.steps.push_back(operate("runs.transition", {{"to", to}}));
  }
  Step step;
  step.action = std::move(repeat);
  return step;
}

std::optional<Step> step_of(std::string_view kind, const Move& move, const View& view) {
  const std::string on = on_of(move, view);
  if (kind == "remember") return remember(view, on);
  if (kind == "to and fro") return to_and_fro(view);
  if (kind == "clock") return operate("control.clock", {{"advance_ms", 1'000}});
  if (kind == "go on") {
    const std::string status = view.read("runs.get", on).string_at("status").value_or("");
    std::vector<std::string_view> open;
    for (const check::Transition& each : check::transitions) {
      if (each.from == status) open.push_back(each.to);
    }
    if (open.empty()) return std::nullopt;
    return transition(move, std::string(open[move.operands[0] % open.size()]), on, true);
  }
  if (kind == "pause") {
    const std::string status = view.read("runs.get", on).string_at("status").value_or("");
    if (is_terminal(status)) return std::nullopt;
    return transition(move, status == "running" ? "waiting" : "running", on, false);
  }
  if (kind == "retry") {
    const std::string name = "retry" + std::to_string(view.steps().size());
    return operate("runs.retry", {}, name, on);
  }
  const std::string to =
      pick(move.operands[0], {"running", "success", "failed", "created", "waiting", "denied",
                              "timeout", "canceled", "running", "success", "waiting", "running"});
  return transition(move, to, on, kind == "any with diagnostic");
}

/// A word that is no status, some of them what others call one; or on, so that runs in every
/// status meet them.
std::optional<Step> word_of(std::string_view kind, const Move& move, const View& view) {
  if (kind != "word") return step_of(kind, move, view);
  const std::string word = pick(move.operands[0], {"CRASHED", "completed", "Failed", "paused",
                                                   "CANCELLING", "Running", "pending", "skipped"});
  return transition(move, word, "main", move.operands[1] % 2 == 1);
}

std::string state_of(const View& view) {
  return view.read("runs.get").string_at("status").value_or("");
}

std::string to_of(const TakenStep& taken) {
  const auto* action = std::get_if<core::Operate>(&taken.step.action);
  if (action == nullptr) return {};
  return Value(action->operation.parameters).string_at("to").value_or("");
}

/// The status before, where it is known: causes name that of the main run, and of another its audit
/// says from where it was led.
std::string before_of(const TakenStep& taken) {
  if (taken.step.on == "main") return taken.before;
  if (taken.acceptance != core::Acceptance::accepted) return {};
  const Value* audit = taken.view.read("runs.audit", taken.step.on).find("items");
  if (audit == nullptr || audit->as_list().empty()) return {};
  return audit->as_list().back().string_at("before_state").value_or("");
}

bool has_reason(const TakenStep& taken) {
  const auto* action = std::get_if<core::Operate>(&taken.step.action);
  return action != nullptr && action->operation.parameters.contains("reason");
}

bool has_kind(const View& view) {
  const std::vector<Step>& steps = view.steps();
  return std::any_of(steps.begin(), steps.end(), [](const Step& step) {
    const auto* action = std::get_if<core::Operate>(&step.action);
    return action != nullptr && action->operation.parameters.contains("run_kind");
  });
}

bool is_of_a_kind(const TakenStep& taken) {
  return taken.step.on == "main" && has_kind(taken.view);
}

/// Whether the run was led to no status at all, but to another word.
bool leads_nowhere(const TakenStep& taken) {
  const std::string to = to_of(taken);
  return std::none_of(check::transitions.begin(), check::transitions.end(),
                      [&to](const check::Transition& each) { return each.to == to; }) &&
         to != "created";
}

/// Whether a run has ended before: of the main one its state says so, of another its status now.
bool had_ended(const TakenStep& taken) {
  if (taken.step.on == "main") return is_terminal(taken.before);
  return taken.acceptance != core::Acceptance::accepted &&
         is_terminal(taken.view.read("runs.get", taken.step.on).string_at("status").value_or(""));
}

/// Where a run that has ended is led on, the answer is judged, or else what has come of it.
bool takes_any_answer(const TakenStep& taken) {
  return taken.made == "runs.transition" && had_ended(taken) && taken.view.steps().size() % 2 == 1;
}

std::vector<std::string> answer_of(const TakenStep& taken) {
  using core::Acceptance;
  if (!taken.made.starts_with("runs.") || taken.made == "runs.create") return {};
  if (taken.made == "runs.get") return {};
  if (taken.made == "runs.retry") return {"RUN-RETRY"};
  if (taken.acceptance == Acceptance::accepted) {
    const std::string_view clause = check::clause_of_transition(before_of(taken), to_of(taken));
    std::vector<std::string> clauses{clause.empty() ? "RUN-STATUSES" : std::string(clause)};
    if (is_of_a_kind(taken)) clauses.emplace_back("RUN-KINDS");
    // A reason may be given, and makes no difference.
    if (has_reason(taken)) clauses.emplace_back("API-VALID");
    return clauses;
  }
  const bool is_defined = !check::clause_of_transition(before_of(taken), to_of(taken)).empty();
  if (is_defined && is_of_a_kind(taken)) return {"RUN-DIAG", "RUN-KINDS"};
  if (is_defined) return {"RUN-DIAG"};
  return {"RUN-INVALID-REJECT", "RUN-NO-OTHER"};
}

/// What a move was answered with is the run as it is now.
std::vector<std::string> answer_members_of(const TakenStep& taken) {
  if (taken.made != "runs.transition") return {};
  if (taken.acceptance != core::Acceptance::accepted) return {};
  return {"status"};
}

/// The clause by which a run has the status that it has now.
std::string clause_of_status(const TakenStep& taken) {
  if (taken.made != "runs.transition") return "RUN-RETRY";
  if (taken.step.on != "main") {
    const std::string_view clause = check::clause_of_transition(before_of(taken), to_of(taken));
    return clause.empty() ? "RUN-NO-OTHER" : std::string(clause);
  }
  if (is_terminal(taken.before)) return "RUN-TERMINAL";
  const std::string_view clause = check::clause_of_transition(taken.before, to_of(taken));
  if (clause.empty()) return "RUN-INVALID-FAIL";
  return taken.acceptance == core::Acceptance::accepted ? std::string(clause) : "RUN-DIAG";
}

/// A run that was just made is created, and has not started.
Observation is_created(const std::string& on) {
  return {"runs.get", {"status", "started_at"}, {"RUN-DEF-CREATED"}, {}, on};
}

/// A retry is another run, to which nothing has happened.
std::vector<Observation> observe_retry(const TakenStep& taken) {
  const std::string& first = taken.step.on;
  const std::string& second = taken.step.as;
  const core::Pattern id = literal("${id:" + first + "}");
  Observation is_another{"runs.get", {}, {"RUN-RETRY"}, {}, second};
  is_another.rule = object({{"run_id", of(How::none_of, {id})}});
  return {is_another,
          is_created(second),
          {"runs.get", {"diagnostic"}, {"RUN-RETRY"}, {}, second},
          {"runs.get", {"status"}, {"RUN-RETRY"}, {}, first}};
}

struct KeptTime {
  std::string_view name;
  std::string_view member;
  std::string_view clause;
};
constexpr std::array<KeptTime, 3> kept_times = {{{"created", "created_at", "RUN-T3"},
                                                 {"started", "started_at", "RUN-T3"},
                                                 {"ended", "ended_at", "RUN-TERMINAL"}}};

/// What was kept of a run's times stands: a run that goes on began when it did, one that has ended
/// ended when it did.
std::vector<Observation> observe_times(const TakenStep& taken) {
  const std::string& on = taken.step.on;
  std::vector<Observation> observations;
  for (const KeptTime& time : kept_times) {
    const std::string name = remembered(taken.view, on, time.name);
    if (name.empty()) continue;
    Observation stays{"runs.get", {}, {std::string(time.clause)}, {}, on, {"status"}};
    stays.rule = object({{time.member, of(By::instant, "${" + name + "}")}});
    observations.push_back(std::move(stays));
  }
  return observations;
}

/// Who was moved has begun, and who has ended says when.
std::vector<Observation> observe_marks(const TakenStep& taken, const std::string& clause) {
  const core::Pattern time = of(By::type, "string");
  Observation begun{"runs.get", {}, {clause}, {}, taken.step.on, {"status"}};
  begun.rule = object({{"started_at", time}});
  if (!is_terminal(to_of(taken))) return {begun};
  Observation ended = begun;
  ended.rule = object({{"ended_at", time}});
  return {begun, ended};
}

Observation is_a_status(const std::string& on) {
  Observation spelling{"runs.get", {"status"}, {"RUN-STATUSES"}, {}, on};
  spelling.rule = object({{"status", one_of({"created", "running", "waiting", "success", "failed",
                                             "denied", "timeout", "canceled"})}});
  return spelling;
}

std::vector<Observation> observe(const TakenStep& taken) {
  if (taken.made == "runs.create") return {is_created("main")};
  if (taken.made == "runs.retry" && taken.acceptance == core::Acceptance::accepted) {
    return observe_retry(taken);
  }
  if (taken.made != "runs.transition" && taken.made != "runs.retry") return {};
  const std::string& on = taken.step.on;
  const bool was_taken = taken.acceptance == core::Acceptance::accepted;
  std::vector<std::string> by_status{clause_of_status(taken)};
  const bool goes_back = had_ended(taken) && to_of(taken) == "running";
  const std::string before = taken.before;
  if (on == "main" && goes_back && before != "success" && before != "canceled") {
    by_status = {"RUN-RETRY"};
  }
  Observation spelling = is_a_status(on);
  if (is_of_a_kind(taken)) {
    by_status.emplace_back("RUN-KINDS");
    spelling.clauses.emplace_back("RUN-KINDS");
  }
  std::vector<Observation> observations = {
      spelling,
      {"runs.get", {"status"}, by_status, {}, on},
      {"runs.get", {"error_code"}, {"RUN-INVALID-CODE"}, {}, on, {"status"}},
      {"runs.get", {"diagnostic"}, {"RUN-DIAG"}, {}, on, {"status"}},
  };
  if (was_taken) {
    for (Observation& has : observe_marks(taken, by_status.front()))
      observations.push_back(std::move(has));
  }
  for (Observation& stays : observe_times(taken)) observations.push_back(std::move(stays));
  observations.push_back({"runs.audit",
                          {"outcome", "before_state", "after_state", "attempted_state"},
                          {was_taken ? "RUN-AUDIT" : "RUN-INVALID-AUDIT"},
                          {},
                          on});
  return observations;
}

/// A word is refused; what led on before it is another family's.
std::vector<std::string> answer_to_word(const TakenStep& taken) {
  return leads_nowhere(taken) ? std::vector<std::string>{"RUN-STATUSES"}
                              : std::vector<std::string>{};
}

/// Whatever a run is sent to, it shows one of the eight.
std::vector<Observation> observe_word(const TakenStep& taken) {
  if (taken.made != "runs.transition") return {};
  std::vector<Observation> observations{is_a_status(taken.step.on)};
  const std::string clause = leads_nowhere(taken) ? "RUN-STATUSES" : clause_of_status(taken);
  observations.push_back({"runs.get", {"status"}, {clause}, {}, taken.step.on});
  return observations;
}

/// The list of its status has the main run, as that.
Observation is_listed_as(const std::string& status) {
  Observation observation{"runs.list", {}, {"RUN-STATUSES"}, {{"status", status}, {"limit", 1000}}};
  observation.rule =
      of(How::contains, {object({{"run_id", literal("${id:main}")}, {"status", literal(status)}})});
  return observation;
}

/// No list of another status has the main run.
Observation is_not_listed_as(std::string status) {
  Observation observation{
      "runs.list", {}, {"API-FILTER"}, {{"status", std::move(status)}, {"limit", 1000}}};
  observation.rule = of(How::excludes, {object({{"run_id", literal("${id:main}")}})});
  return observation;
}

std::vector<Observation> observe_end(const View& view) {
  std::vector<Observation> observations{
      is_not_listed_as(state_of(view) == "created" ? "RUNNING" : "created")};
  observations.push_back(is_listed_as(state_of(view)));
  for (const std::string& name : runs_of(view)) {
    observations.push_back({"runs.next_action", {"action"}, {"RUN-ORCH"}, {}, name});
    observations.push_back({"runs.get", {"parent_run_id", "root_run_id"}, {"RUN-RETRY"}, {}, name});
    observations.push_back(
        {"runs.audit", {"sequence", "outcome", "after_state"}, {"RUN-AUDIT"}, {}, name});
  }
  return observations;
}

/// Half of the runs have a kind, which makes no difference.
Opening open(const Draft& draft) {
  const std::uint8_t way = draft.moves.empty() ? 0 : draft.moves.front().operands[3];
  Object parameters;
  if (way % 2 == 1) parameters.emplace("run_kind", pick(way, {"tool", "workflow", "agent"}));
  return {std::nullopt, {operate("runs.create", std::move(parameters), "main")}};
}

}  // namespace

std::vector<Family> all() {
  Family walks;
  walks.id = "properties/run-walks";
  walks.title = "Every walk over the statuses of a run, allowed or not, with its audit";
  walks.clauses = {"API-FILTER",       "API-VALID",        "RUN-AUDIT",
                   "RUN-DEF-CREATED",  "RUN-DIAG",         "RUN-INVALID-AUDIT",
                   "RUN-INVALID-CODE", "RUN-INVALID-FAIL", "RUN-INVALID-REJECT",
                   "RUN-KINDS",        "RUN-NO-OTHER",     "RUN-ORCH",
                   "RUN-RETRY",        "RUN-STATUSES",     "RUN-T1",
                   "RUN-T2",           "RUN-T3",           "RUN-T4",
                   "RUN-T5",           "RUN-T6",           "RUN-T7",
                   "RUN-T8",           "RUN-T9",           "RUN-TERMINAL"};
  walks.kinds = {{"go on", 10}, {"pause", 10},   {"any", 3},        {"any with diagnostic", 4},
                 {"retry", 3},  {"remember", 3}, {"to and fro", 1}, {"clock", 2}};
  walks.open = open;
  walks.step = step_of;
  walks.answer = answer_of;
  walks.takes_any_answer = takes_any_answer;
  walks.answer_members = answer_members_of;
  walks.observe = observe;
  walks.observe_end = observe_end;
  walks.state = state_of;
  Family words;
  words.id = "properties/run-words";
  words.title = "A word that is none of the eight statuses is refused, and none is shown";
  words.clauses = {"RUN-STATUSES", "RUN-T1", "RUN-T2", "RUN-T3", "RUN-T4",
                   "RUN-T5",       "RUN-T6", "RUN-T7", "RUN-T8", "RUN-T9"};
  words.kinds = {{"word", 8}, {"go on", 4}, {"pause", 4}};
  words.open = open;
  words.step = word_of;
  words.answer = answer_to_word;
  words.observe = observe_word;
  words.state = state_of;
  // Others may answer what they like, as long as they show none (runs/no-ninth-status).
  words.needs = {"binding.reference"};
  return {walks, words};
}

}  // namespace assay::properties::run_families
