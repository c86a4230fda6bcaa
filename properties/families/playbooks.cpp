#include "properties/families/playbooks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "properties/families/steps.h"

namespace assay::properties {
namespace {

constexpr std::size_t most_steps = 6;
/// Of one step: a subject has three values, and a fourth arc would ask for one of them again.
constexpr std::size_t most_arcs = 3;

/// Guards that no state changes.
constexpr std::array<std::string_view, 3> constant_guards = {"{{ true }}", "{{ 1 > 2 }}",
                                                             "{{ 'a' in ['a', 'b'] }}"};

/// What guards that go by state ask, and the values that an arc asks for by its place.
struct Subject {
  std::string_view expression;
  std::array<std::string_view, most_arcs> values;
};
constexpr std::array<Subject, 8> subjects = {{
    {"workload.n", {"0", "1", "2"}},
    {"ctx.k", {"0", "1", "2"}},
    {"output.n", {"0", "1", "2"}},
    {"event.name", {"'step.done'", "'step.failed'", "'loop.done'"}},
    {"args.v", {"0", "1", "2"}},
    {"n", {"0", "1", "2"}},
    {"event.payload.n", {"1", "0", "2"}},
    {"output.deep.n", {"0", "1", "2"}},
}};

struct BuiltArc {
  std::size_t target = 0;
  std::uint8_t guard = 0;
  std::uint8_t args = 0;
};

struct BuiltStep {
  std::vector<BuiltArc> arcs;
  std::string mode;
  /// Index into subjects; none: its arcs do not go by state.
  std::optional<std::size_t> subject;
  /// Of an inclusive router: whether its arcs have guards.
  bool guarded = false;
  std::optional<Move> gate;
  std::optional<Move> loop;
  /// Whether it leads to itself as long as its outcome says so.
  bool again = false;
};

Value args_of(std::uint8_t operand) {
  switch (operand % 5) {
    case 1:
      return Object{{"v", operand / 5}};
    case 2:
      return Object{{"v", "{{ output.n }}"}};
    case 3:
      return Object{{"v", 1}, {"deep", Object{{"list", List{"{{ ctx.k }}", "text"}}}}};
    case 4:
      return Object{{"v", "k is {{ ctx.k }}"}};
    default:
      return {};
  }
}

Object rule(std::string when, bool allow) {
  return {{"when", std::move(when)}, {"then", Object{{"allow", allow}}}};
}

/// spec.policy.admit of a gate: up to two rules over ctx, workload or args, and an else.
Value admission_of(const Move& move) {
  const std::string open = pick(move.operands[1], {"{{ ctx.open }}", "{{ ctx.k == 1 }}",
                                                   "{{ args.v == 1 }}", "{{ workload.n == 0 }}"});
  List rules;
  if (move.operands[2] % 4 >= 2) {
    rules.emplace_back(rule("{{ ctx.k == 2 }}", move.operands[2] % 4 == 3));
  }
  rules.emplace_back(rule(open, move.operands[2] < 12));
  if (move.operands[3] % 3 != 2) {
    const bool allow = move.operands[3] % 3 == 1;
    rules.emplace_back(Object{{"else", Object{{"then", Object{{"allow", allow}}}}}});
  }
  return Object{{"policy", Object{{"admit", Object{{"rules", std::move(rules)}}}}}};
}

Value loop_of(const Move& move) {
  Value in;
  if (move.operands[1] % 4 == 3) {
    in = "{{ workload.rows }}";
  } else {
    List items;
    for (int item = 0; item < move.operands[1] % 4 + 1; ++item) items.emplace_back(item);
    if (move.operands[1] >= 12) items.clear();
    in = std::move(items);
  }
  Object spec;
  if (move.operands[2] % 3 != 0) spec.emplace("mode", "parallel");
  if (move.operands[2] % 3 == 2) spec.emplace("max_in_flight", 1 + move.operands[3] % 2);
  Object loop{{"in", std::move(in)}, {"iterator", "it"}};
  if (!spec.empty()) loop.emplace("spec", std::move(spec));
  return loop;
}

class Builder {
 public:
  Builder() : steps_(1) {}

