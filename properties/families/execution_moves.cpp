#include "properties/families/execution_moves.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "properties/families/steps.h"

namespace assay::properties {
namespace {

using core::Step;

std::string node_of(const Move& move) {
  return pick(move.operands[1],
              {"fetch", "end", "fetch", "END", "fetch", "end", "größe", "fetch:task_sequence"});
}

Object command_event(const Move& move) {
  const std::string verb =
      pick(move.operands[0], {"completed", "issued", "claimed", "started", "failed", "cancelled"});
  Object event{{"type", "command." + verb},
               {"command", fmt::format("c{}", move.operands[2] % 3)},
               {"node", node_of(move)}};
  const std::string status =
      pick(move.operands[3], {"", "COMPLETED", "completed", "FAILED", "Cancelled"});
  if (!status.empty()) event.emplace("status", status);
  return event;
}

std::string state_of_command(const View& view, std::string_view command) {
  const Value* commands = view.read("executions.detail").find("commands");
  if (commands == nullptr || !commands->is_list()) return {};
  for (const Value& each : commands->as_list()) {
    if (each.string_at("command_id") == command) return each.string_at("state").value_or("");
  }
  return {};
}

/// The first command that has not ended, or the one after it.
std::string open_command(const Move& move, const View& view) {
  constexpr int most_commands = 5;
  int number = 0;
  while (number + 1 < most_commands) {
    const std::string state = state_of_command(view, fmt::format("c{}", number));
    if (state != "COMPLETED" && state != "FAILED" && state != "CANCELLED") break;
    ++number;
  }
  // Mostly the same: others that were issued and never end keep the set of them incomplete.
  return fmt::format("c{}", move.operands[2] < 13 ? number : number + 1);
}

/// The event that takes a command one step further on its way: issued, claimed, started, ended; now
/// and then a step too far.
Object next_command_event(const Move& move, const View& view) {
  const std::string command = open_command(move, view);
  const std::string state = state_of_command(view, command);
  std::string verb = "issued";
  if (state == "ISSUED") verb = move.operands[0] % 8 == 7 ? "cancelled" : "claimed";
  if (state == "CLAIMED") {
    verb = pick(move.operands[0], {"started", "started", "started", "started", "started",
                                   "completed", "failed", "cancelled"});
  }
  if (state == "RUNNING") {
    verb = pick(move.operands[0], {"completed", "completed", "failed", "cancelled"});
  }
  return {{"type", "command." + verb}, {"command", command}, {"node", node_of(move)}};
}

Object call_event(const Move& move) {
  Object event{{"type", pick(move.operands[0], {"call.done", "call.error"})},
               {"command", fmt::format("c{}", move.operands[2] % 3)},
               {"node", node_of(move)}};
  const std::string status = pick(move.operands[3], {"", "BREAK", "NOOP", "success", "OK", "ok"});
  if (!status.empty()) {
    event.emplace("payload", Object{{"outcome", Object{{"status", status}}}});
  }
  return event;
}

Object step_event(const Move& move) {
  Object event{{"type", pick(move.operands[0], {"step.exit", "step.enter"})},
               {"node", node_of(move)}};
  const std::string status =
      pick(move.operands[3], {"COMPLETED", "", "completed", "FAILED", "Completed", "failed",
                              "CASE_HANDLED", "case_handled"});
  if (!status.empty()) event.emplace("status", status);
  if (move.operands[2] % 4 == 3) event.emplace("iteration", move.operands[2] / 4 % 3);
  return event;
}

Object batch_event(const Move& move) {
  Object payload;
  const std::uint8_t pending = move.operands[0] % 4;
  if (pending < 3) payload.emplace("pending_count", pending == 2 ? -1 : static_cast<int>(pending));
  return {{"type", "batch.completed"}, {"payload", std::move(payload)}};
}

Object workflow_event(const Move& move) {
  return {{"type", pick(move.operands[0],
                        {"workflow.completed", "workflow.initialized", "workflow.failed"})}};
}

/// The other vocabulary's close: with these words only is it one.
Object finished_event(const Move& move) {
  Object event{{"type", "playbook.finished"}};
  const std::string status = pick(move.operands[0], {"skipped", "", "success", "error",
                                                     "in_progress", "error", "paused", "error"});
  if (!status.empty()) event.emplace("status", status);
  return event;
}

Object foreign_event(const Move& move) {
  return {{"type",
           pick(move.operands[0], {"playbook.completed_soon", "execution.ended", "cache.warmed",
                                   "end.reached.now", "execution.completed", "loop.done",
                                   "playbook.paused", "workflow.finished", "playbook.cancelled",
                                   "execution.failed", "playbook.ended", "playbook.canceled"})}};
}

bool is_work(const Value& event) {
  const std::string type = event.string_at("type").value_or("");
  return type.starts_with("command.") || type.starts_with("call.") || type == "step.exit";
}

Object worker_exit(const Move& move, std::string node, bool has_failed) {
  const std::string status =
      has_failed ? pick(move.operands[3], {"FAILED", "failed"})
                 : pick(move.operands[3],
                        {"COMPLETED", "completed", "COMPLETED", "COMPLETED", "CASE_HANDLED"});
  Object exit{{"type", "step.exit"}, {"node", std::move(node)}, {"status", status}};
  if (move.operands[2] % 4 == 3) exit.emplace("iteration", move.operands[2] / 4 % 3);
  return exit;
}

/// The end of another command, of which nothing was told before.
Object lone_end(const Move& move, std::size_t number) {
  return {{"type", "command.completed"},
          {"command", fmt::format("l{}", number)},
          {"node", node_of(move)}};
}

/// A command that is given up, whatever became of it; where none is open, one more that will be.
Object dropped_command(const Move& move, const View& view) {
  const std::string command = open_command(Move{}, view);
  const bool is_open = !state_of_command(view, command).empty();
  return {{"type", is_open ? "command.cancelled" : "command.issued"},
          {"command", command},
          {"node", node_of(move)}};
}

/// What comes next after the work that was reported last, where a worker does one thing at a time:
/// a command on its way, its call, its step's exit, and what the flow makes of that.
Object worker_event(const Move& move, const View& view) {
  const std::vector<Value> events = posted(view);
  const auto newest = std::find_if(events.rbegin(), events.rend(), is_work);
  const Value last = newest == events.rend() ? Value() : *newest;
  const std::string type = last.string_at("type").value_or("");
  const std::string node = last.string_at("node").value_or("fetch");
  const std::string command = last.string_at("command").value_or("c0");
  const auto of_command = [&](std::string verb) {
    return Object{{"type", std::move(verb)}, {"command", command}, {"node", node}};
  };
  const bool fails = move.operands[0] % 3 == 2;
  if (type == "command.issued") {
    // Who reports late reports the end only.
    return of_command(move.operands[2] % 4 == 3 ? "command.completed" : "command.claimed");
  }
  if (type == "command.claimed") return of_command("command.started");
  if (type == "command.started") return of_command(fails ? "call.error" : "call.done");
  if (type == "call.done") return of_command("command.completed");
  if (type == "call.error" && fails) return of_command("command.failed");
  if (type == "command.completed" || type == "command.failed" || type == "call.error") {
    return worker_exit(move, node, type != "command.completed");
  }
  if (type == "step.exit" && move.operands[1] % 4 == 3) {
    return {{"type",
             pick(move.operands[0], {"batch.completed", "workflow.completed", "workflow.failed"})}};
  }
  return {{"type", "command.issued"},
          {"command", fmt::format("c{}", events.size())},
          {"node", move.operands[3] < 8 ? node : node_of(move)}};
}

std::optional<Step> redelivery(const Move& move, const View& view, bool with_other_content) {
  const std::vector<Value> events = posted(view);
  if (events.empty()) return std::nullopt;
  Object event =
      events[(move.operands[0] * std::size_t{16} + move.operands[1]) % events.size()].as_object();
  if (with_other_content) event.insert_or_assign("payload", Object{{"other", move.operands[2]}});
  return post(std::move(event));
}

std::optional<Object> event_of(std::string_view kind, const Move& move) {
  if (kind == "command") return command_event(move);
  if (kind == "call") return call_event(move);
  if (kind == "step") return step_event(move);
  if (kind == "batch") return batch_event(move);
  if (kind == "workflow") return workflow_event(move);
  if (kind == "foreign") return foreign_event(move);
  if (kind == "start") {
    return Object{{"type", pick(move.operands[0], {"playbook.initialized", "playbook.started"})}};
  }
  if (kind == "finished") return finished_event(move);
  if (kind == "complete") return Object{{"type", "playbook.completed"}};
  if (kind == "fail") return Object{{"type", "playbook.failed"}};
  if (kind == "cancelled") return Object{{"type", "execution.cancelled"}};
  return std::nullopt;
}

/// An event that something happens to on its way, and that is then sent again.
Step badly_delivered(const Move& move, std::size_t number) {
  constexpr std::array<core::Delivery, 5> deliveries = {
      core::Delivery::twice, core::Delivery::cut_after_send, core::Delivery::cut_before_send,
      core::Delivery::half_body, core::Delivery::slow_body};
  Move rest = move;
  rest.operands[0] = static_cast<std::uint8_t>(move.operands[3] + 1);
  Step step = post(numbered_event(number, command_event(rest)));
  step.delivery = deliveries.at(move.operands[0] % deliveries.size());
  return step;
}

}  // namespace

std::vector<Value> posted(const View& view) {
  std::vector<Value> events;
  for (const Step& step : view.steps()) {
    const auto* action = std::get_if<core::Post>(&step.action);
    if (action == nullptr) continue;
    for (const Value& event : action->events) {
      if (event.find("id") != nullptr) events.push_back(event);
    }
  }
  return events;
}

std::optional<Step> execution_step(std::string_view kind, const Move& move, const View& view) {
  if (kind == "cancel") return operate("executions.cancel");
  if (kind == "evict") return operate("control.evict");
  if (kind == "again") return redelivery(move, view, false);
  if (kind == "conflict") return redelivery(move, view, true);
  const std::size_t number = view.steps().size();
  if (kind == "two at once") {
    Move other = move;
    std::swap(other.operands[0], other.operands[3]);
    return post_batch({numbered_event(number, command_event(move)),
                       numbered_event(number + 10'000, step_event(other))});
  }
  if (kind == "badly delivered") return badly_delivered(move, number);
  if (kind == "worker") return post(numbered_event(number, worker_event(move, view)));
  if (kind == "lone end") return post(numbered_event(number, lone_end(move, number)));
  if (kind == "drop") return post(numbered_event(number, dropped_command(move, view)));
  if (kind == "work") return post(numbered_event(number, next_command_event(move, view)));
  if (kind == "backdated") {
    Object early = numbered_event(
        number, {{"type", pick(move.operands[0],
                               {"playbook.failed", "playbook.completed", "execution.cancelled"})}});
    early.insert_or_assign("time", "2025-12-31T00:00:00Z");
    return post(std::move(early));
  }
  std::optional<Object> event = event_of(kind, move);
  if (!event) return std::nullopt;
  return post(numbered_event(number, *std::move(event)));
}

Opening open_fresh(const Draft& /*draft*/) {
  const Object workload{{"region", "eu"}};
  return {std::nullopt, {operate("executions.start", {{"workload", workload}}, "main")}};
}

Opening open_running(const Draft& draft) {
  Opening opening = open_fresh(draft);
  opening.steps.push_back(post(numbered_event(90'000, {{"type", "playbook.initialized"}})));
  return opening;
}

Opening open_working(const Draft& draft) {
  Opening opening = open_running(draft);
  opening.steps.push_back(post(numbered_event(90'002, {{"type", "workflow.initialized"}})));
  return opening;
}

Opening open_closed(const Draft& draft) {
  Opening opening = open_running(draft);
  const std::uint8_t way = draft.construction.empty() ? 0 : draft.construction[0].operands[0];
  opening.steps.push_back(post(numbered_event(
      90'001,
      {{"type", pick(way, {"playbook.completed", "playbook.failed", "execution.cancelled"})}})));
  return opening;
}

}  // namespace assay::properties
