#pragma once

#include <string>
#include <utility>
#include <vector>

#include "reference_impl/model/lifecycle/engine.h"

namespace assay::lifecycle {

/// A step; whoever makes a workflow of it gives the label.
inline StepDefinition step(std::string block, std::vector<std::string> acquire = {},
                           std::optional<Value> condition = {}) {
  return {.label = {},
          .function_block = std::move(block),
          .acquire = std::move(acquire),
          .condition = std::move(condition)};
}

/// An engine for tests: numbered jobs, a clock of whole milliseconds, and conditions whose text is
/// a JSON Pointer into the scope (true where it names true; "unreadable" can't be evaluated).
struct EngineBench {
  explicit EngineBench(Policy policy = {})
      : engine({.policy = policy,
                .conditions = {.check = {}, .evaluate = evaluate},
                .next_job_id = [this] { return "j" + std::to_string(++job_ids); }}) {
    engine.register_block({.name = "pure", .pure = true});
    engine.register_block({.name = "impure", .pure = false});
    engine.register_block({.name = "undoable", .pure = false, .rollback = true});
  }

  static Result<bool, std::string> evaluate(const Value& condition, const Value& scope) {
    if (condition == Value("unreadable")) return unexpected(std::string("it is unreadable"));
    const Value* value = scope.at_pointer(condition.as_string());
    return value != nullptr && *value == Value(true);
  }

  /// Starts a workflow of steps a, b, c … and gives its view.
  const Execution& start(const std::string& uuid, std::vector<StepDefinition> steps,
                         Value parameters = Object{}) {
    char label = 'a';
    for (StepDefinition& next : steps) next.label = std::string(1, label++);
    return engine.start(uuid, Definition{.name = {}, .steps = std::move(steps)},
                        std::move(parameters), now, terms);
  }

  /// A one-step workflow that needs these entities, brought to the point where it asks for its
  /// locks.
  const Execution& start_locking(const std::string& uuid, std::vector<std::string> entities,
                                 const std::string& block = "pure") {
    const Execution& execution = start(uuid, {step(block, std::move(entities))});
    finish_next();
    return execution;
  }

  /// Takes the oldest job; its id, or "" where there is none.
  std::string poll() {
    const Job* job = engine.poll("w", now);
    return job == nullptr ? "" : job->job_id;
  }

  PushOutcome push(const std::string& job_id, bool success = true, JobResult result = {}) {
    result.success = success;
    return engine.push(job_id, std::move(result), now);
  }

  /// Takes the oldest job and reports on it.
  void finish_next(bool success = true, JobResult result = {}) {
    push(poll(), success, std::move(result));
  }

  /// The states that the execution has been in, as one line.
  [[nodiscard]] std::string path(const std::string& uuid) const {
    std::string line;
    for (const HistoryEntry& entry : engine.find(uuid)->history) {
      line += (line.empty() ? "" : " ") + std::string(to_string(entry.state));
    }
    return line;
  }

  [[nodiscard]] std::string state(const std::string& uuid) const {
    return std::string(to_string(engine.find(uuid)->state));
  }

  int job_ids = 0;
  Terms terms = {};  ///< of the executions that it starts
  Instant now = Instant(std::chrono::milliseconds(0));
  Engine engine;
};

inline constexpr const char* path_to_running =
    "NEW VALID READY RESOURCE_DISCOVERY RESOURCES_DISCOVERED SCHEDULED LOCKING LOCKED RUNNING";

}  // namespace assay::lifecycle
