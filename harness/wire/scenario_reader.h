#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "harness/core/clause_table.h"
#include "harness/core/scenario.h"
#include "harness/core/source.h"
#include "harness/wire/yaml.h"

namespace assay::wire {

/// Reads one scenario (docs/writing-scenarios.md), or says everything that is wrong with it, in the
/// order of the text: unknown keys and names with the nearest valid one, wrong types, ${name} that
/// nothing gives, clauses that no check proves. Never throws for anything that the text contains.
[[nodiscard]] Result<core::Scenario, std::vector<core::Diagnostic>> read_scenario(
    std::string_view text, const std::string& file_name, const core::ClauseTable& clauses);

/// The same of a document that is parsed already.
[[nodiscard]] Result<core::Scenario, std::vector<core::Diagnostic>> read_scenario(
    const YamlNode& root, const std::string& file_name, const core::ClauseTable& clauses);

}  // namespace assay::wire
