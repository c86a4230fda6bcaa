#include "reports/outline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "harness/core/adapter_line.h"

namespace assay::reports {
namespace {

using Json = nlohmann::ordered_json;

/// Of a body that is read for its outline.
constexpr std::size_t limit_body_bytes = 8'192;
constexpr std::size_t limit_members = 4;
constexpr std::size_t limit_elements = 6;
constexpr std::size_t limit_value_bytes = 40;

/// What tells most about a body, in this order; other members follow.
constexpr std::array<std::string_view, 8> telling_members = {
    "event_type", "type", "name", "state", "status", "action", "outcome", "title"};

/// "assay-7-status-some-case-3dc58839-main" as "{main}"; other text as it is.
std::string short_name(std::string_view word) {
  constexpr std::size_t hash_digits = 8;
  if (!word.starts_with("assay-")) return std::string(word);
  for (std::size_t dash = word.rfind('-'); dash != std::string_view::npos && dash > hash_digits;
       dash = word.rfind('-', dash - 1)) {
    const std::string_view hash = word.substr(dash - hash_digits, hash_digits);
    const bool is_hash = word[dash - hash_digits - 1] == '-' &&
                         hash.find_first_not_of("0123456789abcdef") == std::string_view::npos;
    if (is_hash) return fmt::format("{{{}}}", word.substr(dash + 1));
  }
  return std::string(word);
}

std::string short_target(std::string_view target) {
  std::string out;
  while (!target.empty()) {
    const std::size_t end = std::min(target.find_first_of("/?&="), target.size());
    out += short_name(target.substr(0, end));
    if (end < target.size()) out += target[end];
    target.remove_prefix(std::min(end + 1, target.size()));
  }
  return out;
}

/// Whether a text is a time: those are many and tell little.
bool is_time(std::string_view text) {
  return text.size() >= 19 && text[4] == '-' && text[10] == 'T' && text[13] == ':';
}

/// Whether a text is an identifier that a server made, a UUID or a long number: those are many and
/// tell a person nothing, and the request's path has the one that counts.
bool is_made_id(std::string_view text) {
  constexpr std::size_t uuid_bytes = 36;
  constexpr std::size_t fewest_digits = 15;
  if (text.size() == uuid_bytes && text[8] == '-' && text[13] == '-' && text[18] == '-' &&
      text[23] == '-') {
    return text.find_first_not_of("0123456789abcdefABCDEF-") == std::string_view::npos;
  }
  return text.size() >= fewest_digits &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// A scalar in a word or two; empty where it tells nothing.
std::string scalar(const Json& value) {
  if (value.is_boolean()) return value.get<bool>() ? "true" : "";
  if (value.is_number()) return is_made_id(value.dump()) ? "" : value.dump();
  if (!value.is_string()) return "";
  const auto& text = value.get_ref<const std::string&>();
  const bool tells_nothing = is_time(text) || is_made_id(text) || text.starts_with("assay-");
  return tells_nothing || text.size() > limit_value_bytes ? "" : text;
}

std::string outline_object(const Json& object);
std::string outline_inside(const Json& envelope);

/// The elements of a list by what each is about.
std::string outline_list(const Json& list) {
  std::vector<std::string> words;
  for (const Json& element : list) {
    if (words.size() == limit_elements) break;
    std::string word = scalar(element);
    for (const std::string_view name : telling_members) {
      if (!word.empty() || !element.is_object() || !element.contains(name)) continue;
      word = scalar(element[std::string(name)]);
    }
    if (!word.empty()) words.push_back(std::move(word));
  }
  if (words.empty()) return fmt::format("[{}]", list.size());
  return fmt::format("[{}{}]", fmt::join(words, ", "),
                     list.size() > words.size() ? fmt::format(", … {}", list.size()) : "");
}

std::string outline_member(const std::string& name, const Json& value) {
  if (value.is_array()) return fmt::format("{} {}", name, outline_list(value));
  const std::string word = scalar(value);
  if (word.empty()) return "";
  const bool speaks_for_itself = name == "event_type" || name == "type" || name == "title";
  return speaks_for_itself ? word : fmt::format("{} {}", name, word);
}

std::string outline_object(const Json& object) {
  std::vector<std::string> words;
  const auto add = [&words](const std::string& name, const Json& value) {
    if (words.size() == limit_members) return;
    std::string word = outline_member(name, value);
    if (!word.empty()) words.push_back(std::move(word));
  };
  for (const std::string_view name : telling_members) {
    const auto found = object.find(name);
    if (found != object.end()) add(found.key(), *found);
  }
  for (const auto& [name, value] : object.items()) {
    if (std::find(telling_members.begin(), telling_members.end(), name) == telling_members.end()) {
      add(name, value);
    }
  }
  if (words.empty()) return outline_inside(object);
  return fmt::format("{}", fmt::join(words, ", "));
}

/// Of an envelope, {"run": {"info": {"status": …}}}: the first that tells something inside.
std::string outline_inside(const Json& envelope) {
  for (const Json& member : envelope) {
    if (!member.is_object()) continue;
    std::string inner = outline_object(member);
    if (!inner.empty()) return inner;
  }
  return "";
}

std::string outline_body(std::string_view body) {
  if (body.empty() || body.size() > limit_body_bytes) return "";
  const Json json = Json::parse(body, nullptr, false);
  if (json.is_object()) return outline_object(json);
  return json.is_array() ? outline_list(json) : "";
}

}  // namespace

std::string answer_word(const core::Exchange& exchange) {
  const int status = exchange.response.value().status;
  return core::is_adapter_line(exchange.request) ? std::string(core::adapter_outcome(status))
                                                 : std::to_string(status);
}

Outline outline_of(const core::Exchange& exchange) {
  Outline outline;
  outline.request =
      fmt::format("{} {}", exchange.request.method, short_target(exchange.request.target));
  if (exchange.request.body) outline.sent = outline_body(*exchange.request.body);
  if (exchange.response) {
    const std::string body = outline_body(exchange.response->body);
    outline.answer = fmt::format("{}{}{}", answer_word(exchange), body.empty() ? "" : " ", body);
  } else if (exchange.error) {
    outline.answer =
        fmt::format("no answer: {}", core::transport_fault_texts[exchange.error->fault]);
  } else {
    outline.answer = "no answer";
  }
  return outline;
}

}  // namespace assay::reports
