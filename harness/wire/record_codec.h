#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/value.h"
#include "base/visible.h"
#include "base/words.h"
#include "harness/core/secrets.h"
#include "harness/wire/json.h"
#include "harness/wire/record.h"
#include "harness/wire/record_fields.h"

namespace assay::wire {

template <typename T>
constexpr bool is_optional = false;
template <typename T>
constexpr bool is_optional<std::optional<T>> = true;
template <typename T>
constexpr bool is_vector = false;
template <typename T>
constexpr bool is_vector<std::vector<T>> = true;
template <typename T>
constexpr bool is_map = std::is_same_v<T, std::map<std::string, std::string>>;

/// Turns parts of a record or a history into JSON values: secrets masked, texts made valid UTF-8
/// and cut at the limits.
class Encoder {
 public:
  Encoder(const core::Secrets& secrets, const RecordLimits& limits)
      : secrets_(secrets), limits_(limits) {}

  template <typename T>
  Value encode(const T& part) const {
    if constexpr (std::is_same_v<T, std::string>) {
      return shown(part, limits_.text_bytes);
    } else if constexpr (std::is_same_v<T, core::Verdict>) {
      return core::verdict_words[part];
    } else if constexpr (std::is_same_v<T, core::TransportFault>) {
      return core::transport_fault_words[part];
    } else if constexpr (std::is_same_v<T, core::Acceptance>) {
      return core::acceptance_words[part];
    } else if constexpr (std::is_same_v<T, Value> || std::is_same_v<T, Object>) {
      return shown_value(part);
    } else if constexpr (std::is_same_v<T, std::shared_ptr<const core::Answer>>) {
      return encode(*part);
    } else if constexpr (std::is_same_v<T, core::Header>) {
      return Object{{"name", encode(part.name)},
                    {"secret", part.secret},
                    {"value", shown(secrets_.shown_value(part), limits_.text_bytes)}};
    } else if constexpr (is_optional<T>) {
      return part ? encode(*part) : Value();
    } else if constexpr (is_vector<T>) {
      List list;
      for (const auto& element : part) list.push_back(encode(element));
      return list;
    } else if constexpr (is_map<T>) {
      Object object;
      for (const auto& [name, text] : part) object.insert_or_assign(name, encode(text));
      return object;
    } else if constexpr (std::is_arithmetic_v<T>) {
      return Value(part);
    } else {
      return encode_fields(part);
    }
  }

 private:
  [[nodiscard]] Value shown(const std::string& text, std::size_t limit) const {
    return valid_utf8(secrets_.masked(text), limit);
  }

  // NOLINTNEXTLINE(misc-no-recursion): as deep as JSON that was read may be.
  [[nodiscard]] Value shown_value(const Value& value) const {
    if (value.is_string()) return secrets_.masked(value.as_string());
    if (value.is_list()) {
      List list;
      for (const Value& element : value.as_list()) list.push_back(shown_value(element));
      return list;
    }
    if (!value.is_object()) return value;
    Object object;
    for (const auto& [name, member] : value.as_object()) {
      object.emplace(secrets_.masked(name), shown_value(member));
    }
    return object;
  }

  template <typename T>
  Value encode_fields(const T& part) const {
    constexpr bool is_message =
        std::is_same_v<T, core::HttpRequest> || std::is_same_v<T, core::HttpResponse>;
    Object object;
    visit_fields(part, [&](std::string_view name, const auto& member) {
      object.insert_or_assign(std::string(name), encode(member));
    });
    if constexpr (is_message) {
      const std::optional<std::string> body = part.body;
      if (body) object.insert_or_assign("body", shown(*body, limits_.body_bytes));
    }
    return object;
  }

