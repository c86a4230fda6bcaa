#include "reference_impl/model/status/deviations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "reference_impl/model/status/fold.h"
#include "reference_impl/model/status/fold_test_support.h"

namespace assay::status {
namespace {

/// Every view of a fold as text.
std::string shown(const ExecutionFold& fold) {
  const StatusView status = fold.status();
  std::string text(word_of(status.state));
  for (const auto& field :
       {status.current_step, status.started_at, status.ended_at, status.terminal_event}) {
    text.append("|").append(field.value_or("null"));
  }
  text.append(status.completion_inferred ? "|inferred|" : "|live|").append(word_of(fold.outcome()));
  text.append("|").append(word_of(fold.workflow_state()));
  for (const auto& lines : {words(fold.steps()), words(fold.commands()), words(fold.tools())}) {
    text.append("\n");
    for (const std::string& line : lines) text.append(line).append(" ");
  }
  for (const Anomaly& anomaly : fold.anomalies()) {
    text.append("\n").append(std::to_string(anomaly.seq)).append(text_of(anomaly.reason));
  }
  return text;
}

struct Case {
  std::string_view name;
  bool Deviations::* deviation;
  std::vector<Value> log;
  std::function<bool(const ExecutionFold&)> shows;
};

bool is_completed(const ExecutionFold& fold) { return fold.state() == State::completed; }
bool is_failed(const ExecutionFold& fold) { return fold.state() == State::failed; }

const Value success = event("playbook.completed");
const Value failure = event("playbook.failed");

std::vector<Value> completed_command() {
  return {start, command("command.issued", "c1"), command("command.claimed", "c1"),
          command("command.started", "c1"), command("command.completed", "c1")};
}

std::vector<Case> closing_cases() {
  const Object end_completed = {{"status", "COMPLETED"}};
  std::vector<Value> failed_command = completed_command();
  failed_command.back() = command("command.failed", "c1");
  return {
      {"batch_closes",
       &Deviations::batch_closes,
       {start, event("batch.completed", {{"payload", Object{{"pending_count", 0}}}})},
       is_completed},
      {"command_on_end_closes",
       &Deviations::command_on_end_closes,
       {start, command("command.completed", "c1", {{"node_name", "end"}})},
       is_completed},
      {"last_command_closes", &Deviations::last_command_closes, completed_command(), is_completed},
      {"call_on_end_closes",
       &Deviations::call_on_end_closes,
       {start, command("call.done", "c1", {{"node_name", "end"}})},
       is_completed},
      {"exit_on_end_closes",
       &Deviations::exit_on_end_closes,
       {start, step("step.exit", "end", end_completed)},
       is_completed},
      {"iteration_exit_closes",
       &Deviations::iteration_exit_closes,
       {start, step("step.exit", "a", {{"status", "COMPLETED"}, {"iteration", 0}})},
       is_completed},
      {"lower_case_exit_closes",
       &Deviations::lower_case_exit_closes,
       {start, step("step.exit", "a", {{"status", "completed"}})},
       is_completed},
      {"call_error_fails",
       &Deviations::call_error_fails,
       {start, command("call.error", "c1")},
       is_failed},
      {"command_failed_fails", &Deviations::command_failed_fails, failed_command, is_failed},
      {"workflow_completed_closes",
       &Deviations::workflow_completed_closes,
       {start, event("workflow.initialized"), event("workflow.completed")},
       is_completed},
  };
}

std::vector<Case> execution_cases() {
  return {
      {"work_reopens",
       &Deviations::work_reopens,
       {start, success, step("step.enter", "a")},
       [](const ExecutionFold& fold) { return fold.state() == State::running; }},
      {"last_close_wins", &Deviations::last_close_wins, {start, success, failure}, is_failed},
      {"backdated_close_wins",
       &Deviations::backdated_close_wins,
       {start, success, event("playbook.failed", {{"timestamp", "2025-01-01T00:00:00Z"}})},
       is_failed},
      {"close_needs_start",
       &Deviations::close_needs_start,
       {failure},
       [](const ExecutionFold& fold) { return fold.state() == State::pending; }},
      {"second_start_moves_start",
       &Deviations::second_start_moves_start,
       {start, start},
       [](const ExecutionFold& fold) { return fold.status().started_at == time_of(2); }},
      {"finish_closes_whatever_status",
       &Deviations::finish_closes_whatever_status,
       {start, event("playbook.finished", {{"status", "paused"}})},
       is_completed},
      {"late_events_move_end",
       &Deviations::late_events_move_end,
       {start, success, step("step.enter", "a")},
       [](const ExecutionFold& fold) { return fold.status().ended_at == time_of(3); }},
      {"late_steps_move_current",
       &Deviations::late_steps_move_current,
       {start, success, step("step.enter", "a")},
       [](const ExecutionFold& fold) { return fold.status().current_step == "a"; }},
      {"says_inferred_while_live",
       &Deviations::says_inferred_while_live,
       {start, success},
       [](const ExecutionFold& fold) { return fold.status().completion_inferred; }},
  };
}

std::vector<Case> lower_cases() {
  const auto step_is = [](State state) {
    return [state](const ExecutionFold& fold) { return fold.steps().at(0).state == state; };
  };
  const auto command_is = [](State state) {
    return [state](const ExecutionFold& fold) { return fold.commands().at(0).state == state; };
  };
  const auto tool_is = [](State state) {
    return [state](const ExecutionFold& fold) { return fold.tools().at(0).outcome == state; };
  };
  const Value enter = step("step.enter", "a");
  std::vector<Value> cancelled_late = completed_command();
  cancelled_late.back() = command("command.cancelled", "c1");
  const Value broke =
      command("call.done", "c1", {{"payload", Object{{"outcome", Object{{"status", "BREAK"}}}}}});
  return {
      {"exit_is_case_sensitive",
       &Deviations::exit_is_case_sensitive,
       {enter, step("step.exit", "a", {{"status", "completed"}})},
       step_is(State::running)},
      {"iteration_exit_moves_step",
       &Deviations::iteration_exit_moves_step,
       {enter, step("step.exit", "a", {{"status", "COMPLETED"}, {"iteration", 0}})},
       step_is(State::completed)},
      {"case_handled_is_completed",
       &Deviations::case_handled_is_completed,
       {enter, step("step.exit", "a", {{"status", "CASE_HANDLED"}})},
       step_is(State::completed)},
      {"running_command_cancels", &Deviations::running_command_cancels, cancelled_late,
       command_is(State::cancelled)},
      {"unissued_command_moves",
       &Deviations::unissued_command_moves,
       {command("command.completed", "c1")},
       [](const ExecutionFold& fold) { return fold.commands().size() == 1; }},
      {"unclaimed_command_starts",
       &Deviations::unclaimed_command_starts,
       {command("command.issued", "c1"), command("command.started", "c1")},
       command_is(State::running)},
      {"last_tool_outcome_wins",
       &Deviations::last_tool_outcome_wins,
       {command("call.done", "c1"), command("call.error", "c1")},
       tool_is(State::error)},
      {"break_is_ok", &Deviations::break_is_ok, {broke}, tool_is(State::ok)},
      {"hides_anomalies",
       &Deviations::hides_anomalies,
       {start, start},
       [](const ExecutionFold& fold) { return fold.anomalies().empty(); }},
  };
}

std::vector<Case> all_cases() {
  std::vector<Case> cases = closing_cases();
  for (auto more : {execution_cases(), lower_cases()}) {
    cases.insert(cases.end(), more.begin(), more.end());
  }
  return cases;
}

TEST(Deviations, EachShowAndTheReferenceDoesNot) {
  for (const Case& each : all_cases()) {
    Deviations deviations;
    deviations.*each.deviation = true;
    EXPECT_TRUE(each.shows(fold(each.log, deviations))) << each.name;
    EXPECT_FALSE(each.shows(fold(each.log))) << each.name;
  }
}

TEST(Deviations, AreAllCovered) {
  // A struct of booleans only: one byte each.
  EXPECT_EQ(all_cases().size(), sizeof(Deviations));
}

TEST(Deviations, LeaveAnOrdinaryLogAlone) {
  const std::vector<Value> ordinary = {
      start,
      event("workflow.initialized"),
      step("step.enter", "a"),
      step("command.issued", "a", {{"command_id", "c1"}}),
      command("command.claimed", "c1"),
      command("command.started", "c1"),
      command("call.done", "c1"),
      step("step.exit", "a", {{"status", "COMPLETED"}}),
      step("command.issued", "b", {{"command_id", "c2"}}),
      event("batch.completed", {{"payload", Object{{"pending_count", 1}}}}),
      command("command.completed", "c1"),
  };
  const std::string expected = shown(fold(ordinary));
  for (const Case& each : all_cases()) {
    Deviations deviations;
    deviations.*each.deviation = true;
    EXPECT_EQ(shown(fold(ordinary, deviations)), expected) << each.name;
  }
}

}  // namespace
}  // namespace assay::status
