#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace assay::target {

/// Where a target is: "http://host", "https://host:8443/prefix", "http://[::1]:8080".
struct BaseUrl {
  bool tls = false;
  /// A name or an address; IPv6 without its brackets.
  std::string host;
  std::uint16_t port = 80;
  /// What every request target begins with: empty, or "/api" without a slash at its end.
  std::string prefix;
};

/// Reads a base URL. Throws ConfigurationError for any other scheme, for credentials (they belong
/// in `headers`, where they are masked), a query, a fragment, and whatever is not a URL.
[[nodiscard]] BaseUrl parse_base_url(std::string_view text);

/// The value of the Host field: the port is left out where it is the scheme's own.
[[nodiscard]] std::string host_field(const BaseUrl& url);

}  // namespace assay::target
