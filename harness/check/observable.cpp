#include "harness/check/observable.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "harness/core/log_clauses.h"

namespace assay::check {
namespace {

using core::Pattern;
using By = Pattern::By;
using How = Pattern::How;

/// Whether a pattern needs a member that is not shown, at the level where the members are.
bool needs_unobserved(const Pattern& pattern, const Observability& shown) {
  const bool here =
      std::any_of(pattern.members().begin(), pattern.members().end(),
                  [&shown](const auto& member) { return shown.unobserved.contains(member.first); });
  return here ||
         std::any_of(pattern.elements().begin(), pattern.elements().end(),
                     [&shown](const Pattern& element) { return needs_unobserved(element, shown); });
}

bool is_outcome(const Pattern& pattern) {
  const Value* literal = pattern.literal();
  return literal != nullptr &&
         (*literal == Value("COMPLETED") || *literal == Value("FAILED_SAFE") ||
          *literal == Value("FAILED_UNSAFE"));
}

/// An outcome, or the same acknowledged.
Pattern maybe_acknowledged(Pattern outcome) {
  Pattern acknowledged{core::OperandPattern{By::literal, outcome.literal()->as_string() + "_ACK"}};
  return {core::ElementsPattern{How::one_of, {std::move(outcome), std::move(acknowledged)}}};
}

/// What the target does in its own way, below this level: instants become any time, the outcomes of
/// a workflow execution may be acknowledged.
Pattern in_own_way(Pattern pattern, const Observability& shown) {
  if (shown.own_times && pattern.is(By::instant)) return {core::OperandPattern{By::type, "string"}};
  for_each_part(pattern, [&shown](Pattern& part) { part = in_own_way(std::move(part), shown); });
  auto* object = std::get_if<core::ObjectPattern>(&pattern.form);
  if (object == nullptr || !shown.own_acknowledgements) return pattern;
  const auto status = object->members.find("status");
  if (status != object->members.end() && is_outcome(status->second)) {
    status->second = maybe_acknowledged(std::move(status->second));
  }
  return pattern;
}

/// Whether a member must be a state that the target has no word for.
bool is_missing_state(const std::string& name, const Pattern& pattern, const Observability& shown) {
  const bool is_state = name == "state" || name == "status" || name == "workflow_state";
  const Value* literal = pattern.literal();
  return shown.missing_states != nullptr && is_state && literal != nullptr &&
         literal->is_string() && shown.missing_states->contains(literal->as_string());
}

std::optional<Pattern> object_of(core::ObjectPattern pattern, const Observability& shown) {
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
  return in_own_way({std::move(pattern)}, shown);
}

/// Whether all that matches `narrow` surely matches `wide` too.
bool implies(const Pattern& narrow, const Pattern& wide) {
  if (narrow == wide) return true;
  if (wide.is(How::one_of)) {
    return std::any_of(wide.elements().begin(), wide.elements().end(),
                       [&narrow](const Pattern& each) { return implies(narrow, each); });
  }
  const auto* wide_object = std::get_if<core::ObjectPattern>(&wide.form);
  const auto* object = std::get_if<core::ObjectPattern>(&narrow.form);
  if (wide_object == nullptr || wide_object->exactly || object == nullptr || object->exactly) {
    return false;
  }
  return std::all_of(
      wide_object->members.begin(), wide_object->members.end(), [object](const auto& member) {
        const auto found = object->members.find(member.first);
        return found != object->members.end() && implies(found->second, member.second);
      });
}

/// Whether one of the alternatives always matches: what one of them denies, others allow.
bool is_tautology(const std::vector<Pattern>& alternatives) {
  const auto is_allowed = [&alternatives](const Pattern& denied) {
    return std::any_of(alternatives.begin(), alternatives.end(), [&denied](const Pattern& each) {
      return !each.is(How::none_of) && implies(denied, each);
    });
  };
  return std::any_of(alternatives.begin(), alternatives.end(), [&](const Pattern& each) {
    return each.is(How::none_of) && !each.elements().empty() &&
           std::all_of(each.elements().begin(), each.elements().end(), is_allowed);
  });
}

/// An alternative of which nothing is shown would always do, and so would one with its own denial.
std::optional<Pattern> alternatives_of(core::ElementsPattern pattern, const Observability& shown) {
  for (Pattern& element : pattern.elements) {
    auto part = observable(element, shown);
    if (!part) return std::nullopt;
    element = *std::move(part);
  }
  if (is_tautology(pattern.elements)) return std::nullopt;
  return Pattern{std::move(pattern)};
}

/// Every element keeps its place: one of which nothing is shown is any element.
Pattern elements_of(core::ElementsPattern pattern, const Observability& shown) {
  for (Pattern& element : pattern.elements) {
    // A list that must have so many elements says that much even so.
    element = observable(element, shown).value_or(Pattern());
  }
  return {std::move(pattern)};
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
  const auto type = pattern.members().find("event_type");
  if (shown.event_names == nullptr || type == pattern.members().end()) return false;
  const Value* name = type->second.literal();
  if (name == nullptr || !name->is_string()) return false;
  const auto theirs = shown.event_names->find(name->as_string());
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
  const auto* object = std::get_if<core::ObjectPattern>(&pattern.form);
  if (object != nullptr && !object->exactly) return object_of(*object, shown);
  const auto* several = std::get_if<core::ElementsPattern>(&pattern.form);
  if (several == nullptr) return in_own_way(pattern, shown);
  if (several->how == How::one_of) return alternatives_of(*several, shown);
  if (several->how != How::excludes && several->how != How::none_of) {
    return elements_of(*several, shown);
  }
  if (needs_unobserved(pattern, shown)) return std::nullopt;
  return pattern;
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
