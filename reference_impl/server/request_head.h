#pragma once

#include <boost/beast/http/error.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cstddef>
#include <string_view>

#include "reference_impl/service/service.h"

namespace assay::server {

/// Why a request is not handed to the service.
enum class RequestFault {
  none,
  /// Not HTTP/1.1 as RFC 9112 has it.
  malformed,
  /// Where its body ends is not clear, so that it cannot be known where the next request begins
  /// (RFC 9112 6.3).
  unclear_length,
  malformed_chunks,
  target_too_long,
  head_too_long,
  body_too_long,
  head_cut_short,
  body_cut_short,
  /// Memory is wanting.
  no_room,
};

constexpr std::size_t max_head_bytes = 65'536;
constexpr std::size_t max_target_bytes = 8'192;

/// What a parser's error means.
[[nodiscard]] RequestFault fault_of(const boost::beast::error_code& error);

/// Holds a parsed head against what RFC 9112 wants of it beyond its grammar: one Host (3.2), a body
/// whose end is clear (6.1, 6.3), a version and a target that this server takes.
[[nodiscard]] RequestFault fault_in(
    const boost::beast::http::request_header<boost::beast::http::fields>& head);

/// True where the beginning of a request is already longer than any request line that is taken.
[[nodiscard]] bool has_endless_line(std::string_view begun);

/// The head as the service takes it, without a body.
[[nodiscard]] service::Request to_request(
    const boost::beast::http::request_header<boost::beast::http::fields>& head);

/// The answer to a request with that fault.
[[nodiscard]] service::Reply refusal(RequestFault fault);

/// An answer as it goes over the wire; `has_body` is false for the answer to a HEAD.
[[nodiscard]] std::string to_text(const service::Reply& reply, bool has_body,
                                  std::string_view connection);

}  // namespace assay::server
