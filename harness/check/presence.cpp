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

bool demands(const core::AnyPattern& /*any*/) { return false; }
bool demands(const core::AbsentPattern& /*absent*/) { return false; }

bool demands(const core::OperandPattern& pattern) {
  using By = Pattern::By;
  if (pattern.by == By::literal) return is_something(pattern.operand);
  if (pattern.by == By::type) return pattern.operand != Value("null");
  return pattern.by != By::length || pattern.operand != Value(0);
}

bool demands(const core::ObjectPattern& pattern) {
  return std::any_of(pattern.members.begin(), pattern.members.end(),
                     [](const auto& member) { return demands_presence(member.second); });
}

bool demands(const core::ElementsPattern& pattern) {
  using How = Pattern::How;
  if (pattern.how == How::excludes || pattern.how == How::none_of) return false;
  if (pattern.how != How::one_of) return !pattern.elements.empty();
  return std::all_of(pattern.elements.begin(), pattern.elements.end(),
                     [](const Pattern& each) { return demands_presence(each); });
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
  return std::visit([](const auto& form) { return demands(form); }, pattern.form);
}

bool demands_presence(const core::Scenario& scenario) { return any_demands(scenario.steps); }

}  // namespace assay::check
