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

namespace {

constexpr std::array<std::pair<Delivery, std::string_view>, 6> deliveries = {{
    {Delivery::once, "once"},
    {Delivery::twice, "twice"},
    {Delivery::cut_before_send, "cut_before_send"},
    {Delivery::cut_after_send, "cut_after_send"},
    {Delivery::half_body, "half_body"},
    {Delivery::slow_body, "slow_body"},
}};

}  // namespace

bool asks_nothing(const AnswerPattern& answer) {
  return answer.statuses.empty() && answer.acceptances.empty() && answer.status_variables.empty() &&
         answer.acceptance_variables.empty() && answer.headers.empty() && !answer.body &&
         answer.nowhere.empty();
}

std::string_view delivery_word(Delivery delivery) {
  return deliveries.at(static_cast<std::size_t>(delivery)).second;
}

std::optional<Delivery> delivery_from_word(std::string_view word) {
  for (const auto& [delivery, known] : deliveries) {
    if (known == word && delivery != Delivery::once) return delivery;
  }
  return std::nullopt;
}

std::vector<std::string> delivery_words() {
  std::vector<std::string> words;
  for (const auto& [delivery, word] : deliveries) {
    if (delivery != Delivery::once) words.emplace_back(word);
  }
  return words;
}

}  // namespace assay::core
