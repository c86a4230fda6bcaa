#include "harness/wire/fast_json.h"

#include <algorithm>
#include <string>
#include <utility>

#include "harness/wire/json.h"

#ifdef ASSAY_SIMDJSON
#include <simdjson.h>
#endif

namespace assay::wire {

#ifdef ASSAY_SIMDJSON

namespace {

constexpr std::size_t max_fast_text_bytes = std::size_t{128} * 1024;
/// What a thread keeps from one text to the next is for texts of this size; one that needs more is
/// a guest.
constexpr std::size_t kept_text_bytes = std::size_t{2} * 1024;

std::optional<Value> plain_value(const simdjson::dom::element& element, std::size_t depth_left);

std::optional<Value> plain_list(const simdjson::dom::array& array, std::size_t depth_left) {
  List list;
  list.reserve(array.size());
  for (const simdjson::dom::element element : array) {
    std::optional<Value> value = plain_value(element, depth_left);
    if (!value) return std::nullopt;
    list.push_back(*std::move(value));
  }
  return list;
}

std::optional<Value> plain_object(const simdjson::dom::object& object, std::size_t depth_left) {
  Object members;
  for (const simdjson::dom::key_value_pair member : object) {
    std::optional<Value> value = plain_value(member.value, depth_left);
    if (!value) return std::nullopt;
    // What assay writes has its members in order.
    const std::size_t before = members.size();
    members.emplace_hint(members.end(), std::string(member.key), *std::move(value));
    if (members.size() == before) return std::nullopt;
  }
  return members;
}

std::optional<Value> plain_value(const simdjson::dom::element& element, std::size_t depth_left) {
  using Type = simdjson::dom::element_type;
  switch (element.type()) {
    case Type::NULL_VALUE:
      return Value();
    case Type::BOOL:
      return element.get_bool().value_unsafe();
    case Type::INT64:
      return element.get_int64().value_unsafe();
    case Type::UINT64:
      return element.get_uint64().value_unsafe();
    case Type::DOUBLE:
      return element.get_double().value_unsafe();
    case Type::STRING:
      return element.get_string().value_unsafe();
    case Type::ARRAY:
      if (depth_left == 0) return std::nullopt;
      return plain_list(element.get_array().value_unsafe(), depth_left - 1);
    case Type::OBJECT:
      if (depth_left == 0) return std::nullopt;
      return plain_object(element.get_object().value_unsafe(), depth_left - 1);
  }
  return std::nullopt;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as the parser lets a text be.
void tell(const simdjson::dom::element& element, JsonVisitor& visitor) {
  using Type = simdjson::dom::element_type;
  switch (element.type()) {
    case Type::ARRAY: {
      const simdjson::dom::array list = element.get_array().value_unsafe();
      visitor.open_list();
      for (const simdjson::dom::element each : list) tell(each, visitor);
      return visitor.close();
    }
    case Type::OBJECT: {
      const simdjson::dom::object object = element.get_object().value_unsafe();
      visitor.open_object();
      for (const simdjson::dom::key_value_pair member : object) {
        visitor.key(member.key);
        tell(member.value, visitor);
      }
      return visitor.close();
    }
    case Type::STRING:
      return visitor.text(element.get_string().value_unsafe());
    default:
      visitor.scalar(*plain_value(element, 0));
  }
}

/// Calls `use` with the text's value; what that returns, or `otherwise` where there is none.
template <typename Result, typename Use>
Result with_value_by(simdjson::dom::parser& parser, std::string_view text, std::size_t max_depth,
                     Result otherwise, const Use& use) {
  // One more than is allowed: the exact bound is counted above.
  const std::size_t depth = max_depth + 1;
  const std::size_t capacity = std::max(text.size(), kept_text_bytes);
  if (parser.max_depth() != depth || parser.capacity() < capacity) {
    if (parser.allocate(capacity, depth) != simdjson::SUCCESS) return otherwise;
  }
  simdjson::dom::element element;
  if (parser.parse(text.data(), text.size(), true).get(element) != simdjson::SUCCESS) {
    return otherwise;
  }
  return use(element);
}

template <typename Result, typename Use>
Result with_value(std::string_view text, std::size_t max_depth, Result otherwise, const Use& use) {
  if (text.size() > max_fast_text_bytes) return otherwise;
  if (text.size() > kept_text_bytes) {
    simdjson::dom::parser guest{max_fast_text_bytes};
    return with_value_by(guest, text, max_depth, std::move(otherwise), use);
  }
  thread_local simdjson::dom::parser kept{max_fast_text_bytes};
  return with_value_by(kept, text, max_depth, std::move(otherwise), use);
}

}  // namespace

std::optional<Value> fast_json(std::string_view text, std::size_t max_depth) {
  return with_value(
      text, max_depth, std::optional<Value>(),
      [max_depth](const simdjson::dom::element& value) { return plain_value(value, max_depth); });
}

bool fast_walk(std::string_view text, JsonVisitor& visitor) {
  return with_value(text, JsonOptions().max_depth, false,
                    [&visitor](const simdjson::dom::element& value) {
                      tell(value, visitor);
                      return true;
                    });
}

#else

std::optional<Value> fast_json(std::string_view /*text*/, std::size_t /*max_depth*/) {
  return std::nullopt;
}

bool fast_walk(std::string_view /*text*/, JsonVisitor& /*visitor*/) { return false; }

#endif

}  // namespace assay::wire
