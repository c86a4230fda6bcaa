#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <cstddef>
#include <future>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>

#include "cli/output_files.h"
#include "cli/profile_draft.h"
#include "cli/report_files.h"
#include "cli/suite.h"
#include "cli/usage_error.h"
#include "cli/verbs.h"
#include "harness/core/secrets.h"
#include "harness/target/http_target.h"

namespace assay::cli {
namespace {

struct InitOptions {
  std::string openapi;
  std::string surface;
  std::string output;
};

std::string origin_of(const std::string& url) {
  return url.substr(0, url.find('/', url.find("://") + 3));
}

/// The address as it may be shown: without what names or lets in a person, and without a query,
/// which may hold a token.
std::string shown_url(const std::string& url) {
  const std::size_t begin = url.find("://") + 3;
  const std::size_t end = std::min(url.find_first_of("/?#", begin), url.size());
  const std::size_t at = url.rfind('@', end);
  const std::size_t host = at == std::string::npos || at < begin || at >= end ? begin : at + 1;
  const std::size_t query = std::min(url.find_first_of("?#", end), url.size());
  return url.substr(0, begin) + url.substr(host, query - host) +
         (query < url.size() ? "?" + std::string(core::mask) : "");
}

/// The document's text. Throws UsageError where the URL does not give it.
std::string fetched(const std::string& url) {
  const std::string origin = origin_of(url);
  core::Limits limits;
  limits.request_ms = 30'000;
  limits.max_body_bytes = most_text_bytes;
  boost::asio::io_context io(1);
  target::HttpTarget target(io, {origin, {}, limits});
  const std::string origin_form = url.size() == origin.size() ? "/" : url.substr(origin.size());
  auto call = boost::asio::co_spawn(
      io, target.perform({"GET", origin_form, {{"Accept", "application/json"}}, std::nullopt}),
      boost::asio::use_future);
  io.run();
  const core::HttpResult result = call.get();
  if (!result) {
    throw UsageError(
        fmt::format("{}: {}", shown_url(url), core::transport_fault_texts[result.error().fault]));
  }
  const auto& response = *result;
  if (response.status != 200) {
    throw UsageError(fmt::format("{}: answered {}; redirects are not followed", shown_url(url),
                                 response.status));
  }
  return response.body;
}

std::string drafted(const InitOptions& options) {
  const bool is_url =
      options.openapi.starts_with("http://") || options.openapi.starts_with("https://");
  const std::string text = is_url ? fetched(options.openapi) : read_file(options.openapi);
  const std::string source = is_url ? shown_url(options.openapi) : options.openapi;
  auto read = wire::read_openapi(text, source);
  if (!read) throw UsageError(core::diagnostic_text(read.error()));
  auto& document = *read;
  // A server's own path is relative to where the document is (OpenAPI 3, Server Object).
  if (is_url && !document.base_url.starts_with("http")) {
    document.base_url = origin_of(options.openapi) + document.base_url;
  }
  const Surface surface = surface_words.parse(options.surface).value_or(likely_surface(document));
  std::string draft = draft_profile(document, surface, source);
  if (draft.empty()) {
    throw UsageError(fmt::format(
        "{}: none of its {} calls looks like an operation; begin with --surface executions, "
        "workflows or runs alone",
        source, document.calls.size()));
  }
  return draft;
}

core::ExitCode init(const InitOptions& options, Terminal& terminal) {
  if (options.openapi.empty() && options.surface.empty()) {
    throw UsageError(
        "give --openapi, for a profile of what the document shows, or --surface, for "
        "an empty one");
  }
  const std::string text = options.openapi.empty()
                               ? std::string(skeleton(*surface_words.parse(options.surface)))
                               : drafted(options);
  write_output(options.output, text, terminal.out);
  return core::ExitCode::conforms;
}

}  // namespace

void add_init(CLI::App& application, Action& chosen) {
  CLI::App* verb = application.add_subcommand(
      "init", "Begin a profile: from an OpenAPI document, or as a skeleton");
  const auto options = std::make_shared<InitOptions>();
  verb->add_option("--openapi", options->openapi,
                   "An OpenAPI 3 or Swagger 2 document, JSON or YAML: a file, or a URL");
  verb->add_option(
          "--surface", options->surface,
          "What the server is to be judged by: executions (specifications 000, 001, 003),\n"
          "workflows (002) or runs (004). With --openapi: instead of the likeliest")
      ->check(CLI::IsMember({"executions", "workflows", "runs"}));
  verb->add_option("-o,--output", options->output, "Instead of standard output");
  verb->footer(
      "Examples:\n  assay init --openapi http://127.0.0.1:8080/openapi.json -o mine.yaml\n"
      "  assay init --surface runs > mine.yaml");
  verb->callback([options, &chosen] {
    chosen = [options](Terminal& terminal) { return init(*options, terminal); };
  });
}

}  // namespace assay::cli
