#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/value.h"
#include "reference_impl/model/events/taxonomy.h"

namespace assay::events {

/// Reads the fields of an event's body; total over any JSON value, so that foreign logs can be
/// read too. Views the body, which must outlive it.
class EventView {
 public:
  explicit EventView(const Value& body);

  [[nodiscard]] std::string_view type() const { return type_; }
  [[nodiscard]] EventKind kind() const { return kind_; }
  /// The string member of that name; empty where it is missing or no string.
  [[nodiscard]] std::string_view text(std::string_view field) const;
  /// The integral member of that name.
  [[nodiscard]] std::optional<std::int64_t> integer(std::string_view field) const;
  /// The member of `payload` that a JSON Pointer below it names, or nullptr.
  [[nodiscard]] const Value* payload(std::string_view pointer) const;
  /// The string in `payload` that a JSON Pointer names; empty where there is none.
  [[nodiscard]] std::string_view payload_text(std::string_view pointer) const;
  /// True where the member is there and not null.
  [[nodiscard]] bool has(std::string_view field) const;
  [[nodiscard]] const Value& body() const { return *body_; }

 private:
  const Value* body_;
  std::string_view type_;
  EventKind kind_;
};

}  // namespace assay::events
