#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/value.h"

namespace assay::events {

/// An event that keeps every rule of the envelope (specification 001 section 2), as it is stored.
struct Event {
  /// An object: timestamp in UTC, optional fields that were null dropped, execution_id filled in,
  /// the client's seq dropped, a legacy name replaced by its standard one.
  Value body;

  [[nodiscard]] const std::string& event_id() const { return body.find("event_id")->as_string(); }
  [[nodiscard]] const std::string& event_type() const {
    return body.find("event_type")->as_string();
  }
};

/// Why a body is no event.
struct EventError {
  /// `invalid` and `legacy` are well-formed JSON that the rules refuse; `too_large` is a result
  /// that belongs outside the log (EVT-REF-1).
  enum class Kind : std::uint8_t { invalid, too_large, legacy };
  Kind kind = Kind::invalid;
  std::string pointer;  ///< JSON Pointer to the field at fault; "" is the whole body
  std::string code;     ///< MISSING_FIELD, INVALID_FIELD, EXTERNALISE_RESULT or LEGACY_EVENT
  std::string message;
};

/// How bodies are read.
struct ReadOptions {
  std::string_view execution_id;            ///< the execution that the event is posted to
  bool reject_legacy = false;               ///< refuse legacy names (EVT-LEG-REJECT)
  bool takes_unknown_types = true;          ///< well-formed types that the taxonomy does not have
  std::size_t payload_cap_bytes = 262'144;  ///< of the payload as a whole (EVT-REF-2)
  /// Of payload.inputs and payload.outcome, each (EVT-PAY-CAP).
  std::size_t inputs_or_outcome_cap_bytes = 65'536;
};

/// Reads one event. Required: event_id, event_type, timestamp. Optional fields may be left out or
/// null; present, they have the type and the values of specification 001 section 2: iteration and
/// duration_ms are integers from 0, attempt from 1, source, entity_type and status one of their
/// words (status also takes specification 000's step and command words in any case). Members that
/// the specifications don't name are kept as they are.
[[nodiscard]] Result<Event, EventError> read_event(const Value& body, const ReadOptions& options);

/// True where two stored events say the same (EVT-IDEM-1): equal as JSON values, timestamps
/// compared as instants, the server's seq passed over.
[[nodiscard]] bool same_content(const Value& left, const Value& right);

/// True for an id: 1 to 256 bytes of UTF-8 without control characters.
[[nodiscard]] bool is_valid_id(std::string_view id);

/// The bytes of the value as compact JSON in UTF-8, where only what JSON must escape is escaped.
/// Counting stops once `limit` is passed, so that the answer is exact up to it.
[[nodiscard]] std::size_t compact_json_size(const Value& value, std::size_t limit = SIZE_MAX);

}  // namespace assay::events
