#include "properties/families/patterns.h"

#include <cstdint>

namespace assay::properties {

using core::Pattern;

Pattern literal(Value value) { return of(By::literal, std::move(value)); }

Pattern any() { return {}; }

Pattern absent() { return {core::AbsentPattern()}; }

Pattern object(std::initializer_list<std::pair<std::string_view, Pattern>> members) {
  core::ObjectPattern pattern;
  for (const auto& [name, member] : members) pattern.members.emplace(name, member);
  return {std::move(pattern)};
}

Pattern of(By by, Value operand) { return {core::OperandPattern{by, std::move(operand)}}; }

Pattern of(How how, std::vector<Pattern> elements) {
  return {core::ElementsPattern{how, std::move(elements)}};
}

Pattern one_of(std::initializer_list<std::string_view> words) {
  core::ElementsPattern pattern{How::one_of, {}};
  for (const std::string_view word : words) pattern.elements.push_back(literal(std::string(word)));
  return {std::move(pattern)};
}

Pattern length(std::size_t count) { return of(By::length, static_cast<std::int64_t>(count)); }

}  // namespace assay::properties
