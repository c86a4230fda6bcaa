#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/kill_table.h"
#include "harness/core/clause_table.h"
#include "harness/core/record.h"

namespace assay::cli {

/// How a run of the quick cases says in its record that it is one: no glob begins so.
inline constexpr std::string_view quick_word = "--quick";

/// The ids of the cases that `assay run --quick` runs, as fixtures/spec/quick_cases.txt has them.
[[nodiscard]] const std::set<std::string>& quick_cases();

/// What a case sends.
using RequestsOfCases = std::map<std::string, std::size_t, std::less<>>;

[[nodiscard]] RequestsOfCases requests_of_cases(const core::RunRecord& record);

/// By the id of each fault of a MUST clause, the cases that catch it.
using CatchingCases = std::map<std::string, std::set<std::string>>;

[[nodiscard]] CatchingCases catching_cases(std::span<const Kill> kills,
                                           const core::ClauseTable& clauses);

/// Cases that together catch every fault that one of them catches: again and again the one that
/// catches the most that is not caught yet for each request that it sends, the first in order among
/// equals. Those that the later ones make needless are left out. Sorted.
[[nodiscard]] std::vector<std::string> greedy_cover(const CatchingCases& catching,
                                                    const RequestsOfCases& requests);

/// The cases as the content of fixtures/spec/quick_cases.txt.
[[nodiscard]] std::string quick_cases_text(std::span<const std::string> cases);

}  // namespace assay::cli
