#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference_impl/service/target.h"

namespace assay::service {

/// ASCII letters in lower case, all other bytes as they are.
[[nodiscard]] std::string lower_case(std::string_view text);

/// A filter such as ?state=: the word of `words`, as written there, that the parameter gives in any
/// case. Nothing where the parameter is absent; throws Refusal 422 UNKNOWN_`NAME` for an unknown
/// word.
[[nodiscard]] std::optional<std::string> word_filter(const Query& query, std::string_view name,
                                                     const std::vector<std::string_view>& words);

}  // namespace assay::service
