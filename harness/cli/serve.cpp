#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <ostream>
#include <random>

#include "harness/cli/reference.h"
#include "harness/cli/usage_error.h"
#include "harness/cli/verbs.h"
#include "reference_impl/faults/catalogue.h"
#include "reference_impl/server/http_server.h"
#include "reference_impl/service/reference.h"

namespace assay::cli {
namespace {

struct Options {
  server::ServerOptions server;
  std::string legacy = "normalize";
  service::BodyLimits limits;
  std::int64_t job_timeout_ms = service::ServiceOptions().job_timeout_ms;
  std::uint64_t seed = 0;
  std::string fault;
};

const faults::Fault& fault_named(const std::string& id) {
  if (const faults::Fault* fault = faults::find_fault(id)) return *fault;
  std::vector<std::string> known;
  for (const faults::Fault& fault : faults::faults()) known.emplace_back(fault.id);
  throw UsageError(unknown_name_text("fault", id, known));
}

std::unique_ptr<service::Service> make_service(const std::string& fault,
                                               service::ServiceOptions options) {
  if (fault.empty()) return service::make_reference(std::move(options));
  return faults::make_broken(fault_named(fault), std::move(options));
}

core::ExitCode serve(const Options& options, Terminal& terminal) {
  service::ServiceOptions service =
      reference_options(options.seed != 0 ? options.seed : std::random_device()());
  service.limits = options.limits;
  service.job_timeout_ms = options.job_timeout_ms;
  if (options.legacy == "reject") service.legacy = service::LegacyPolicy::reject;
  server::serve({make_service(options.fault, std::move(service)), options.server}, terminal.out);
  return core::ExitCode::conforms;
}

}  // namespace

void add_serve(CLI::App& application, Action& chosen) {
  CLI::App* verb =
      application.add_subcommand("serve", "Serve the reference until SIGTERM or SIGINT");
  const auto options = std::make_shared<Options>();
  verb->add_option("--host", options->server.host, "The address to listen on")
      ->capture_default_str();
  verb->add_option("--port", options->server.port, "The port; 0 means any free one")
      ->capture_default_str()
      ->check(CLI::Range(0, 65'535));
  verb->add_option("--legacy", options->legacy,
                   "What is done with events under legacy names: normalize or reject")
      ->capture_default_str()
      ->check(CLI::IsMember({"normalize", "reject"}));
  verb->add_option("--max-event-bytes", options->limits.max_event_bytes,
                   "The largest body of one event")
      ->capture_default_str();
  verb->add_option("--max-batch-bytes", options->limits.max_batch_bytes,
                   "The largest body of a batch")
      ->capture_default_str();
  verb->add_option("--job-timeout-ms", options->job_timeout_ms,
                   "How long a polled job may run before it fails")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  verb->add_option("--seed", options->seed,
                   "Of the ids that the server makes; 0: another each time")
      ->capture_default_str();
  verb->add_option("--fault", options->fault,
                   "Serve a server that breaks one rule: an id of `assay list faults`");
  verb->footer(
      "Prints one line when it is ready: listening on http://127.0.0.1:PORT\n"
      "Examples:\n  assay serve --port 8080\n  assay serve --legacy reject\n"
      "  assay serve --fault batch-completed-closes");
  verb->callback([options, &chosen] {
    chosen = [options](Terminal& terminal) { return serve(*options, terminal); };
  });
}

}  // namespace assay::cli
