#pragma once

#include <optional>
#include <string_view>

#include "harness/core/http.h"
#include "harness/core/operation.h"
#include "harness/core/profile.h"

namespace assay::run {

/// How long to wait, in milliseconds, before a request is sent again that came to `result`; nothing
/// where it must not be, or often enough was. `times_sent` counts from 1. What says that nothing
/// was carried out (408, 429, and 503 with Retry-After; a connection that was lost before anything
/// was sent) lets any request be sent again; after 502, 503, 504 and a connection that was lost
/// later only one that is harmless when it comes twice. Retry-After is kept: seconds, or a date
/// against the answer's own Date (RFC 9110, 10.2.3).
[[nodiscard]] std::optional<double> pause_before_resending(const core::HttpResult& result,
                                                           bool is_harmless, int times_sent);

/// Whether an operation may arrive twice and leave what it leaves when it arrives once: a read, an
/// event whose id is the client's, the making of a thing whose id the client gives.
[[nodiscard]] bool is_harmless_twice(const core::Operation& operation,
                                     const core::Profile& profile);

/// The same of a method of HTTP that nothing else is known of.
[[nodiscard]] bool is_harmless_twice(std::string_view method);

}  // namespace assay::run
