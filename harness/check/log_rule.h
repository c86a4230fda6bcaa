#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/words.h"

namespace assay::check {

/// Everything that a log can break by itself, each under one clause.
enum class LogRule : std::uint8_t {
  event_id,
  event_id_once,
  execution_id,
  event_type,
  name_lower,
  name_shape,
  alias,
  source,
  entity_type,
  status,
  attempt,
  iteration,
  duration,
  timestamp,
  seq_rises,
  seq_whole,
  legacy_tool,
  legacy_retry,
  legacy_sink,
  legacy_case,
  emitter_playbook,
  emitter_workflow,
  emitter_step,
  emitter_task,
  emitter_loop,
  emitter_policy,
  opening,
  one_end,
  one_start,
  nothing_after_end,
  no_command_after_success,
  quiet_at_success,
  routing_lists,
  fired_matched,
  exclusive_fires_one,
  route_after_outcome,
  step_run_named,
  step_run_scheduled,
  step_run_once,
  task_outcome_last,
  attempts_rise,
  loop_begins,
  iteration_scheduled_once,
  iteration_starts,
  iteration_ends,
  iteration_ends_once,
  loop_waits,
  loop_ends_once,
  command_issued,
  command_claimed,
  command_started,
  command_completed,
  command_failed,
  command_cancelled,
  command_ends_once,
  workflow_initialized,
  workflow_completed,
  workflow_failed,
};

inline constexpr std::size_t log_rule_count = count_of<LogRule::workflow_failed>;

/// One rule as a person reads it.
struct LogRuleText {
  LogRule rule;
  /// "loop-waits": its name in records and baselines.
  std::string_view id;
  std::string_view clause;
  /// What must be, as a sentence without its full stop.
  std::string_view due;
  /// What has to be in a log for the rule to judge: "an event with a task_run_id".
  std::string_view shown_by;
};

/// Every rule, in the order of the enumerators.
[[nodiscard]] std::span<const LogRuleText> log_rules();
[[nodiscard]] const LogRuleText& text_of(LogRule rule);

/// How often each rule had something to judge.
struct LogTally {
  std::array<std::uint64_t, log_rule_count> judged = {};

  [[nodiscard]] std::uint64_t& operator[](LogRule rule) {
    return judged[static_cast<std::size_t>(rule)];
  }
  void add(const LogTally& other) {
    for (std::size_t rule = 0; rule < log_rule_count; ++rule) judged[rule] += other.judged[rule];
  }
};

}  // namespace assay::check
