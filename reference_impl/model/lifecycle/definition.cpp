#include "reference_impl/model/lifecycle/definition.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

namespace assay::lifecycle {
namespace {

constexpr std::size_t max_identifier_bytes = 256;

/// The identifier that is the member of that name, or the problem with it.
Result<std::string, Problem> identifier_at(const Value& object, const std::string& key,
                                           const std::string& pointer) {
  std::optional<std::string> text = object.string_at(key);
  if (text && is_identifier(*text)) return std::move(*text);
  return unexpected(Problem{
      pointer + "/" + key, key + " must be a string of 1 to 256 bytes without control characters"});
}

std::optional<Problem> condition_problem(const Value& condition, const std::string& pointer,
                                         const ConditionLanguage& language) {
  if (condition.is_bool()) return std::nullopt;
  if (!condition.is_string()) return Problem{pointer, "condition must be a boolean or a guard"};
  if (!language.check) return std::nullopt;
  if (std::optional<std::string> fault = language.check(condition)) {
    return Problem{pointer, std::move(*fault)};
  }
  return std::nullopt;
}

Result<StepDefinition, Problem> parse_step(const Value& value, const std::string& pointer,
                                           const ConditionLanguage& language) {
  if (!value.is_object()) return unexpected(Problem{pointer, "a step must be an object"});
  StepDefinition step;
  auto label = identifier_at(value, "label", pointer);
  if (!label) return unexpected(std::move(label).error());
  step.label = *std::move(label);
  auto block = identifier_at(value, "functionBlock", pointer);
  if (!block) return unexpected(std::move(block).error());
  step.function_block = *std::move(block);
  auto entities = parse_entities(value.find("acquire"), pointer + "/acquire");
  if (!entities) return unexpected(std::move(entities).error());
  step.acquire = *std::move(entities);
  const Value* condition = value.find("condition");
  if (condition != nullptr && !condition->is_null()) {
    if (auto problem = condition_problem(*condition, pointer + "/condition", language)) {
      return unexpected(*std::move(problem));
    }
    step.condition = *condition;
  }
  return step;
}

/// A list of identifiers; `what` one of them is, with its article.
Result<std::vector<std::string>, Problem> parse_names(const Value* value,
                                                      const std::string& pointer,
                                                      const std::string& what) {
  std::vector<std::string> names;
  if (value == nullptr || value->is_null()) return names;
  if (!value->is_list()) return unexpected(Problem{pointer, "expected an array of strings"});
  for (const Value& name : value->as_list()) {
    if (!name.is_string() || !is_identifier(name.as_string())) {
      return unexpected(
          Problem{pointer + "/" + std::to_string(names.size()),
                  what + " must be a string of 1 to 256 bytes without control characters"});
    }
    names.push_back(name.as_string());
  }
  return names;
}

}  // namespace

bool is_identifier(const std::string& text) {
  return !text.empty() && text.size() <= max_identifier_bytes &&
         std::none_of(text.begin(), text.end(), [](char letter) {
           const auto byte = static_cast<unsigned char>(letter);
           return byte < 0x20 || byte == 0x7f;
         });
}

Result<std::vector<std::string>, Problem> parse_entities(const Value* value,
                                                         const std::string& pointer) {
  return parse_names(value, pointer, "an entity");
}

Result<std::vector<std::string>, Problem> parse_conditions(const Value* value,
                                                           const std::string& pointer) {
  return parse_names(value, pointer, "a condition");
}

Result<FunctionBlock, Problem> parse_function_block(const Value& value) {
  if (!value.is_object()) return unexpected(Problem{"", "a function block must be an object"});
  FunctionBlock block;
  auto name = identifier_at(value, "name", "");
  if (!name) return unexpected(std::move(name).error());
  block.name = *std::move(name);
  const Value* pure = value.find("pure");
  if (pure == nullptr || !pure->is_bool())
    return unexpected(Problem{"/pure", "pure must be a boolean"});
  block.pure = pure->as_bool();
  auto entities = parse_entities(value.find("acquires"), "/acquires");
  if (!entities) return unexpected(std::move(entities).error());
  block.acquires = *std::move(entities);
  const Value* rollback = value.find("rollback");
  if (rollback != nullptr && !rollback->is_null()) {
    if (!rollback->is_bool()) return unexpected(Problem{"/rollback", "rollback must be a boolean"});
    block.rollback = rollback->as_bool();
  }
  return block;
}

Result<Definition, Problem> parse_definition(const Value& value, NameRule name_rule,
                                             const ConditionLanguage& language) {
  if (!value.is_object()) return unexpected(Problem{"", "a workflow definition must be an object"});
  Definition definition;
  const Value* given_name = value.find("name");
  const bool named = given_name != nullptr && !given_name->is_null();
  if (named || name_rule == NameRule::required) {
    auto name = identifier_at(value, "name", "");
    if (!name) return unexpected(std::move(name).error());
    definition.name = *std::move(name);
  }
  const Value* steps = value.find("steps");
  if (steps == nullptr || !steps->is_list() || steps->as_list().empty()) {
    return unexpected(Problem{"/steps", "steps must be an array with at least one step"});
  }
  std::set<std::string> labels;
  for (const Value& item : steps->as_list()) {
    const std::string pointer = "/steps/" + std::to_string(definition.steps.size());
    auto step = parse_step(item, pointer, language);
    if (!step) return unexpected(std::move(step).error());
    definition.steps.push_back(*std::move(step));
    if (!labels.insert(definition.steps.back().label).second) {
      return unexpected(Problem{pointer + "/label", "two steps have this label"});
    }
  }
  return definition;
}

}  // namespace assay::lifecycle
