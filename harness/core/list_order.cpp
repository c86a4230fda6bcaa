#include "harness/core/list_order.h"

#include <algorithm>
#include <utility>

#include "harness/core/operation_shape.h"

namespace assay::core {
namespace {

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
  if (pattern.kind == Pattern::Kind::list && order == ListOrder::any) {
    pattern.kind = Pattern::Kind::unordered;
  }
  const bool is_closed =
      pattern.kind == Pattern::Kind::list || pattern.kind == Pattern::Kind::unordered;
  if (is_closed && order == ListOrder::open && !pattern.elements.empty()) {
    pattern.kind = Pattern::Kind::contains;
  }
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
  const bool has_choices =
      pattern.kind == Pattern::Kind::one_of || pattern.kind == Pattern::Kind::negation;
  if (has_choices) {
    for (Pattern& choice : pattern.elements) choice = without_order(operation, std::move(choice));
    return pattern;
  }
  loosen(order_of(operation, ""), pattern);
  for (auto& [name, member] : pattern.members) loosen(order_of(operation, name), member);
  return pattern;
}

}  // namespace assay::core
