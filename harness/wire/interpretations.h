#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/scenario.h"
#include "harness/core/source.h"
#include "harness/wire/map_reader.h"

namespace assay::wire {

/// A place where the specifications leave a choice or pull in two directions, and what we chose.
struct Interpretation {
  struct Choice {
    std::string name;
    std::string meaning;
  };

  core::SourcePosition at;
  /// The name under `interpretations` of a profile.
  std::string key;
  std::string question;
  /// The clauses in tension, or the one that is silent.
  std::vector<std::string> clauses;
  /// What the reference does; one of `choices`.
  std::string chosen;
  std::string because;
  std::vector<Choice> choices;
};

/// Reads a list of them; what is wrong with the text goes to `faults`.
[[nodiscard]] std::vector<Interpretation> read_interpretations(
    std::string_view text, const std::string& file, std::vector<core::Diagnostic>& faults);

/// Those of fixtures/spec/interpretations.yaml, which is compiled in.
[[nodiscard]] const std::vector<Interpretation>& interpretations();

/// What a profile declares, by key; what it does not declare is as the reference has it.
using Choices = std::map<std::string, std::string, std::less<>>;

/// Reads `interpretations` of a profile: an unknown key or choice is reported with the nearest.
void read_choices(const YamlNode& node, Choices& into, Problems& problems);

/// Reads `under` of a scenario or a step, in the same way.
[[nodiscard]] core::Under read_under(const YamlNode& node, Problems& problems);

/// Those of `under` that a target with these choices does not meet, as "KEY: CHOICE".
[[nodiscard]] std::vector<std::string> unmet(const core::Under& under, const Choices& choices);

}  // namespace assay::wire
