#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace assay {

class Value;

/// A JSON array.
using List = std::vector<Value>;

/// A JSON object. Members are kept sorted by key: JSON gives their order no meaning, and a fixed
/// one keeps every output deterministic.
using Object = std::map<std::string, Value, std::less<>>;

/// A JSON value whose integers are exact to 64 bits (identifiers in the wild exceed 2^53).
class Value {
 public:
  Value() = default;
  Value(std::nullptr_t) {}                          // NOLINT(google-explicit-constructor)
  Value(bool value) : data_(value) {}               // NOLINT
  Value(int value) : data_(std::int64_t{value}) {}  // NOLINT
  Value(std::int64_t value) : data_(value) {}       // NOLINT
  /// Values above INT64_MAX are kept as they are; smaller ones become signed, so that equal
  /// integers have one representation.
  Value(std::uint64_t value);                                   // NOLINT
  Value(double value) : data_(value) {}                         // NOLINT
  Value(const char* value) : data_(std::string(value)) {}       // NOLINT
  Value(std::string_view value) : data_(std::string(value)) {}  // NOLINT
  Value(std::string value) : data_(std::move(value)) {}         // NOLINT
  Value(List value) : data_(std::move(value)) {}                // NOLINT
  Value(Object value) : data_(std::move(value)) {}              // NOLINT

  [[nodiscard]] bool is_null() const { return std::holds_alternative<std::nullptr_t>(data_); }
  [[nodiscard]] bool is_bool() const { return std::holds_alternative<bool>(data_); }
  /// An integer of any size that was kept exactly; 1.0 is not one.
  [[nodiscard]] bool is_integer() const;
  [[nodiscard]] bool is_double() const { return std::holds_alternative<double>(data_); }
  [[nodiscard]] bool is_number() const { return is_integer() || is_double(); }
  [[nodiscard]] bool is_string() const { return std::holds_alternative<std::string>(data_); }
  [[nodiscard]] bool is_list() const { return std::holds_alternative<List>(data_); }
  [[nodiscard]] bool is_object() const { return std::holds_alternative<Object>(data_); }

  /// The alternatives. Calling one on another kind of value throws std::bad_variant_access.
  [[nodiscard]] bool as_bool() const { return std::get<bool>(data_); }
  [[nodiscard]] const std::string& as_string() const { return std::get<std::string>(data_); }
  [[nodiscard]] const List& as_list() const { return std::get<List>(data_); }
  [[nodiscard]] List& as_list() { return std::get<List>(data_); }
  [[nodiscard]] const Object& as_object() const { return std::get<Object>(data_); }
  [[nodiscard]] Object& as_object() { return std::get<Object>(data_); }

  /// The number as a double (rounded where an integer needs more than 53 bits).
  [[nodiscard]] double as_double() const;
  /// The integer, where this is a number with an integral value that fits: 3 and 3.0 both give 3.
  [[nodiscard]] std::optional<std::int64_t> to_int64() const;
  /// The integer above INT64_MAX, where this is one.
  [[nodiscard]] std::optional<std::uint64_t> large_unsigned() const;

  /// The member of that name, or nullptr where this is no object or has none.
  [[nodiscard]] const Value* find(std::string_view key) const;
  /// The string member of that name, or nothing.
  [[nodiscard]] std::optional<std::string> string_at(std::string_view key) const;
  /// The value that a JSON Pointer (RFC 6901) names, or nullptr; "" names this value.
  [[nodiscard]] const Value* at_pointer(std::string_view pointer) const;

  /// "null", "boolean", "integer", "number", "string", "array" or "object": for messages.
  [[nodiscard]] std::string_view kind_name() const;

  /// Equality of JSON values: 1 equals 1.0, true equals no number, the order of members is nothing.
  friend bool operator==(const Value& left, const Value& right);

 private:
  std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string, List, Object>
      data_ = nullptr;
};

/// The reference tokens of a JSON Pointer with ~1 and ~0 resolved; nothing where it is malformed.
[[nodiscard]] std::optional<std::vector<std::string>> pointer_tokens(std::string_view pointer);

/// One reference token, escaped for use in a JSON Pointer ("a/b" gives "a~1b").
[[nodiscard]] std::string escape_pointer_token(std::string_view token);

}  // namespace assay
