#include "harness/check/model_layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <utility>

#include "reference_impl/model/events/taxonomy.h"
#include "reference_impl/model/lifecycle/state.h"
#include "reference_impl/model/runs/status.h"
#include "reference_impl/model/status/layers.h"

namespace assay::check {
namespace {

using core::LayerCoverage;
using core::Profile;

bool has(const Profile& profile, std::string_view capability) {
  return profile.capabilities.contains(capability);
}

std::string move_text(std::string_view from, std::string_view to, std::string_view trigger) {
  return fmt::format("{} -> {}: {}", from, to, trigger);
}

std::string attempt_text(std::string_view state, std::string_view trigger, std::string_view what) {
  return fmt::format("{} + {}: {}", state, trigger, what);
}

/// An event that asks a layer for a state; both vocabularies count under the name of 000.
struct Trigger {
  std::string_view event;
  status::State to;
};

constexpr std::array<Trigger, 4> execution_triggers = {
    {{"playbook.initialized", status::State::running},
     {"playbook.completed", status::State::completed},
     {"playbook.failed", status::State::failed},
     {"execution.cancelled", status::State::cancelled}}};
constexpr std::array<Trigger, 3> workflow_triggers = {
    {{"workflow.initialized", status::State::running},
     {"workflow.completed", status::State::completed},
     {"workflow.failed", status::State::failed}}};
constexpr std::array<Trigger, 6> command_triggers = {
    {{"command.issued", status::State::issued},
     {"command.claimed", status::State::claimed},
     {"command.started", status::State::running},
     {"command.completed", status::State::completed},
     {"command.failed", status::State::failed},
     {"command.cancelled", status::State::cancelled}}};

std::span<const Trigger> triggers_of(status::Layer layer) {
  switch (layer) {
    case status::Layer::execution:
      return execution_triggers;
    case status::Layer::workflow:
      return workflow_triggers;
    case status::Layer::command:
      return command_triggers;
    case status::Layer::step:
    case status::Layer::tool:
      break;
  }
  return {};
}

LayerCoverage status_layer(std::string_view name, status::Layer layer, const Profile& profile) {
  const status::LayerTable& table = status::table_of(layer);
  // Where an execution begins with its start, nothing can be seen before that.
  const bool sees_pending = layer != status::Layer::execution || has(profile, "executions.pending");
  LayerCoverage coverage;
  coverage.layer = name;
  for (const status::State state : table.states) {
    if (state != status::State::pending || sees_pending)
      coverage.states.emplace_back(word_of(state));
  }
  for (const status::Transition& row : table.transitions) {
    if (row.from == status::State::pending && !sees_pending) continue;
    coverage.transitions.push_back(move_text(word_of(row.from), word_of(row.to), row.signal));
  }
  for (const status::State state : table.states) {
    if (state == status::State::pending && !sees_pending) continue;
    for (const Trigger& trigger : triggers_of(layer)) {
      const bool moves = status::find_transition(layer, state, trigger.to) != nullptr;
      coverage.attempts.push_back(
          attempt_text(word_of(state), trigger.event, moves ? "moves" : "anomaly"));
    }
  }
  return coverage;
}

LayerCoverage event_layer(const Profile& profile) {
  LayerCoverage coverage;
  coverage.layer = layer::events;
  for (const events::EventType& type : events::taxonomy()) {
    const auto renamed = profile.event_names.find(type.name);
    if (renamed != profile.event_names.end() && renamed->second.empty()) continue;
    coverage.states.emplace_back(type.name);
  }
  return coverage;
}

/// The choices of specification 003: how arcs are chosen, admission decides, loops and joins go.
LayerCoverage routing_layer(const Profile& profile) {
  LayerCoverage coverage;
  coverage.layer = layer::routing;
  coverage.states = {"mode exclusive",   "mode inclusive",       "admission allows",
                     "admission denies", "denied token pending", "denied token discard",
                     "loop sequential",  "loop parallel",        "fan-in none"};
  if (has(profile, "fan_in.wait_all")) coverage.states.emplace_back("fan-in wait_all");
  return coverage;
}

/// Specification 003 section 6.2: under which policy an execution came to which end.
LayerCoverage outcome_layer() {
  LayerCoverage coverage;
  coverage.layer = layer::outcome;
  coverage.states = {"fail_on_any_error", "fail_fast", "allow_partial", "success", "failed",
                     "partial",           "cancelled"};
  for (const std::string_view policy : {"fail_on_any_error", "fail_fast", "allow_partial"}) {
    for (const std::string_view end : {"success", "failed", "partial", "cancelled"}) {
      if (end == "partial" && policy != "allow_partial") continue;
      coverage.transitions.push_back(
          move_text(policy, end, end == "cancelled" ? "execution.cancelled" : "playbook.finished"));
    }
  }
  return coverage;
}

/// Whether requests of this profile can lead along the edge.
bool is_in_reach(const lifecycle::Edge& edge, const Profile& profile) {
  using lifecycle::EdgeKind;
  if (edge.kind == EdgeKind::reserved) return has(profile, "workflow.await");
  if (edge.kind == EdgeKind::planned) return has(profile, "workflow.rollback");
  if (edge.kind == EdgeKind::acknowledgement) return has(profile, "workflow.ack");
  if (edge.clause == "WFX-API-ABORT") {
    // Executions wait there by themselves; elsewhere they must be held.
    const bool waits =
        edge.from == lifecycle::State::blocked_waiting || edge.from == lifecycle::State::scheduled;
    return has(profile, "workflow.abort") && (waits || has(profile, "control.lifecycle_hold"));
  }
  return edge.clause != "WFX-LOCK-FAIL" || has(profile, "control.lock_service");
}

LayerCoverage lifecycle_layer(const Profile& profile) {
  std::set<lifecycle::State> reached = {lifecycle::State::new_execution};
  // As many rounds as the longest path has edges.
  for (std::size_t round = 0; round < lifecycle::state_count; ++round) {
    for (const lifecycle::Edge& edge : lifecycle::edges) {
      if (reached.contains(edge.from) && is_in_reach(edge, profile)) reached.insert(edge.to);
    }
  }
  LayerCoverage coverage;
  coverage.layer = layer::lifecycle;
  for (const lifecycle::State state : reached) coverage.states.emplace_back(to_string(state));
  for (const lifecycle::Edge& edge : lifecycle::edges) {
    if (!reached.contains(edge.from) || !is_in_reach(edge, profile)) continue;
    coverage.transitions.push_back(
        move_text(to_string(edge.from), to_string(edge.to), edge.clause));
  }
  return coverage;
}

LayerCoverage run_layer(const Profile& profile) {
  LayerCoverage coverage;
  coverage.layer = layer::run;
  const auto is_known = [&profile](runs::Status status) {
    return !profile.missing_states.contains(to_string(status));
  };
  for (const runs::Status status : runs::all_statuses) {
    if (is_known(status)) coverage.states.emplace_back(to_string(status));
  }
  for (const runs::Transition& row : runs::transitions) {
    if (!is_known(row.from) || !is_known(row.to)) continue;
    coverage.transitions.push_back(move_text(to_string(row.from), to_string(row.to), row.clause));
  }
  for (const runs::Status from : runs::all_statuses) {
    for (const runs::Status to : runs::all_statuses) {
      if (!is_known(from) || !is_known(to)) continue;
      coverage.attempts.push_back(attempt_text(to_string(from), to_string(to),
                                               runs::is_defined(from, to) ? "success" : "deny"));
    }
  }
  return coverage;
}

std::string key_of(const std::string& name) { return name.substr(0, name.find(": ")); }

}  // namespace

std::vector<LayerCoverage> model_layers(const Profile& profile) {
  std::vector<LayerCoverage> layers;
  const bool has_events = has(profile, "events.post") || has(profile, "events.list");
  if (has(profile, "executions.start")) {
    layers.push_back(status_layer(layer::execution, status::Layer::execution, profile));
    if (has_events) {
      layers.push_back(status_layer(layer::workflow, status::Layer::workflow, profile));
      layers.push_back(status_layer(layer::step, status::Layer::step, profile));
      layers.push_back(status_layer(layer::command, status::Layer::command, profile));
      layers.push_back(status_layer(layer::tool, status::Layer::tool, profile));
      layers.push_back(event_layer(profile));
    }
    if (has(profile, "executions.driven") && has(profile, "events.list")) {
      layers.push_back(routing_layer(profile));
      layers.push_back(outcome_layer());
    }
  }
  if (has(profile, "workflow.start") && has(profile, "workflow.get")) {
    layers.push_back(lifecycle_layer(profile));
  }
  if (has(profile, "runs.create") && has(profile, "runs.transition")) {
    layers.push_back(run_layer(profile));
  }
  return layers;
}

LayerTally::LayerTally(core::LayerCoverage defined)
    : defined_(std::move(defined)),
      states_(names_of(defined_.states)),
      moves_(names_of(defined_.transitions)),
      attempts_(names_of(defined_.attempts)) {}

LayerTally::Names LayerTally::names_of(const std::vector<std::string>& defined) {
  Names names;
  for (const std::string& name : defined) names.index.emplace(key_of(name), names.index.size());
  names.seen.resize(defined.size());
  return names;
}

void LayerTally::see(Names& names, const std::string& key) {
  const auto found = names.index.find(key);
  if (found != names.index.end()) names.seen[found->second] = true;
}

void LayerTally::state(std::string_view name) { see(states_, std::string(name)); }

void LayerTally::move(std::string_view from, std::string_view to) {
  state(from);
  state(to);
  see(moves_, fmt::format("{} -> {}", from, to));
}

void LayerTally::attempt(std::string_view state, std::string_view trigger) {
  see(attempts_, fmt::format("{} + {}", state, trigger));
}

std::vector<std::string> LayerTally::seen_of(const std::vector<std::string>& defined,
                                             const Names& names) {
  std::vector<std::string> seen;
  for (std::size_t i = 0; i < defined.size(); ++i) {
    if (names.seen[i]) seen.push_back(defined[i]);
  }
  return seen;
}

core::LayerCoverage LayerTally::coverage() const {
  core::LayerCoverage coverage = defined_;
  coverage.states_seen = seen_of(defined_.states, states_);
  coverage.transitions_seen = seen_of(defined_.transitions, moves_);
  coverage.attempts_seen = seen_of(defined_.attempts, attempts_);
  return coverage;
}

}  // namespace assay::check