  const core::Secrets& secrets_;
  RecordLimits limits_;
};

/// Fills parts of a record from JSON values. Absent members keep their defaults; the first member
/// of another type than was expected is kept as the fault.
class Decoder {
 public:
  template <typename T>
  void decode(const Value& value, T& part, const std::string& place) {
    if constexpr (std::is_same_v<T, std::string>) {
      if (check(value.is_string(), value, place, "a string")) part = value.as_string();
    } else if constexpr (std::is_same_v<T, bool>) {
      if (check(value.is_bool(), value, place, "true or false")) part = value.as_bool();
    } else if constexpr (std::is_same_v<T, double>) {
      if (check(value.is_number(), value, place, "a number")) part = value.as_double();
    } else if constexpr (std::is_integral_v<T>) {
      decode_integer(value, part, place);
    } else if constexpr (std::is_same_v<T, core::Verdict>) {
      decode_word(value, part, core::verdict_words, place, "a verdict");
    } else if constexpr (std::is_same_v<T, core::TransportFault>) {
      decode_word(value, part, core::transport_fault_words, place, "a transport fault");
    } else if constexpr (std::is_same_v<T, core::Acceptance>) {
      decode_word(value, part, core::acceptance_words, place, "an acceptance");
    } else if constexpr (std::is_same_v<T, Value>) {
      part = value;
    } else if constexpr (std::is_same_v<T, Object>) {
      if (check(value.is_object(), value, place, "an object")) part = value.as_object();
    } else if constexpr (std::is_same_v<T, std::shared_ptr<const core::Answer>>) {
      core::Answer answer;
      decode(value, answer, place);
      part = std::make_shared<const core::Answer>(std::move(answer));
    } else if constexpr (is_optional<T>) {
      if (value.is_null()) return;
      decode(value, part.emplace(), place);
    } else if constexpr (is_vector<T>) {
      decode_list(value, part, place);
    } else if constexpr (is_map<T>) {
      if (!check(value.is_object(), value, place, "an object")) return;
      for (const auto& [name, text] : value.as_object()) {
        decode(text, part[name], fmt::format("{}/{}", place, name));
      }
    } else {
      if (!check(value.is_object(), value, place, "an object")) return;
      visit_fields(part, [&](std::string_view name, auto& member) {
        const Value* found = value.find(name);
        if (found) decode(*found, member, place + "/" + std::string(name));
      });
    }
  }

  [[nodiscard]] const std::optional<std::string>& fault() const { return fault_; }

 private:
  bool check(bool holds, const Value& value, const std::string& place, std::string_view expected) {
    if (!holds && !fault_) {
      fault_ = fmt::format("{}: found {}, expected {}", visible(place, 200), value.kind_name(),
                           expected);
    }
    return holds;
  }

  template <auto last>
  void decode_word(const Value& value, decltype(last)& part, const Words<last>& words,
                   const std::string& place, std::string_view expected) {
    const auto word =
        value.is_string() ? words.parse(value.as_string()) : std::optional<decltype(last)>();
    if (check(word.has_value(), value, place, expected)) part = *word;
  }

  template <typename T>
  void decode_integer(const Value& value, T& part, const std::string& place) {
    if (const auto large = value.large_unsigned(); large && std::is_same_v<T, std::uint64_t>) {
      part = static_cast<T>(*large);
      return;
    }
    const std::optional<std::int64_t> number =
        value.is_integer() ? value.to_int64() : std::optional<std::int64_t>();
    const bool fits = number && std::in_range<T>(*number);
    if (check(fits, value, place, "an integer in range")) part = static_cast<T>(*number);
  }

  template <typename T>
  void decode_list(const Value& value, std::vector<T>& part, const std::string& place) {
    if (!check(value.is_list(), value, place, "an array")) return;
    part.clear();
    for (std::size_t i = 0; i < value.as_list().size(); ++i) {
      decode(value.as_list()[i], part.emplace_back(), fmt::format("{}/{}", place, i));
    }
  }

  std::optional<std::string> fault_;
};

/// One line of NDJSON, with its line break.
[[nodiscard]] inline std::string line_of(std::string_view kind, Value fields) {
  fields.as_object().insert_or_assign("type", kind);
  return to_json(fields) + "\n";
}

[[nodiscard]] inline const core::Secrets& no_secrets() {
  static const core::Secrets none{std::span<const core::CaseResult>()};
  return none;
}

}  // namespace assay::wire
