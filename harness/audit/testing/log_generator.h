#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/value.h"
#include "harness/wire/json.h"

namespace assay::audit::testing {

/// One execution's sound log as a system by unknown hands might write it.
struct GeneratedLog {
  std::string id;
  std::vector<Object> events;
};

/// Makes sound logs of many shapes, the same from the same seed: a driven execution's events
/// (specification 001) or those of commands (000), with what they leave open left open.
class LogGenerator {
 public:
  explicit LogGenerator(std::uint32_t seed) : random_(seed) {}

  GeneratedLog log(const std::string& id) {
    log_ = {id, {}};
    has_seq_ = chance(3);
    has_sources_ = chance(2);
    if (chance(2)) {
      standard_log();
    } else {
      command_log();
    }
    return std::move(log_);
  }

  /// Below `limit`.
  std::size_t number(std::size_t limit) { return random_() % limit; }
  /// Once in `of` times not.
  bool chance(std::size_t of) { return number(of) != 0; }

 private:
  Object& add(std::string_view type, Object more = {}) {
    const std::size_t count = log_.events.size() + 1;
    Object event = std::move(more);
    event["event_id"] = log_.id + "-" + std::to_string(count);
    event["event_type"] = type;
    event["execution_id"] = log_.id;
    event["timestamp"] = "2026-01-01T00:" + two(count / 60 % 60) + ":" + two(count % 60) + "Z";
    if (has_seq_) event["seq"] = static_cast<std::int64_t>(count);
    return log_.events.emplace_back(std::move(event));
  }

  static std::string two(std::size_t number) {
    return (number < 10 ? "0" : "") + std::to_string(number);
  }

  Object from(const char* source, Object more) const {
    if (has_sources_) more["source"] = source;
    return more;
  }

  void standard_log() {
    add("playbook.execution.requested", from("server", {{"entity_type", "playbook"}}));
    add("playbook.request.evaluated");
    add("playbook.started", {{"status", "in_progress"}});
    add("workflow.started");
    const std::size_t steps = 1 + number(4);
    for (std::size_t step = 0; step < steps; ++step) standard_step("s" + std::to_string(step));
    add("workflow.finished", {{"status", "success"}});
    add("playbook.finished", from("server", {{"status", "success"}, {"duration_ms", 12}}));
    add("playbook.processed");
  }

  void standard_step(const std::string& name) {
    const std::string run = log_.id + ":" + name;
    const auto of_run = [&](Object more = {}) {
      more["step_run_id"] = run;
      more["entity_id"] = name;
      return more;
    };
    if (chance(3)) add("policy.admit.evaluated", {{"entity_id", name}});
    add("step.scheduled", from("server", of_run()));
    add("step.started", from("worker", of_run()));
    if (chance(3)) {
      task(run + ":t");
      add("step.done", from("worker", of_run({{"status", "success"}})));
    } else {
      loop(run, of_run);
    }
    add("next.evaluated",
        from("server", {{"entity_id", "step:" + name},
                        {"payload", Object{{"mode", "exclusive"},
                                           {"matched", List{Object{{"step", "x"}}}},
                                           {"selected", List{Object{{"step", "x"}}}}}}}));
  }

  /// Attempts are told from the first, from a retry on, by their outcomes alone, or not at all.
  void task(const std::string& id) {
    const Object of_task = {{"task_run_id", id}, {"entity_type", "task"}};
    const auto attempt = [&](std::string_view type, std::int64_t number) {
      Object event = of_task;
      event["attempt"] = number;
      add(type, std::move(event));
    };
    add("task.started", of_task);
    const std::size_t style = number(4);
    if (style == 0) {
      attempt("task.attempt.started", 1);
      attempt("task.attempt.failed", 1);
      attempt("task.attempt.started", 2);
      attempt("task.attempt.done", 2);
    } else if (style == 1) {
      attempt("task.attempt.failed", 1);
      attempt("task.attempt.done", 2);
    } else if (style == 2) {
      attempt("task.attempt.started", 2);
      attempt("task.attempt.done", 2);
    }
    add(chance(4) ? "task.done" : "task.failed", of_task);
  }

  void loop(const std::string& run, const std::function<Object(Object)>& of_run) {
    add("loop.started", of_run({}));
    const std::size_t count = 1 + number(3);
    const auto iteration = [&](std::string_view type, std::size_t index) {
      add(type, of_run({{"iteration", static_cast<std::int64_t>(index)}}));
    };
    for (std::size_t index = 0; index < count; ++index) {
      iteration("loop.iteration.scheduled", index);
    }
    for (std::size_t index = 0; index < count; ++index) {
      iteration("loop.iteration.started", index);
      iteration(chance(4) ? "loop.iteration.done" : "loop.iteration.failed", index);
    }
    static_cast<void>(run);
    add("loop.done", of_run({}));
  }

  void command_log() {
    add("playbook.initialized");
    add("workflow.initialized");
    const std::size_t commands = 1 + number(4);
    for (std::size_t command = 0; command < commands; ++command) {
      run_command(log_.id + "-c" + std::to_string(command));
    }
    add("batch.completed", {{"payload", Object{{"pending_count", 0}}}});
    if (chance(4)) {
      add("workflow.completed");
      add("playbook.completed");
    } else if (chance(2)) {
      add("workflow.failed");
      add("playbook.failed");
    } else {
      add("execution.cancelled");
    }
  }

  void run_command(const std::string& id) {
    const Object of_command = {{"command_id", id}, {"node_name", "n"}};
    add("command.issued", of_command);
    add("step.enter", {{"node_name", "n"}});
    add("command.claimed", of_command);
    if (!chance(6)) {
      add("command.cancelled", of_command);
      // A worker that was not told in time.
      add("command.started", of_command);
      add("command.completed", of_command);
      return;
    }
    add("command.started", of_command);
    add("call.done", of_command);
    add("step.exit", {{"node_name", "n"}, {"status", chance(2) ? "completed" : "COMPLETED"}});
    add(chance(5) ? "command.completed" : "command.failed", of_command);
  }

  std::mt19937 random_;
  GeneratedLog log_;
  bool has_seq_ = false;
  bool has_sources_ = false;
};

/// The logs' events mixed, each log's in its order, an event a line.
inline std::string mixed(std::vector<GeneratedLog> logs, LogGenerator& generator) {
  std::string text;
  std::vector<std::size_t> at(logs.size(), 0);
  std::vector<std::size_t> open;
  for (std::size_t log = 0; log < logs.size(); ++log) open.push_back(log);
  while (!open.empty()) {
    const std::size_t place = generator.number(std::min<std::size_t>(open.size(), 7));
    const std::size_t log = open[place];
    text += wire::to_json(logs[log].events[at[log]++]) + "\n";
    if (at[log] == logs[log].events.size()) {
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(place));
    }
  }
  return text;
}

}  // namespace assay::audit::testing
