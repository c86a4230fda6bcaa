#pragma once

#include <string>
#include <string_view>

#include "harness/core/profile.h"

namespace assay::run {

/// The operation that a raw request's target (path and query) belongs to by the profile's
/// templates, where none that it belongs to is among the profile's capabilities: what the profile
/// does not declare is not judged by the back door either. Empty where one is, and for a path that
/// is no operation's.
[[nodiscard]] std::string undeclared_operation(const core::Profile& profile,
                                               std::string_view target);

}  // namespace assay::run
