#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "harness/check/log_event.h"

namespace assay::audit {

/// Where an event stands in what was read.
struct LogPlace {
  /// Which of the sources, from 0.
  std::uint32_t source = 0;
  /// From 1; the column in bytes.
  std::uint32_t column = 1;
  std::uint64_t line = 1;
};

/// An event as it was parsed: what the rules read of it. Views the parser's texts.
struct ParsedEvent {
  check::LogEvent event;
  /// The payload of a next.evaluated as JSON; empty elsewhere.
  std::string_view payload;

  void clear() {
    event.clear();
    payload = {};
  }
};

/// What is needed of a packed event without reading its members.
struct PackedHead {
  /// How many lines of all sources came before.
  std::uint64_t ordinal = 0;
  LogPlace place;
  std::int64_t seq = 0;
  /// Of all of it, this head included.
  std::uint32_t size = 0;
  /// Where the execution_id is, from the head's begin on; 0: it has none that is a string.
  std::uint32_t execution_at = 0;
  std::uint32_t execution_size = 0;
  bool has_seq = false;
  /// Whether it ends its execution.
  bool closes = false;
};

/// Appends the event in a compact form of its own; its head.
PackedHead pack(const ParsedEvent& parsed, std::uint64_t ordinal, const LogPlace& place,
                std::string& into);

/// The head of the event that begins at `at`.
[[nodiscard]] PackedHead head_at(std::string_view packed, std::size_t at);

/// The id of its execution, where it has one; views `packed`.
[[nodiscard]] std::optional<std::string_view> execution_at(std::string_view packed, std::size_t at);

/// The event that begins at `at`; views `packed`.
[[nodiscard]] ParsedEvent unpack(std::string_view packed, std::size_t at);
void unpack(std::string_view packed, std::size_t at, ParsedEvent& into);

/// The event as a line of JSON with the members that the rules read, its line break left out.
[[nodiscard]] std::string json_of(const ParsedEvent& parsed);

}  // namespace assay::audit
