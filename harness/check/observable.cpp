#include "harness/check/observable.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/core/log_clauses.h"

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

bool is_outcome(const Pattern& pattern) {
  return pattern.kind == Kind::literal &&
         (pattern.operand == Value("COMPLETED") || pattern.operand == Value("FAILED_SAFE") ||
          pattern.operand == Value("FAILED_UNSAFE"));
}

/// An outcome, or the same acknowledged.
Pattern maybe_acknowledged(Pattern outcome) {
  Pattern acknowledged = outcome;
  acknowledged.operand = outcome.operand.as_string() + "_ACK";
  Pattern either;
  either.kind = Kind::one_of;
  either.elements = {std::move(outcome), std::move(acknowledged)};
  return either;
}

/// What the target does in its own way, below this level: instants become any time, the outcomes of
/// a workflow execution may be acknowledged.
Pattern in_own_way(Pattern pattern, const Observability& shown) {
  if (shown.own_times && pattern.kind == Kind::instant) {
    pattern.kind = Kind::type;
    pattern.operand = "string";
  }
  for (auto& [name, member] : pattern.members) {
    if (shown.own_acknowledgements && name == "status" && is_outcome(member)) {
      member = maybe_acknowledged(std::move(member));
    } else {
      member = in_own_way(std::move(member), shown);
    }
  }
  for (Pattern& element : pattern.elements) element = in_own_way(std::move(element), shown);
  return pattern;
}

/// Whether a member must be a state that the target has no word for.
bool is_missing_state(const std::string& name, const Pattern& pattern, const Observability& shown) {
  const bool is_state = name == "state" || name == "status" || name == "workflow_state";
  return shown.missing_states != nullptr && is_state && pattern.kind == Kind::literal &&
         pattern.operand.is_string() && shown.missing_states->contains(pattern.operand.as_string());
}

std::optional<Pattern> object_of(Pattern pattern, const Observability& shown) {
  const bool was_empty = pattern.members.empty();
  const bool skips_the_state =
      std::any_of(pattern.members.begin(), pattern.members.end(), [&shown](const auto& member) {
        return is_missing_state(member.first, member.second, shown);
      });
  std::erase_if(pattern.members, [&](const auto& member) {
    return shown.unobserved.contains(member.first) ||
           is_missing_state(member.first, member.second, shown) ||
           // What has no state to wait in may have started at once.
           (skips_the_state && member.first == "started_at");
  });
  if (pattern.members.empty() && !was_empty) return std::nullopt;
  return in_own_way(std::move(pattern), shown);
}

bool same(const Pattern& left, const Pattern& right) {
  return left.kind == right.kind && left.operand == right.operand &&
         std::equal(left.members.begin(), left.members.end(), right.members.begin(),
                    right.members.end(),
                    [](const auto& one, const auto& other) {
                      return one.first == other.first && same(one.second, other.second);
                    }) &&
         std::equal(left.elements.begin(), left.elements.end(), right.elements.begin(),
                    right.elements.end(), same);
}

/// Whether all that matches `narrow` surely matches `wide` too.
bool implies(const Pattern& narrow, const Pattern& wide) {
  if (wide.kind == Kind::object && narrow.kind == Kind::object) {
    return std::all_of(wide.members.begin(), wide.members.end(), [&narrow](const auto& member) {
      const auto found = narrow.members.find(member.first);
      return found != narrow.members.end() && implies(found->second, member.second);
    });
  }
  return same(narrow, wide);
}

/// Whether one of the alternatives always matches: what one of them denies, others allow.
bool is_tautology(const std::vector<Pattern>& alternatives) {
  const auto is_allowed = [&alternatives](const Pattern& denied) {
    return std::any_of(alternatives.begin(), alternatives.end(), [&denied](const Pattern& each) {
      return each.kind != Kind::negation && implies(denied, each);
    });
  };
  return std::any_of(alternatives.begin(), alternatives.end(), [&](const Pattern& each) {
    return each.kind == Kind::negation && !each.elements.empty() &&
           std::all_of(each.elements.begin(), each.elements.end(), is_allowed);
  });
}

/// An alternative of which nothing is shown would always do, and so would one with its own denial.
std::optional<Pattern> alternatives_of(Pattern pattern, const Observability& shown) {
  for (Pattern& element : pattern.elements) {
    auto part = observable(element, shown);
    if (!part) return std::nullopt;
    element = *std::move(part);
  }
  if (is_tautology(pattern.elements)) return std::nullopt;
  return pattern;
}

/// Every element keeps its place: one of which nothing is shown is any element.
Pattern elements_of(Pattern pattern, const Observability& shown) {
  for (Pattern& element : pattern.elements) {
    // A list that must have so many elements says that much even so.
    element = observable(element, shown).value_or(Pattern());
  }
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

/// Whether the pattern is of an event that the target does not have.
bool is_of_no_event(const Pattern& pattern, const Observability& shown) {
  const auto type = pattern.members.find("event_type");
  if (shown.event_names == nullptr || type == pattern.members.end()) return false;
  const Pattern& name = type->second;
  if (name.kind != Kind::literal || !name.operand.is_string()) return false;
  const auto theirs = shown.event_names->find(name.operand.as_string());
  return theirs != shown.event_names->end() && theirs->second.empty();
}

/// Takes what is about events that the target does not have out of the expectation.
void drop_foreign_events(core::EventExpectation& expectation, const Observability& shown) {
  const auto is_foreign = [&shown](const Pattern& pattern) {
    return is_of_no_event(pattern, shown);
  };
  std::erase_if(expectation.contains, is_foreign);
  std::erase_if(expectation.absent, is_foreign);
  std::erase_if(expectation.before, [&](const auto& edge) {
    return is_foreign(edge.first) || is_foreign(edge.second);
  });
  // A whole log without some of its events is no whole log.
  if (expectation.exactly &&
      std::any_of(expectation.exactly->begin(), expectation.exactly->end(), is_foreign)) {
    expectation.exactly.reset();
  }
}

/// Whether all that a log clause is read off is shown.
bool shows_what_it_needs(std::string_view clause, const Observability& shown) {
  const core::LogClause* known = core::find_log_clause(clause);
  if (known == nullptr) return false;
  return std::none_of(
      known->members.begin(), known->members.end(),
      [&shown](std::string_view member) { return shown.unobserved.contains(member); });
}

}  // namespace

std::optional<Pattern> observable(const Pattern& pattern, const Observability& shown) {
  switch (pattern.kind) {
    case Kind::object:
      return object_of(pattern, shown);
    case Kind::list:
    case Kind::unordered:
    case Kind::contains:
      return elements_of(pattern, shown);
    case Kind::one_of:
      return alternatives_of(pattern, shown);
    case Kind::excludes:
    case Kind::negation:
      if (needs_unobserved(pattern, shown)) return std::nullopt;
      return pattern;
    default:
      return in_own_way(pattern, shown);
  }
}

std::optional<core::EventExpectation> observable(const core::EventExpectation& expectation,
                                                 const Observability& shown) {
  core::EventExpectation result = expectation;
  drop_foreign_events(result, shown);
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
  if (!result.keeps.empty()) {
    if (!shows_what_it_needs(result.keeps, shown)) result.keeps.clear();
    some |= !result.keeps.empty();
  }
  if (!some) return std::nullopt;
  return result;
}

}  // namespace assay::check
