#include "properties/families/driven.h"

#include <algorithm>
#include <set>
#include <utility>

#include "harness/core/log_clauses.h"
#include "properties/families/patterns.h"
#include "properties/families/playbooks.h"
#include "properties/families/steps.h"

namespace assay::properties {
namespace {

using core::Step;

constexpr std::string_view events = "events.list";

Step play_of(core::Play play) {
  Step step;
  step.action = std::move(play);
  return step;
}

/// Steps with a token of one of these statuses, in the order of the marking.
std::vector<std::string> steps_in(const View& view, std::string_view status) {
  std::vector<std::string> steps;
  for (const Value& token : tokens_of(view)) {
    const std::string word = token.string_at("status").value_or("");
    const std::string step = token.string_at("step").value_or("");
    const bool fits = status.empty() ? word != "pending" : word == status;
    if (fits && step != hold_step) steps.push_back(step);
  }
  return steps;
}

List listed(const View& view, std::string_view type, std::string_view entity = {}) {
  Object filter{{"event_type", std::string(type)}};
  if (!entity.empty()) filter.emplace("entity_id", std::string(entity));
  const Value* items = view.read(events, "main", filter).find("items");
  return items == nullptr ? List{} : items->as_list();
}

/// Steps with an outcome and no open run: another outcome of one is late.
std::vector<std::string> steps_that_are_over(const View& view) {
  std::set<std::string> steps;
  for (const std::string_view type : {"step.done", "step.failed"}) {
    for (const Value& event : listed(view, type)) {
      steps.insert(event.string_at("entity_id").value_or(""));
    }
  }
  for (const std::string& open : steps_in(view, "")) steps.erase(open);
  return {steps.begin(), steps.end()};
}

/// Whether the newest outcome of a step is of a run that had one.
bool is_late(const View& view, const std::string& step) {
  const Value* items = view.read(events, "main", {{"entity_id", step}}).find("items");
  std::vector<std::string> runs;
  for (const Value& event : items == nullptr ? List{} : items->as_list()) {
    const std::string type = event.string_at("event_type").value_or("");
    if (type != "step.done" && type != "step.failed") continue;
    runs.push_back(event.string_at("step_run_id").value_or(""));
  }
  return !runs.empty() && std::count(runs.begin(), runs.end(), runs.back()) > 1;
}

std::optional<std::string> chosen(std::uint8_t operand, const std::vector<std::string>& steps) {
  if (steps.empty()) return std::nullopt;
  return steps[operand % steps.size()];
}

Value count_by(std::string_view name, std::uint8_t operand) {
  if (operand % 4 == 3) return {};
  return Object{{std::string(name), operand % 4}};
}

/// The data that a worker brings: what guards see as output and as ctx.
void add_data(core::Play& play, const Move& move) {
  play.outcome = move.operands[1] % 4 == 3 ? "failed" : "done";
  play.result = count_by("n", move.operands[2]);
  if (!play.result.is_null()) play.result.as_object().emplace("deep", play.result);
  if (move.operands[3] >= 4) play.ctx = count_by("k", move.operands[3]);
  if (move.operands[3] >= 12 && !play.ctx.is_null()) play.ctx.as_object().emplace("open", true);
}

Object ctx_patch(const Move& move) {
  Object patch;
  if (move.operands[0] % 2 == 0) patch.emplace("open", move.operands[1] % 4 != 3);
  if (move.operands[0] % 4 != 0) patch.emplace("k", move.operands[2] % 3);
  if (move.operands[3] % 4 == 3) patch.emplace("nothing", nullptr);
  return {{"patch", std::move(patch)}};
}

/// A worker's event of a step run that the server never made.
Step unscheduled(const Move& move, const View& view) {
  const std::string step(1, static_cast<char>('a' + move.operands[1] % 3));
  return post(numbered_event(view.steps().size(),
                             {{"type", pick(move.operands[0], {"step.started", "step.done",
                                                               "step.failed", "step.scheduled"})},
                              {"step_run", "made-up"},
                              {"node", step},
                              {"entity_type", "step"},
                              {"entity_id", step}}));
}

/// A token of each arc that fires, and no others: nothing else is in flight.
bool are_all_selected(const List& tokens, const List& selected) {
  return tokens.size() == selected.size() && !tokens.empty();
}

bool are_all(const List& tokens, std::string_view member, std::string_view word) {
  return std::all_of(tokens.begin(), tokens.end(),
                     [&](const Value& token) { return token.string_at(member) == word; });
}

/// Whether a step that has a token has had one before.
bool ran_twice(const View& view, const Value& token) {
  return listed(view, "step.scheduled", token.string_at("step").value_or("")).size() > 1;
}

/// Why an execution that the sound server still runs has not ended.
std::string clause_of_going_on(const TakenStep& taken) {
  const List tokens = tokens_of(taken.view);
  const Played played = played_in(taken);
  if (taken.made == "executions.start") return "RTE-QUIET-TOKENS";
  const std::string final_step = setting_of(taken.view.playbook(), "final_step");
  if (!final_step.empty() && !tokens.empty() && are_all(tokens, "step", final_step)) {
    return "RTE-FINAL-END";
  }
  if (are_all(tokens, "status", "pending")) return "RTE-QUIET-TOKENS";
  if (tokens.size() == 1 && ran_twice(taken.view, tokens.front())) return "RTE-QUIET-TOKENS";
  if (played.ended && are_all_selected(tokens, played.selected)) return clause_of_tokens(taken);
  return "RTE-QUIET-INFLIGHT";
}

/// Whether arcs matched and none fires: a run that fails fast schedules nothing more.
bool is_draining(const Played& played) {
  return played.ended && played.matched && played.selected.empty();
}

/// Why an execution has ended now.
std::string clause_of_ending(const TakenStep& taken) {
  if (taken.made == "executions.cancel") return "STM-EXEC-T4";
  const Played played = played_in(taken);
  const Value& playbook = taken.view.playbook();
  if (!played.step.empty() && played.step == setting_of(playbook, "final_step")) {
    return "RTE-FINAL-END";
  }
  if (is_draining(played)) return "RTE-STATUS";
  if (!has_no_match(playbook, played)) return "RTE-QUIET-DONE";
  return is_no_match_an_error(playbook) ? "RTE-NOMATCH-ERR" : "RTE-NOMATCH";
}

}  // namespace

bool is_no_match_an_error(const Value& playbook) {
  return playbook.at_pointer("/executor/spec/no_next_is_error") != nullptr;
}

bool has_no_match(const Value& playbook, const Played& played) {
  return played.ended && !played.matched && !arcs_of(playbook, played.step).empty();
}

bool is_end(std::string_view state) {
  return state == "COMPLETED" || state == "FAILED" || state == "CANCELLED";
}

std::string driven_state(const View& view) {
  return view.read("executions.status").string_at("state").value_or("");
}

List tokens_of(const View& view) {
  const Value* tokens = view.read("executions.marking").find("tokens");
  return tokens == nullptr ? List{} : tokens->as_list();
}

std::optional<Step> driven_step(std::string_view kind, const Move& move, const View& view) {
  if (kind == "cancel") return operate("executions.cancel");
  if (kind == "evict") return operate("control.evict");
  if (kind == "unscheduled") return unscheduled(move, view);
  if (kind == "ctx") return operate("executions.ctx", ctx_patch(move));
  core::Play play;
  add_data(play, move);
  std::optional<std::string> step;
  if (kind == "begin") {
    step = chosen(move.operands[0], steps_in(view, "scheduled"));
    play.outcome = "none";
    play.result = play.ctx = {};
    if (move.operands[2] % 4 == 3) play.failed_attempts = 1 + move.operands[3] % 2;
  } else if (kind == "end") {
    step = chosen(move.operands[0], steps_in(view, "running"));
    play.only_end = true;
  } else if (kind == "late") {
    step = chosen(move.operands[0], steps_that_are_over(view));
    play.only_end = true;
  } else {
    step = chosen(move.operands[0], steps_in(view, "scheduled"));
    if (kind == "twice") play.times = 2;
    if (kind == "retried") play.failed_attempts = 1 + move.operands[2] % 3;
  }
  if (!step) return std::nullopt;
  play.step = *std::move(step);
  return play_of(std::move(play));
}

Played played_in(const TakenStep& taken) {
  const auto* play = std::get_if<core::Play>(&taken.step.action);
  if (play == nullptr) return {};
  Played played{play->step, false, play->outcome == "failed", false, {}};
  if (play->outcome == "none" || is_end(taken.before)) return played;
  played.ended = !play->only_end || !is_late(taken.view, play->step);
  const List routed = listed(taken.view, "next.evaluated", play->step);
  if (!played.ended || routed.empty()) return played;
  if (const Value* matched = routed.back().at_pointer("/payload/matched")) {
    played.matched = !matched->as_list().empty();
  }
  if (const Value* selected = routed.back().at_pointer("/payload/selected")) {
    played.selected = selected->as_list();
  }
  return played;
}

std::vector<Observation> observe_end_of_execution(const TakenStep& taken) {
  const std::string now = driven_state(taken.view);
  std::string clause = "STM-EXEC-R1";
  if (!is_end(taken.before)) {
    clause = is_end(now) ? clause_of_ending(taken) : clause_of_going_on(taken);
  }
  std::vector<Observation> observations = {{"executions.status", {"ended_at"}, {clause}}};
  if (is_end(taken.before)) return observations;
  // Whether it has ended is said by the same clause, and how by another one.
  Observation ended{"executions.status", {"state"}, {clause}};
  ended.rule = object({{"state", is_end(now) ? one_of({"COMPLETED", "FAILED", "CANCELLED"})
                                             : one_of({"PENDING", "RUNNING"})}});
  observations.push_back(std::move(ended));
  if (now == "RUNNING") return observations;
  const bool is_mere_no_match = has_no_match(taken.view.playbook(), played_in(taken)) &&
                                !is_no_match_an_error(taken.view.playbook());
  const std::string how = now == "CANCELLED"                       ? "STM-EXEC-T4"
                          : is_mere_no_match && now == "COMPLETED" ? "RTE-NOMATCH"
                                                                   : "RTE-STATUS";
  observations.push_back({"executions.status", {"state"}, {how}, {}, "main", {"ended_at"}});
  return observations;
}

std::string clause_of_tokens(const TakenStep& taken) {
  const Value& playbook = taken.view.playbook();
  if (taken.made == "executions.start") {
    return setting_of(playbook, "entry_step").empty() ? "RTE-ENTRY-FIRST" : "RTE-ENTRY-OVERRIDE";
  }
  if (taken.made == "executions.cancel") return "STM-EXEC-T4";
  const Played played = played_in(taken);
  if (!played.ended) return "RTE-ROUTE-WHEN";
  if (is_draining(played)) return "RTE-STATUS";
  if (has_no_match(playbook, played) && is_no_match_an_error(playbook)) return "RTE-NOMATCH-ERR";
  if (played.selected.empty() && !setting_of(playbook, "final_step").empty()) {
    return "RTE-FINAL-ONCE";
  }
  const std::string clause = clause_of_arcs(playbook, played.step, played.selected);
  // Whatever events are called in guards: there are arcs for step.failed, too.
  return clause == "EVT-ENV-NAME" && played.failed ? "RTE-ROUTE-WHEN" : clause;
}

std::vector<Observation> observe_tokens(const TakenStep& taken) {
  std::vector<Observation> observations;
  const Played played = played_in(taken);
  const Value& playbook = taken.view.playbook();
  if (mode_of(playbook, played.step) == "inclusive" && !played.selected.empty()) {
    // Whatever else fires, the first that matches does.
    const std::string clause =
        clause_of_arcs(playbook, played.step, played.selected) != "RTE-MODE-INCL" ? ""
        : arcs_of(playbook, played.step).front().find("when") == nullptr ? "RTE-GUARD-DEFAULT"
                                                                         : "RTE-GUARD-STATE";
    const std::string first = played.selected.front().string_at("step").value_or("");
    if (!clause.empty()) {
      observations.push_back({std::string(events),
                              {"event_type"},
                              {clause},
                              {{"event_type", "step.scheduled"}, {"entity_id", first}}});
    }
  }
  Observation steps{"executions.marking", {"tokens.step"}, {clause_of_tokens(taken)}};
  steps.in_any_order = true;
  observations.push_back(steps);
  Observation args{"executions.marking", {"tokens.step", "tokens.args"}, {"RTE-ARGS-BIND"}};
  args.given = {"tokens.step"};
  args.in_any_order = true;
  args.exactly = true;
  observations.push_back(args);
  return observations;
}

std::vector<Observation> observe_router(const TakenStep& taken) {
  const Played played = played_in(taken);
  const Value& playbook = taken.view.playbook();
  if (played.step.empty() || arcs_of(playbook, played.step).empty()) return {};
  const Object filter{{"event_type", "next.evaluated"}, {"entity_id", played.step}};
  std::vector<Observation> observations = {
      {std::string(events), {"entity_id"}, {"RTE-ROUTE-WHEN"}, filter}};
  if (mode_of(playbook, played.step).empty()) {
    observations.push_back({std::string(events),
                            {"payload.mode"},
                            {"RTE-MODE-DEFAULT"},
                            filter,
                            "main",
                            {"entity_id"}});
  }
  return observations;
}

std::vector<Observation> observe_arcs(const TakenStep& taken) {
  const Played played = played_in(taken);
  if (played.step.empty() || arcs_of(taken.view.playbook(), played.step).empty()) return {};
  const Object filter{{"event_type", "next.evaluated"}, {"entity_id", played.step}};
  Observation arcs{std::string(events),
                   {"payload.matched.step", "payload.matched.when", "payload.selected.step",
                    "payload.selected.args"},
                   {"EVT-POL-NEXT"},
                   filter};
  arcs.given = {"entity_id"};
  // Of the args: an arc has what it binds, and nothing more.
  arcs.exactly = true;
  return {arcs};
}

std::vector<Observation> observe_log() {
  std::vector<Observation> observations;
  for (const core::LogClause& clause : core::log_clauses()) {
    Observation observation{std::string(events), {}, {std::string(clause.id)}};
    observation.keeps = clause.id;
    observations.push_back(std::move(observation));
  }
  // An event that is not shown, or in another place, leaves the numbers in disorder, too: what is
  // missing or misplaced is told first.
  std::stable_partition(
      observations.begin(), observations.end(), [](const Observation& observation) {
        return observation.keeps != "API-SEQ" && observation.keeps != "EVT-ENV-SEQ";
      });
  return observations;
}

std::vector<std::string> with_log_clauses(std::vector<std::string> clauses) {
  for (const core::LogClause& clause : core::log_clauses()) clauses.emplace_back(clause.id);
  std::sort(clauses.begin(), clauses.end());
  clauses.erase(std::unique(clauses.begin(), clauses.end()), clauses.end());
  return clauses;
}

}  // namespace assay::properties
