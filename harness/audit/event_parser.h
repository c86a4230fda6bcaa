#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "harness/audit/packed_event.h"
#include "harness/core/profile.h"

namespace assay::audit {

/// Bytes that must be readable behind a text that is parsed; what they are does not matter.
inline constexpr std::size_t parser_padding_bytes = 64;

/// Arrays and objects inside one another; deeper events are refused.
inline constexpr std::size_t limit_event_depth = 200;

/// Why a text is no event.
struct EventFault {
  /// From 0, in bytes.
  std::size_t offset = 0;
  /// What was found and what was expected.
  std::string message;
};

/// Reads events out of JSON texts, fast where the library for that is built in. One for each
/// thread.
class EventParser {
 public:
  EventParser() : EventParser(nullptr) {}
  /// Reads foreign events, each by `reading`, which outlives this; by none where that is nullptr.
  explicit EventParser(const core::Mapping* reading);
  ~EventParser();
  EventParser(const EventParser&) = delete;
  EventParser& operator=(const EventParser&) = delete;

  /// Reads one event, which is an object; a member that the rules read may stand in it once. Behind
  /// the text parser_padding_bytes can be read. The event views this parser's memory and `text`
  /// until the next call.
  [[nodiscard]] std::optional<EventFault> parse(std::string_view text, ParsedEvent& parsed);

 private:
  struct Fast;
  struct Slow;
  std::unique_ptr<Fast> fast_;
  std::unique_ptr<Slow> slow_;
};

}  // namespace assay::audit
