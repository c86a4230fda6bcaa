#include "harness/core/http.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace assay::core {

bool is_intermediary_status(int status) {
  constexpr std::array<int, 5> statuses = {408, 429, 502, 503, 504};
  return std::find(statuses.begin(), statuses.end(), status) != statuses.end();
}

std::string_view transport_fault_text(TransportFault fault) {
  constexpr std::array<std::string_view, 12> texts = {
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
      "this process can open no further connection",
  };
  return texts.at(static_cast<std::size_t>(fault));
}

}  // namespace assay::core
