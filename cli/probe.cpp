#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <memory>
#include <ostream>
#include <random>
#include <variant>

#include "base/visible.h"
#include "cli/probe_script.h"
#include "cli/target_choice.h"
#include "cli/verbs.h"
#include "harness/core/masked_value.h"
#include "harness/wire/exchange.h"
#include "harness/wire/json.h"

namespace assay::cli {
namespace {

constexpr std::size_t limit_shown_bytes = 600;

struct ProbeOptions {
  TargetChoice target;
  bool control = false;
  bool json = false;
};

/// What came of one operation.
struct Probed {
  std::string operation;
  std::string request;
  /// Why nothing was sent.
  std::string skipped;
  core::Answer answer;
};

struct Probe {
  const core::Profile& profile;
  target::Target& target;
  std::vector<Probed> results;
};

/// What is shown is cut, and half a secret is not recognised.
void mask(std::vector<Probed>& results, const core::Secrets& secrets) {
  for (Probed& result : results) {
    result.request = secrets.masked(std::move(result.request));
    core::Answer& answer = result.answer;
    answer.trouble = secrets.masked(std::move(answer.trouble));
    answer.mapped = core::masked(answer.mapped, secrets);
    answer.body = core::masked(answer.body, secrets);
  }
}

boost::asio::awaitable<void> probe_all(Probe& probe, const ProbeOptions& options,
                                       std::string unique) {
  ProbeScript script(probe.profile, std::move(unique), options.control);
  for (const std::string& name : script.operations()) {
    Probed& result = probe.results.emplace_back();
    result.operation = name;
    result.skipped = script.why_skipped(name);
    if (!result.skipped.empty()) continue;
    const core::Operation operation = script.operation(name);
    auto rendered = wire::render_request(probe.profile, operation);
    if (const auto* reason = std::get_if<wire::NotExpressible>(&rendered)) {
      result.skipped = reason->reason;
      continue;
    }
    auto& request = std::get<core::HttpRequest>(rendered);
    result.request = fmt::format("{} {}", request.method, request.target);
    const core::HttpResult answer = co_await probe.target.perform(std::move(request));
    result.answer = wire::read_answer(probe.profile, name, answer);
    script.learn(name, result.answer);
    if (result.answer.transport && !result.answer.transport->request_sent) co_return;
  }
}

std::string outcome_text(const Probed& result) {
  if (!result.skipped.empty()) return fmt::format("not sent: {}", result.skipped);
  const core::Answer& answer = result.answer;
  if (answer.transport) {
    return fmt::format("no answer: {}", core::transport_fault_text(answer.transport->fault));
  }
  return fmt::format("{} {}", answer.status, core::acceptance_word(answer.acceptance));
}

void print_text(const std::vector<Probed>& results, std::ostream& out) {
  for (const Probed& result : results) {
    out << fmt::format("{:<22} {}\n", result.operation, outcome_text(result));
    if (!result.skipped.empty()) continue;
    out << fmt::format("    {}\n", visible(result.request, limit_shown_bytes));
    if (!result.answer.trouble.empty()) {
      out << fmt::format("    trouble: {}\n", visible(result.answer.trouble, limit_shown_bytes));
    }
    const Value& shown = result.answer.mapped.is_null() ? result.answer.body : result.answer.mapped;
    if (!shown.is_null()) {
      out << fmt::format("    {}\n", visible(wire::to_json(shown), limit_shown_bytes));
    }
  }
}

void print_json(const std::vector<Probed>& results, std::ostream& out) {
  List items;
  for (const Probed& result : results) {
    items.emplace_back(Object{
        {"operation", result.operation},
        {"request", result.request},
        {"skipped", result.skipped.empty() ? Value() : Value(result.skipped)},
        {"status", result.answer.status},
        {"acceptance",
         result.skipped.empty() ? Value(core::acceptance_word(result.answer.acceptance)) : Value()},
        {"trouble", result.answer.trouble},
        {"mapped", result.answer.mapped},
        {"body", result.answer.body},
    });
  }
  out << wire::to_pretty_json(Value(std::move(items))) << "\n";
}

core::ExitCode conclude(const std::vector<Probed>& results, const core::Profile& profile,
                        Terminal& terminal) {
  bool is_as_declared = true;
  for (const Probed& result : results) {
    const core::Answer& answer = result.answer;
    if (answer.transport && !answer.transport->request_sent) {
      terminal.err << fmt::format("assay: {}: {}\n", profile.base_url,
                                  core::transport_fault_text(answer.transport->fault));
      return core::ExitCode::target_unreachable;
    }
    if (result.skipped.empty() && (answer.acceptance == core::Acceptance::unexpected ||
                                   answer.acceptance == core::Acceptance::no_answer)) {
      is_as_declared = false;
    }
  }
  return is_as_declared ? core::ExitCode::conforms : core::ExitCode::unexpected_findings;
}

core::ExitCode probe(const ProbeOptions& options, Terminal& terminal) {
  LoadedProfile profile = load_profile(options.target.profile, terminal);
  boost::asio::io_context io(1);
  std::random_device device;
  ReadyTarget ready(io, profile, options.target, device());
  Probe probe{profile.profile, ready.target(), {}};
  std::exception_ptr failure;
  boost::asio::co_spawn(io, probe_all(probe, options, fmt::format("probe-{:08x}", device())),
                        [&failure](std::exception_ptr thrown) { failure = std::move(thrown); });
  io.run();
  if (failure) std::rethrow_exception(failure);
  mask(probe.results, core::Secrets(profile.profile));
  (options.json ? print_json : print_text)(probe.results, terminal.out);
  return conclude(probe.results, profile.profile, terminal);
}

}  // namespace

void add_probe(CLI::App& application, Action& chosen) {
  CLI::App* verb = application.add_subcommand(
      "probe", "Perform each operation of a profile once and print what really came back");
  const auto options = std::make_shared<ProbeOptions>();
  add_target_options(*verb, options->target);
  verb->add_flag("--control", options->control,
                 "Also the operations that change the whole server: clock, eviction, lock service");
  verb->add_flag("--json", options->json, "As JSON");
  verb->footer(
      "Makes an execution, a workflow execution and a run on the target. Exit code 1 where an "
      "answer\n"
      "is none that the profile names.\n"
      "Example:\n  assay probe --profile my-profile.yaml --target http://127.0.0.1:8082");
  verb->callback([options, &chosen] {
    chosen = [options](Terminal& terminal) { return probe(*options, terminal); };
  });
}

}  // namespace assay::cli
