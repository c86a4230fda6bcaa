#include "harness/audit/payload_value.h"

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "harness/wire/json.h"

#ifdef ASSAY_SIMDJSON
#include <simdjson.h>
#endif

namespace assay::audit {
namespace {

constexpr std::size_t limit_payload_depth = 400;

#ifdef ASSAY_SIMDJSON

/// The value; nothing where it has what the other parser reads with more care: numbers that are no
/// integers of 64 bits, members that stand twice.
std::optional<Value> plain_value(const simdjson::dom::element& element);

std::optional<Value> plain_list(const simdjson::dom::array& array) {
  List list;
  for (const simdjson::dom::element element : array) {
    std::optional<Value> value = plain_value(element);
    if (!value) return std::nullopt;
    list.push_back(*std::move(value));
  }
  return list;
}

std::optional<Value> plain_object(const simdjson::dom::object& object) {
  Object members;
  for (const simdjson::dom::key_value_pair member : object) {
    std::optional<Value> value = plain_value(member.value);
    if (!value || !members.try_emplace(std::string(member.key), *std::move(value)).second) {
      return std::nullopt;
    }
  }
  return members;
}

std::optional<Value> plain_value(const simdjson::dom::element& element) {
  using Type = simdjson::dom::element_type;
  switch (element.type()) {
    case Type::NULL_VALUE:
      return Value();
    case Type::BOOL:
      return element.get_bool().value_unsafe();
    case Type::INT64:
      return element.get_int64().value_unsafe();
    case Type::STRING:
      return element.get_string().value_unsafe();
    case Type::ARRAY:
      return plain_list(element.get_array().value_unsafe());
    case Type::OBJECT:
      return plain_object(element.get_object().value_unsafe());
    default:
      return std::nullopt;
  }
}

/// What a small payload needs is kept from one to the next.
std::optional<Value> fast_value(std::string_view json) {
  thread_local simdjson::dom::parser parser{simdjson::SIMDJSON_MAXSIZE_BYTES};
  if (parser.max_depth() != limit_payload_depth &&
      parser.allocate(std::size_t{1} << 12U, limit_payload_depth) != simdjson::SUCCESS) {
    return std::nullopt;
  }
  simdjson::dom::element element;
  if (parser.parse(json.data(), json.size(), true).get(element) != simdjson::SUCCESS) {
    return std::nullopt;
  }
  return plain_value(element);
}

#else

std::optional<Value> fast_value(std::string_view /*json*/) { return std::nullopt; }

#endif

}  // namespace

Value payload_value(std::string_view json) {
  if (std::optional<Value> value = fast_value(json)) return *std::move(value);
  auto read = wire::parse_json(json, {.max_depth = limit_payload_depth});
  return std::holds_alternative<Value>(read) ? std::get<Value>(std::move(read)) : Value();
}

}  // namespace assay::audit
