#include "harness/core/list_order.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "harness/core/operation_shape.h"

namespace assay::core {
namespace {

using How = Pattern::How;

struct FreeList {
  std::string_view operation;
  std::string_view member;
  ListOrder order;
};

constexpr FreeList free_lists[] = {
    {"executions.detail", "steps", ListOrder::any},
    {"executions.detail", "commands", ListOrder::any},
    {"executions.detail", "tools", ListOrder::any},
    {"executions.detail", "anomalies", ListOrder::open},
    {"executions.marking", "tokens", ListOrder::any},
    {"executions.marking", "in_flight", ListOrder::any},
    {"executions.marking", "fan_in", ListOrder::any},
    {"workflow.get", "entities", ListOrder::any},
};

void loosen(ListOrder order, Pattern& pattern) {
  auto* list = std::get_if<ElementsPattern>(&pattern.form);
  if (list == nullptr) return;
  if (list->how == How::list && order == ListOrder::any) list->how = How::unordered;
  const bool is_closed = list->how == How::list || list->how == How::unordered;
  if (is_closed && order == ListOrder::open && !list->elements.empty()) list->how = How::contains;
}

}  // namespace

ListOrder order_of(std::string_view operation, std::string_view member) {
  if (member.empty()) {
    const OperationShape* shape = operation_shape(operation);
    const bool is_log =
        operation == "events.list" || operation == "events.published" || operation == "runs.audit";
    return shape != nullptr && shape->listing && !is_log ? ListOrder::any : ListOrder::promised;
  }
  const auto* const found = std::find_if(
      std::begin(free_lists), std::end(free_lists),
      [&](const FreeList& list) { return list.operation == operation && list.member == member; });
  return found == std::end(free_lists) ? ListOrder::promised : found->order;
}

Pattern without_order(std::string_view operation, Pattern pattern) {
  if (pattern.is(How::one_of) || pattern.is(How::none_of)) {
    for_each_part(pattern, [operation](Pattern& choice) {
      choice = without_order(operation, std::move(choice));
    });
    return pattern;
  }
  loosen(order_of(operation, ""), pattern);
  if (auto* object = std::get_if<ObjectPattern>(&pattern.form)) {
    for (auto& [name, member] : object->members) loosen(order_of(operation, name), member);
  }
  return pattern;
}

}  // namespace assay::core
