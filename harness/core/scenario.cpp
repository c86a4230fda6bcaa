#include "harness/core/scenario.h"

#include <fmt/format.h>

#include <algorithm>

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

std::vector<Case> cases_of(const Scenario& scenario) {
  std::vector<Case> cases;
  if (scenario.matrix.empty()) {
    cases.push_back({scenario.id, &scenario, scenario.variables});
    return cases;
  }
  const std::size_t rows = scenario.matrix.front().second.size();
  for (std::size_t row = 0; row < rows; ++row) {
    Case one{fmt::format("{}[{}]", scenario.id, row), &scenario, scenario.variables};
    for (const auto& [name, values] : scenario.matrix) {
      one.variables.insert_or_assign(name, values.at(row));
    }
    cases.push_back(std::move(one));
  }
  return cases;
}

}  // namespace assay::core
