#include "harness/core/pattern.h"

namespace assay::core {

bool ObjectPattern::operator==(const ObjectPattern& other) const {
  return exactly == other.exactly && members == other.members;
}

bool ElementsPattern::operator==(const ElementsPattern& other) const {
  return how == other.how && elements == other.elements;
}

bool Pattern::is(By by) const {
  const auto* operand = std::get_if<OperandPattern>(&form);
  return operand != nullptr && operand->by == by;
}

bool Pattern::is(How how) const {
  const auto* several = std::get_if<ElementsPattern>(&form);
  return several != nullptr && several->how == how;
}

const Value* Pattern::literal() const {
  return is(By::literal) ? &std::get<OperandPattern>(form).operand : nullptr;
}

const std::map<std::string, Pattern>& Pattern::members() const {
  static const std::map<std::string, Pattern> none;
  const auto* object = std::get_if<ObjectPattern>(&form);
  return object == nullptr ? none : object->members;
}

const std::vector<Pattern>& Pattern::elements() const {
  static const std::vector<Pattern> none;
  const auto* several = std::get_if<ElementsPattern>(&form);
  return several == nullptr ? none : several->elements;
}

}  // namespace assay::core
