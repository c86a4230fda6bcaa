#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/value.h"

namespace assay::core {

/// Names the rows of a matrix by their values, in order: "COMPLETED-3", "step.enter". The name of a
/// row depends on that row alone, so that it stays when others are inserted; a row whose name an
/// earlier one has is named by all of its members, and one that is still not unique is numbered.
/// A name is never digits alone: those are the indexes that rows had before they had names.
[[nodiscard]] std::vector<std::string> row_names(
    const std::vector<std::pair<std::string, std::vector<Value>>>& matrix);

/// What "scenario[4]", the id of a row before rows had names, is called now: the fifth of `ids`
/// (all cases, in the order of the suite) that are rows of that scenario. Nothing where `id` does
/// not end with an index, is an id itself, or no row has that index.
[[nodiscard]] std::optional<std::string> id_of_index(std::string_view id,
                                                     std::span<const std::string> ids);

/// "status/x" of "status/x[step.enter]"; an id without a row is returned as it is.
[[nodiscard]] std::string_view scenario_of_id(std::string_view case_id);

}  // namespace assay::core
