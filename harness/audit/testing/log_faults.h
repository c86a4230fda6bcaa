#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/value.h"
#include "harness/audit/testing/log_generator.h"

namespace assay::audit::testing {

inline void renumber(GeneratedLog& log) {
  std::int64_t seq = 0;
  for (Object& event : log.events) {
    ++seq;
    if (event.contains("seq")) event["seq"] = seq;
  }
}

inline std::size_t place_of(const GeneratedLog& log, std::string_view type) {
  const auto found =
      std::find_if(log.events.begin(), log.events.end(),
                   [type](const Object& event) { return event.at("event_type") == Value(type); });
  return static_cast<std::size_t>(found - log.events.begin());
}

inline bool has(const GeneratedLog& log, std::string_view type) {
  return place_of(log, type) < log.events.size();
}

/// Puts a copy of an event, with an id of its own, at a place.
inline void copy_to(GeneratedLog& log, std::size_t from, std::size_t to) {
  Object event = log.events[from];
  event["event_id"] = "copy";
  log.events.insert(log.events.begin() + static_cast<std::ptrdiff_t>(to), std::move(event));
  renumber(log);
}

inline void remove(GeneratedLog& log, std::string_view type) {
  log.events.erase(log.events.begin() + static_cast<std::ptrdiff_t>(place_of(log, type)));
  renumber(log);
}

/// A way to break a log: what it has to have, what is done to it, and which rules that breaks.
struct Plant {
  const char* needs;
  std::function<void(GeneratedLog&)> plant;
  std::vector<std::string> broken;
};

inline std::function<void(GeneratedLog&)> set(const char* type, const char* member,
                                              const Value& value) {
  return [=](GeneratedLog& log) { log.events[place_of(log, type)][member] = value; };
}

inline void add_last(GeneratedLog& log, Object event) {
  event["event_id"] = "added";
  event["execution_id"] = log.id;
  event["timestamp"] = "2026-01-01T01:00:00Z";
  if (log.events.front().contains("seq")) event["seq"] = 0;
  log.events.push_back(std::move(event));
  renumber(log);
}

/// The event comes a second time, right behind itself.
inline std::function<void(GeneratedLog&)> repeats(const char* type) {
  return [=](GeneratedLog& log) {
    const std::size_t at = place_of(log, type);
    copy_to(log, at, at + 1);
  };
}

inline std::function<void(GeneratedLog&)> removes(const char* type) {
  return [=](GeneratedLog& log) { remove(log, type); };
}

/// What an event of its own says wrongly.
inline std::vector<Plant> envelope_plants() {
  return {
      {"task.started", set("task.started", "event_id", ""), {"event-id"}},
      {"task.started", set("task.started", "event_id", 7), {"event-id"}},
      {"task.done",
       [](GeneratedLog& log) {
         log.events[place_of(log, "task.done")]["event_id"] = log.events[0]["event_id"];
       },
       {"event-id-once"}},
      {"batch.completed", set("batch.completed", "event_type", "Batch.completed"), {"name-lower"}},
      {"batch.completed", set("batch.completed", "event_type", "batch"), {"name-shape"}},
      {"batch.completed", set("batch.completed", "event_type", nullptr), {"event-type"}},
      {"task.started", set("task.started", "timestamp", "2026-01-01T00:00:00"), {"timestamp"}},
      {"task.started",
       set("task.started", "timestamp", "2026-01-01T01:00:00+01:00"),
       {"timestamp"}},
      {"task.started", set("task.started", "source", "client"), {"source"}},
      {"task.started", set("task.started", "entity_type", "case"), {"entity-type"}},
      {"task.started", set("task.started", "status", "weird"), {"status"}},
      {"task.started", set("task.started", "event_alias", "task.started"), {"alias"}},
      {"task.started", set("task.started", "attempt", 0), {"attempt"}},
      {"task.started", set("task.started", "iteration", -1), {"iteration"}},
      {"task.started", set("task.started", "duration_ms", "5"), {"duration"}},
      {"task.started", set("task.started", "source", "server"), {"emitter-task"}},
      {"step.scheduled", set("step.scheduled", "source", "worker"), {"emitter-step"}},
      {"playbook.processed", set("playbook.processed", "source", "worker"), {"emitter-playbook"}},
      {"workflow.started", set("workflow.started", "source", "worker"), {"emitter-workflow"}},
      {"next.evaluated", set("next.evaluated", "source", "worker"), {"emitter-policy"}},
      {"batch.completed", set("batch.completed", "event_type", "tool.started"), {"legacy-tool"}},
      {"batch.completed", set("batch.completed", "event_type", "retry.started"), {"legacy-retry"}},
      {"batch.completed", set("batch.completed", "event_type", "sink.started"), {"legacy-sink"}},
      {"batch.completed", set("batch.completed", "event_type", "case.matched"), {"legacy-case"}},
  };
}

/// What follows what, and must not.
inline std::vector<Plant> order_plants() {
  return {
      {"playbook.completed",
       [](GeneratedLog& log) { add_last(log, {{"event_type", "execution.cancelled"}}); },
       {"one-end"}},
      {"playbook.finished",
       [](GeneratedLog& log) {
         add_last(log, {{"event_type", "step.scheduled"}, {"step_run_id", "late"}});
       },
       {"nothing-after-end"}},
      {"playbook.completed",
       [](GeneratedLog& log) { add_last(log, {{"event_type", "command.issued"}}); },
       {"no-command-after-success"}},
      {"step.done", removes("step.done"), {"quiet-at-success"}},
      {"step.started", removes("step.scheduled"), {"step-run-scheduled"}},
      {"step.scheduled", repeats("step.scheduled"), {"step-run-once"}},
      {"playbook.request.evaluated", removes("playbook.request.evaluated"), {"opening"}},
      {"next.evaluated", set("next.evaluated", "payload", nullptr), {"routing-lists"}},
      {"next.evaluated",
       set("next.evaluated", "payload",
           Object{{"mode", "exclusive"},
                  {"matched", List{Object{{"step", "x"}}}},
                  {"selected", List{Object{{"step", "y"}}}}}),
       {"fired-matched"}},
      {"next.evaluated",
       set("next.evaluated", "payload",
           Object{{"mode", "exclusive"},
                  {"matched", List{Object{{"step", "x"}}, Object{{"step", "y"}}}},
                  {"selected", List{Object{{"step", "x"}}, Object{{"step", "y"}}}}}),
       {"exclusive-fires-one"}},
      {"task.done", repeats("task.done"), {"task-outcome-last"}},
      {"task.attempt.failed", repeats("task.attempt.failed"), {"attempts-rise"}},
      {"task.attempt.started", repeats("task.attempt.started"), {"attempts-rise"}},
  };
}

/// The same of loops.
inline std::vector<Plant> loop_plants() {
  return {
      {"loop.started", removes("loop.started"), {"loop-begins"}},
      {"loop.iteration.scheduled",
       repeats("loop.iteration.scheduled"),
       {"iteration-scheduled-once"}},
      {"loop.iteration.started", removes("loop.iteration.scheduled"), {"iteration-starts"}},
      {"loop.iteration.started", removes("loop.iteration.started"), {"iteration-ends"}},
      {"loop.iteration.done", repeats("loop.iteration.done"), {"iteration-ends-once"}},
      {"loop.iteration.done", removes("loop.iteration.done"), {"loop-waits"}},
      {"loop.done", repeats("loop.done"), {"loop-ends-once"}},
  };
}

/// Moves that the tables of commands and the workflow do not have.
inline std::vector<Plant> layer_plants() {
  return {
      {"command.issued", repeats("command.issued"), {"command-issued"}},
      {"command.claimed", repeats("command.claimed"), {"command-claimed"}},
      {"call.done",
       [](GeneratedLog& log) {
         // Of the first command that was not cancelled.
         const std::size_t call = place_of(log, "call.done");
         for (std::size_t at = call; at-- > 0;) {
           if (log.events[at]["event_type"] != Value("command.started")) continue;
           log.events.erase(log.events.begin() + static_cast<std::ptrdiff_t>(at));
           break;
         }
         renumber(log);
       },
       {"command-completed"}},
      {"workflow.initialized",
       [](GeneratedLog& log) { copy_to(log, place_of(log, "workflow.initialized"), 2); },
       {"workflow-initialized"}},
      {"workflow.completed", removes("workflow.initialized"), {"workflow-completed"}},
      {"workflow.failed", removes("workflow.initialized"), {"workflow-failed"}},
  };
}

inline const std::vector<Plant>& plants() {
  static const std::vector<Plant> all = [] {
    std::vector<Plant> joined;
    for (const auto some : {envelope_plants, order_plants, loop_plants, layer_plants}) {
      for (Plant& plant : some()) joined.push_back(std::move(plant));
    }
    return joined;
  }();
  return all;
}

}  // namespace assay::audit::testing
