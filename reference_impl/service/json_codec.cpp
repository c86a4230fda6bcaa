#include "reference_impl/service/json_codec.h"

#include <algorithm>
#include <array>
#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/src.hpp>
#include <charconv>
#include <cmath>
#include <utility>
#include <vector>

namespace assay::service {
namespace {

namespace json = boost::json;

// Boost's parser recurses, so its own limit bounds the stack; what is nested deeper is TOO_DEEP
// without being read to its end.
constexpr std::size_t max_parser_depth = 1000;

/// A decimal number as its digits, without zeros at either end, and the place of their point.
struct Decimal {
  bool is_negative = false;
  std::string digits;
  std::int64_t exponent = 0;
  friend bool operator==(const Decimal&, const Decimal&) = default;
};

Decimal decimal_of(std::string_view text) {
  Decimal decimal;
  std::int64_t behind_point = 0;
  bool is_behind_point = false;
  std::size_t at = 0;
  for (; at < text.size() && text[at] != 'e' && text[at] != 'E'; ++at) {
    if (text[at] == '-') decimal.is_negative = true;
    if (text[at] == '.') is_behind_point = true;
    if (text[at] < '0' || text[at] > '9') continue;
    if (is_behind_point) ++behind_point;
    if (text[at] != '0' || !decimal.digits.empty()) decimal.digits += text[at];
  }
  if (at < text.size()) {
    const std::string_view exponent = text.substr(text.find_first_not_of("eE+", at));
    std::from_chars(exponent.data(), exponent.data() + exponent.size(), decimal.exponent);
  }
  decimal.exponent -= behind_point;
  while (!decimal.digits.empty() && decimal.digits.back() == '0') {
    decimal.digits.pop_back();
    ++decimal.exponent;
  }
  if (decimal.digits.empty()) return {};  // zero, whatever its sign
  return decimal;
}

/// The shortest text that reads as this double.
std::string shortest(double number) {
  std::array<char, 32> buffer{};
  const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number);
  return {buffer.data(), written.ptr};
}

/// Receives the parser's events and builds the value from them without recursion.
class Builder {
 public:
  static constexpr std::size_t max_object_size = std::string::npos;
  static constexpr std::size_t max_array_size = std::string::npos;
  static constexpr std::size_t max_key_size = std::string::npos;
  static constexpr std::size_t max_string_size = std::string::npos;

  [[nodiscard]] bool has_duplicate_key() const { return duplicate_key_.has_value(); }
  [[nodiscard]] const std::string& duplicate_key() const { return *duplicate_key_; }
  [[nodiscard]] bool is_too_deep() const { return too_deep_; }
  [[nodiscard]] bool has_unkept_number() const { return unkept_number_; }
  [[nodiscard]] Value take() { return std::move(root_); }

  bool on_document_begin(json::error_code&) { return true; }
  bool on_document_end(json::error_code&) { return true; }
  bool on_object_begin(json::error_code&) { return open(Value(Object{})); }
  bool on_object_end(std::size_t, json::error_code&) { return close(); }
  bool on_array_begin(json::error_code&) { return open(Value(List{})); }
  bool on_array_end(std::size_t, json::error_code&) { return close(); }

  bool on_key_part(json::string_view part, std::size_t, json::error_code&) {
    text_.append(part.data(), part.size());
    return true;
  }
  bool on_key(json::string_view part, std::size_t, json::error_code& error) {
    text_.append(part.data(), part.size());
    std::string key = std::exchange(text_, {});
    if (skipped_levels_ > 0) return true;
    if (open_.back().container.as_object().contains(key)) {
      duplicate_key_ = std::move(key);
      error = json::error::syntax;
      return false;
    }
    open_.back().key = std::move(key);
    return true;
  }
  bool on_string_part(json::string_view part, std::size_t, json::error_code&) {
    text_.append(part.data(), part.size());
    return true;
  }
  bool on_string(json::string_view part, std::size_t, json::error_code&) {
    text_.append(part.data(), part.size());
    return add(Value(std::exchange(text_, {})));
  }
  bool on_number_part(json::string_view part, json::error_code&) {
    text_.append(part.data(), part.size());
    return true;
  }
  bool on_int64(std::int64_t value, json::string_view, json::error_code&) {
    text_.clear();
    return add(Value(value));
  }
  bool on_uint64(std::uint64_t value, json::string_view, json::error_code&) {
    text_.clear();
    return add(Value(value));
  }
  bool on_double(double /*estimate*/, json::string_view part, json::error_code&) {
    // Boost 1.81 rounds the last digit of a double imprecisely; the text is rounded here.
    text_.append(part.data(), part.size());
    double value = 0;
    const auto read = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    // CONTRACT "Settled since": a number is kept exactly or refused, never changed in silence.
    if (read.ec != std::errc() || decimal_of(text_) != decimal_of(shortest(value))) {
      unkept_number_ = true;
    }
    text_.clear();
    return add(Value(value));
  }
  bool on_bool(bool value, json::error_code&) { return add(Value(value)); }
  bool on_null(json::error_code&) { return add(Value(nullptr)); }
  bool on_comment_part(json::string_view, json::error_code&) { return true; }
  bool on_comment(json::string_view, json::error_code&) { return true; }

 private:
  struct Open {
    Value container;
    std::string key;
  };

  bool open(Value container) {
    if (skipped_levels_ > 0 || open_.size() >= max_json_depth) {
      too_deep_ = true;
      ++skipped_levels_;
      return true;
    }
    open_.push_back({std::move(container), {}});
    return true;
  }

