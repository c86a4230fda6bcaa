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
  constexpr std::array<std::string_view, 10> texts = {
      "the host name did not resolve",
      "the connection was refused",
      "no connection within the limit",
      "the TLS handshake failed",
      "no whole answer within the request limit",
      "the connection closed before the whole answer",
      "the answer is not HTTP",
      "the answer's header is over the limit",
      "the answer's body is over the limit",
      "the request cannot be written as HTTP",
  };
  return texts.at(static_cast<std::size_t>(fault));
}

}  // namespace assay::core
