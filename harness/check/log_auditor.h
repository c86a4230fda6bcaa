#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory_resource>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "harness/check/event_name.h"
#include "harness/check/log_event.h"
#include "harness/check/log_invariants.h"
#include "harness/check/log_rule.h"
#include "harness/check/seen_ids.h"

namespace assay::check {

/// What may be taken for granted of a log.
struct LogPremises {
  LogScope scope = LogScope::driven;
  /// The log has no gap, whatever its seq says: it is part of one that was judged already.
  bool is_known_whole = false;
  /// Also what no `keeps` of a scenario asks for: aliases, words of status, legacy names.
  bool judges_all = false;
};

/// Judges the log of one execution event by event, by the specifications alone: no code of the
/// reference's model is called. A log may end anywhere: what has not come yet is no violation.
///
/// Of a foreign log only that is held against it which nothing that may be missing explains: a rule
/// about what ought to stand before an event is asked only as long as the log has its beginning and
/// no gap. `tally` counts how often each rule was asked.
class LogAuditor {
 public:
  explicit LogAuditor(LogPremises premises) : premises_(premises) {}

  /// Makes room for that many events.
  void expect_events(std::size_t count) { ids_.reserve(count); }
  /// The next event. Its texts must outlive this.
  void add(const LogEvent& event);
  /// The log has no further event.
  void finish();

  /// What was found since the last call, in the order of the events.
  [[nodiscard]] std::vector<Violation> take_violations() { return std::exchange(violations_, {}); }
  [[nodiscard]] bool has_violations() const { return !violations_.empty(); }
  [[nodiscard]] const LogTally& tally() const { return tally_; }
  /// Whether the log has its beginning and no gap, as far as it came.
  [[nodiscard]] bool is_whole() const {
    return premises_.scope != LogScope::foreign || premises_.is_known_whole ||
           (begins_ && !has_gap_);
  }
  /// Whether a number is missing in the seq of its events, as far as they have one.
  [[nodiscard]] bool has_gap() const { return has_gap_; }
  /// Whether its first event is one that a whole log begins with.
  [[nodiscard]] bool has_beginning() const { return begins_; }

 private:
  struct StepRun {
    std::string_view step;
    bool scheduled = false;
    bool ended = false;
  };
  struct TaskRun {
    std::int64_t attempts = 0;
    /// The last attempt that has an outcome.
    std::int64_t ended_attempts = 0;
    bool ended = false;
  };
  struct Iteration {
    bool scheduled = false;
    bool started = false;
    bool ended = false;
  };
  struct Loop {
    bool started = false;
    bool done = false;
    std::map<std::int64_t, Iteration> iterations;
  };

  [[nodiscard]] bool is_foreign() const { return premises_.scope == LogScope::foreign; }
  void report(LogRule rule, std::string_view message);
  void report_at(std::size_t index, const std::string& subject, LogRule rule,
                 std::string_view message);

  void check_identity();
  void check_type();
  void check_plane(std::string_view type);
  void check_legacy(std::string_view type);
  void check_words();
  [[nodiscard]] bool is_utc_time();
  void check_word(EventField field, std::span<const std::string_view> words, LogRule rule);
  void check_whole_number(EventField field, std::int64_t least, LogRule rule);
  void check_sequence();
  void note_beginning();

  void check_order(std::string_view type);
  void check_closing();
  [[nodiscard]] bool closes() const;
  void check_success_is_quiet();
  void check_opening();
  void check_routing();
  void check_fired(const List& matched, const List& selected);
  void check_step();
  void end_run(StepRun& run);

  void check_task(std::string_view type);
  void check_attempt(TaskRun& run);
  void check_foreign_attempt(std::int64_t number, TaskRun& run);
  void check_loop();
  void check_loop_end(Loop& loop, std::string_view id);
  void check_iteration(Loop& loop);
  void check_iteration_end(Iteration& iteration);

  LogPremises premises_;
  const LogEvent* event_ = nullptr;
  EventName name_ = EventName::other;
  std::size_t index_ = 0;
  std::vector<Violation> violations_;
  LogTally tally_;

  /// Taken from a pool, because a log has millions. Most logs are short, and need no more than what
  /// is here.
  std::array<std::byte, 4096> room_;
  std::pmr::monotonic_buffer_resource memory_{room_.data(), room_.size()};
  SeenIds ids_{&memory_};
  /// "2026-01-31T" of the last timestamp that was in order.
  std::string_view known_day_;
  std::optional<std::string_view> execution_;
  std::optional<std::int64_t> last_seq_;
  bool begins_ = false;
  bool has_gap_ = false;

  std::optional<std::size_t> closed_by_;
  /// Of the names that check_opening asks for: which event came first, from 1; 0: none did.
  EventNameTable<std::size_t> first_;
  std::pmr::unordered_map<std::string_view, StepRun> runs_{&memory_};
  std::pmr::unordered_map<std::string_view, TaskRun> tasks_{&memory_};
  std::pmr::unordered_map<std::string_view, Loop> loops_{&memory_};
  std::size_t open_runs_ = 0;
  /// Events about step runs that name none: what they end is not known.
  bool has_nameless_schedule_ = false;
  bool has_nameless_outcome_ = false;
  /// By step: outcomes so far, and how many of them were routed.
  std::pmr::unordered_map<std::string_view, std::size_t> ended_{&memory_};
  std::pmr::unordered_map<std::string_view, std::size_t> routed_{&memory_};
};

}  // namespace assay::check
