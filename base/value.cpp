#include "base/value.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace assay {
namespace {

constexpr double two_to_63 = 9223372036854775808.0;
constexpr double two_to_64 = 18446744073709551616.0;

bool equals_double(std::int64_t integer, double number) {
  return number >= -two_to_63 && number < two_to_63 && std::trunc(number) == number &&
         static_cast<std::int64_t>(number) == integer;
}

bool equals_double(std::uint64_t integer, double number) {
  return number >= 0 && number < two_to_64 && std::trunc(number) == number &&
         static_cast<std::uint64_t>(number) == integer;
}

std::optional<std::size_t> array_index(std::string_view token) {
  if (token.empty() || (token.size() > 1 && token.front() == '0')) return std::nullopt;
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), index);
  if (error != std::errc{} || end != token.data() + token.size()) return std::nullopt;
  return index;
}

}  // namespace

Value::Value(std::uint64_t value) {
  if (value <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    data_ = static_cast<std::int64_t>(value);
  } else {
    data_ = value;
  }
}

bool Value::is_integer() const {
  return std::holds_alternative<std::int64_t>(data_) ||
         std::holds_alternative<std::uint64_t>(data_);
}

double Value::as_double() const {
  if (const auto* integer = std::get_if<std::int64_t>(&data_)) return static_cast<double>(*integer);
  if (const auto* large = std::get_if<std::uint64_t>(&data_)) return static_cast<double>(*large);
  return std::get<double>(data_);
}

std::optional<std::int64_t> Value::to_int64() const {
  if (const auto* integer = std::get_if<std::int64_t>(&data_)) return *integer;
  if (const auto* number = std::get_if<double>(&data_)) {
    if (*number >= -two_to_63 && *number < two_to_63 && std::trunc(*number) == *number) {
      return static_cast<std::int64_t>(*number);
    }
  }
  return std::nullopt;
}

std::optional<std::uint64_t> Value::large_unsigned() const {
  if (const auto* large = std::get_if<std::uint64_t>(&data_)) return *large;
  return std::nullopt;
}

const Value* Value::find(std::string_view key) const {
  const auto* object = std::get_if<Object>(&data_);
  if (object == nullptr) return nullptr;
  const auto member = object->find(key);
  return member == object->end() ? nullptr : &member->second;
}

std::optional<std::string> Value::string_at(std::string_view key) const {
  const Value* member = find(key);
  if (member == nullptr || !member->is_string()) return std::nullopt;
  return member->as_string();
}

const Value* Value::at_pointer(std::string_view pointer) const {
  const auto tokens = pointer_tokens(pointer);
  if (!tokens) return nullptr;
  const Value* current = this;
  for (const std::string& token : *tokens) {
    if (current->is_list()) {
      const auto index = array_index(token);
      if (!index || *index >= current->as_list().size()) return nullptr;
      current = &current->as_list()[*index];
    } else {
      current = current->find(token);
      if (current == nullptr) return nullptr;
    }
  }
  return current;
}

std::string_view Value::kind_name() const {
  constexpr std::array<std::string_view, 8> names = {"null",   "boolean", "integer", "integer",
                                                     "number", "string",  "array",   "object"};
  return names.at(data_.index());
}

bool operator==(const Value& left, const Value& right) {
  if (left.is_double() && right.is_integer()) return right == left;
  if (left.is_integer() && right.is_double()) {
    const double number = std::get<double>(right.data_);
    if (const auto large = left.large_unsigned()) return equals_double(*large, number);
    return equals_double(std::get<std::int64_t>(left.data_), number);
  }
  return left.data_ == right.data_;
}

std::optional<std::vector<std::string>> pointer_tokens(std::string_view pointer) {
  std::vector<std::string> tokens;
  if (pointer.empty()) return tokens;
  if (pointer.front() != '/') return std::nullopt;
  for (std::size_t position = 0; position < pointer.size(); ++position) {
    if (pointer[position] == '/') {
      tokens.emplace_back();
    } else if (pointer[position] == '~') {
      ++position;
      if (position == pointer.size()) return std::nullopt;
      if (pointer[position] != '0' && pointer[position] != '1') return std::nullopt;
      tokens.back() += pointer[position] == '0' ? '~' : '/';
    } else {
      tokens.back() += pointer[position];
    }
  }
  return tokens;
}

std::string escape_pointer_token(std::string_view token) {
  std::string escaped;
  for (const char character : token) {
    if (character == '~') {
      escaped += "~0";
    } else if (character == '/') {
      escaped += "~1";
    } else {
      escaped += character;
    }
  }
  return escaped;
}

}  // namespace assay
