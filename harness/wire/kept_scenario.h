#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/core/clause_table.h"
#include "harness/core/scenario.h"

namespace assay::wire {

/// The scenario with the places of its steps as one line of JSON, for a program that reads it many
/// times: no YAML has to be parsed. Throws std::invalid_argument as write_scenario does.
[[nodiscard]] std::string keep_scenario(const core::Scenario& scenario);

/// The scenario that keep_scenario made the line of; nothing where it is no such line.
[[nodiscard]] std::optional<core::Scenario> kept_scenario(std::string_view line,
                                                          const core::ClauseTable& clauses);

}  // namespace assay::wire
