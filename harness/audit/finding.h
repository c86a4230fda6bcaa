#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "harness/audit/block_reader.h"
#include "harness/audit/packed_event.h"
#include "harness/check/instant.h"
#include "harness/check/log_auditor.h"
#include "harness/check/log_rule.h"

namespace assay::audit {

/// When an event was, for an order that every machine agrees on: what has no time comes first.
struct EventTime {
  std::int64_t seconds = INT64_MIN;
  std::string fraction;
  std::string text;

  friend bool operator<(const EventTime& left, const EventTime& right) {
    return std::tie(left.seconds, left.fraction, left.text) <
           std::tie(right.seconds, right.fraction, right.text);
  }
};

/// The time that an RFC 3339 text names; none where it is no such text.
[[nodiscard]] EventTime time_named(std::string_view text);

/// The time of an event's timestamp.
[[nodiscard]] EventTime time_of(const check::LogEvent& event);

/// One place where a rule is broken, and the log that shows it.
struct Example {
  EventTime time;
  std::string execution;
  LogPlace place;
  /// The execution's events, packed, up to where it shows; empty where that is too long to keep.
  std::string log;
  /// Which of them it shows at, from 0.
  std::size_t index = 0;
  /// Once it is as small as it goes: how many events the log has, and the first of them as JSON.
  std::size_t events = 0;
  std::vector<std::string> lines;
  std::string what;
  bool is_whole = false;
};

/// A rule broken by events of one type: what is told of it.
struct Finding {
  std::uint64_t events = 0;
  std::uint64_t executions = 0;
  EventTime first;
  EventTime last;
  /// The first in the alphabet.
  std::set<std::string> names;
  /// The earliest.
  Example example;

  void note_event(const EventTime& time);
  void note_execution(const std::string& execution);
  void add(const Finding& other);
};

/// Whether the first of two examples of one cause is the one to keep: the earliest, whatever was
/// read first.
[[nodiscard]] bool is_earlier(const Example& left, const Example& right);

inline constexpr std::size_t limit_names = 10;

/// The rule, and the event's type where the taxonomy has it.
using Cause = std::pair<check::LogRule, std::string>;

/// What an audit came to. Sums of parts do not depend on how the log was parted.
struct AuditResult {
  check::LogTally tally;
  std::map<Cause, Finding> findings;
  std::uint64_t events = 0;
  std::uint64_t executions = 0;
  /// By the word of the state that the model's fold came to.
  std::map<std::string, std::uint64_t> states;
  /// Texts that are no events: how many, and the first.
  std::uint64_t bad = 0;
  std::map<std::uint64_t, BadText> first_bad;
  /// Executions whose lines do not stand in the order of seq, whose seq has gaps, and of which the
  /// beginning is not there.
  std::uint64_t unordered = 0;
  std::uint64_t gapped = 0;
  std::uint64_t headless = 0;

  void add(const AuditResult& other);
  void add_bad(const BadText& text);
};

inline constexpr std::size_t limit_bad = 20;

}  // namespace assay::audit