  void add(std::string_view part, const Move& move) {
    const std::size_t index = move.operands[0] % steps_.size();
    BuiltStep& step = steps_[index];
    if (part == "step") {
      if (steps_.size() == most_steps) return;
      connect(step, {steps_.size(), move.operands[1], move.operands[2]});
      steps_.emplace_back();
    } else if (part == "arc") {
      connect(step, {move.operands[1] % steps_.size(), move.operands[2], move.operands[3]});
    } else if (part == "fan") {
      // Two branches at once.
      if (steps_.size() + 2 > most_steps || step.arcs.size() + 2 > most_arcs) return;
      step.mode = "inclusive";
      step.subject.reset();
      step.guarded = false;
      // Or the same twice, by two arcs.
      const bool is_double = move.operands[1] % 4 == 3;
      for (int branch = 0; branch < 2; ++branch) {
        const std::size_t target = steps_.size() - (is_double && branch == 1 ? 1 : 0);
        steps_[index].arcs.push_back({target, 0, 0});
        if (target == steps_.size()) steps_.emplace_back();
      }
    } else if (part == "router") {
      step.mode = pick(move.operands[1] % 3, {"inclusive", "", "exclusive"});
      step.guarded = move.operands[3] % 2 == 1;
      if (move.operands[1] >= 6) step.subject = move.operands[2] % subjects.size();
    } else if (part == "workload") {
      workload_.insert_or_assign("n", move.operands[0] % 3);
    } else if (part == "gate") {
      step.gate = move;
    } else if (part == "loop") {
      step.loop = move;
    } else if (part == "again") {
      step.again = true;
    } else {
      set(part, move);
    }
  }

  [[nodiscard]] Value playbook() const {
    List workflow;
    for (std::size_t index = 0; index < steps_.size(); ++index) workflow.push_back(written(index));
    Object playbook{{"workload", workload_}, {"workflow", std::move(workflow)}};
    if (!settings_.empty()) playbook.emplace("executor", Object{{"spec", settings_}});
    return playbook;
  }

 private:
  static void connect(BuiltStep& from, const BuiltArc& arc) {
    // Two arcs to one step would look alike in the marking.
    const bool is_known = std::any_of(from.arcs.begin(), from.arcs.end(), [&](const auto& other) {
      return other.target == arc.target;
    });
    if (!is_known && from.arcs.size() < most_arcs) from.arcs.push_back(arc);
  }

  static std::string name_of(std::size_t index) {
    return std::string(1, static_cast<char>('a' + index));
  }

  void set(std::string_view part, const Move& move) {
    if (part == "policy") {
      const std::string policy =
          pick(move.operands[0], {"fail_fast", "allow_partial", "fail_fast", "allow_partial",
                                  "fail_on_any_error", "no_next_is_error", "no_next_is_error"});
      if (policy == "no_next_is_error") {
        settings_.insert_or_assign(policy, move.operands[1] % 3 != 2);
      } else {
        settings_.insert_or_assign("status_policy", policy);
      }
    } else if (part == "final") {
      // A final step that the flow ran is not run again: most are led to by no arc.
      const bool is_apart = move.operands[2] % 4 != 0 && steps_.size() < most_steps;
      if (is_apart) steps_.emplace_back();
      const std::size_t step = is_apart ? steps_.size() - 1 : move.operands[0] % steps_.size();
      settings_.insert_or_assign("final_step", name_of(step));
      const std::string failure = pick(move.operands[1], {"", "partial", "fail", "partial"});
      if (!failure.empty()) settings_.insert_or_assign("final_failure", failure);
    } else if (part == "entry") {
      settings_.insert_or_assign("entry_step", name_of(move.operands[0] % steps_.size()));
    } else if (part == "join") {
      settings_.insert_or_assign("fan_in", "wait_all");
    } else if (part == "discard") {
      settings_.insert_or_assign("denied_token", "discard");
    }
  }

  /// The guard of an arc by its place; empty: none.
  static std::string guard_of(const BuiltStep& step, std::size_t place) {
    const std::uint8_t operand = step.arcs[place].guard;
    if (step.subject) {
      const Subject& subject = subjects.at(*step.subject);
      return fmt::format("{{{{ {} == {} }}}}", subject.expression, subject.values.at(place));
    }
    std::string constant(constant_guards.at(operand % constant_guards.size()));
    if (step.arcs.size() == 1) return operand % 4 < 2 ? "" : constant;
    if (step.mode == "inclusive") {
      if (step.guarded) return constant;
      return operand % 4 == 3 ? std::string(constant_guards[1]) : "";
    }
    return place + 1 == step.arcs.size() && operand % 4 == 0 ? "" : constant;
  }

