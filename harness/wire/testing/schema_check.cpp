#include "harness/wire/testing/schema_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "harness/wire/json.h"

namespace assay::wire {
namespace {

class SchemaCheck {
 public:
  explicit SchemaCheck(const Value& root) : root_(root) {}

  std::optional<std::string> fault(const Value& value, const Value& schema,
                                   const std::string& place) const {
    if (const Value* reference = schema.find("$ref")) {
      return fault(value, *root_.at_pointer(reference->as_string().substr(1)), place);
    }
    if (const Value* choices = schema.find("anyOf")) return no_choice(value, *choices, place);
    if (auto found = scalar_fault(value, schema, place)) return found;
    if (value.is_object()) return object_fault(value.as_object(), schema, place);
    if (value.is_list()) return list_fault(value.as_list(), schema, place);
    return std::nullopt;
  }

 private:
  std::optional<std::string> no_choice(const Value& value, const Value& choices,
                                       const std::string& place) const {
    std::string all;
    for (const Value& choice : choices.as_list()) {
      const auto found = fault(value, choice, place);
      if (!found) return std::nullopt;
      all += (all.empty() ? "" : " | ") + *found;
    }
    return all;
  }

  static bool is_type(const Value& value, const std::string& type) {
    if (type == "number") return value.is_number();
    return value.kind_name() == type;
  }

  static std::optional<std::string> scalar_fault(const Value& value, const Value& schema,
                                                 const std::string& place) {
    if (const Value* type = schema.find("type")) {
      const List types = type->is_list() ? type->as_list() : List{*type};
      const bool fits = std::any_of(types.begin(), types.end(), [&](const Value& one) {
        return is_type(value, one.as_string());
      });
      if (!fits) return fmt::format("{}: {} is no {}", place, to_json(value), to_json(*type));
    }
    if (const Value* constant = schema.find("const"); constant && *constant != value) {
      return fmt::format("{}: {} is not {}", place, to_json(value), to_json(*constant));
    }
    if (const Value* words = schema.find("enum")) {
      const List& list = words->as_list();
      if (std::find(list.begin(), list.end(), value) == list.end()) {
        return fmt::format("{}: {} is none of {}", place, to_json(value), to_json(*words));
      }
    }
    const Value* minimum = schema.find("minimum");
    const Value* maximum = schema.find("maximum");
    if (value.is_number() && ((minimum && value.as_double() < minimum->as_double()) ||
                              (maximum && value.as_double() > maximum->as_double()))) {
      return fmt::format("{}: {} is out of range", place, to_json(value));
    }
    return std::nullopt;
  }

  std::optional<std::string> object_fault(const Object& object, const Value& schema,
                                          const std::string& place) const {
    if (const Value* required = schema.find("required")) {
      for (const Value& name : required->as_list()) {
        if (!object.contains(name.as_string())) {
          return fmt::format("{}: without {}", place, name.as_string());
        }
      }
    }
    const Value* properties = schema.find("properties");
    const Value* additional = schema.find("additionalProperties");
    for (const auto& [name, member] : object) {
      const std::string inner = fmt::format("{}/{}", place, name);
      const Value* known = properties ? properties->find(name) : nullptr;
      if (!known && additional && additional->is_bool() && !additional->as_bool()) {
        return fmt::format("{}: unknown member", inner);
      }
      if (!known && additional && additional->is_object()) known = additional;
      if (!known) continue;
      if (auto found = fault(member, *known, inner)) return found;
    }
    return std::nullopt;
  }

  std::optional<std::string> list_fault(const List& list, const Value& schema,
                                        const std::string& place) const {
    const Value* minimum = schema.find("minItems");
    const Value* maximum = schema.find("maxItems");
    const auto size = static_cast<std::int64_t>(list.size());
    if ((minimum && size < minimum->to_int64()) || (maximum && size > maximum->to_int64())) {
      return fmt::format("{}: {} elements", place, size);
    }
    const Value* items = schema.find("items");
    if (!items) return std::nullopt;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (auto found = fault(list[i], *items, fmt::format("{}/{}", place, i))) return found;
    }
    return std::nullopt;
  }

  const Value& root_;
};

}  // namespace

std::optional<std::string> schema_fault(const Value& value, const Value& schema) {
  return SchemaCheck(schema).fault(value, schema, "");
}

}  // namespace assay::wire
