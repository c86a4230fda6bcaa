#pragma once

#include <string>
#include <string_view>

#include "harness/core/profile.h"

namespace assay::run {

/// The operation that a raw request's target (path and query) belongs to, where the profile took
/// all that it belongs to away from the profile that it extends: what is not declared is not judged
/// by the back door either. Empty where one is declared, and for a path that is no operation's.
[[nodiscard]] std::string undeclared_operation(const core::Profile& profile,
                                               std::string_view target);

}  // namespace assay::run
