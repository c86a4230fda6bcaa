#include "harness/wire/scenario_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "harness/core/operation.h"
#include "harness/wire/interpretations.h"
#include "harness/wire/map_reader.h"
#include "harness/wire/scenario_scope.h"
#include "harness/wire/yaml.h"

namespace assay::wire {
namespace {

constexpr std::string_view kebab_characters = "abcdefghijklmnopqrstuvwxyz0123456789-";

bool is_kebab(std::string_view word) {
  return !word.empty() && word.find_first_not_of(kebab_characters) == std::string_view::npos &&
         word.front() != '-' && word.back() != '-';
}

/// Two or more kebab-case words with slashes between them.
bool is_scenario_id(std::string_view id) {
  if (id.find('/') == std::string_view::npos) return false;
  while (true) {
    const std::size_t slash = id.find('/');
    if (!is_kebab(id.substr(0, slash))) return false;
    if (slash == std::string_view::npos) return true;
    id.remove_prefix(slash + 1);
  }
}

void read_identity(MapReader& map, const YamlNode& root, core::Scenario& scenario,
                   Problems& problems) {
  map.required_text("id", scenario.id);
  if (const YamlNode* id = root.find("id"); id && !scenario.id.empty()) {
    if (!is_scenario_id(scenario.id)) {
      problems.unexpected(*id, "family/name in kebab-case: status/cancel-twice");
    }
  }
  map.required_text("title", scenario.title);
  map.text("source", scenario.source);
  map.texts("tags", scenario.tags);
  if (const YamlNode* tags = root.find("tags")) {
    for (const YamlNode& tag : tags->items) {
      if (tag.is_text() && !is_kebab(tag.scalar.as_string())) {
        problems.unexpected(tag, "a tag in kebab-case");
      }
    }
  }
}

void check_matrix(const YamlNode& node, const core::Scenario& scenario, Problems& problems) {
  for (std::size_t i = 0; i < scenario.matrix.size(); ++i) {
    const auto& [name, values] = scenario.matrix[i];
    const YamlNode& column = node.members[i].value;
    const std::size_t rows = scenario.matrix.front().second.size();
    if (values.empty()) problems.report(column, fmt::format("the column {} is empty", name));
    if (values.size() != rows) {
      problems.report(column, fmt::format("the column {} has {} values, {} has {}", name,
                                          values.size(), scenario.matrix.front().first, rows));
    }
    if (scenario.variables.contains(name)) {
      problems.report(column, fmt::format("{} is a variable and a column of the matrix", name));
    }
  }
}

/// Names first, values later: a value may refer to any of the names.
void read_variables(MapReader& map, core::Scenario& scenario, ScenarioScope& scope) {
  const YamlNode* variables = map.optional("variables");
  const YamlNode* matrix = map.optional("matrix");
  for (const YamlNode* node : {variables, matrix}) {
    if (!node) continue;
    if (node->kind != YamlNode::Kind::map) {
      scope.problems().unexpected(*node, node == matrix ? "a mapping of names to lists of values"
                                                        : "a mapping of names to values");
    }
    for (const auto& [key, value] : node->members) {
      scope.declare_variable(key, key.scalar.as_string());
    }
  }
  if (variables) {
    for (const auto& [key, value] : variables->members) {
      scenario.variables.insert_or_assign(key.scalar.as_string(), scope.literal(value));
    }
  }
  if (matrix) {
    for (const auto& [key, value] : matrix->members) {
      std::vector<Value> column;
      for (const YamlNode& item : items_of(value, "a list of values", scope.problems())) {
        column.push_back(scope.literal(item));
      }
      scenario.matrix.emplace_back(key.scalar.as_string(), std::move(column));
    }
    check_matrix(*matrix, scenario, scope.problems());
  }
}

core::Scenario read_document(const YamlNode& root, ScenarioScope& scope) {
  Problems& problems = scope.problems();
  core::Scenario scenario;
  scenario.at = problems.position(root);
  MapReader map(root, "a scenario", problems);
  read_identity(map, root, scenario, problems);
  if (const YamlNode* clauses = map.required("clauses")) {
    scope.list_clauses(*clauses, scenario.clauses);
  }
  scenario.needs = read_needs(map, problems);
  if (const YamlNode* under = map.optional("under")) scenario.under = read_under(*under, problems);
  read_variables(map, scenario, scope);
  if (const YamlNode* playbook = map.optional("playbook")) {
    scenario.playbook = scope.literal(*playbook);
  }
  if (const YamlNode* steps = map.required("steps")) {
    scenario.steps = read_steps(*steps, scope);
    scope.check_proven(root);
  }
  map.finish();
  return scenario;
}

}  // namespace

Result<core::Scenario, std::vector<core::Diagnostic>> read_scenario(
    const YamlNode& root, const std::string& file_name, const core::ClauseTable& clauses) {
  Problems problems(file_name);
  ScenarioScope scope(problems, clauses);
  core::Scenario scenario = read_document(root, scope);
  if (!problems.empty()) return unexpected(problems.take());
  return scenario;
}

Result<core::Scenario, std::vector<core::Diagnostic>> read_scenario(
    std::string_view text, const std::string& file_name, const core::ClauseTable& clauses) {
  auto parsed = read_yaml(text, file_name);
  if (!parsed) return unexpected(std::vector{std::move(parsed).error()});
  return read_scenario(*parsed, file_name, clauses);
}

}  // namespace assay::wire
