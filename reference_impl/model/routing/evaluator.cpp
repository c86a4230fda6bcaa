#include "reference_impl/model/routing/evaluator.h"

#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "reference_impl/model/routing/arithmetic.h"
#include "reference_impl/model/routing/filters.h"
#include "reference_impl/model/routing/python_text.h"

namespace assay::routing {
namespace {

[[noreturn]] void fail_undefined_access() {
  fail_evaluation(EvaluationFault::undefined_operand,
                  "an inline if without else has no value here, so it has no attributes");
}

/// Only members of objects: JSON values have no attributes or methods besides them.
Operand attribute_of(const Operand& base, const std::string& name) {
  if (base.is_undefined()) {
    if (!base.is_chainable()) fail_undefined_access();
    return base;
  }
  const Value* member = base.value() == nullptr ? nullptr : base.value()->find(name);
  return member == nullptr ? Operand() : Operand::borrowed(*member);
}

/// The place that an index names in a sequence (from the end where negative), or nothing.
std::optional<std::size_t> place(Integer index, std::size_t size) {
  const auto length = static_cast<Integer>(size);
  if (index < 0) index += length;
  if (index < 0 || index >= length) return std::nullopt;
  return static_cast<std::size_t>(index);
}

Operand item_of(const Operand& base, const Operand& index, WorkBudget& budget) {
  if (base.is_undefined()) {
    if (!base.is_chainable()) fail_undefined_access();
    return base;
  }
  if (base.is_object()) {
    return index.is_string() ? attribute_of(base, index.string()) : Operand();
  }
  const auto number = integer_of(index);
  if (!number) return {};
  if (base.is_list()) {
    const auto at = place(*number, base.list_size());
    return at ? base.list_at(*at) : Operand();
  }
  if (base.is_string()) {
    budget.spend(base.string().size());
    const auto points = code_points(base.string());
    const auto at = place(*number, points.size());
    return at ? Operand(Value(points[*at])) : Operand();
  }
  return {};
}

bool compare(const Operand& left, Comparator comparator, const Operand& right, WorkBudget& budget) {
  switch (comparator) {
    case Comparator::equal:
      return equal(left, right, budget);
    case Comparator::not_equal:
      return !equal(left, right, budget);
    case Comparator::less:
      return ordered(left, Ordering::less, right, budget);
    case Comparator::less_or_equal:
      return ordered(left, Ordering::less_or_equal, right, budget);
    case Comparator::greater:
      return ordered(left, Ordering::greater, right, budget);
    case Comparator::greater_or_equal:
      return ordered(left, Ordering::greater_or_equal, right, budget);
    case Comparator::in:
      return contains(right, left, budget);
    case Comparator::not_in:
      return !contains(right, left, budget);
  }
  return false;
}

/// Evaluates each kind of node. Recursion follows the tree, whose depth the parser bounds.
class Evaluator {
 public:
  Evaluator(const Scope& scope, WorkBudget& budget) : scope_(scope), budget_(budget) {}

  Operand value_of(const Expression& expression) {
    budget_.spend(1);
    return std::visit([this](const auto& node) { return this->evaluate_node(node); },
                      expression.node);
  }

 private:
  static Operand evaluate_node(const Literal& literal) { return Operand::borrowed(literal.value); }

  Operand evaluate_node(const Name& name) {
    const Value* value = scope_.find(name.name);
    return value == nullptr ? Operand() : Operand::borrowed(*value);
  }

  Operand evaluate_node(const ListLiteral& list) {
    OperandList items;
    items.reserve(list.items.size());
    for (const Expression& item : list.items) items.push_back(value_of(item));
    return Operand(std::move(items));
  }

  Operand evaluate_node(const Negation& negation) {
    return Operand(Value(!truth(value_of(negation.operand.front()))));
  }

  Operand evaluate_node(const Signed& node) {
    return apply_sign(node.sign, value_of(node.operand.front()));
  }

  Operand evaluate_node(const Logical& logical) {
    Operand value = value_of(logical.operands.front());
    for (std::size_t index = 1; index < logical.operands.size(); ++index) {
      if (truth(value) != logical.is_and) return value;
      value = value_of(logical.operands[index]);
    }
    return value;
  }

  Operand evaluate_node(const Comparison& comparison) {
    Operand left = value_of(comparison.operands.front());
    for (std::size_t index = 0; index < comparison.comparators.size(); ++index) {
      Operand right = value_of(comparison.operands[index + 1]);
      if (!compare(left, comparison.comparators[index], right, budget_)) {
        return Operand(Value(false));
      }
      left = std::move(right);
    }
    return Operand(Value(true));
  }

  Operand evaluate_node(const Arithmetic& arithmetic) {
    Operand value = value_of(arithmetic.operands.front());
    for (std::size_t index = 0; index < arithmetic.operators.size(); ++index) {
      const Operand right = value_of(arithmetic.operands[index + 1]);
      value = calculate(value, arithmetic.operators[index], right, budget_);
    }
    return value;
  }

  Operand evaluate_node(const Concatenation& concatenation) {
    std::string text;
    for (const Expression& operand : concatenation.operands) {
      text += to_text(value_of(operand), budget_);
      budget_.require_length(text.size());
    }
    return Operand(Value(std::move(text)));
  }

  Operand evaluate_node(const Conditional& conditional) {
    if (truth(value_of(conditional.parts[1]))) return value_of(conditional.parts[0]);
    if (conditional.parts.size() > 2) return value_of(conditional.parts[2]);
    return Operand(Undefined{.chainable = false});
  }

  Operand evaluate_node(const Chain& chain) {
    Operand value = value_of(chain.base.front());
    for (const Chain::Step& step : chain.steps) {
      value = std::visit([&](const auto& one) { return this->apply_step(value, one); }, step);
    }
    return value;
  }

  static Operand apply_step(const Operand& base, const AttributeAccess& access) {
    return attribute_of(base, access.name);
  }

  Operand apply_step(const Operand& base, const IndexAccess& access) {
    return item_of(base, value_of(access.index.front()), budget_);
  }

  Operand apply_step(const Operand& base, const FilterCall& call) {
    std::vector<std::optional<Operand>> arguments;
    for (const auto& argument : call.arguments) {
      arguments.push_back(argument.empty() ? std::optional<Operand>()
                                           : std::optional<Operand>(value_of(argument.front())));
    }
    return apply_filter(call.filter, base, arguments, budget_);
  }

  static Operand apply_step(const Operand& base, const TestCall& call) {
    bool passed = false;
    switch (call.test) {
      case Test::defined:
        passed = !base.is_undefined();
        break;
      case Test::undefined:
        passed = base.is_undefined();
        break;
      case Test::none:
        passed = base.is_none();
        break;
    }
    return Operand(Value(passed != call.negated));
  }

  const Scope& scope_;
  WorkBudget& budget_;
};

}  // namespace

Operand evaluate_expression(const Expression& expression, const Scope& scope, WorkBudget& budget) {
  return Evaluator(scope, budget).value_of(expression);
}

}  // namespace assay::routing
