#include "harness/core/masked_value.h"

#include <string>
#include <utility>

namespace assay::core {

Value masked(const Value& value, const Secrets& secrets) {
  if (value.is_string()) return secrets.masked(value.as_string());
  if (const auto number = value.to_int64()) {
    const std::string digits = std::to_string(*number);
    std::string shown = secrets.masked(digits);
    return shown == digits ? value : Value(std::move(shown));
  }
  if (value.is_list()) {
    List items;
    for (const Value& item : value.as_list()) items.push_back(masked(item, secrets));
    return items;
  }
  if (!value.is_object()) return value;
  Object members;
  for (const auto& [name, member] : value.as_object()) {
    members.insert_or_assign(secrets.masked(name), masked(member, secrets));
  }
  return members;
}

}  // namespace assay::core
