#include "harness/target/request_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace assay::target {
namespace {

bool is_token(std::string_view text) {
  static constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           marks.find(c) != std::string_view::npos;
  });
}

bool is_equal_ignoring_case(std::string_view left, std::string_view right) {
  constexpr auto lower = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  };
  return std::ranges::equal(left, right, {}, lower, lower);
}

bool has_header(const core::HttpRequest& request, std::string_view name) {
  return std::ranges::any_of(request.headers, [name](const core::Header& header) {
    return is_equal_ignoring_case(header.name, name);
  });
}

/// RFC 9110 section 8.6: a method that defines a body says so even when it is empty.
bool expects_body(std::string_view method) {
  return method == "POST" || method == "PUT" || method == "PATCH";
}

}  // namespace

std::optional<std::string> request_objection(const core::HttpRequest& request) {
  if (!is_token(request.method)) {
    return fmt::format("the method '{}' is not a token", request.method);
  }
  const auto breaks_the_line = [](char c) {
    return static_cast<unsigned char>(c) <= 0x20 || c == 0x7f;
  };
  if (!request.target.starts_with('/') || std::ranges::any_of(request.target, breaks_the_line)) {
    return "the target begins with a slash and has no space or control character";
  }
  for (const core::Header& header : request.headers) {
    if (!is_token(header.name)) {
      return fmt::format("the header name '{}' is not a token", header.name);
    }
    if (header.value.find_first_of(std::string_view("\r\n\0", 3)) != std::string::npos) {
      return fmt::format("the header {} has a line break or a null in its value", header.name);
    }
  }
  return std::nullopt;
}

Result<RequestText, Unsendable> write_request(const BaseUrl& url,
                                              const core::HttpRequest& request) {
  if (std::optional<std::string> reason = request_objection(request)) {
    return unexpected(Unsendable{*std::move(reason)});
  }
  RequestText result;
  std::string& text = result.text;
  const std::size_t body_bytes = request.body ? request.body->size() : 0;
  text.reserve(512 + request.target.size() + body_bytes);
  const auto add_field = [&text](std::string_view name, std::string_view value) {
    text.append(name).append(": ").append(value).append("\r\n");
  };

  text.append(request.method).append(" ").append(url.prefix).append(request.target);
  text.append(" HTTP/1.1\r\n");
  if (!has_header(request, "host")) {
    add_field("Host", host_field(url));
  }
  if (!has_header(request, "user-agent")) {
    add_field("User-Agent", "assay");
  }
  for (const core::Header& header : request.headers) {
    add_field(header.name, header.value);
  }
  result.frames_itself =
      has_header(request, "content-length") || has_header(request, "transfer-encoding");
  if (!result.frames_itself && (request.body || expects_body(request.method))) {
    add_field("Content-Length", fmt::to_string(body_bytes));
  }
  text.append("\r\n");
  result.head_bytes = text.size();
  if (request.body) {
    text.append(*request.body);
  }
  return result;
}

}  // namespace assay::target
