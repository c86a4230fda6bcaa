#include "harness/core/secrets.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>

#include "base/encoding.h"

namespace assay::core {
namespace {

constexpr std::array<std::string_view, 6> credential_headers = {
    "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "x-auth-token"};

/// What the names of members, parameters and variables that hold credentials have in them.
constexpr std::array<std::string_view, 10> credential_words = {
    "password", "passwd",  "secret",     "token",  "apikey",
    "api_key",  "api-key", "credential", "cookie", "private_key"};

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& letter : result) {
    letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  return result;
}

bool carries_credentials(std::string_view header_name) {
  return std::find(credential_headers.begin(), credential_headers.end(), lower(header_name)) !=
         credential_headers.end();
}

bool names_credential(std::string_view name) {
  const std::string text = lower(name);
  return std::any_of(
      credential_words.begin(), credential_words.end(),
      [&text](std::string_view word) { return text.find(word) != std::string::npos; });
}

/// Whether it is more than a word of a header's grammar, such as a scheme or a realm.
bool looks_made_up(std::string_view part) {
  constexpr std::size_t shortest_bytes = 8;
  return part.size() >= shortest_bytes && std::any_of(part.begin(), part.end(), [](char letter) {
           return letter < 'a' || letter > 'z';
         });
}

/// The decoded text, or nothing where it is no base64.
std::optional<std::string> base64_decoded(std::string_view text) {
  constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  unsigned known = 0;
  for (const char letter : text.substr(0, text.find('='))) {
    const std::size_t digit = letters.find(letter);
    if (digit == std::string_view::npos) return std::nullopt;
    bits = (bits << 6U | static_cast<unsigned>(digit)) & 0xffffU;
    known += 6;
    if (known < 8) continue;
    known -= 8;
    bytes += static_cast<char>(bits >> known & 0xffU);
  }
  return bytes;
}

/// The texts of a value, and its numbers as they are written.
template <typename Visit>
void visit_texts(const Value& value, const Visit& visit) {
  if (value.is_string()) visit(value.as_string());
  if (const auto number = value.to_int64()) visit(std::to_string(*number));
  if (value.is_list()) {
    for (const Value& item : value.as_list()) visit_texts(item, visit);
  }
  if (!value.is_object()) return;
  for (const auto& [name, member] : value.as_object()) visit_texts(member, visit);
}

bool is_template(std::string_view text) { return text.find("${") != std::string_view::npos; }

/// What stands as it is under the name of a credential.
template <typename Visit>
void visit_literals(const Value& value, const Visit& visit) {
  if (value.is_list()) {
    for (const Value& item : value.as_list()) visit_literals(item, visit);
  }
  if (!value.is_object()) return;
  for (const auto& [name, member] : value.as_object()) {
    if (!names_credential(name)) {
      visit_literals(member, visit);
      continue;
    }
    visit_texts(member, [&visit](const std::string& text) {
      if (!is_template(text)) visit(text);
    });
  }
}

template <typename Visit>
void visit_requests(const std::vector<Hook>& hooks, const Visit& visit) {
  for (const Hook& hook : hooks) visit(hook.request);
}

/// Every request that a profile can make.
template <typename Visit>
void visit_requests(const Profile& profile, const Visit& visit) {
  visit_requests(profile.login, visit);
  visit_requests(profile.setup, visit);
  visit_requests(profile.teardown, visit);
  for (const auto& [kind, hook] : profile.cleanup) visit(hook.request);
  for (const auto& [name, form] : profile.operations) {
    visit(static_cast<const RequestTemplate&>(form));
    for (const auto& [value, request] : form.requests) visit(request);
    visit_requests(form.before, visit);
    visit_requests(form.after, visit);
  }
}

}  // namespace

Secrets::Secrets(std::span<const CaseResult> cases) {
  for (const CaseResult& result : cases) {
    for (const Exchange& exchange : result.exchanges) {
      for (const Header& header : exchange.request.headers) add_header(header);
    }
  }
}

Secrets::Secrets(const Profile& profile) {
  for (const std::string& value : profile.environment_values) add(value);
  for (const Header& header : profile.headers) add_header(header);
  visit_requests(profile, [this](const RequestTemplate& form) {
    for (const Header& header : form.headers) add_header(header);
    const auto add_pairs = [this](const auto& pairs) {
      for (const auto& [name, text] : pairs) {
        if (names_credential(name) && !is_template(text)) add(text);
      }
    };
    add_pairs(form.query);
    if (form.form) add_pairs(*form.form);
    if (form.body) visit_literals(*form.body, [this](const std::string& text) { add(text); });
  });
  const auto add_environment = [this](const auto& environment) {
    for (const auto& [name, value] : environment) {
      if (names_credential(name)) add(value);
    }
  };
  if (profile.launch) add_environment(profile.launch->environment);
  if (profile.adapter) add_environment(profile.adapter->environment);
}

void Secrets::add_header(const Header& header) {
  if (!header.secret && !carries_credentials(header.name)) return;
  const std::string_view value = header.value;
  if (!is_template(value)) add(value);
  if (!carries_credentials(header.name)) return;
  // "Token T, realm=x", "session=S; lang=en": a target echoes one part of it alone.
  constexpr std::string_view separators = " ,;=\"";
  for (std::size_t at = 0; at < value.size();) {
    const std::size_t end = std::min(value.find_first_of(separators, at), value.size());
    const std::string_view part = value.substr(at, end - at);
    if (looks_made_up(part) && !is_template(part)) add_whole(part);
    at = end + 1;
  }
}

void Secrets::add(std::string_view value) {
  add_whole(value);
  const std::size_t blank = value.rfind(' ');
  if (blank != std::string_view::npos) add_whole(value.substr(blank + 1));
  if (lower(value.substr(0, 6)) == "basic ") {
    const auto pair = base64_decoded(value.substr(6));
    const std::size_t colon = pair ? pair->find(':') : std::string::npos;
    if (colon != std::string::npos) add_whole(std::string_view(*pair).substr(colon + 1));
  }
  if (value.find('\n') == std::string_view::npos) return;
  for (std::size_t at = 0; at < value.size();) {
    const std::size_t end = std::min(value.find('\n', at), value.size());
    if (end - at >= SecretPattern::shortest_anywhere_bytes) add_whole(value.substr(at, end - at));
    at = end + 1;
  }
}

void Secrets::add_captured(std::string_view name, const Value& value, const Profile& profile) {
  const std::string placeholder = "${setup." + std::string(name);
  bool is_secret = names_credential(name);
  const auto look_at = [&](const std::vector<Header>& headers) {
    for (const Header& header : headers) {
      is_secret |= header.value.find(placeholder) != std::string::npos;
    }
  };
  look_at(profile.headers);
  visit_requests(profile, [&](const RequestTemplate& form) { look_at(form.headers); });
  if (is_secret) visit_texts(value, [this](const std::string& text) { add(text); });
}

void Secrets::add(const Secrets& others) {
  for (const SecretPattern& pattern : others.patterns_) add_whole(pattern.value());
}

void Secrets::add_whole(std::string_view value) {
  if (value.size() < SecretPattern::shortest_bytes || value == mask) return;
  const auto is_before = [](const SecretPattern& pattern, std::string_view other) {
    return std::pair(other.size(), other) <
           std::pair(pattern.value().size(), std::string_view(pattern.value()));
  };
  const auto place = std::lower_bound(patterns_.begin(), patterns_.end(), value, is_before);
  if (place != patterns_.end() && place->value() == value) return;
  patterns_.insert(place, SecretPattern(std::string(value)));
}

std::string Secrets::masked(std::string text) const {
  if (patterns_.empty()) return text;
  std::string shown;
  std::size_t copied = 0;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t length = 0;
    for (const SecretPattern& pattern : patterns_) {
      if (pattern.may_begin_with(text[at])) length = pattern.length_at(text, at);
      if (length > 0) break;
    }
    if (length == 0) {
      ++at;
      continue;
    }
    shown.append(text, copied, at - copied).append(mask);
    at += length;
    copied = at;
  }
  return copied == 0 ? text : shown.append(text, copied);
}

std::string Secrets::shown_value(const Header& header) const {
  if (header.secret || carries_credentials(header.name)) return std::string(mask);
  return masked(header.value);
}

}  // namespace assay::core
