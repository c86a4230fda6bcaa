#include "harness/check/event_name.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/short_text.h"
#include "base/words.h"

namespace assay::check {
namespace {

constexpr Words<EventName::loop_iteration_failed> event_texts = {"",
                                                                 "playbook.execution.requested",
                                                                 "playbook.request.evaluated",
                                                                 "playbook.started",
                                                                 "playbook.paused",
                                                                 "playbook.finished",
                                                                 "playbook.processed",
                                                                 "playbook.initialized",
                                                                 "playbook.completed",
                                                                 "playbook.failed",
                                                                 "execution.cancelled",
                                                                 "workflow.started",
                                                                 "workflow.finished",
                                                                 "step.scheduled",
                                                                 "step.started",
                                                                 "step.done",
                                                                 "step.failed",
                                                                 "step.exit",
                                                                 "task.started",
                                                                 "task.attempt.started",
                                                                 "task.attempt.done",
                                                                 "task.attempt.failed",
                                                                 "task.done",
                                                                 "task.failed",
                                                                 "policy.admit.evaluated",
                                                                 "policy.task.evaluated",
                                                                 "next.evaluated",
                                                                 "loop.started",
                                                                 "loop.done",
                                                                 "loop.iteration.scheduled",
                                                                 "loop.iteration.started",
                                                                 "loop.iteration.done",
                                                                 "loop.iteration.failed"};

/// By the length, the first letter and the fourth from the end: no two names have the same slot.
constexpr std::size_t slot_count = 64;
constexpr std::size_t least_bytes = 4;

constexpr std::size_t slot_of(std::string_view type) {
  return (type.size() + static_cast<unsigned char>(type.front()) * std::size_t{2} +
          static_cast<unsigned char>(type[type.size() - least_bytes]) * std::size_t{58}) %
         slot_count;
}

constexpr std::array<EventName, slot_count> make_slots() {
  std::array<EventName, slot_count> event_slots = {};
  for (const EventName name : event_texts.values()) {
    if (name != EventName::other) event_slots[slot_of(event_texts[name])] = name;
  }
  return event_slots;
}

constexpr std::array<EventName, slot_count> event_slots = make_slots();

constexpr bool have_own_slots() {
  return std::all_of(event_texts.values().begin(), event_texts.values().end(), [](EventName name) {
    return name == EventName::other || event_slots[slot_of(event_texts[name])] == name;
  });
}
static_assert(have_own_slots());

}  // namespace

EventName event_name_of(std::string_view type) {
  if (type.size() < least_bytes) return EventName::other;
  const EventName name = event_slots[slot_of(type)];
  return is_same_text(text_of(name), type) ? name : EventName::other;
}

std::string_view text_of(EventName name) { return event_texts[name]; }

}  // namespace assay::check
