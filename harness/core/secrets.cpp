#include "harness/core/secrets.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <utility>

namespace assay::core {
namespace {

/// Shorter ones are masked in their header only: elsewhere they would hide ordinary words.
constexpr std::size_t shortest_secret_bytes = 6;

constexpr std::array<std::string_view, 6> credential_headers = {
    "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "x-auth-token"};

bool carries_credentials(std::string_view name) {
  std::string lower;
  for (const char letter : name) {
    lower += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  return std::find(credential_headers.begin(), credential_headers.end(), lower) !=
         credential_headers.end();
}

void replace_all(std::string& text, const std::string& from) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + mask.size())) {
    text.replace(at, from.size(), mask);
  }
}

}  // namespace

Secrets::Secrets(std::span<const CaseResult> cases) {
  std::set<std::string> found;
  const auto add = [&found](const std::string& value) {
    if (value.size() >= shortest_secret_bytes) found.insert(value);
  };
  for (const CaseResult& result : cases) {
    for (const Exchange& exchange : result.exchanges) {
      for (const Header& header : exchange.request.headers) {
        if (!header.secret) continue;
        add(header.value);
        // "Bearer TOKEN": a target echoes the token without its scheme.
        const std::size_t blank = header.value.rfind(' ');
        if (blank != std::string::npos) add(header.value.substr(blank + 1));
      }
    }
  }
  values_.assign(found.begin(), found.end());
  // The longer first, so that no rest of one is left where another is its part.
  std::sort(values_.begin(), values_.end(), [](const auto& left, const auto& right) {
    return std::pair(right.size(), right) < std::pair(left.size(), left);
  });
}

std::string Secrets::masked(std::string text) const {
  for (const std::string& value : values_) replace_all(text, value);
  return text;
}

std::string Secrets::shown_value(const Header& header) const {
  if (header.secret || carries_credentials(header.name)) return std::string(mask);
  return masked(header.value);
}

}  // namespace assay::core
