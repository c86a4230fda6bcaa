#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "harness/core/http.h"
#include "harness/core/secrets.h"

namespace assay::reports {

/// The request as one curl command, secrets masked. `base_url` is where its target is relative to;
/// anything but a URL (an in-process target) stands as "$TARGET". A body over `limit_bytes` is left
/// out and a comment says so.
[[nodiscard]] std::string curl_command(const core::HttpRequest& request, std::string_view base_url,
                                       const core::Secrets& secrets, std::size_t limit_bytes);

}  // namespace assay::reports
