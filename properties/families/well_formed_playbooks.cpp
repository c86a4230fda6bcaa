// Specification 003, 1 and 2: any well-formed playbook is taken, and it begins where it says.
#include <fmt/format.h>

#include <utility>

#include "properties/families/families.h"
#include "properties/families/steps.h"

namespace assay::properties::well_formed_families {
namespace {

using core::Step;

Object arc_to(const std::string& target) { return {{"step", target}}; }

/// Two steps, the second behind the first.
Object two_steps(const std::string& first, const std::string& second) {
  const Object next{{"arcs", List{arc_to(second)}}};
  return {{"workflow", List{Object{{"step", first}, {"next", next}}, Object{{"step", second}}}}};
}

/// The sections of a playbook beside its workflow, and keys that nobody knows.
Value with_sections(const Move& move) {
  if (move.operands[0] % 8 == 7) {
    return move.operands[1] % 2 == 0 ? "workflow:\n  - step: a\n"
                                     : "workload: {n: 1}\nworkflow: [{step: a}]\n";
  }
  Object playbook = two_steps("a", "b");
  const std::uint8_t first = move.operands[0] % 8;
  const std::uint8_t second = move.operands[1] % 8;
  for (const std::uint8_t section : {first, second}) {
    if (section == 0) playbook.insert_or_assign("metadata", Object{{"name", "t"}});
    if (section == 1) playbook.insert_or_assign("keychain", List{});
    if (section == 2) playbook.insert_or_assign("keychain", List{Object{{"name", "token"}}});
    if (section == 3) playbook.insert_or_assign("executor", Object{{"kind", "local"}});
    if (section == 4) playbook.insert_or_assign("workload", Object{{"n", 1}});
    if (section == 5) playbook.insert_or_assign("workbook", List{Object{{"name", "shared"}}});
    if (section == 6) playbook.insert_or_assign("apiVersion", "noetl.io/v2");
  }
  return playbook;
}

/// Names that other systems reserve, in any order of the alphabet.
Object with_names(const Move& move) {
  const std::string first = pick(move.operands[0], {"b", "end", "next", "done", "終了", "loop"});
  const std::string second = pick(move.operands[1], {"a", "start", "c", "a b", "event", "Begin"});
  return two_steps(first, second);
}

/// An entry_step: a step, no step, or one in another spelling.
Object with_entry(const Move& move) {
  const std::string first = pick(move.operands[1], {"fetch", "a"});
  Object playbook = two_steps(first, "load");
  const std::string entry = pick(move.operands[0], {"load", "Load", "none", "", "FETCH", "loa"});
  playbook.emplace("executor", Object{{"spec", Object{{"entry_step", entry}}}});
  return playbook;
}

Object with_tools(const Move& move) {
  Object playbook = two_steps("a", "b");
  List& steps = playbook.at("workflow").as_list();
  const std::uint8_t where = move.operands[0] % 3;
  for (std::size_t place = 0; place < steps.size(); ++place) {
    const bool is_noop = where == 2 || where == place;
    steps[place].as_object().emplace("tool", Object{{"kind", is_noop ? "noop" : "python"}});
  }
  return playbook;
}

/// A step with a guard of its own, which the model does not have.
Object with_own_guard(const Move& move) {
  Object playbook = two_steps("a", "b");
  Value& step = playbook.at("workflow").as_list()[move.operands[0] % 2];
  step.as_object().emplace("when", pick(move.operands[1], {"{{ false }}", "{{ true }}"}));
  return playbook;
}

/// A first step with members of earlier models, which lead nowhere and store nothing.
Object with_old_members(const Move& move) {
  Object playbook = two_steps("a", "b");
  List& steps = playbook.at("workflow").as_list();
  steps.emplace_back(Object{{"step", "c"}});
  Object& first = steps.front().as_object();
  if (move.operands[0] % 3 != 1) {
    const Object way{{"next", List{Object{{"step", "c"}}}}};
    first.emplace("case", List{Object{{"when", "{{ true }}"}, {"then", List{way}}}});
  }
  if (move.operands[0] % 3 != 0) {
    first.emplace("sink", Object{{"tool", Object{{"kind", "postgres"}}}, {"table", "results"}});
  }
  if (move.operands[1] % 2 == 1) {
    first.emplace("retry", Object{{"max_attempts", 3}, {"when", "{{ true }}"}});
  }
  return playbook;
}

/// A first step that does nothing but patch ctx.
Object with_patching_noop() {
  Object playbook = two_steps("patch", "b");
  Object& first = playbook.at("workflow").as_list().front().as_object();
  first.emplace("tool", Object{{"kind", "noop"}});
  return playbook;
}

/// A step without admission rules, said in three ways.
Object with_admission(const Move& move) {
  Object playbook = two_steps("a", "b");
  Value& step = playbook.at("workflow").as_list()[move.operands[0] % 2];
  const Object empty = move.operands[1] % 3 == 2 ? Object{{"rules", List{}}} : Object{};
  Object policy;
  if (move.operands[1] % 3 != 0) policy.emplace("admit", empty);
  step.as_object().emplace("spec", Object{{"policy", std::move(policy)}});
  return playbook;
}

/// An arc that carries references to what is kept elsewhere, or picks them out of the workload.
Object with_references(const Move& move) {
  const Object reference{{"kind", "result_ref"}, {"ref", "noetl://x"}};
  Object args;
  if (move.operands[0] % 3 != 1) args.emplace("result_ref", reference);
  if (move.operands[0] % 3 != 0) {
    args.emplace("rows", pick(move.operands[1], {"{{ workload.w }}", "{{ workload.deep.ref }}"}));
  }
  Object playbook = two_steps("a", "b");
  playbook.emplace("workload", Object{{"w", List{1, 2}}, {"deep", Object{{"ref", reference}}}});
  Value& step = playbook.at("workflow").as_list().front();
  Value& arc = step.as_object().at("next").as_object().at("arcs").as_list().front();
  arc.as_object().emplace("args", std::move(args));
  return playbook;
}

/// Arcs that could all fire, and no mode.
Object with_default_mode(const Move& move) {
  List arcs;
  for (int arc = 0; arc < 2 + move.operands[0] % 2; ++arc) {
    Object one = arc_to(fmt::format("b{}", arc));
    if (move.operands[1] % 2 == 1) one.emplace("when", "{{ workload.n == 1 }}");
    arcs.emplace_back(std::move(one));
  }
  List workflow{Object{{"step", "a"}, {"next", Object{{"arcs", arcs}}}}};
  for (const Value& arc : arcs) workflow.emplace_back(Object{{"step", *arc.find("step")}});
  return {{"workload", Object{{"n", 1}}}, {"workflow", std::move(workflow)}};
}

/// The execution started last.
std::string newest(const View& view) {
  for (auto step = view.steps().rbegin(); step != view.steps().rend(); ++step) {
    if (!step->as.empty()) return step->as;
  }
  return {};
}

std::optional<Step> play(const Move& move, const View& view) {
  const std::string on = newest(view);
  if (on.empty()) return std::nullopt;
  const Value* tokens = view.read("executions.marking", on).find("tokens");
  if (tokens == nullptr || tokens->as_list().empty()) return std::nullopt;
  core::Play action;
  action.step = tokens->as_list().front().string_at("step").value_or("");
  // A step that fails is not tried again.
  if (on.starts_with("old") && move.operands[1] % 2 == 1) action.outcome = "failed";
  if (on.starts_with("patch")) {
    action.ctx = Object{{"ready", "yes"}, {"deep", Object{{"n", move.operands[0] % 3}}}};
  }
  Step step;
  step.action = std::move(action);
  step.on = on;
  return step;
}

/// What an execution is about is in its name.
std::optional<Step> step_of(std::string_view kind, const Move& move, const View& view) {
  if (kind == "play") return play(move, view);
  Value playbook;
  if (kind == "sections") playbook = with_sections(move);
  if (kind == "names") playbook = with_names(move);
  if (kind == "entry") playbook = with_entry(move);
  if (kind == "tools") playbook = with_tools(move);
  if (kind == "admission") playbook = with_admission(move);
  if (kind == "references") playbook = with_references(move);
  if (kind == "mode") playbook = with_default_mode(move);
  if (kind == "guard") playbook = with_own_guard(move);
  if (kind == "old") playbook = with_old_members(move);
  if (kind == "patch") playbook = with_patching_noop();
  return operate("executions.start", {{"playbook", std::move(playbook)}},
                 fmt::format("{}{}", kind, view.steps().size()));
}

/// The clause by which such a playbook is taken, or is not.
std::string clause_of_taking(std::string_view name, core::Acceptance acceptance) {
  if (name.starts_with("names")) return "RTE-NAMES";
  if (name.starts_with("tools") || name.starts_with("patch")) return "RTE-NOOP";
  if (name.starts_with("admission")) return "RTE-ADMIT-DEFAULT";
  if (name.starts_with("references")) return "RTE-ARGS-SMALL";
  if (!name.starts_with("entry")) return "RTE-ROOT";
  return acceptance == core::Acceptance::accepted ? "RTE-ENTRY-OVERRIDE" : "RTE-ENTRY-EXISTS";
}

/// A server may refuse what the model does not have; what it takes has no effect.
bool may_be_refused(std::string_view name) {
  return name.starts_with("guard") || name.starts_with("old");
}

std::vector<std::string> answer_of(const TakenStep& taken) {
  if (may_be_refused(taken.step.as)) return {};
  return {clause_of_taking(taken.step.as, taken.acceptance)};
}

std::vector<Observation> observe(const TakenStep& taken) {
  const bool is_start = taken.made == "executions.start";
  if (is_start && taken.acceptance != core::Acceptance::accepted) return {};
  const std::string on = is_start ? taken.step.as : taken.step.on;
  std::vector<Observation> observations;
  if (on.starts_with("references") && !is_start) {
    Observation args{"executions.marking", {"tokens.args"}, {"RTE-ARGS-SMALL"}, {}, on};
    args.exactly = true;
    observations.push_back(args);
  }
  Observation steps{"executions.marking", {"tokens.step"}, {"RTE-ENTRY-FIRST"}, {}, on};
  if (on.starts_with("names")) steps.clauses = {"RTE-NAMES", "RTE-ENTRY-FIRST"};
  if (on.starts_with("entry")) steps.clauses = {"RTE-ENTRY-OVERRIDE"};
  if (!is_start)
    steps.clauses = {on.starts_with("mode") ? "RTE-MODE-DEFAULT" : "RTE-GUARD-DEFAULT"};
  if (on.starts_with("guard")) {
    // A token that is kept out is there, and pending.
    observations.push_back({"executions.marking", {"tokens.status"}, {"RTE-NO-WHEN"}, {}, on});
    steps.clauses = {"RTE-NO-WHEN"};
  }
  if (on.starts_with("old")) steps.clauses = {"RTE-OLD-STEP"};
  if (on.starts_with("patch") && !is_start) steps.clauses = {"RTE-NOOP"};
  observations.push_back(steps);
  if (on.starts_with("patch") && !is_start) {
    observations.push_back({"executions.variables", {"ctx"}, {"RTE-NOOP-CTX"}, {}, on});
  }
  if (on.starts_with("admission")) {
    observations.push_back(
        {"executions.marking", {"tokens.status"}, {"RTE-ADMIT-DEFAULT"}, {}, on});
  }
  return observations;
}

Opening open(const Draft& /*draft*/) {
  return {std::nullopt,
          {operate("executions.start", {{"playbook", two_steps("start", "b")}}, "sections")}};
}

}  // namespace

std::vector<Family> all() {
  Family family;
  family.id = "properties/well-formed-playbooks";
  family.title = "A playbook is taken whatever it is made of, and begins where it says";
  family.clauses = {"RTE-ADMIT-DEFAULT", "RTE-ARGS-SMALL",     "RTE-ENTRY-EXISTS",
                    "RTE-ENTRY-FIRST",   "RTE-ENTRY-OVERRIDE", "RTE-GUARD-DEFAULT",
                    "RTE-MODE-DEFAULT",  "RTE-NAMES",          "RTE-NO-WHEN",
                    "RTE-NOOP",          "RTE-NOOP-CTX",       "RTE-OLD-STEP",
                    "RTE-ROOT"};
  family.kinds = {{"sections", 5},  {"names", 4},      {"entry", 4}, {"tools", 2},
                  {"admission", 3}, {"references", 3}, {"mode", 2},  {"guard", 2},
                  {"old", 2},       {"patch", 2},      {"play", 10}};
  family.open = open;
  family.step = step_of;
  family.answer = answer_of;
  family.observe = observe;
  family.needs = {"executions.driven", "executions.marking", "playbook.entry_step"};
  return {family};
}

}  // namespace assay::properties::well_formed_families
