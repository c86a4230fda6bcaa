#include "harness/core/list_order.h"

#include <utility>
#include <variant>

namespace assay::core {
namespace {

using How = Pattern::How;

void loosen(ListOrder order, Pattern& pattern) {
  auto* list = std::get_if<ElementsPattern>(&pattern.form);
  if (list == nullptr) return;
  if (list->how == How::list && order == ListOrder::any) list->how = How::unordered;
  const bool is_closed = list->how == How::list || list->how == How::unordered;
  if (is_closed && order == ListOrder::open && !list->elements.empty()) list->how = How::contains;
}

}  // namespace

ListOrder order_of(std::string_view operation, std::string_view member) {
  const OperationShape* shape = operation_shape(operation);
  if (shape == nullptr) return ListOrder::promised;
  if (member.empty()) {
    return shape->listing && !shape->in_order ? ListOrder::any : ListOrder::promised;
  }
  for (const auto& [name, order] : shape->free_lists) {
    if (name == member) return order;
  }
  return ListOrder::promised;
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
