#include "harness/check/presence.h"

#include <algorithm>
#include <variant>
#include <vector>

#include "base/overloaded.h"

namespace assay::check {
namespace {

using core::Pattern;

bool is_something(const Value& value) {
  if (value.is_list()) return !value.as_list().empty();
  if (value.is_object()) return !value.as_object().empty();
  return !value.is_null();
}

bool demands(const core::EventExpectation& events) {
  return !events.contains.empty() || (events.exactly && !events.exactly->empty()) ||
         (events.count && *events.count > 0) || !events.count_variable.empty() ||
         !events.before.empty() || !events.same.empty() || !events.distinct.empty() ||
         !events.keeps.empty();
}

bool demands(const core::ReadExpectation& read) {
  if (read.response) return true;
  return std::visit(
      Overloaded{[](std::monostate) { return false; },
                 [](const Pattern& pattern) { return check::demands_presence(pattern); },
                 [](const core::EventExpectation& events) { return demands(events); },
                 [](const core::ScheduledSteps& steps) { return !steps.names.empty(); },
                 [](const core::NeverScheduledSteps&) { return false; },
                 [](const core::StatePath& path) { return !path.names.empty(); }},
      read.shows);
}

bool any_demands(const std::vector<core::ReadExpectation>& reads) {
  return std::any_of(reads.begin(), reads.end(),
                     [](const core::ReadExpectation& each) { return demands(each); });
}

bool demands(const core::Expect& expect) {
  if (expect.is_never() || !any_demands(expect.reads)) return false;
  return std::all_of(expect.also_allowed.begin(), expect.also_allowed.end(),
                     [](const auto& reads) { return any_demands(reads); });
}

bool any_demands(const std::vector<core::Step>& steps);

bool demands(const core::Step& step) {
  if (step.response) return true;
  if (const auto* expect = std::get_if<core::Expect>(&step.action)) {
    return demands(*expect);
  }
  if (const auto* repeat = std::get_if<core::Repeat>(&step.action)) {
    return any_demands(repeat->steps);
  }
  // Branches that run at the same moment are held against one another, if against nothing else.
  return std::holds_alternative<core::Together>(step.action);
}

bool any_demands(const std::vector<core::Step>& steps) {
  return std::any_of(steps.begin(), steps.end(),
                     [](const core::Step& each) { return demands(each); });
}

}  // namespace

bool demands_presence(const Pattern& pattern) {
  using Kind = Pattern::Kind;
  switch (pattern.kind) {
    case Kind::object:
    case Kind::exact_object:
      return std::any_of(pattern.members.begin(), pattern.members.end(),
                         [](const auto& member) { return demands_presence(member.second); });
    case Kind::list:
    case Kind::unordered:
    case Kind::contains:
      return !pattern.elements.empty();
    case Kind::one_of:
      return std::all_of(pattern.elements.begin(), pattern.elements.end(),
                         [](const Pattern& each) { return demands_presence(each); });
    case Kind::literal:
      return is_something(pattern.operand);
    case Kind::type:
      return pattern.operand != Value("null");
    case Kind::length:
      return pattern.operand != Value(0);
    case Kind::excludes:
    case Kind::any:
    case Kind::absent:
    case Kind::negation:
      return false;
    default:
      return true;
  }
}

bool demands_presence(const core::Scenario& scenario) { return any_demands(scenario.steps); }

}  // namespace assay::check
