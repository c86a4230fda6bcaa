#include <array>
#include <charconv>
#include <vector>

#include "reference_impl/model/events/envelope.h"

namespace assay::events {

namespace {

std::size_t string_size(std::string_view text) {
  std::size_t size = 2;
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    if (byte == '"' || byte == '\\' || (byte >= 0x08 && byte <= 0x0D && byte != 0x0B)) {
      size += 2;  // \" \\ \b \t \n \f \r
    } else {
      size += byte < 0x20 ? 6 : 1;
    }
  }
  return size;
}

template <typename Number>
std::size_t number_size(Number number) {
  std::array<char, 64> digits{};
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  return static_cast<std::size_t>(end - digits.data());
}

std::size_t scalar_size(const Value& value) {
  if (value.is_string()) return string_size(value.as_string());
  if (value.is_double()) return number_size(value.as_double());
  if (const auto large = value.large_unsigned()) return number_size(*large);
  if (const auto integer = value.to_int64()) return number_size(*integer);
  if (value.is_bool()) return value.as_bool() ? 4 : 5;
  return 4;
}

/// Two brackets and the commas between the items.
std::size_t punctuation_size(std::size_t items) { return 2 + (items > 1 ? items - 1 : 0); }

}  // namespace

// A list of what is left to count in place of recursion, so that depth costs no stack.
std::size_t compact_json_size(const Value& value, std::size_t limit) {
  std::size_t size = 0;
  std::vector<const Value*> left = {&value};
  while (!left.empty() && size <= limit) {
    const Value& next = *left.back();
    left.pop_back();
    if (next.is_list()) {
      size += punctuation_size(next.as_list().size());
      for (const Value& item : next.as_list()) left.push_back(&item);
    } else if (next.is_object()) {
      size += punctuation_size(next.as_object().size());
      for (const auto& [key, member] : next.as_object()) {
        size += string_size(key) + 1;
        left.push_back(&member);
      }
    } else {
      size += scalar_size(next);
    }
  }
  return size;
}

}  // namespace assay::events
