#include "properties/families/patterns.h"

#include <cstdint>

namespace assay::properties {

using core::Pattern;

Pattern literal(Value value) {
  Pattern pattern;
  pattern.kind = Pattern::Kind::literal;
  pattern.operand = std::move(value);
  return pattern;
}

Pattern plain(Pattern::Kind kind) {
  Pattern pattern;
  pattern.kind = kind;
  return pattern;
}

Pattern object(std::initializer_list<std::pair<std::string_view, Pattern>> members) {
  Pattern pattern = plain(Pattern::Kind::object);
  for (const auto& [name, member] : members) pattern.members.emplace(name, member);
  return pattern;
}

Pattern of(Pattern::Kind kind, std::vector<Pattern> elements) {
  Pattern pattern = plain(kind);
  pattern.elements = std::move(elements);
  return pattern;
}

Pattern one_of(std::initializer_list<std::string_view> words) {
  Pattern pattern = plain(Pattern::Kind::one_of);
  for (const std::string_view word : words) pattern.elements.push_back(literal(std::string(word)));
  return pattern;
}

Pattern length(std::size_t count) {
  Pattern pattern = plain(Pattern::Kind::length);
  pattern.operand = static_cast<std::int64_t>(count);
  return pattern;
}

}  // namespace assay::properties
