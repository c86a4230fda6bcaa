#include "properties/families/steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/run/identity.h"

namespace assay::properties {

core::Step operate(std::string name, Object parameters, std::string as, std::string on) {
  core::Step step;
  step.action = core::Operate{{std::move(name), std::move(parameters)}};
  step.on = std::move(on);
  step.as = std::move(as);
  return step;
}

core::Step post(Object event, std::string on) {
  core::Step step;
  core::Post action;
  action.events.emplace_back(std::move(event));
  action.omit.emplace_back();
  step.action = std::move(action);
  step.on = std::move(on);
  return step;
}

core::Step post_batch(List events, std::string on) {
  core::Step step;
  core::Post action;
  action.omit.resize(events.size());
  action.events = std::move(events);
  action.batch = true;
  step.action = std::move(action);
  step.on = std::move(on);
  return step;
}

Object numbered_event(std::size_t number, Object event) {
  event.insert_or_assign("id", fmt::format("${{unique}}-e{}", number));
  event.insert_or_assign("time", run::event_time(static_cast<std::int64_t>(number)));
  return event;
}

std::string pick(std::uint8_t operand, std::initializer_list<std::string_view> words) {
  return std::string(*(words.begin() + operand % words.size()));
}

std::string in_lower_case(std::string word) {
  std::transform(word.begin(), word.end(), word.begin(), [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  });
  return word;
}

}  // namespace assay::properties
