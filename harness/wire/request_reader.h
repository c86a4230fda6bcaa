#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/value.h"
#include "harness/core/http.h"
#include "harness/core/profile.h"

namespace assay::wire {

/// The parameters that an operation's request was written from, read back through the profile's
/// template, as far as that tells: path and body, with our spelling of states. What the template
/// transforms beyond recognition is left out.
[[nodiscard]] Object request_parameters(const core::Profile& profile, std::string_view operation,
                                        const core::HttpRequest& request);

/// The operation whose method and path a request has, whoever wrote it, or nothing.
[[nodiscard]] std::optional<std::string> operation_of_request(const core::Profile& profile,
                                                              const core::HttpRequest& request);

}  // namespace assay::wire
