#include "cli/case_script.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/wire/json.h"
#include "harness/wire/scenario_writer.h"

namespace assay::cli {
namespace {

void replace_all(std::string& text, const std::string& what, const std::string& instead) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += instead.size()) {
    text.replace(at, what.size(), instead);
  }
}

bool is_kebab(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == '-';
}

/// The id as a scenario may have it: "status/x-step-enter" of "status/x[step.enter]".
std::string scenario_id(const std::string& case_id) {
  std::string id;
  for (const char letter : case_id) {
    const char lower = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
    if (is_kebab(lower) || lower == '/') {
      id += lower;
    } else if (!id.empty() && id.back() != '-') {
      id += '-';
    }
  }
  // A row's own slashes would begin another part.
  const std::size_t slash = id.find('/');
  if (slash != std::string::npos)
    std::replace(id.begin() + static_cast<std::ptrdiff_t>(slash) + 1, id.end(), '/', '-');
  while (!id.empty() && id.back() == '-') id.pop_back();
  return id;
}

}  // namespace

std::string case_script(const core::Case& one) {
  core::Scenario scenario = *one.scenario;
  const bool has_row = !scenario.matrix.empty();
  scenario.matrix.clear();
  scenario.id = scenario_id(one.id);
  std::string comment = one.id;
  // What is only a part of a text, and what the language takes as a name alone, stays a variable.
  for (const auto& [name, value] : one.variables) {
    scenario.variables.insert_or_assign(name, value);
    if (has_row) comment += fmt::format("\n{} = {}", name, wire::to_json(value));
  }
  std::string script = wire::write_scenario(scenario, comment);
  const std::size_t steps = script.find("\nsteps:");
  if (steps == std::string::npos) return script;
  std::string head = script.substr(0, steps);
  std::string body = script.substr(steps);
  for (const auto& [name, value] : one.variables) {
    if (value.is_object() || value.is_list()) continue;
    replace_all(body, fmt::format("\"${{{}}}\"", name), wire::to_json(value));
  }
  return head + body;
}

}  // namespace assay::cli