  [[nodiscard]] Value written(std::size_t index) const {
    const BuiltStep& step = steps_[index];
    Object result{{"step", name_of(index)}};
    if (step.gate) result.emplace("spec", admission_of(*step.gate));
    if (step.loop) result.emplace("loop", loop_of(*step.loop));
    List arcs;
    if (step.again) {
      arcs.emplace_back(
          Object{{"step", name_of(index)}, {"when", "{{ output.n == 1 or output.n == 2 }}"}});
    }
    for (std::size_t place = 0; place < step.arcs.size(); ++place) {
      Object arc{{"step", name_of(step.arcs[place].target)}};
      if (std::string guard = guard_of(step, place); !guard.empty()) arc.emplace("when", guard);
      if (Value args = args_of(step.arcs[place].args); !args.is_null()) {
        arc.emplace("args", std::move(args));
      }
      arcs.emplace_back(std::move(arc));
    }
    Object next;
    if (!step.mode.empty()) next.emplace("spec", Object{{"mode", step.mode}});
    if (!arcs.empty()) next.emplace("arcs", std::move(arcs));
    if (!next.empty()) result.emplace("next", std::move(next));
    return result;
  }

  std::vector<BuiltStep> steps_;
  Object workload_ = {{"n", 0}, {"rows", List{"x", "y"}}};
  Object settings_;
};

/// The clause of what a guard goes by: an event's name, what a step brought, or any other state.
std::string clause_of_subject(const Value& arc) {
  const std::string when = arc.string_at("when").value_or("");
  const auto asks = [&when](std::string_view what) { return when.find(what) != std::string::npos; };
  if (asks("event.name")) return "EVT-ENV-NAME";
  return asks("output.") || asks("event.payload.") ? "STM-TOOL-R1" : "RTE-GUARD-STATE";
}

bool goes_by_state(const Value& arc) {
  const auto when = arc.string_at("when");
  return when &&
         std::find(constant_guards.begin(), constant_guards.end(), *when) == constant_guards.end();
}

}  // namespace

Value playbook_of(std::span<const Move> construction, std::span<const Kind> parts) {
  Builder builder;
  for (const Move& move : construction) builder.add(parts[move.kind % parts.size()].name, move);
  return builder.playbook();
}

const Value* step_of_playbook(const Value& playbook, std::string_view name) {
  const Value* workflow = playbook.find("workflow");
  if (workflow == nullptr) return nullptr;
  for (const Value& step : workflow->as_list()) {
    if (step.string_at("step") == name) return &step;
  }
  return nullptr;
}

List arcs_of(const Value& playbook, std::string_view step) {
  const Value* found = step_of_playbook(playbook, step);
  const Value* arcs = found == nullptr ? nullptr : found->at_pointer("/next/arcs");
  return arcs == nullptr ? List{} : arcs->as_list();
}

std::string mode_of(const Value& playbook, std::string_view step) {
  const Value* found = step_of_playbook(playbook, step);
  const Value* mode = found == nullptr ? nullptr : found->at_pointer("/next/spec/mode");
  return mode == nullptr ? "" : mode->as_string();
}

std::string setting_of(const Value& playbook, std::string_view name) {
  const Value* spec = playbook.at_pointer("/executor/spec");
  return spec == nullptr ? "" : spec->string_at(name).value_or("");
}

std::string clause_of_arcs(const Value& playbook, std::string_view step, const List& selected) {
  const List arcs = arcs_of(playbook, step);
  if (arcs.empty()) return "RTE-LEAF";
  const auto by_state = std::find_if(arcs.begin(), arcs.end(), goes_by_state);
  if (by_state != arcs.end()) return clause_of_subject(*by_state);
  if (arcs.size() == 1) {
    return arcs.front().find("when") == nullptr ? "RTE-GUARD-DEFAULT" : "RTE-GUARD-STATE";
  }
  if (selected.empty()) return "RTE-GUARD-STATE";
  if (mode_of(playbook, step) == "inclusive") return "RTE-MODE-INCL";
  const auto fired = std::find_if(arcs.begin(), arcs.end(), [](const Value& arc) {
    return arc.string_at("when").value_or("") != constant_guards[1];
  });
  const bool is_default = fired != arcs.end() && fired->find("when") == nullptr;
  return is_default ? "RTE-GUARD-DEFAULT" : "RTE-MODE-EXCL";
}

}  // namespace assay::properties
