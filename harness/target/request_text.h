#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "base/result.h"
#include "harness/core/http.h"
#include "harness/target/base_url.h"

namespace assay::target {

/// A request as it goes over the wire.
struct RequestText {
  std::string text;
  /// How much of the text comes before the body.
  std::size_t head_bytes = 0;
  /// The request brought a Content-Length or Transfer-Encoding of its own, maybe a wrong one on
  /// purpose: its connection is not used again.
  bool frames_itself = false;
};

/// Why a request cannot be written as HTTP.
struct Unsendable {
  std::string reason;
};

/// Why a request cannot be written as HTTP; nothing where it can.
[[nodiscard]] std::optional<std::string> request_objection(const core::HttpRequest& request);

/// Writes a request as HTTP/1.1. Header values and the body go as they are, malformed or not; only
/// what would turn one request into another is refused: a line break or a null in a header, a space
/// or control character in the method or target. Host, User-Agent and Content-Length are added
/// where the request does not have them.
[[nodiscard]] Result<RequestText, Unsendable> write_request(const BaseUrl& url,
                                                            const core::HttpRequest& request);

}  // namespace assay::target
