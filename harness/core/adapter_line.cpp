#include "harness/core/adapter_line.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "harness/core/operation_shape.h"

namespace assay::core {
namespace {

constexpr std::array<std::pair<Acceptance, int>, 4> statuses = {{{Acceptance::accepted, 200},
                                                                 {Acceptance::duplicate, 208},
                                                                 {Acceptance::refused, 409},
                                                                 {Acceptance::unknown, 404}}};

/// A base URL as a JSON string: what would end or change one is written as an escape.
std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (letter == '"' || letter == '\\' || byte < 0x20) {
      result += fmt::format("\\u{:04x}", byte);
    } else {
      result += letter;
    }
  }
  return result + "\"";
}

}  // namespace

bool is_adapter_line(const HttpRequest& request) { return request.method == adapter_method; }

bool only_reads(const HttpRequest& request) {
  return request.method == "GET" || (is_adapter_line(request) && only_reads(request.target));
}

std::optional<int> adapter_status(Acceptance outcome) {
  for (const auto& [word, status] : statuses) {
    if (word == outcome) return status;
  }
  return std::nullopt;
}

std::string_view adapter_outcome(int status) {
  for (const auto& [word, own] : statuses) {
    if (own == status) return acceptance_words[word];
  }
  return "";
}

std::string adapter_greeting(std::string_view base_url) {
  return fmt::format(R"({{"protocol":"assay-adapter","version":{}{}}})", adapter_protocol_version,
                     base_url.empty() ? "" : ",\"base_url\":" + quoted(base_url));
}

std::string adapter_line(std::uint64_t id, const HttpRequest& request) {
  return fmt::format(R"({{"id":{},"operation":"{}","parameters":{}}})", id, request.target,
                     request.body.value_or("{}"));
}

}  // namespace assay::core
