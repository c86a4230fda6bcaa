#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/operation.h"

namespace assay::check {

/// An event as a client posted it, and what its answer said of it.
struct PostedEvent {
  std::string event_id;
  std::string event_type;
  /// Of playbook.finished: success, error …; otherwise it decides nothing.
  std::string status;
  /// Small numbers, within one history: equal ones are equal event ids, and equal contents.
  std::size_t id_number = 0;
  std::size_t content_number = 0;
  std::optional<bool> duplicate;
  std::optional<std::int64_t> seq;
};

/// A call of one execution and its answer. Members of an answer that a target doesn't show are
/// nothing.
struct ExecutionCall {
  enum class Kind {
    start,   ///< executions.start
    post,    ///< events.post, or events.post_batch with several events: all or nothing.
    cancel,  ///< executions.cancel
    read,    ///< executions.status, executions.detail
    log,     ///< events.list, whole and unfiltered
  };

  Kind kind = Kind::read;
  std::vector<PostedEvent> events;
  /// Nothing: no answer came.
  std::optional<core::Acceptance> answer;
  std::optional<std::string> state;
  /// Empty where the answer has null.
  std::optional<std::string> terminal_event;
  std::optional<bool> already_terminal;
  /// Of a log: the id_numbers of the listed events that clients of this history posted, sorted.
  std::vector<std::size_t> listed;
};

/// One replay execution of CONTRACT.md, from the text of specifications 000 and 001 and without the
/// reference's model: events are stored once by their id and content (EVT-IDEM-1) and numbered in
/// the order of their storing, the first lifecycle event that closes it closes it for good
/// (STM-EXEC-R1), cancel is idempotent (API-CANCEL), and every read shows the state at one moment.
class SequentialExecution {
 public:
  using Call = ExecutionCall;

  enum class Lifecycle : std::uint8_t { absent, pending, running, completed, failed, cancelled };

  struct StoredEvent {
    /// 0: not stored; otherwise one more than the content's number.
    std::size_t content = 0;
    /// 0: not known.
    std::int64_t seq = 0;
    auto operator<=>(const StoredEvent&) const = default;
  };

  struct State {
    Lifecycle lifecycle = Lifecycle::pending;
    std::string_view terminal_event;
    /// Every later event has a greater one.
    std::int64_t newest_seq = 0;
    /// By id_number.
    std::vector<StoredEvent> stored;
    auto operator<=>(const State&) const = default;
  };

  /// How the gaps are settled (fixtures/spec/interpretations.yaml has the keys).
  struct Choices {
    bool end_from_pending_closes = true;
    bool second_closing_event_is_refused = false;
    bool late_events_are_refused = false;
    bool repeated_cancel_is_refused = false;
  };

  /// `exists`: whether it was there before the history's first call.
  explicit SequentialExecution(bool exists) : SequentialExecution(exists, Choices()) {}
  SequentialExecution(bool exists, Choices choices) : exists_(exists), choices_(choices) {}

  [[nodiscard]] State initial() const;
  [[nodiscard]] std::vector<State> step(const State& state, const Call& call) const;
  [[nodiscard]] bool only_reads(const Call& call) const;
  [[nodiscard]] std::string text(const State& state) const;
  [[nodiscard]] std::string text(const Call& call) const;

 private:
  [[nodiscard]] std::vector<State> start(const State& state, const Call& call) const;
  [[nodiscard]] std::vector<State> post(const State& state, const Call& call) const;
  [[nodiscard]] std::vector<State> cancel(const State& state, const Call& call) const;
  [[nodiscard]] bool is_refused(const State& state, const PostedEvent& event) const;
  void store(State& state, const PostedEvent& event) const;

  bool exists_;
  Choices choices_;
};

/// The choices that a profile names by key.
[[nodiscard]] SequentialExecution::Choices execution_choices(
    const std::map<std::string, std::string, std::less<>>& interpretations);

}  // namespace assay::check
