#include "reports/curl.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/encoding.h"
#include "base/visible.h"
#include "harness/core/adapter_line.h"

namespace assay::reports {
namespace {

/// The body as an argument, and what must stand before curl to feed one that no argument can hold.
struct BodyArgument {
  std::string before;
  std::string argument;
  std::string comment;
};

BodyArgument body_argument(const std::string& body, std::size_t limit_bytes) {
  if (body.size() > limit_bytes) {
    return {"", "--data-binary @body", fmt::format("  # body: {} bytes", body.size())};
  }
  if (body.find('\0') == std::string::npos) return {"", "--data-raw " + shell_word(body), ""};
  std::string octal;
  for (const char letter : body) {
    octal += std::isalnum(static_cast<unsigned char>(letter)) != 0
                 ? std::string(1, letter)
                 : fmt::format("\\{:03o}", static_cast<unsigned char>(letter));
  }
  return {fmt::format("printf '{}' | ", octal), "--data-binary @-", ""};
}

std::string url_word(std::string_view base_url, const std::string& target) {
  if (base_url.substr(0, 4) == "http") {
    while (!base_url.empty() && base_url.back() == '/') base_url.remove_suffix(1);
    return shell_word(fmt::format("{}{}", base_url, target));
  }
  return "\"$TARGET\"" + shell_word(target);
}

/// The same for a line to the profile's adapter, which is no HTTP. Without its command, which a
/// record has only where all went through it, $ADAPTER.
std::string adapter_command(const core::HttpRequest& request, std::string_view location,
                            const core::Secrets& secrets, std::size_t limit_bytes) {
  core::HttpRequest shown = request;
  if (shown.body) shown.body = secrets.masked(*std::move(shown.body));
  const std::size_t bytes = shown.body ? shown.body->size() : 0;
  if (bytes > limit_bytes) shown.body = "{}";
  const bool is_known = location.starts_with(core::adapter_location);
  return fmt::format(
      "printf '%s\\n' {} {} | {}{}", shell_word(core::adapter_greeting("")),
      shell_word(core::adapter_line(1, shown)),
      is_known ? location.substr(core::adapter_location.size()) : "sh -c \"$ADAPTER\"",
      bytes > limit_bytes ? fmt::format("  # parameters: {} bytes", bytes)
                          : "  # a line to the adapter");
}

}  // namespace

std::string curl_command(const core::HttpRequest& request, std::string_view base_url,
                         const core::Secrets& secrets, std::size_t limit_bytes) {
  if (core::is_adapter_line(request)) {
    return adapter_command(request, base_url, secrets, limit_bytes);
  }
  std::string command = "curl -i";
  BodyArgument body;
  if (request.method == "HEAD") {
    command += " --head";
  } else if (request.method != (request.body ? "POST" : "GET")) {
    command += " -X " + shell_word(request.method);
  }
  // curl's own reading of the URL is switched off where it would change it.
  if (request.target.find_first_of("[]{}") != std::string::npos) command += " --globoff";
  if (request.target.find("/.") != std::string::npos) command += " --path-as-is";
  bool typed = false;
  for (const core::Header& header : request.headers) {
    if (same_without_case(header.name, "Host") || same_without_case(header.name, "Content-Length"))
      continue;
    typed = typed || same_without_case(header.name, "Content-Type");
    command += " -H " + shell_word(fmt::format("{}: {}", header.name, secrets.shown_value(header)));
  }
  if (request.body) {
    // Else curl would claim that the body is a form.
    if (!typed) command += " -H Content-Type:";
    body = body_argument(secrets.masked(*request.body), limit_bytes);
    command += " " + body.argument;
  }
  return body.before + command + " " + url_word(base_url, secrets.masked(request.target)) +
         body.comment;
}

}  // namespace assay::reports
