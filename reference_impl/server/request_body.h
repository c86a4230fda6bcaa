#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "reference_impl/server/connection.h"
#include "reference_impl/service/service.h"

namespace assay::server {

/// How a request's body is delimited (RFC 9112 6.3).
struct Framing {
  bool is_chunked = false;
  /// The declared length; nothing where the body is chunked.
  std::optional<std::size_t> length;
};

/// Reads the framing from the headers. Nothing where they contradict themselves or name a coding
/// that is not understood: then it cannot be known where the next request begins.
[[nodiscard]] std::optional<Framing> read_framing(const service::Request& head);

/// Why a body could not be had.
enum class BodyFault { none, malformed, too_long, cut_short };

/// Reads the body into `body`, at most `max_bytes` of it. Done here rather than by cpp-httplib
/// 0.11, which takes a POST without a length for one that ends with the connection, and bounds no
/// chunked body (CVE-2025-46728, CVE-2026-45352).
[[nodiscard]] BodyFault read_body(Connection& connection, const Framing& framing,
                                  std::size_t max_bytes, std::string& body);

}  // namespace assay::server
