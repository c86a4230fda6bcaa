#include "harness/check/sequential_execution.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/words.h"

namespace assay::check {
namespace {

using core::Acceptance;
using CallKind = ExecutionCall::Kind;
using Lifecycle = SequentialExecution::Lifecycle;
using State = SequentialExecution::State;

constexpr std::string_view cancelled_event = "execution.cancelled";

std::string_view word_of(Lifecycle lifecycle) {
  constexpr Words<Lifecycle::cancelled> words = {"absent",    "PENDING", "RUNNING",
                                                 "COMPLETED", "FAILED",  "CANCELLED"};
  return words[lifecycle];
}

bool has_ended(const State& state) { return state.lifecycle >= Lifecycle::completed; }

bool starts(const PostedEvent& event) {
  return event.event_type == "playbook.initialized" || event.event_type == "playbook.started";
}

/// An end of an execution, and the name under which its status shows it.
struct End {
  Lifecycle lifecycle;
  std::string_view terminal_event;
};

/// What the event ends the execution with, nothing where it ends none (both vocabularies).
std::optional<End> end_by(const PostedEvent& event) {
  constexpr std::string_view finished = "playbook.finished";
  const std::string& type = event.event_type;
  if (type == "playbook.completed") return End{Lifecycle::completed, "playbook.completed"};
  if (type == "playbook.failed") return End{Lifecycle::failed, "playbook.failed"};
  if (type == cancelled_event) return End{Lifecycle::cancelled, cancelled_event};
  if (type != finished) return std::nullopt;
  if (event.status == "success") return End{Lifecycle::completed, finished};
  if (event.status == "error") return End{Lifecycle::failed, finished};
  return std::nullopt;
}

const SequentialExecution::StoredEvent* find_stored(const State& state, const PostedEvent& event) {
  if (event.id_number >= state.stored.size()) return nullptr;
  const auto& stored = state.stored[event.id_number];
  return stored.content == 0 ? nullptr : &stored;
}

bool is_taken(const ExecutionCall& call) {
  return call.answer == Acceptance::accepted || call.answer == Acceptance::duplicate;
}

/// Whether what the answer shows of the status is the status.
bool shows(const ExecutionCall& call, const State& state) {
  return (!call.state || *call.state == word_of(state.lifecycle)) &&
         (!call.terminal_event || *call.terminal_event == state.terminal_event);
}

/// The log has exactly the events that are stored, each once.
bool lists(const ExecutionCall& call, const State& state) {
  std::vector<std::size_t> stored;
  for (std::size_t number = 0; number < state.stored.size(); ++number) {
    if (state.stored[number].content != 0) stored.push_back(number);
  }
  return call.listed == stored;
}

/// Whether the answer may say this of an event that is stored already, with the same content.
bool permits_repeat(const PostedEvent& event, const SequentialExecution::StoredEvent& stored) {
  const bool is_same_number = !event.seq || stored.seq == 0 || *event.seq == stored.seq;
  return event.duplicate.value_or(true) && is_same_number;
}

/// Whether the answer may say this of an event that is new.
bool permits_new(const PostedEvent& event, const State& state) {
  return !event.duplicate.value_or(false) && (!event.seq || *event.seq > state.newest_seq);
}

std::string events_text(const std::vector<PostedEvent>& events) {
  std::string text;
  for (const PostedEvent& event : events) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", event.event_type, event.event_id);
    if (!event.status.empty()) text += fmt::format(" ({})", event.status);
  }
  return text;
}

std::string answer_text(const ExecutionCall& call) {
  if (!call.answer) return "no answer";
  std::string text(core::acceptance_words[*call.answer]);
  if (call.state) text += ", " + *call.state;
  if (call.terminal_event && !call.terminal_event->empty()) text += " by " + *call.terminal_event;
  if (call.already_terminal) text += *call.already_terminal ? ", had ended" : ", had not ended";
  for (const PostedEvent& event : call.events) {
    if (event.duplicate) text += *event.duplicate ? ", duplicate" : ", new";
    if (event.seq) text += fmt::format(", seq {}", *event.seq);
  }
  if (call.kind == CallKind::log)
    text += fmt::format(", {} of the posted events", call.listed.size());
  return text;
}

}  // namespace

State SequentialExecution::initial() const {
  State state;
  state.lifecycle = exists_ ? Lifecycle::pending : Lifecycle::absent;
  return state;
}

std::vector<State> SequentialExecution::step(const State& state, const Call& call) const {
  if (call.kind == CallKind::start) return start(state, call);
  if (state.lifecycle == Lifecycle::absent) {
    if (call.answer && call.answer != Acceptance::unknown) return {};
    return {state};
  }
  if (call.kind == CallKind::post) return post(state, call);
  if (call.kind == CallKind::cancel) return cancel(state, call);
  if (!call.answer) return {state};
  if (call.answer != Acceptance::accepted) return {};
  const bool is_explained = call.kind == CallKind::log ? lists(call, state) : shows(call, state);
  return is_explained ? std::vector{state} : std::vector<State>{};
}

