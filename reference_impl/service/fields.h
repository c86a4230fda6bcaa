#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/value.h"

namespace assay::service {

/// Reads the members of a JSON object by type. null means absent. Each reader throws Refusal 422
/// with the member's JSON Pointer: MISSING_FIELD where a required one is absent, INVALID_FIELD
/// where one is of another type.
class Fields {
 public:
  /// `pointer` is where the object stands in the body ("" at its root).
  explicit Fields(const Object& members, std::string pointer = "")
      : members_(members), pointer_(std::move(pointer)) {}

  /// The member, or nullptr where it is absent or null.
  [[nodiscard]] const Value* find(std::string_view name) const;
  [[nodiscard]] const Value& required(std::string_view name) const;

  [[nodiscard]] const std::string* optional_string(std::string_view name) const;
  [[nodiscard]] const std::string& required_string(std::string_view name) const;
  [[nodiscard]] bool required_bool(std::string_view name) const;
  [[nodiscard]] std::optional<bool> optional_bool(std::string_view name) const;
  [[nodiscard]] const Object* optional_object(std::string_view name) const;
  [[nodiscard]] const Object& required_object(std::string_view name) const;
  [[nodiscard]] const List* optional_list(std::string_view name) const;
  [[nodiscard]] const List& required_list(std::string_view name) const;
  /// A string that may stand as an id: see events::is_valid_id. Throws INVALID_ID where it may not.
  [[nodiscard]] const std::string* optional_id(std::string_view name) const;
  [[nodiscard]] const std::string& required_id(std::string_view name) const;

  /// The JSON Pointer of the member.
  [[nodiscard]] std::string pointer_to(std::string_view name) const;

 private:
  [[noreturn]] void refuse(std::string_view name, std::string_view wanted) const;

  const Object& members_;
  std::string pointer_;
};

}  // namespace assay::service
