// Specification 003, 4.4 and 7.3: what is large is passed on by reference.
#include <fmt/format.h>

#include <array>
#include <utility>

#include "properties/families/driven.h"
#include "properties/families/families.h"
#include "properties/families/patterns.h"
#include "properties/families/steps.h"

namespace assay::properties::reference_families {
namespace {

using core::Pattern;
using core::Step;

constexpr std::string_view final_step = "z";
constexpr std::array<std::string_view, 4> branches = {"a", "b", "c", "d"};

/// How many bytes of text make args {"w": "…"} as long as the binding's bound: 65,536 as compact
/// JSON.
constexpr std::int64_t most_bytes = 65'528;

std::int64_t bytes_of(std::uint8_t operand) {
  constexpr std::array<std::int64_t, 8> sizes = {
      10, most_bytes, 1'000, most_bytes - 1, most_bytes, 10, most_bytes + 1, 2 * most_bytes};
  return sizes.at(operand % sizes.size());
}

std::string filler(std::int64_t bytes) { return fmt::format("${{bytes:{}}}", bytes); }

/// A fan of two to four branches, behind a step that is played first.
Value fan_of(List arcs) {
  List workflow{Object{{"step", "s"},
                       {"next", Object{{"spec", Object{{"mode", "inclusive"}}}, {"arcs", arcs}}}}};
  for (const Value& arc : arcs) workflow.emplace_back(Object{{"step", *arc.find("step")}});
  return Object{{"workflow", std::move(workflow)}};
}

/// Four arcs, and args of a size for each part: written out, or made of the workload, which has
/// them.
Opening open_large(const Draft& draft) {
  List arcs;
  Object workload;
  for (const std::string_view branch : branches) {
    const std::string name(branch);
    const bool is_drawn = arcs.size() < draft.construction.size();
    const Move part = is_drawn ? draft.construction[arcs.size()] : Move{};
    const std::string text = filler(bytes_of(part.operands[1]));
    // One of four that are too large is so as it is written.
    const bool is_written = part.operands[0] % 4 == 3 || bytes_of(part.operands[1]) < most_bytes;
    if (!is_written) workload.emplace(name, text);
    const std::string args = is_written ? text : fmt::format("{{{{ workload.{} }}}}", name);
    arcs.emplace_back(Object{{"step", name}, {"args", Object{{"w", args}}}});
  }
  return {fan_of(std::move(arcs)),
          {operate("executions.start", {{"workload", std::move(workload)}}, "main")}};
}

std::vector<std::string> answer_of_large(const TakenStep& taken) {
  if (taken.made != "executions.start") return {};
  return {"RTE-ARGS-REF"};
}

std::vector<Observation> observe_large(const TakenStep& taken) {
  if (taken.made == "executions.start" || is_end(taken.before)) return {};
  Observation steps{"executions.marking", {"tokens.step"}, {"RTE-ARGS-REF"}};
  steps.in_any_order = true;
  Observation scheduled{
      "events.list", {"entity_id"}, {"RTE-ARGS-REF"}, {{"event_type", "step.scheduled"}}};
  scheduled.in_any_order = true;
  return {{"executions.status", {"state"}, {"RTE-ARGS-REF"}}, steps, scheduled};
}

Family large_args() {
  Family large;
  large.id = "properties/large-args-are-references";
  large.title = "Args are bound up to their bound, and what is larger is not";
  large.clauses = {"RTE-ARGS-REF"};
  large.kinds = {{"play", 3}, {"begin", 2}, {"end", 2}, {"late", 1}};
  large.parts = {{"arc", 1}};
  large.most_parts = branches.size();
  large.open = open_large;
  large.step = driven_step;
  large.answer = answer_of_large;
  large.observe = observe_large;
  large.state = driven_state;
  // How large is too large is the binding's to say.
  large.needs = {"executions.driven", "executions.marking", "binding.reference"};
  return large;
}

/// Branches that store what they make elsewhere, and a final step that is told of it.
Opening open_final(const Draft& draft) {
  List arcs;
  for (std::size_t branch = 0; branch < draft.construction.size() + 1; ++branch) {
    arcs.emplace_back(Object{{"step", std::string(branches.at(branch))}});
  }
  Object playbook = fan_of(std::move(arcs)).as_object();
  playbook.at("workflow").as_list().emplace_back(Object{{"step", std::string(final_step)}});
  playbook.emplace("executor", Object{{"spec", Object{{"final_step", std::string(final_step)}}}});
  core::Play first;
  first.step = "s";
  Step begin;
  begin.action = std::move(first);
  return {std::move(playbook), {operate("executions.start", {}, "main"), std::move(begin)}};
}

std::vector<std::string> scheduled_steps(const View& view) {
  std::vector<std::string> steps;
  for (const Value& token : tokens_of(view)) {
    if (token.string_at("status") != "scheduled") continue;
    std::string step = token.string_at("step").value_or("");
    if (step != final_step) steps.push_back(std::move(step));
  }
  return steps;
}

std::string reference_of(const std::string& step) { return "s3://" + step; }

/// A step run by hand, since its end has a reference beside its outcome.
std::optional<Step> store(const Move& move, const View& view) {
  const std::vector<std::string> steps = scheduled_steps(view);
  if (steps.empty()) return std::nullopt;
  const std::string& step = steps[move.operands[0] % steps.size()];
  const std::string run = "run_" + step;
  const std::size_t number = 2 * view.steps().size();
  core::Repeat all{1, {}};
  all.steps.push_back(
      operate("events.list", {{"event_type", "step.scheduled"}, {"entity_id", step}}));
  all.steps.back().capture.emplace(run, "/items/0/step_run_id");
  const Object of_worker{{"source", "worker"},
                         {"entity_type", "step"},
                         {"entity_id", step},
                         {"step_run", "${" + run + "}"}};
  Object started = of_worker;
  started.emplace("type", "step.started");
  all.steps.push_back(post(numbered_event(number, std::move(started))));
  Object ended = of_worker;
  ended.emplace("type", move.operands[1] % 4 == 3 ? "step.failed" : "step.done");
  ended.emplace("payload", Object{{"result_ref",
                                   Object{{"kind", "result_ref"}, {"ref", reference_of(step)}}}});
  all.steps.push_back(post(numbered_event(number + 1, std::move(ended))));
  Step stored;
  stored.action = std::move(all);
  return stored;
}

std::optional<Step> step_of_final(std::string_view kind, const Move& move, const View& view) {
  return kind == "store" ? store(move, view) : driven_step(kind, move, view);
}

std::vector<std::string> answer_of_final(const TakenStep& /*taken*/) { return {}; }

/// Where each reference is that some step's end had: as itself, or in an object.
std::vector<Pattern> references_in(const View& view) {
  std::vector<Pattern> references;
  for (const Step& step : view.steps()) {
    const auto* stored = std::get_if<core::Repeat>(&step.action);
    if (stored == nullptr) continue;
    const Value& ended = std::get<core::Post>(stored->steps.back().action).events.front();
    const Pattern itself = literal(*ended.at_pointer("/payload/result_ref/ref"));
    references.push_back(of(How::one_of, {itself, object({{"ref", itself}})}));
  }
  return references;
}

std::vector<Observation> observe_final(const TakenStep& taken) {
  const Object filter{{"event_type", "step.scheduled"}, {"entity_id", std::string(final_step)}};
  const Observation once{"events.list", {"entity_id"}, {"RTE-FINAL-ONCE"}, filter};
  const Value* items = taken.view.read("events.list", "main", filter).find("items");
  std::vector<Pattern> references = references_in(taken.view);
  if (items == nullptr || items->as_list().empty() || references.empty()) return {once};
  const Pattern summary = object({{"result_refs", of(How::contains, std::move(references))}});
  Observation told{"events.list", {"payload.args.result_refs"}, {"RTE-FINAL-REFS"}, filter};
  told.rule = of(How::contains, {object({{"payload", object({{"args", summary}})}})});
  return {once, told};
}

Family final_references() {
  Family told;
  told.id = "properties/the-final-step-gets-references";
  told.title = "The final step is told where all is that the steps have stored";
  told.clauses = {"RTE-FINAL-ONCE", "RTE-FINAL-REFS"};
  told.kinds = {{"store", 5}, {"play", 2}};
  told.parts = {{"branch", 1}};
  told.most_parts = branches.size() - 1;
  told.open = open_final;
  told.step = step_of_final;
  told.answer = answer_of_final;
  told.observe = observe_final;
  told.state = driven_state;
  told.needs = {"executions.driven", "executions.marking", "playbook.final_step",
                "binding.reference"};
  return told;
}

}  // namespace

std::vector<Family> all() { return {large_args(), final_references()}; }

}  // namespace assay::properties::reference_families
