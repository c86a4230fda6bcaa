#include "harness/wire/fast_case.h"

#ifdef ASSAY_SIMDJSON

#include <simdjson.h>

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/words.h"
#include "harness/wire/json.h"
#include "harness/wire/record_fields.h"

namespace assay::wire {
namespace {

using Element = simdjson::dom::element;

/// A case's line: its members and what tells the kinds of line apart.
struct CaseLine {
  std::string type;
  core::CaseResult result;
};

using wire::visit_fields;

void visit_fields(CaseLine& part, const auto& visit) {
  visit("type", part.type);
  visit_fields(part.result, visit);
}

bool fill(const Element& value, std::string& part) {
  std::string_view text;
  if (value.get(text) != simdjson::SUCCESS) return false;
  part = text;
  return true;
}

bool fill(const Element& value, bool& part) { return value.get(part) == simdjson::SUCCESS; }

bool fill(const Element& value, double& part) { return value.get(part) == simdjson::SUCCESS; }

template <typename T>
  requires std::is_integral_v<T>
bool fill(const Element& value, T& part) {
  std::conditional_t<std::is_unsigned_v<T>, std::uint64_t, std::int64_t> number = 0;
  if (value.get(number) != simdjson::SUCCESS || !std::in_range<T>(number)) return false;
  part = static_cast<T>(number);
  return true;
}

template <auto last>
bool fill_word(const Element& value, decltype(last)& part, const Words<last>& words) {
  std::string_view text;
  if (value.get(text) != simdjson::SUCCESS) return false;
  const auto word = words.parse(text);
  if (word) part = *word;
  return word.has_value();
}

bool fill(const Element& value, core::Verdict& part) {
  return fill_word(value, part, core::verdict_words);
}

bool fill(const Element& value, core::TransportFault& part) {
  return fill_word(value, part, core::transport_fault_words);
}

template <typename T>
bool fill(const Element& value, std::vector<T>& part);
template <typename T>
bool fill(const Element& value, std::optional<T>& part);
template <typename T>
  requires std::is_class_v<T>
bool fill(const Element& value, T& part);

// NOLINTBEGIN(misc-no-recursion): as deep as the parts of a case stand in one another.
template <typename T>
bool fill(const Element& value, std::vector<T>& part) {
  simdjson::dom::array elements;
  if (value.get(elements) != simdjson::SUCCESS) return false;
  part.reserve(elements.size());
  for (const Element element : elements) {
    if (!fill(element, part.emplace_back())) return false;
  }
  return true;
}

template <typename T>
bool fill(const Element& value, std::optional<T>& part) {
  return value.is_null() || fill(value, part.emplace());
}

template <typename T>
  requires std::is_class_v<T>
bool fill(const Element& value, T& part) {
  simdjson::dom::object members;
  if (value.get(members) != simdjson::SUCCESS) return false;
  std::uint32_t filled = 0;
  bool is_right = true;
  for (const simdjson::dom::key_value_pair member : members) {
    std::uint32_t bit = 1;
    visit_fields(part, [&](std::string_view name, auto& field) {
      if (name == member.key) {
        is_right = is_right && (filled & bit) == 0 && fill(member.value, field);
        filled |= bit;
      }
      bit <<= 1U;
    });
    if (!is_right) return false;
  }
  return true;
}
// NOLINTEND(misc-no-recursion)

}  // namespace

struct FastCases::Parser : simdjson::dom::parser {};

FastCases::FastCases() : parser_(std::make_unique<Parser>()) {}

FastCases::~FastCases() = default;

std::optional<core::CaseResult> FastCases::read(std::string_view line, std::size_t bytes_behind) {
  const std::size_t depth = JsonOptions().max_depth;
  if (parser_->max_depth() != depth || parser_->capacity() < line.size()) {
    if (parser_->allocate(line.size(), depth) != simdjson::SUCCESS) return std::nullopt;
  }
  const bool must_copy = bytes_behind < simdjson::SIMDJSON_PADDING;
  CaseLine read;
  Element value;
  const bool is_case =
      parser_->parse(line.data(), line.size(), must_copy).get(value) == simdjson::SUCCESS &&
      fill(value, read) && read.type == "case";
  return is_case ? std::optional(std::move(read.result)) : std::nullopt;
}

}  // namespace assay::wire

#else

namespace assay::wire {

struct FastCases::Parser {};

FastCases::FastCases() = default;

FastCases::~FastCases() = default;

std::optional<core::CaseResult> FastCases::read(std::string_view /*line*/,
                                                std::size_t /*bytes_behind*/) {
  return std::nullopt;
}

}  // namespace assay::wire

#endif
