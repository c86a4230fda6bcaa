#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/words.h"

namespace assay::core {

/// One HTTP header field.
struct Header {
  std::string name;
  std::string value;
  /// Its value came from the environment: it is masked wherever it would be shown.
  bool secret = false;
};

/// One request, ready to be sent.
struct HttpRequest {
  std::string method;
  /// Origin form: percent-encoded path, then the query if any.
  std::string target;
  std::vector<Header> headers;
  /// Nothing where the request has no body; empty is a body of no bytes.
  std::optional<std::string> body;
};

/// One answer as it came; nothing in it is trusted.
struct HttpResponse {
  int status = 0;
  std::vector<Header> headers;
  std::string body;
};

/// Whether a status is one that what stands between client and server gives of itself, or asks the
/// client to come again with: 408, 429, 502, 503 and 504. It says nothing of a clause, unless a
/// case asks for just that status.
[[nodiscard]] bool is_intermediary_status(int status);

/// Why a request had no answer. None of them says anything about the target's conformance.
enum class TransportFault {
  resolve,
  refused,
  connect_timeout,
  tls,
  request_timeout,
  closed,
  malformed,
  header_limit,
  body_limit,
  /// The request itself cannot be written as HTTP: a line break in a header, a space in the target.
  unsendable,
  /// The profile's adapter ended, or what it wrote is no answer.
  adapter,
  /// This process may open no further connection: its descriptors or memory are used up.
  no_room,
};

/// As records name it.
inline constexpr Words<TransportFault::no_room> transport_fault_words = {
    "resolve",   "refused",      "connect_timeout", "tls",        "request_timeout", "closed",
    "malformed", "header_limit", "body_limit",      "unsendable", "adapter",         "no_room"};

/// As messages say it.
inline constexpr Words<TransportFault::no_room> transport_fault_texts = {
    "the host name did not resolve",
    "the connection was refused",
    "connecting took longer than the limit",
    "the TLS handshake failed",
    "timeout: no complete response within the request limit",
    "the connection closed before the response was complete",
    "malformed HTTP response",
    "response header too large",
    "response body too large",
    "the request cannot be sent as HTTP",
    "the adapter gave no answer",
    "this process can open no further connection"};

/// A request that had no answer.
struct TransportError {
  TransportFault fault = TransportFault::closed;
  std::string detail;
  /// Whether the target may have seen the request: then its effect is unknown.
  bool request_sent = false;
};

using HttpResult = Result<HttpResponse, TransportError>;

}  // namespace assay::core
