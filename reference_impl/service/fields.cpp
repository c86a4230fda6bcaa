#include "reference_impl/service/fields.h"

#include "reference_impl/model/events/envelope.h"
#include "reference_impl/service/problem.h"

namespace assay::service {
std::string Fields::pointer_to(std::string_view name) const {
  return pointer_ + "/" + escape_pointer_token(name);
}

void Fields::refuse(std::string_view name, std::string_view wanted) const {
  throw invalid("INVALID_FIELD", std::string(name) + " must be " + std::string(wanted),
                pointer_to(name));
}

const Value* Fields::find(std::string_view name) const {
  const auto member = members_.find(name);
  return member == members_.end() || member->second.is_null() ? nullptr : &member->second;
}

const Value& Fields::required(std::string_view name) const {
  const Value* value = find(name);
  if (value == nullptr) {
    throw invalid("MISSING_FIELD", std::string(name) + " is required", pointer_to(name));
  }
  return *value;
}

const std::string* Fields::optional_string(std::string_view name) const {
  const Value* value = find(name);
  if (value == nullptr) return nullptr;
  if (!value->is_string()) refuse(name, "a string");
  return &value->as_string();
}

const std::string& Fields::required_string(std::string_view name) const {
  static_cast<void>(required(name));
  return *optional_string(name);
}

bool Fields::required_bool(std::string_view name) const {
  const Value& value = required(name);
  if (!value.is_bool()) refuse(name, "a boolean");
  return value.as_bool();
}

std::optional<bool> Fields::optional_bool(std::string_view name) const {
  if (find(name) == nullptr) return std::nullopt;
  return required_bool(name);
}

const Object* Fields::optional_object(std::string_view name) const {
  const Value* value = find(name);
  if (value == nullptr) return nullptr;
  if (!value->is_object()) refuse(name, "an object");
  return &value->as_object();
}

const Object& Fields::required_object(std::string_view name) const {
  static_cast<void>(required(name));
  return *optional_object(name);
}

const List* Fields::optional_list(std::string_view name) const {
  const Value* value = find(name);
  if (value == nullptr) return nullptr;
  if (!value->is_list()) refuse(name, "an array");
  return &value->as_list();
}

const List& Fields::required_list(std::string_view name) const {
  static_cast<void>(required(name));
  return *optional_list(name);
}

const std::string* Fields::optional_id(std::string_view name) const {
  const std::string* id = optional_string(name);
  if (id != nullptr && !events::is_valid_id(*id)) {
    throw invalid("INVALID_ID",
                  std::string(name) + " must have 1 to 256 bytes and no control characters",
                  pointer_to(name));
  }
  return id;
}

const std::string& Fields::required_id(std::string_view name) const {
  static_cast<void>(required(name));
  return *optional_id(name);
}

}  // namespace assay::service
