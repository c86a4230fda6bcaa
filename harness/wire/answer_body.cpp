#include "harness/wire/answer_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "base/encoding.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "harness/wire/fast_json.h"
#include "harness/wire/json.h"

namespace assay::wire {
namespace {

constexpr std::size_t shown_body_bytes = 200;
/// More than any listing's page: each value costs a hundred times its text.
constexpr std::size_t most_values = 250'000;
constexpr std::size_t most_levels = 200;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// The coding that the body is in, empty where it is in none.
std::string content_coding(const core::HttpResponse& response) {
  for (const core::Header& header : response.headers) {
    if (!same_without_case(header.name, "content-encoding")) continue;
    if (!header.value.empty() && !same_without_case(header.value, "identity")) return header.value;
  }
  return "";
}

/// A content type without its parameters.
std::string_view media_type(std::string_view value) {
  return value.substr(0, value.find_first_of("; \t"));
}

/// A web page that says that all is well, where an API was asked: that of a portal, or of a gateway
/// that gives its own page for whatever it does not know.
bool is_web_page(const core::HttpResponse& response) {
  if (response.status < 200 || response.status > 299) return false;
  const std::size_t first = response.body.find_first_not_of(" \t\r\n");
  // Some frameworks call every text HTML.
  if (first == std::string::npos || response.body[first] != '<') return false;
  return std::ranges::any_of(response.headers, [](const core::Header& header) {
    if (!same_without_case(header.name, "content-type")) return false;
    const std::string_view type = media_type(header.value);
    return same_without_case(type, "text/html") || same_without_case(type, "application/xhtml+xml");
  });
}

/// Why a JSON text is more than is read, found without reading it; empty where it is not. Each
/// value but the first follows a comma or begins a list or an object.
std::string excess_of(std::string_view text) {
  std::size_t values = 1;
  std::size_t levels = 0;
  bool is_in_string = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char letter = text[at];
    if (is_in_string && letter == '\\') ++at;
    if (letter == '"') is_in_string = !is_in_string;
    if (is_in_string) continue;
    const bool opens = letter == '[' || letter == '{';
    if (opens || letter == ',') ++values;
    if (opens) ++levels;
    if ((letter == ']' || letter == '}') && levels > 0) --levels;
    if (levels > most_levels) return fmt::format("is nested deeper than {} levels", most_levels);
    if (values > most_values) return fmt::format("has more than {} values", most_values);
  }
  return "";
}

/// Whether it is more than is read; the answer then says so.
bool is_excessive(std::string_view text, AnswerBody& read) {
  const std::string excess = excess_of(text);
  if (excess.empty()) return false;
  read.says_nothing = true;
  read.trouble = "the body " + excess;
  return true;
}

}  // namespace

AnswerBody read_answer_body(const core::HttpResponse& response, core::AnswerForm form) {
  AnswerBody read;
  if (form == core::AnswerForm::none) {
    read.value = Value();
    return read;
  }
  const std::string coding = content_coding(response);
  if (!coding.empty() && !response.body.empty()) {
    read.says_nothing = true;
    read.trouble = fmt::format("the body has the content-encoding {}, which nobody asked for",
                               visible(coding, shown_body_bytes));
    return read;
  }
  if (form == core::AnswerForm::text) {
    if (is_utf8(response.body)) {
      read.value = response.body;
    } else {
      read.trouble =
          fmt::format("the body is not UTF-8 text: {}", visible(response.body, shown_body_bytes));
    }
    return read;
  }
  // What is short cannot have too many values, and what is too deep is no text that can be parsed.
  const bool is_long = response.body.size() >= most_values;
  if (is_long && is_excessive(response.body, read)) return read;
  std::vector<std::string> duplicate_keys;
  JsonOptions options;
  options.duplicate_keys = &duplicate_keys;
  const bool has_mark = response.body.starts_with(byte_order_mark);
  // A text that has a member twice is none of those that are read fast.
  if (!has_mark) read.value = fast_json(response.body, options.max_depth);
  if (read.value) return read;
  auto parsed = parse_json(response.body, options);
  if (!parsed) {
    if (response.body.empty() || is_excessive(response.body, read)) return read;
    read.says_nothing = is_web_page(response);
    read.trouble = fmt::format("the body is not JSON ({} at byte {}): {}", parsed.error().message,
                               parsed.error().offset, visible(response.body, shown_body_bytes));
    return read;
  }
  if (has_mark) {
    read.is_ambiguous = true;
    read.trouble = "the body begins with a byte order mark";
  } else if (!duplicate_keys.empty()) {
    read.is_ambiguous = true;
    read.trouble = fmt::format("the body has the key \"{}\" twice in one object",
                               visible(duplicate_keys.front(), shown_body_bytes));
  } else {
    read.value = *std::move(parsed);
  }
  return read;
}

}  // namespace assay::wire
