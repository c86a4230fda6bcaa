#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <ostream>
#include <random>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/reference.h"
#include "cli/usage_error.h"
#include "cli/verbs.h"
#include "harness/wire/interpretations.h"
#include "reference_impl/faults/catalogue.h"
#include "reference_impl/liberties/catalogue.h"
#include "reference_impl/liberties/choices.h"
#include "reference_impl/server/http_server.h"
#include "reference_impl/server/system_clock.h"
#include "reference_impl/service/lagging.h"
#include "reference_impl/service/reference.h"

namespace assay::cli {
namespace {

constexpr std::size_t most_body_bytes = std::size_t{1} << 30U;

struct ServeOptions {
  server::ServerOptions server;
  std::string legacy = "normalize";
  service::BodyLimits limits;
  std::int64_t job_timeout_ms = service::ServiceOptions().job_timeout_ms;
  std::uint64_t seed = 0;
  std::string fault;
  std::vector<std::string> liberties;
  std::vector<std::string> choices;
  std::int64_t delay_ms = 0;
  std::int64_t lag_ms = 0;
};

const faults::Fault& fault_named(const std::string& id) {
  if (const faults::Fault* fault = faults::find_fault(id)) return *fault;
  std::vector<std::string> known;
  for (const faults::Fault& fault : faults::faults()) known.emplace_back(fault.id);
  throw UsageError(unknown_name_text("fault", id, known));
}

/// The liberties of these ids; "all" names every one.
std::vector<const liberties::Liberty*> liberties_named(const std::vector<std::string>& ids) {
  std::vector<const liberties::Liberty*> taken;
  std::vector<std::string> known = {"all"};
  for (const liberties::Liberty& liberty : liberties::liberties()) known.emplace_back(liberty.id);
  for (const std::string& id : ids) {
    if (std::find(known.begin(), known.end(), id) == known.end()) {
      throw UsageError(unknown_name_text("liberty", id, known));
    }
  }
  const auto is_named = [&ids](std::string_view id) {
    return std::find(ids.begin(), ids.end(), id) != ids.end();
  };
  for (const liberties::Liberty& liberty : liberties::liberties()) {
    if (is_named(liberty.id) || is_named("all")) taken.push_back(&liberty);
  }
  return taken;
}

/// "KEY=CHOICE" each. Throws UsageError with the nearest.
liberties::Choices choices_named(const std::vector<std::string>& texts) {
  std::vector<std::string> known;
  for (const wire::Interpretation& entry : wire::interpretations()) {
    for (const wire::Interpretation::Choice& choice : entry.choices) {
      known.push_back(entry.key + "=" + choice.name);
    }
  }
  liberties::Choices choices;
  for (const std::string& text : texts) {
    if (std::find(known.begin(), known.end(), text) == known.end()) {
      throw UsageError(unknown_name_text("choice", text, known));
    }
    const std::size_t equals = text.find('=');
    choices.insert_or_assign(text.substr(0, equals), text.substr(equals + 1));
  }
  return choices;
}

std::unique_ptr<service::Service> make_service(const ServeOptions& serve,
                                               service::ServiceOptions options) {
  if (!serve.fault.empty()) {
    const faults::Fault& fault = fault_named(serve.fault);
    if (!fault.under.key.empty()) {
      liberties::take_choices({{std::string(fault.under.key), std::string(fault.under.choice)}},
                              options);
    }
    return faults::make_broken(fault, std::move(options));
  }
  if (!serve.liberties.empty()) {
    return liberties::make_free(liberties_named(serve.liberties), std::move(options));
  }
  return service::make_reference(std::move(options));
}

core::ExitCode serve(const ServeOptions& options, Terminal& terminal) {
  const std::uint64_t seed = options.seed != 0 ? options.seed : std::random_device()();
  const liberties::Choices choices = choices_named(options.choices);
  const auto make = [&options, &choices, seed](std::shared_ptr<service::Clock> clock) {
    service::ServiceOptions service = reference_options(seed);
    service.clock = std::move(clock);
    service.limits = options.limits;
    service.job_timeout_ms = options.job_timeout_ms;
    liberties::take_choices(choices, service);
    if (options.legacy == "reject") service.legacy = service::LegacyPolicy::reject;
    return make_service(options, std::move(service));
  };
  auto clock = std::make_shared<server::SystemClock>();
  std::shared_ptr<service::Service> service =
      options.lag_ms == 0 ? make(std::move(clock))
                          : service::make_lagging(make, std::move(clock),
                                                  std::chrono::milliseconds(options.lag_ms));
  server::ServerOptions server = options.server;
  server.delay = std::chrono::milliseconds(options.delay_ms);
  try {
    server::serve({std::move(service), server}, terminal.out);
  } catch (const std::system_error& taken) {
    // For want of threads or descriptors there is nothing wrong with the command line.
    if (taken.code() == std::errc::resource_unavailable_try_again ||
        taken.code() == std::errc::too_many_files_open) {
      throw;
    }
    throw UsageError(taken.what());
  }
  return core::ExitCode::conforms;
}

}  // namespace

void add_serve(CLI::App& application, Action& chosen) {
  CLI::App* verb =
      application.add_subcommand("serve", "Serve the reference until SIGTERM or SIGINT");
  const auto options = std::make_shared<ServeOptions>();
  verb->add_option("--host", options->server.host, "The address to listen on")
      ->capture_default_str();
  verb->add_option("--port", options->server.port, "The port to listen on (0: any free one)")
      ->capture_default_str()
      ->check(CLI::Range(0, 65'535));
  verb->add_option("--legacy", options->legacy,
                   "How to treat events with legacy names: normalize or reject")
      ->capture_default_str()
      ->check(CLI::IsMember({"normalize", "reject"}));
  verb->add_option("--max-event-bytes", options->limits.max_event_bytes,
                   "Maximum size of an event's body")
      ->capture_default_str()
      ->check(CLI::Range(std::size_t{1}, most_body_bytes));
  verb->add_option("--max-batch-bytes", options->limits.max_batch_bytes,
                   "Maximum size of a batch's body")
      ->capture_default_str()
      ->check(CLI::Range(std::size_t{1}, most_body_bytes));
  verb->add_option("--job-timeout-ms", options->job_timeout_ms,
                   "How long a polled job may run before it fails")
      ->capture_default_str()
      ->check(CLI::Range(1, 86'400'000));
  verb->add_option("--seed", options->seed,
                   "Seed for the ids the server generates (0: a different one each time)")
      ->capture_default_str();
  verb->add_option("--fault", options->fault,
                   "Break one rule on purpose: an id from `assay list faults`");
  verb->add_option(
          "--liberty", options->liberties,
          "Use a freedom the specifications leave: an id from `assay list liberties`, or all "
          "(repeatable)")
      ->expected(1)
      ->take_all()
      ->excludes("--fault");
  verb->add_option("--choice", options->choices,
                   "Make this choice where the specifications leave one open: KEY=CHOICE, from "
                   "`assay list interpretations` (repeatable)")
      ->expected(1)
      ->take_all();
  verb->add_option("--delay-ms", options->delay_ms, "Delay each response by this many milliseconds")
      ->capture_default_str()
      ->check(CLI::Range(0, 60'000));
  verb->add_option("--lag-ms", options->lag_ms,
                   "Make reads lag this many milliseconds behind writes")
      ->capture_default_str()
      ->check(CLI::Range(0, 60'000));
  verb->footer(
      "Prints one line when it is ready: listening on http://127.0.0.1:PORT\n"
      "Examples:\n  assay serve --port 8080\n  assay serve --legacy reject\n"
      "  assay serve --fault batch-completed-closes\n"
      "  assay serve --delay-ms 200 --lag-ms 500         judge it with --consistency-ms 500");
  verb->callback([options, &chosen] {
    chosen = [options](Terminal& terminal) { return serve(*options, terminal); };
  });
}

}  // namespace assay::cli