  bool close() {
    if (skipped_levels_ > 0) {
      --skipped_levels_;
      return true;
    }
    Value done = std::move(open_.back().container);
    open_.pop_back();
    return add(std::move(done));
  }

  bool add(Value value) {
    if (skipped_levels_ > 0) return true;
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (Open& top = open_.back(); top.container.is_list()) {
      top.container.as_list().push_back(std::move(value));
    } else {
      top.container.as_object().emplace(std::move(top.key), std::move(value));
    }
    return true;
  }

  std::vector<Open> open_;
  std::size_t skipped_levels_ = 0;
  std::string text_;
  Value root_;
  std::optional<std::string> duplicate_key_;
  bool too_deep_ = false;
  bool unkept_number_ = false;
};

// What is nested beyond the parser's own limit is judged by its brackets alone: unbalanced ones are
// no JSON, whatever the depth.
bool brackets_balance(std::string_view bytes) {
  std::vector<char> expected;
  bool in_string = false;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    const char byte = bytes[at];
    if (in_string) {
      if (byte == '\\') ++at;
      if (byte == '"') in_string = false;
    } else if (byte == '"') {
      in_string = true;
    } else if (byte == '[' || byte == '{') {
      expected.push_back(byte == '[' ? ']' : '}');
    } else if (byte == ']' || byte == '}') {
      if (expected.empty() || expected.back() != byte) return false;
      expected.pop_back();
    }
  }
  return expected.empty() && !in_string;
}

UnreadableContent too_deep() {
  return {"TOO_DEEP",
          "the JSON is nested deeper than " + std::to_string(max_json_depth) + " levels"};
}

UnreadableContent unkept_number() {
  return {"NUMBER_OUT_OF_RANGE", "a number has more digits or a larger exponent than is kept"};
}

std::string at_byte(std::size_t offset, std::string_view what) {
  return std::string(what) + " at byte " + std::to_string(offset);
}

/// What stands in a JSON text as it is. An object and not a function, so that the search inlines
/// it.
constexpr auto is_bare = [](char character) {
  const auto byte = static_cast<unsigned char>(character);
  return byte >= 0x20 && byte != 0x7f && character != '"' && character != '\\';
};

void write_escaped(char character, std::string& out) {
  static constexpr std::string_view hex = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(character);
  switch (character) {
    case '"':
      out += "\\\"";
      break;
    case '\\':
      out += "\\\\";
      break;
    case '\n':
      out += "\\n";
      break;
    case '\r':
      out += "\\r";
      break;
    case '\t':
      out += "\\t";
      break;
    default:
      out += "\\u00";
      out += hex[byte >> 4U];
      out += hex[byte & 0xfU];
  }
}

void write_string(std::string_view text, std::string& out) {
  out += '"';
  while (true) {
    const auto* const end = std::find_if_not(text.begin(), text.end(), is_bare);
    const auto length = static_cast<std::size_t>(end - text.begin());
    out.append(text, 0, length);
    if (length == text.size()) break;
    write_escaped(text[length], out);
    text.remove_prefix(length + 1);
  }
  out += '"';
}

void write_double(double number, std::string& out) {
  if (!std::isfinite(number)) {  // JSON has no such number; no client can send one
    out += "null";
    return;
  }
  const std::string text = shortest(number);
  out += text;
  if (text.find_first_of(".e") == std::string_view::npos) out += ".0";
}

void write_value(const Value& value, std::string& out) {
  if (value.is_null()) {
    out += "null";
  } else if (value.is_bool()) {
    out += value.as_bool() ? "true" : "false";
  } else if (const auto large = value.large_unsigned()) {
    out += std::to_string(*large);
  } else if (value.is_integer()) {
    out += std::to_string(*value.to_int64());
  } else if (value.is_double()) {
    write_double(value.as_double(), out);
  } else if (value.is_string()) {
    write_string(value.as_string(), out);
  } else if (value.is_list()) {
    out += '[';
    bool first = true;
    for (const Value& item : value.as_list()) {
      if (!first) out += ',';
      first = false;
      write_value(item, out);
    }
    out += ']';
  } else {
    out += '{';
    bool first = true;
    for (const auto& [key, member] : value.as_object()) {
      if (!first) out += ',';
      first = false;
      write_string(key, out);
      out += ':';
      write_value(member, out);
    }
    out += '}';
  }
}

}  // namespace

Result<Value, NoValue> parse_json(std::string_view bytes) {
  json::parse_options options;
  options.max_depth = max_parser_depth;
  json::basic_parser<Builder> parser(options);
  json::error_code error;
  const std::size_t used = parser.write_some(false, bytes.data(), bytes.size(), error);
  Builder& builder = parser.handler();
  if (builder.has_duplicate_key()) {
    return unexpected(NotJson{
        at_byte(used, "the key \"" + builder.duplicate_key() + "\" stands twice in one object")});
  }
  if (error == json::error::too_deep) {
    if (brackets_balance(bytes)) return unexpected(too_deep());
    return unexpected(NotJson{"the brackets do not balance"});
  }
  if (error == json::error::exponent_overflow) return unexpected(unkept_number());
  if (error) return unexpected(NotJson{at_byte(used, error.message())});
  if (used < bytes.size()) return unexpected(NotJson{at_byte(used, "text after the JSON value")});
  if (builder.is_too_deep()) return unexpected(too_deep());
  if (builder.has_unkept_number()) return unexpected(unkept_number());
  return builder.take();
}

std::string write_json(const Value& value) {
  std::string out;
  write_value(value, out);
  return out;
}

}  // namespace assay::service
