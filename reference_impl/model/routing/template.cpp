#include "reference_impl/model/routing/template.h"

#include <algorithm>
#include <utility>

#include "reference_impl/model/routing/evaluator.h"
#include "reference_impl/model/routing/python_text.h"

namespace assay::routing {

Template::Template(const Value& source) : node_(source) {
  if (source.is_string()) {
    if (!python_strip(source.as_string()).starts_with("{{")) return;
    auto parsed = parse_guard(source.as_string());
    if (parsed) node_ = *std::move(parsed);
  } else if (source.is_list()) {
    Items items;
    for (const Value& item : source.as_list()) items.emplace_back(item);
    const bool constant =
        std::all_of(items.begin(), items.end(), [](const Template& one) { return one.constant(); });
    if (!constant) node_ = std::move(items);
  } else if (source.is_object()) {
    Members members;
    bool constant = true;
    for (const auto& [key, member] : source.as_object()) {
      const Template& one = members.emplace(key, Template(member)).first->second;
      constant = constant && one.constant() != nullptr;
    }
    if (!constant) node_ = std::move(members);
  }
}

Result<Value, EvaluationError> Template::render(const Scope& scope) const {
  try {
    WorkBudget budget;
    return render_within(scope, budget);
  } catch (const EvaluationFailure& failure) {
    return unexpected(failure.error);
  }
}

Value Template::render_within(const Scope& scope, WorkBudget& budget) const {
  if (const auto* guard = std::get_if<Guard>(&node_)) {
    return to_value(evaluate_expression(guard->expression(), scope, budget), budget);
  }
  if (const auto* items = std::get_if<Items>(&node_)) {
    List rendered;
    for (const Template& item : *items) rendered.push_back(item.render_within(scope, budget));
    return rendered;
  }
  if (const auto* members = std::get_if<Members>(&node_)) {
    Object rendered;
    for (const auto& [key, member] : *members) {
      rendered.emplace(key, member.render_within(scope, budget));
    }
    return rendered;
  }
  return std::get<Value>(node_);
}

}  // namespace assay::routing
