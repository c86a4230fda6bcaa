// Specification 003, 5: the language of guards, expression by expression.
#include <fmt/format.h>

#include <string>
#include <utility>

#include "properties/families/driven.h"
#include "properties/families/families.h"
#include "properties/families/steps.h"

namespace assay::properties::guard_families {
namespace {

using core::Step;

constexpr std::size_t most_guards = 8;

/// What guards are asked of: each kind of value, and what is nothing.
Object workload() {
  return {{"n", 7},
          {"m", -7},
          {"f", 2.5},
          {"z", 0},
          {"s", "Text"},
          {"e", ""},
          {"l", List{3, 1, 2}},
          {"el", List{}},
          {"o", Object{{"k", "v"}, {"n", nullptr}}},
          {"t", true},
          {"u", false},
          {"nul", nullptr},
          {"num", "12"},
          {"pad", "  x "}};
}

std::string number(std::uint8_t operand) {
  return pick(operand, {"n", "m // 2", "n // 2", "z", "m | abs", "n % 3", "num | int", "l | length",
                        "nothing | default(5)", "z | default(3, true)", "2.7 | round", "f | int",
                        "3", "m", "n * 2 - 7", "m | abs - 4"});
}

std::string text(std::uint8_t operand) {
  return pick(operand, {"s", "pad | trim", "s | lower", "s | upper", "'Text'", "'x'", "'text'", "e",
                        "nul | default('x', true)", "nothing | default('x')", "e | default('x')",
                        "e | default('x', true)", "'TEXT'", "o.k", "pad", "'v'"});
}

std::string truth(std::uint8_t operand) {
  return pick(operand, {"t", "u", "n", "z", "s", "e", "l", "el", "nul", "not u", "not t", "o",
                        "n > 6", "m >= z", "nul is none", "nothing is defined"});
}

std::string comparison(std::uint8_t operand) {
  return pick(operand, {"<=", "==", ">=", "<", "==", ">", "!=", "=="});
}

/// One condition of whatever kind; more than half compare numbers or join truths.
std::string condition(const Move& move) {
  const auto& [kind, left, middle, right] = move.operands;
  switch (kind % 8) {
    case 0:
      return fmt::format("{} {} {}", text(left), middle % 2 == 0 ? "==" : "!=", text(right));
    case 1:
      return fmt::format("{} is {}{}",
                         pick(left, {"nul", "nothing", "n", "o.n", "o.x", "l[2]", "l[3]", "e"}),
                         middle % 3 == 2 ? "not " : "", right % 2 == 0 ? "none" : "defined");
    case 2:
      return fmt::format("{} {} {}", truth(left), middle % 2 == 0 ? "or" : "and", truth(right));
    case 3:
      return fmt::format("not ({} {} {})", truth(left), middle % 2 == 0 ? "or" : "and",
                         truth(right));
    case 4:
      return fmt::format("{} {}in l", number(left), middle % 2 == 0 ? "" : "not ");
    default:
      return fmt::format("{} {} {}", number(left), comparison(middle), number(right));
  }
}

/// One step that leads to as many others as there are parts, each where its guard is true.
Opening open_guards(const Draft& draft) {
  List arcs;
  List workflow;
  for (const Move& part : draft.construction) {
    const std::string name = fmt::format("g{}", arcs.size());
    arcs.emplace_back(
        Object{{"step", name}, {"when", fmt::format("{{{{ {} }}}}", condition(part))}});
    workflow.emplace_back(Object{{"step", name}});
  }
  const Object next{{"spec", Object{{"mode", "inclusive"}}}, {"arcs", std::move(arcs)}};
  workflow.insert(workflow.begin(), Object{{"step", "a"}, {"next", next}});
  return {Object{{"workload", workload()}, {"workflow", std::move(workflow)}},
          {operate("executions.start", {}, "main")}};
}

/// Whose first step has not been played: main, or another execution of the same playbook.
std::optional<std::string> unplayed(const View& view) {
  std::vector<std::string> names;
  for (const Step& step : view.steps()) {
    if (!step.as.empty()) names.push_back(step.as);
    if (std::holds_alternative<core::Play>(step.action)) std::erase(names, step.on);
  }
  return names.empty() ? std::nullopt : std::optional(names.front());
}

/// The same guards of other values; all are given, so that none is left to the playbook.
Step start_another(const Move& move, const View& view) {
  Object values = workload();
  values["n"] = 5 + move.operands[0] % 4;
  values["s"] = pick(move.operands[1], {"text", "x", "v", "Text"});
  values["t"] = move.operands[2] % 2 == 1;
  values["u"] = move.operands[2] % 4 > 1;
  if (move.operands[3] % 2 == 1) values["l"] = List{5, 7};
  return operate("executions.start", {{"workload", std::move(values)}},
                 fmt::format("again{}", view.steps().size()));
}

/// The first step of each is played once; what it leads to is not.
std::optional<Step> step_of(std::string_view /*kind*/, const Move& move, const View& view) {
  const std::optional<std::string> on = unplayed(view);
  if (!on) return start_another(move, view);
  core::Play play;
  play.step = "a";
  if (move.operands[1] % 4 == 3) play.outcome = "failed";
  Step step;
  step.action = std::move(play);
  step.on = *on;
  return step;
}

std::vector<std::string> answer_of(const TakenStep& /*taken*/) { return {}; }

std::vector<Observation> observe(const TakenStep& taken) {
  if (taken.made == "executions.start") return {};
  Observation tokens{"executions.marking", {"tokens.step"}, {"RTE-GUARD-STATE"}, {}, taken.step.on};
  tokens.in_any_order = true;
  return {tokens};
}

}  // namespace

std::vector<Family> all() {
  Family guards;
  guards.id = "properties/guards-say-what-they-mean";
  guards.title = "An arc is taken where its guard is true, whatever that is made of";
  guards.clauses = {"RTE-GUARD-STATE"};
  guards.kinds = {{"go on", 1}};
  guards.parts = {{"guard", 1}};
  guards.most_parts = most_guards;
  guards.open = open_guards;
  guards.step = step_of;
  guards.answer = answer_of;
  guards.observe = observe;
  guards.state = driven_state;
  guards.needs = {"executions.driven", "executions.marking", "binding.reference"};
  return {guards};
}

}  // namespace assay::properties::guard_families
