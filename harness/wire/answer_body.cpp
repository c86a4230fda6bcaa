#include "harness/wire/answer_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/encoding.h"
#include "base/visible.h"
#include "harness/wire/json.h"

namespace assay::wire {
namespace {

constexpr std::size_t shown_body_bytes = 200;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// The coding that the body is in, empty where it is in none.
std::string content_coding(const core::HttpResponse& response) {
  for (const core::Header& header : response.headers) {
    if (!same_without_case(header.name, "content-encoding")) continue;
    if (!header.value.empty() && !same_without_case(header.value, "identity")) return header.value;
  }
  return "";
}

}  // namespace

AnswerBody read_answer_body(const core::HttpResponse& response) {
  AnswerBody read;
  const std::string coding = content_coding(response);
  if (!coding.empty() && !response.body.empty()) {
    read.is_encoded = true;
    read.trouble = fmt::format("the body has the content-encoding {}, which nobody asked for",
                               visible(coding, shown_body_bytes));
    return read;
  }
  std::vector<std::string> duplicate_keys;
  JsonOptions options;
  options.duplicate_keys = &duplicate_keys;
  auto parsed = parse_json(response.body, options);
  if (const auto* error = std::get_if<JsonError>(&parsed)) {
    if (response.body.empty()) return read;
    read.trouble = fmt::format("the body is no JSON ({} at byte {}): {}", error->message,
                               error->offset, visible(response.body, shown_body_bytes));
    return read;
  }
  if (response.body.starts_with(byte_order_mark)) {
    read.is_ambiguous = true;
    read.trouble = "the body begins with a byte order mark";
  } else if (!duplicate_keys.empty()) {
    read.is_ambiguous = true;
    read.trouble = fmt::format("the body has the key \"{}\" twice in one object",
                               visible(duplicate_keys.front(), shown_body_bytes));
  } else {
    read.value = std::get<Value>(std::move(parsed));
  }
  return read;
}

}  // namespace assay::wire
