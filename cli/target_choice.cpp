#include "cli/target_choice.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <cerrno>
#include <random>
#include <system_error>

#include "cli/reference.h"
#include "harness/core/record.h"
#include "harness/run/identity.h"
#include "harness/target/adapter_target.h"
#include "harness/target/http_target.h"
#include "harness/target/in_process_target.h"
#include "harness/target/running_server.h"
#include "reference_impl/server/http_server.h"
#include "reference_impl/service/reference.h"

namespace assay::cli {

namespace {

/// The server and its clients share this process: one that cannot accept for want of descriptors
/// would look like one that does not answer.
void must_have_descriptors() {
  constexpr rlim_t enough = 256;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= enough) return;
  limit.rlim_cur = std::min(limit.rlim_max, enough);
  if (limit.rlim_cur == enough && ::setrlimit(RLIMIT_NOFILE, &limit) == 0) return;
  throw std::system_error(
      EMFILE, std::generic_category(),
      fmt::format("the embedded reference and its clients need {} files, and this process may have "
                  "{}",
                  enough, limit.rlim_cur));
}

}  // namespace

/// In the order of their making: each outlives what comes after it.
struct ReadyTarget::Parts {
  std::shared_ptr<service::Service> service;
  std::unique_ptr<server::HttpServer> server;
  std::unique_ptr<target::RunningServer> launched;
  std::unique_ptr<target::Target> target;
  std::unique_ptr<target::AdapterTarget> adapter;
  std::string_view source = core::target_source::profile;
};

void add_target_options(CLI::App& verb, TargetChoice& choice) {
  verb.add_option("--profile", choice.profile, "A built-in profile's name, or a profile file")
      ->capture_default_str();
  CLI::Option* url = verb.add_option(
      "--target", choice.url,
      "Where the server is, instead of the profile's own base URL. Without it a profile with\n"
      "`launch` starts its server, and the built-in profile `reference` starts the embedded\n"
      "reference server on a free port");
  verb.add_flag("--in-process", choice.in_process,
                "Speak to the embedded reference without a socket")
      ->excludes(url);
  verb.add_option(
          "--consistency-ms", choice.consistency_ms,
          "How far a read may lag behind what was written (0: not at all), instead of what\n"
          "the profile says")
      ->check(CLI::Range(0, 600'000));
}

ReadyTarget::ReadyTarget(boost::asio::io_context& io, LoadedProfile& profile,
                         const TargetChoice& choice, std::uint64_t seed)
    : parts_(std::make_unique<Parts>()) {
  core::Profile& spoken = profile.profile;
  if (choice.consistency_ms)
    spoken.consistency = {*choice.consistency_ms > 0, *choice.consistency_ms};
  const bool is_reference = profile.is_embedded && spoken.name == "reference";
  // The built-in profile launches this program; there is no need for a second process.
  const bool starts_reference = choice.url.empty() && is_reference;
  if (choice.in_process || starts_reference) {
    parts_->service = service::make_reference(reference_options(seed));
  }
  if (choice.in_process) {
    parts_->target = std::make_unique<target::InProcessTarget>(*parts_->service);
    spoken.base_url = parts_->target->location();
    parts_->source = core::target_source::in_process;
    return;
  }
  if (!choice.url.empty()) {
    spoken.base_url = choice.url;
    parts_->source = core::target_source::url;
  } else if (starts_reference) {
    must_have_descriptors();
    parts_->server = std::make_unique<server::HttpServer>(parts_->service, server::ServerOptions());
    spoken.base_url = fmt::format("http://127.0.0.1:{}", parts_->server->port());
    parts_->source = core::target_source::embedded;
  } else if (spoken.launch) {
    parts_->launched = std::make_unique<target::RunningServer>(spoken);
    spoken.base_url = parts_->launched->base_url();
    parts_->source = core::target_source::launch;
  }
  if (!spoken.adapter || !spoken.base_url.empty()) {
    parts_->target = std::make_unique<target::HttpTarget>(
        io, target::HttpTargetSettings{spoken.base_url, spoken.tls, spoken.limits});
  }
  if (!spoken.adapter) return;
  parts_->adapter = std::make_unique<target::AdapterTarget>(io, spoken, std::move(parts_->target));
  spoken.base_url = parts_->adapter->location();
  if (!parts_->adapter->speaks_http()) parts_->source = core::target_source::adapter;
}

ReadyTarget::~ReadyTarget() {
  // Connections first, so that the server need not wait for them.
  parts_->adapter.reset();
  parts_->target.reset();
  if (parts_->server) parts_->server->stop();
}

target::Target& ReadyTarget::target() {
  return parts_->adapter ? static_cast<target::Target&>(*parts_->adapter) : *parts_->target;
}

bool ReadyTarget::is_fresh() const { return parts_->service != nullptr || parts_->launched; }

std::string_view ReadyTarget::source() const { return parts_->source; }

std::string ReadyTarget::server_output() const {
  std::string output = parts_->launched ? parts_->launched->output() : "";
  if (parts_->adapter) output += parts_->adapter->output();
  return output;
}

std::vector<std::string> ReadyTarget::notes() const {
  const auto* adapter = dynamic_cast<const target::AdapterTarget*>(parts_->target.get());
  const auto* http =
      dynamic_cast<const target::HttpTarget*>(adapter ? adapter->http() : parts_->target.get());
  if (http == nullptr || !http->counters().uses_each_once) return {};
  return {fmt::format("the target {}; each connection was used once from then on",
                      http->counters().unasked > 0 ? "sent responses that nobody had asked for"
                                                   : "closed kept connections without saying so")};
}

std::string run_id_for(const std::string& asked, const ReadyTarget& target, std::uint64_t seed) {
  if (!asked.empty()) return asked;
  if (target.is_fresh()) return run::run_id_of_seed(seed);
  std::random_device device;
  return fmt::format("{}-{:08x}", run::run_id_of_seed(seed), device());
}

}  // namespace assay::cli
