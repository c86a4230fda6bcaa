// Concurrent clients of one execution or run, judged for linearizability.
#include <fmt/format.h>

#include <array>
#include <utility>

#include "properties/families/families.h"
#include "properties/families/steps.h"

namespace assay::properties::concurrent_families {
namespace {

using core::Step;

constexpr std::size_t most_branches = 4;

/// Any answer will do: which one is right depends on who came first.
Step open_ended(Step step) {
  step.response.emplace();
  return step;
}

/// The few events that all clients post: one id means one content, unless it is meant to conflict.
Step shared_event(const Move& move, bool conflicts) {
  const std::uint8_t number = move.operands[1] % 3;
  Object event{{"type", "command.issued"}, {"command", fmt::format("c{}", number)}};
  if (conflicts) event.emplace("payload", Object{{"other", move.operands[2] % 3}});
  return post(numbered_event(number, std::move(event)));
}

std::optional<Step> execution_step(std::string_view kind, const Move& move, std::size_t number) {
  if (kind == "same event") return shared_event(move, false);
  if (kind == "other content") return shared_event(move, true);
  if (kind == "cancel") return operate("executions.cancel");
  if (kind == "status") return operate("executions.status");
  if (kind == "close") {
    return post(numbered_event(
        100 + number,
        {{"type", pick(move.operands[1], {"playbook.completed", "playbook.failed"})}}));
  }
  if (kind == "event") {
    return post(numbered_event(100 + number, {{"type", "step.enter"}, {"node", "fetch"}}));
  }
  return std::nullopt;
}

std::optional<Step> run_step(std::string_view kind, const Move& move) {
  if (kind == "get") return operate("runs.get");
  if (kind != "transition") return std::nullopt;
  return operate("runs.transition",
                 {{"to", pick(move.operands[1], {"running", "success", "waiting", "canceled"})}});
}

/// The moves as branches, each move in that of its first operand.
std::vector<Step> together(const std::vector<Move>& moves, const std::vector<Kind>& kinds,
                           std::string read) {
  std::array<std::vector<Step>, most_branches> branches;
  for (std::size_t number = 0; number < moves.size(); ++number) {
    const Move& move = moves[number];
    const std::string_view kind = kinds.at(move.kind).name;
    std::optional<Step> step = run_step(kind, move);
    if (!step) step = execution_step(kind, move, number);
    if (step) branches[move.operands[0] % most_branches].push_back(open_ended(*std::move(step)));
  }
  core::Together action;
  for (std::vector<Step>& branch : branches) {
    if (!branch.empty()) action.branches.push_back(std::move(branch));
  }
  // One client alone is joined by one that looks on.
  if (action.branches.size() < 2) action.branches.push_back({open_ended(operate(std::move(read)))});
  if (action.branches.size() < 2) return {};
  Step all;
  all.action = std::move(action);
  return {std::move(all)};
}

std::vector<Step> clients_of_an_execution(const std::vector<Move>& moves,
                                          const std::vector<Kind>& kinds) {
  return together(moves, kinds, "executions.status");
}

std::vector<Step> clients_of_a_run(const std::vector<Move>& moves, const std::vector<Kind>& kinds) {
  return together(moves, kinds, "runs.get");
}

Opening open_execution(const Draft& /*draft*/) {
  return {std::nullopt,
          {operate("executions.start", {}, "main"),
           post(numbered_event(90'000, {{"type", "playbook.initialized"}}))}};
}

Opening open_run(const Draft& /*draft*/) {
  return {std::nullopt,
          {operate("runs.create", {}, "main"), operate("runs.transition", {{"to", "running"}})}};
}

}  // namespace

// The order that must explain all answers is one of the reference binding's answers.
std::vector<Family> all() {
  Family redeliveries;
  redeliveries.id = "properties/concurrent-redeliveries";
  redeliveries.title = "Clients that post the same events at the same moment store each once";
  redeliveries.clauses = {"EVT-IDEM-1"};
  redeliveries.kinds = {{"same event", 6}, {"other content", 3}, {"event", 2}, {"status", 1}};
  redeliveries.open = open_execution;
  redeliveries.clients = clients_of_an_execution;
  redeliveries.needs = {"binding.reference"};

  Family closings;
  closings.id = "properties/concurrent-closings";
  closings.title = "Clients that close an execution at the same moment close it once, for good";
  closings.clauses = {"STM-EXEC-R1"};
  closings.kinds = {{"close", 4}, {"cancel", 3}, {"status", 5}, {"event", 2}, {"same event", 1}};
  closings.open = open_execution;
  closings.clients = clients_of_an_execution;
  closings.needs = {"binding.reference"};

  Family transitions;
  transitions.id = "properties/concurrent-transitions";
  transitions.title = "Clients that move a run at the same moment move it one after the other";
  transitions.clauses = {"RUN-NO-OTHER"};
  transitions.kinds = {{"transition", 5}, {"get", 4}};
  transitions.open = open_run;
  transitions.clients = clients_of_a_run;
  transitions.needs = {"binding.reference"};
  return {redeliveries, closings, transitions};
}

}  // namespace assay::properties::concurrent_families
