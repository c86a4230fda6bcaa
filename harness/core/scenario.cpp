#include "harness/core/scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "harness/core/case_name.h"

namespace assay::core {

Object expand_event_shorthands(const Object& event) {
  Object body;
  for (const auto& [name, value] : event) {
    const auto* const shorthand =
        std::find_if(event_shorthands.begin(), event_shorthands.end(),
                     [&name](const EventShorthand& one) { return one.shorthand == name; });
    body.insert_or_assign(
        shorthand == event_shorthands.end() ? name : std::string(shorthand->member), value);
  }
  return body;
}

bool has_tag(const Scenario& scenario, std::string_view tag) {
  return std::find(scenario.tags.begin(), scenario.tags.end(), tag) != scenario.tags.end();
}

std::vector<Case> cases_of(const Scenario& scenario) {
  std::vector<Case> cases;
  if (scenario.matrix.empty()) {
    cases.push_back({scenario.id, &scenario, scenario.variables});
    return cases;
  }
  const std::vector<std::string> names = row_names(scenario.matrix);
  for (std::size_t row = 0; row < names.size(); ++row) {
    Case one{fmt::format("{}[{}]", scenario.id, names[row]), &scenario, scenario.variables};
    for (const auto& [name, values] : scenario.matrix) {
      one.variables.insert_or_assign(name, values.at(row));
    }
    cases.push_back(std::move(one));
  }
  return cases;
}

bool asks_nothing(const AnswerPattern& answer) {
  return answer.statuses.empty() && answer.acceptances.empty() && answer.status_variables.empty() &&
         answer.acceptance_variables.empty() && answer.headers.empty() && !answer.body &&
         answer.nowhere.empty();
}

}  // namespace assay::core
