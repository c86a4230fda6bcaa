#include "harness/target/base_url.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/visible.h"
#include "harness/target/configuration_error.h"

namespace assay::target {
namespace {

/// A base URL as a message may quote it: credentials, path and query may hold secrets.
std::string quoted(std::string_view text) {
  constexpr std::size_t longest_bytes = 200;
  std::size_t begin = text.find("://");
  begin = begin == std::string_view::npos ? 0 : begin + 3;
  const std::size_t end = std::min(text.find_first_of("/?#", begin), text.size());
  const std::size_t at = text.substr(0, end).rfind('@');
  std::string shown(text.substr(0, begin));
  if (at != std::string_view::npos && at >= begin) {
    shown += "…";
    begin = at;
  }
  shown += text.substr(begin, end - begin);
  if (end + 1 < text.size()) shown += std::string(1, text[end]) + "…";
  return visible(shown, longest_bytes);
}

[[noreturn]] void refuse(std::string_view text, std::string_view why) {
  throw ConfigurationError(fmt::format("base URL '{}': {}", quoted(text), why));
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return result;
}

bool is_digit_or_letter(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_name(std::string_view host) {
  return !host.empty() && std::ranges::all_of(host, [](char c) {
    return is_digit_or_letter(c) || c == '.' || c == '-' || c == '_';
  });
}

bool is_ipv6_text(std::string_view host) {
  return std::ranges::count(host, ':') >= 2 && std::ranges::all_of(host, [](char c) {
           return is_digit_or_letter(c) || c == ':' || c == '.';
         });
}

std::optional<std::uint16_t> port_number(const std::string& digits) {
  std::uint16_t port = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, port);
  if (error != std::errc{} || stop != end || port == 0) {
    return std::nullopt;
  }
  return port;
}

struct Authority {
  std::string_view host;
  /// Nothing where no colon follows the host.
  std::optional<std::string_view> port;
};

/// Splits "host:port"; the host keeps nothing of its brackets.
Authority split_authority(std::string_view text, std::string_view authority) {
  Authority parts;
  if (authority.starts_with('[')) {
    const std::size_t close = authority.find(']');
    if (close == std::string_view::npos || !is_ipv6_text(authority.substr(1, close - 1))) {
      refuse(text, "no IPv6 address between the brackets");
    }
    parts.host = authority.substr(1, close - 1);
    authority.remove_prefix(close + 1);
    if (!authority.empty() && !authority.starts_with(':')) {
      refuse(text, "only a port may follow the address");
    }
  } else {
    parts.host = authority.substr(0, authority.find(':'));
    if (!is_name(parts.host)) {
      refuse(text, "no host name or address (an IPv6 address stands in brackets)");
    }
    authority.remove_prefix(parts.host.size());
  }
  if (authority.starts_with(':')) {
    parts.port = authority.substr(1);
  }
  return parts;
}

}  // namespace

BaseUrl parse_base_url(std::string_view text) {
  const std::size_t scheme_end = text.find("://");
  const std::string scheme = lower(text.substr(0, scheme_end));
  if (scheme_end == std::string_view::npos || (scheme != "http" && scheme != "https")) {
    const bool lacks_scheme = scheme_end == std::string_view::npos && !text.empty() &&
                              text.find('@') == std::string_view::npos;
    refuse(text, lacks_scheme ? fmt::format("must begin with http:// or https:// (did you mean "
                                            "http://{}?)",
                                            quoted(text))
                              : "must begin with http:// or https://");
  }
  const std::string_view rest = text.substr(scheme_end + 3);
  const bool is_printable = std::ranges::all_of(
      rest, [](char c) { return static_cast<unsigned char>(c) > 0x20 && c != 0x7f; });
  if (!is_printable) {
    refuse(text, "it has a space or a control character");
  }
  if (rest.find_first_of("?#") != std::string_view::npos) {
    refuse(text, "it has no query and no fragment");
  }
  const std::string_view authority = rest.substr(0, rest.find('/'));
  if (authority.find('@') != std::string_view::npos) {
    throw ConfigurationError("base URL: credentials belong in the profile's headers");
  }
  const Authority parts = split_authority(text, authority);

  BaseUrl url;
  url.tls = scheme == "https";
  url.port = url.tls ? 443 : 80;
  url.host = lower(parts.host);
  if (parts.port) {
    const std::optional<std::uint16_t> port = port_number(std::string(*parts.port));
    if (!port) {
      refuse(text, "the port is a number from 1 to 65535");
    }
    url.port = *port;
  }
  url.prefix = rest.substr(authority.size());
  while (url.prefix.ends_with('/')) {
    url.prefix.pop_back();
  }
  return url;
}

std::string host_field(const BaseUrl& url) {
  const bool is_ipv6 = url.host.find(':') != std::string::npos;
  std::string field = is_ipv6 ? fmt::format("[{}]", url.host) : url.host;
  if (url.port != (url.tls ? 443 : 80)) {
    field += fmt::format(":{}", url.port);
  }
  return field;
}

}  // namespace assay::target
