#pragma once

#include <string>
#include <string_view>

#include "harness/core/scenario.h"
#include "harness/wire/yaml.h"

namespace assay::wire {

/// The scenario in its language (docs/writing-scenarios.md): read_scenario reads it back to an
/// equal scenario, but for the places in the text.
///
/// Throws std::invalid_argument for what the language has no words for, which no scenario that was
/// read holds: two reads of one kind in one check, and !excludes of a tagged pattern. Text that is
/// no UTF-8 is kept in a raw request's body only.
[[nodiscard]] YamlNode scenario_node(const core::Scenario& scenario);

/// That as text. `comment` stands above it, line by line, behind "# ": a cause, a seed, versions.
[[nodiscard]] std::string write_scenario(const core::Scenario& scenario,
                                         std::string_view comment = {});

}  // namespace assay::wire