std::vector<State> SequentialExecution::start(const State& state, const Call& call) const {
  const bool is_new = state.lifecycle == Lifecycle::absent;
  State next = state;
  if (is_new) next.lifecycle = Lifecycle::pending;
  if (!call.answer) return {std::move(next)};
  const bool is_permitted =
      is_new ? call.answer == Acceptance::accepted && shows(call, next)
             : call.answer == Acceptance::refused || call.answer == Acceptance::duplicate;
  return is_permitted ? std::vector{std::move(next)} : std::vector<State>{};
}

/// Another content under the same id is refused (EVT-IDEM-1), and so is what the profile says of
/// events after the end.
bool SequentialExecution::is_refused(const State& state, const PostedEvent& event) const {
  const StoredEvent* stored = find_stored(state, event);
  if (stored != nullptr) return stored->content != event.content_number + 1;
  if (!has_ended(state)) return false;
  const bool is_lifecycle = end_by(event).has_value();
  return is_lifecycle ? choices_.second_closing_event_is_refused : choices_.late_events_are_refused;
}

void SequentialExecution::store(State& state, const PostedEvent& event) const {
  if (state.stored.size() <= event.id_number) state.stored.resize(event.id_number + 1);
  state.stored[event.id_number] = {event.content_number + 1, event.seq.value_or(0)};
  state.newest_seq = event.seq.value_or(state.newest_seq + 1);
  if (starts(event) && state.lifecycle == Lifecycle::pending) state.lifecycle = Lifecycle::running;
  const std::optional<End> end = end_by(event);
  if (!end || has_ended(state)) return;
  const bool is_cancel = end->lifecycle == Lifecycle::cancelled;
  if (state.lifecycle == Lifecycle::pending && !is_cancel && !choices_.end_from_pending_closes) {
    return;
  }
  state.lifecycle = end->lifecycle;
  state.terminal_event = end->terminal_event;
}

std::vector<State> SequentialExecution::post(const State& state, const Call& call) const {
  State next = state;
  bool all_stored_before = true;
  for (const PostedEvent& event : call.events) {
    if (is_refused(next, event)) {
      if (call.answer && call.answer != Acceptance::refused) return {};
      return {state};
    }
    if (const StoredEvent* stored = find_stored(next, event)) {
      if (call.answer && !permits_repeat(event, *stored)) return {};
      continue;
    }
    if (call.answer && !permits_new(event, next)) return {};
    all_stored_before = false;
    store(next, event);
  }
  if (call.answer && !is_taken(call)) return {};
  if (call.answer == Acceptance::duplicate && !all_stored_before) return {};
  return {std::move(next)};
}

std::vector<State> SequentialExecution::cancel(const State& state, const Call& call) const {
  State next = state;
  const bool had_ended = has_ended(state);
  if (!had_ended) {
    next.lifecycle = Lifecycle::cancelled;
    next.terminal_event = cancelled_event;
    ++next.newest_seq;
  }
  if (!call.answer) return {std::move(next)};
  if (had_ended && choices_.repeated_cancel_is_refused) {
    return call.answer == Acceptance::refused ? std::vector{state} : std::vector<State>{};
  }
  const bool is_permitted = is_taken(call) && (call.answer == Acceptance::accepted || had_ended) &&
                            call.already_terminal.value_or(had_ended) == had_ended &&
                            shows(call, next);
  return is_permitted ? std::vector{std::move(next)} : std::vector<State>{};
}

bool SequentialExecution::only_reads(const Call& call) const {
  if (call.kind == CallKind::read || call.kind == CallKind::log) return true;
  return call.answer == Acceptance::refused || call.answer == Acceptance::duplicate ||
         call.answer == Acceptance::unknown ||
         (call.kind == CallKind::cancel && call.already_terminal.value_or(false));
}

std::string SequentialExecution::text(const State& state) const {
  const auto stored = std::count_if(state.stored.begin(), state.stored.end(),
                                    [](const auto& event) { return event.content != 0; });
  std::string text(word_of(state.lifecycle));
  if (!state.terminal_event.empty()) text += fmt::format(" by {}", state.terminal_event);
  return fmt::format("{}, {} of the posted events stored", text, stored);
}

std::string SequentialExecution::text(const Call& call) const {
  constexpr Words<ExecutionCall::Kind::log> words = {"start", "post", "cancel", "read", "log"};
  return fmt::format("{}{}{} -> {}", words[call.kind], call.events.empty() ? "" : " ",
                     events_text(call.events), answer_text(call));
}

SequentialExecution::Choices execution_choices(
    const std::map<std::string, std::string, std::less<>>& interpretations) {
  const auto is = [&interpretations](std::string_view key, std::string_view choice) {
    const auto found = interpretations.find(key);
    return found != interpretations.end() && found->second == choice;
  };
  return {.end_from_pending_closes = !is("end_from_pending", "ignored"),
          .second_closing_event_is_refused = is("second_closing_event", "refused"),
          .late_events_are_refused = is("late_events", "refused"),
          .repeated_cancel_is_refused = is("repeated_cancel", "refused")};
}

}  // namespace assay::check
