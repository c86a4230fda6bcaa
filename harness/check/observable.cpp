#include "harness/check/observable.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace assay::check {
namespace {

using core::Pattern;
using Kind = Pattern::Kind;

/// Whether a pattern needs a member that is not shown, at the level where the members are.
bool needs_unobserved(const Pattern& pattern, const Observability& shown) {
  const bool here =
      std::any_of(pattern.members.begin(), pattern.members.end(),
                  [&shown](const auto& member) { return shown.unobserved.contains(member.first); });
  return here ||
         std::any_of(pattern.elements.begin(), pattern.elements.end(),
                     [&shown](const Pattern& element) { return needs_unobserved(element, shown); });
}

/// Instants below this level become any time.
Pattern with_own_times(Pattern pattern, const Observability& shown) {
  if (!shown.own_times) return pattern;
  if (pattern.kind == Kind::instant) {
    pattern.kind = Kind::type;
    pattern.operand = "string";
  }
  for (auto& [name, member] : pattern.members) member = with_own_times(std::move(member), shown);
  for (Pattern& element : pattern.elements) element = with_own_times(std::move(element), shown);
  return pattern;
}

std::optional<Pattern> object_of(Pattern pattern, const Observability& shown) {
  const bool was_empty = pattern.members.empty();
  std::erase_if(pattern.members,
                [&shown](const auto& member) { return shown.unobserved.contains(member.first); });
  if (pattern.members.empty() && !was_empty) return std::nullopt;
  return with_own_times(std::move(pattern), shown);
}

/// Every element keeps its place: one of which nothing is shown is any element.
std::optional<Pattern> elements_of(Pattern pattern, const Observability& shown) {
  bool some = pattern.elements.empty();
  for (Pattern& element : pattern.elements) {
    auto part = observable(element, shown);
    some |= part.has_value();
    element = part ? *std::move(part) : Pattern();
  }
  // A list that must have so many elements says that much even so.
  if (!some && pattern.kind == Kind::one_of) return std::nullopt;
  return pattern;
}

bool shrink(std::vector<Pattern>& patterns, bool forbids, const Observability& shown) {
  std::vector<Pattern> kept;
  for (Pattern& pattern : patterns) {
    if (forbids && needs_unobserved(pattern, shown)) continue;
    auto part = observable(pattern, shown);
    if (part) kept.push_back(*std::move(part));
  }
  patterns = std::move(kept);
  return !patterns.empty();
}

}  // namespace

std::optional<Pattern> observable(const Pattern& pattern, const Observability& shown) {
  switch (pattern.kind) {
    case Kind::object:
      return object_of(pattern, shown);
    case Kind::list:
    case Kind::unordered:
    case Kind::contains:
    case Kind::one_of:
      return elements_of(pattern, shown);
    case Kind::excludes:
    case Kind::negation:
      if (needs_unobserved(pattern, shown)) return std::nullopt;
      return pattern;
    default:
      return with_own_times(pattern, shown);
  }
}

std::optional<core::EventExpectation> observable(const core::EventExpectation& expectation,
                                                 const Observability& shown) {
  core::EventExpectation result = expectation;
  bool some = result.count || !result.count_variable.empty();
  if (result.exactly) {
    for (Pattern& pattern : *result.exactly) {
      pattern = observable(pattern, shown).value_or(Pattern());
    }
    some = true;
  }
  some |= shrink(result.contains, false, shown);
  some |= shrink(result.absent, true, shown);
  std::erase_if(result.before, [&shown](const auto& edge) {
    return needs_unobserved(edge.first, shown) || needs_unobserved(edge.second, shown);
  });
  some |= !result.before.empty();
  for (auto* pointers : {&result.same, &result.distinct}) {
    std::erase_if(*pointers, [&shown](const std::string& pointer) {
      const std::size_t end = pointer.find('/', 1);
      return pointer.size() > 1 && shown.unobserved.contains(pointer.substr(1, end - 1));
    });
    some |= !pointers->empty();
  }
  if (!some) return std::nullopt;
  return result;
}

}  // namespace assay::check
