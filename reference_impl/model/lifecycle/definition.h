#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/value.h"

namespace assay::lifecycle {

/// A registered unit of work. `acquires` are entities that every step using it needs.
struct FunctionBlock {
  std::string name;
  bool pure = false;
  std::vector<std::string> acquires = {};
  /// What it does can be undone by a ROLLBACK job.
  bool rollback = false;

  friend bool operator==(const FunctionBlock&, const FunctionBlock&) = default;
};

/// One step of a workflow.
struct StepDefinition {
  std::string label;
  std::string function_block;
  std::vector<std::string> acquire = {};
  /// A boolean, or a guard over `parameters` and `results.LABEL`; absent means true.
  std::optional<Value> condition = {};

  friend bool operator==(const StepDefinition&, const StepDefinition&) = default;
};

/// A workflow: steps that run in order. An inline definition may be nameless.
struct Definition {
  std::string name;
  std::vector<StepDefinition> steps;

  friend bool operator==(const Definition&, const Definition&) = default;
};

/// What is wrong with a definition: a JSON Pointer to the member at fault, and a sentence.
struct Problem {
  std::string pointer;
  std::string detail;
};

/// The language of step conditions, injected so that this model needs no guard language of its own.
/// Booleans never reach it.
struct ConditionLanguage {
  /// What is wrong with a guard's text, or nothing.
  std::function<std::optional<std::string>(const Value& condition)> check;
  /// The truth of a guard over {parameters, results}, or why it can't be told.
  std::function<Result<bool, std::string>(const Value& condition, const Value& scope)> evaluate;
};

/// Reads `{name, pure, acquires?, rollback?}`.
[[nodiscard]] Result<FunctionBlock, Problem> parse_function_block(const Value& value);

/// Reads `{name, steps:[{label, functionBlock, acquire?, condition?}]}`: at least one step, labels
/// that differ. The name is required of a definition that is registered.
enum class NameRule { required, optional };
[[nodiscard]] Result<Definition, Problem> parse_definition(const Value& value, NameRule name_rule,
                                                           const ConditionLanguage& language);

/// Reads a list of entities at that pointer; null and nothing are an empty list.
[[nodiscard]] Result<std::vector<std::string>, Problem> parse_entities(const Value* value,
                                                                       const std::string& pointer);

/// Reads a list of conditions' names at that pointer; null and nothing are an empty list.
[[nodiscard]] Result<std::vector<std::string>, Problem> parse_conditions(
    const Value* value, const std::string& pointer);

/// Whether a string may be an identifier: 1 to 256 bytes, no control characters.
[[nodiscard]] bool is_identifier(const std::string& text);

}  // namespace assay::lifecycle
