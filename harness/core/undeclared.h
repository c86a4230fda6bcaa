#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace assay::core {

/// Why a case does not apply: "the profile does not declare executions.replay, runs.get".
[[nodiscard]] std::string undeclared_reason(const std::vector<std::string>& names);

/// Why no case of a clause applies, in few words: of the reasons that name what a profile does not
/// declare the one that is soonest mended, more than four names of one kind as their number; and
/// all others.
[[nodiscard]] std::string shortest_reasons(const std::set<std::string>& reasons);

}  // namespace assay::core
