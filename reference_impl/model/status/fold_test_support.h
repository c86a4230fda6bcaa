#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reference_impl/model/status/fold.h"

namespace assay::status {

/// An event of that type at 12:00:00Z plus its seq in seconds, unless `more` says another time.
inline Value event(std::string_view type, Object more = {}) {
  more["event_type"] = type;
  return more;
}

inline const Value start = event("playbook.initialized");

inline Value step(std::string_view type, std::string_view name, Object more = {}) {
  more["node_name"] = name;
  return event(type, std::move(more));
}

inline Value command(std::string_view type, std::string_view id, Object more = {}) {
  more["command_id"] = id;
  return event(type, std::move(more));
}

inline Value step_run(std::string_view type, std::string_view name, std::string_view run) {
  return event(type, {{"entity_id", name}, {"step_run_id", run}});
}

inline std::string time_of(std::int64_t seq) {
  return seq < 10 ? "2026-01-01T12:00:0" + std::to_string(seq) + "Z"
                  : "2026-01-01T12:00:" + std::to_string(seq) + "Z";
}

/// The fold of the events, with seq and time from 1 on.
inline ExecutionFold fold(const std::vector<Value>& events) {
  ExecutionFold result("run-1");
  std::int64_t seq = 0;
  for (Value body : events) {
    ++seq;
    body.as_object().try_emplace("timestamp", time_of(seq));
    result.apply(body, seq);
  }
  return result;
}

/// "name=STATE" of each.
inline std::vector<std::string> words(const std::vector<Step>& steps) {
  std::vector<std::string> lines;
  for (const Step& each : steps) lines.push_back(each.id + "=" + std::string(word_of(each.state)));
  return lines;
}

inline std::vector<std::string> words(const std::vector<Command>& commands) {
  std::vector<std::string> lines;
  for (const Command& each : commands) {
    lines.push_back(each.id + "=" + std::string(word_of(each.state)));
  }
  return lines;
}

inline std::vector<std::string> words(const std::vector<Tool>& tools) {
  std::vector<std::string> lines;
  for (const Tool& each : tools) {
    lines.push_back(each.id + "=" + std::string(word_of(each.outcome)));
  }
  return lines;
}

}  // namespace assay::status
