#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <memory>
#include <optional>
#include <ostream>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/visible.h"
#include "cli/interruption.h"
#include "cli/probe_hints.h"
#include "cli/probe_script.h"
#include "cli/target_choice.h"
#include "cli/verbs.h"
#include "harness/check/case_history.h"
#include "harness/core/masked_value.h"
#include "harness/run/ending.h"
#include "harness/run/hooks.h"
#include "harness/run/preflight.h"
#include "harness/run/session.h"
#include "harness/run/waiter.h"
#include "harness/target/clock.h"
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
  /// The requests that it took, with what was answered to those that the profile makes beside it.
  std::vector<std::string> requests;
  /// Why nothing was sent.
  std::string skipped;
  /// That it is not sent is as the command line says.
  bool is_left_out = false;
  core::Answer answer;
  Reading reading;
  /// The target takes the request itself for malformed.
  bool is_malformed = false;
};

struct Probe {
  run::RunContext& context;
  const ProbeOptions& options;
  std::vector<Probed> results;
  /// Why the profile's setup failed; empty: it did not.
  std::string setup_trouble;
  std::set<std::string> words = {};
  /// What is to be cleaned up: execution_id, run_id or uuid, and which.
  std::vector<std::pair<std::string, std::string>> made = {};
  bool teardown_is_due = false;
  /// Somebody ended it: after so many of so many operations.
  bool was_interrupted = false;
  std::size_t operations = 0;
};

/// What is shown is cut, and half a secret is not recognised.
void mask(Probe& probe) {
  const core::Secrets& secrets = probe.context.secrets;
  probe.setup_trouble = secrets.masked(std::move(probe.setup_trouble));
  for (Probed& result : probe.results) {
    for (std::string& line : result.requests) line = secrets.masked(std::move(line));
    for (std::string& hint : result.reading.hints) hint = secrets.masked(std::move(hint));
    result.skipped = secrets.masked(std::move(result.skipped));
    core::Answer& answer = result.answer;
    answer.trouble = secrets.masked(std::move(answer.trouble));
    answer.mapped = core::masked(answer.mapped, secrets);
    answer.body = core::masked(answer.body, secrets);
  }
}

/// Says where the target takes a request for malformed, in its own words, which are masked by now.
void judge_refusals(Probe& probe) {
  for (Probed& result : probe.results) {
    if (!result.skipped.empty()) continue;
    std::string hint = malformed_request(result.operation, result.answer);
    if (hint.empty()) continue;
    result.is_malformed = true;
    result.reading.hints.push_back(std::move(hint));
  }
}

/// The requests of an operation; what the profile makes beside it has its answer behind it.
std::vector<std::string> requests_of(const core::History& history) {
  std::vector<std::string> lines;
  for (const core::Exchange& each : history.exchanges) {
    std::string line = fmt::format("{} {}", each.request.method, each.request.target);
    if (each.operation == "profile") {
      line += each.response ? fmt::format(" → {}", each.response->status) : " → no answer";
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

/// What was made, or may have been where the answer was lost.
void note_made(Probe& probe, const core::History& history) {
  for (auto& thing : check::made_things(history)) {
    if (std::ranges::find(probe.made, thing) == probe.made.end()) {
      probe.made.push_back(std::move(thing));
    }
  }
}

/// Performs an operation that is not skipped. Throws run::Interrupted.
boost::asio::awaitable<void> perform_one(Probe& probe, ProbeScript& script, Probed& result,
                                         core::Operation operation) {
  const std::string name = operation.name;
  run::Session session(probe.context, probe.context.prefix + "-" + name);
  std::exception_ptr interrupted;
  try {
    const run::Reply reply = co_await session.perform(std::move(operation));
    result.answer = *reply.answer;
    script.learn(name, result.answer);
    result.reading = reading_of(probe.context.profile, name, result.answer);
    probe.words.insert(result.reading.words.begin(), result.reading.words.end());
  } catch (const run::NotApplicable& reason) {
    result.skipped = reason.what();
  } catch (const run::Interrupted&) {
    interrupted = std::current_exception();
  }
  note_made(probe, session.history());
  if (interrupted) std::rethrow_exception(interrupted);
  result.requests = requests_of(session.history());
}

/// Throws run::Interrupted.
boost::asio::awaitable<void> probe_one(Probe& probe, ProbeScript& script, const std::string& name) {
  Probed result;
  result.operation = name;
  result.skipped = script.why_skipped(name);
  result.is_left_out = script.is_left_out(name);
  if (result.skipped.empty()) co_await perform_one(probe, script, result, script.operation(name));
  probe.results.push_back(std::move(result));
}

/// Ends the run that was made, where its moves are taken so far. Throws run::Interrupted.
boost::asio::awaitable<void> probe_failure(Probe& probe, ProbeScript& script) {
  const bool is_moved = std::ranges::any_of(probe.results, [](const Probed& each) {
    return each.operation == "runs.transition" && core::is_taken(each.answer.acceptance);
  });
  std::optional<core::Operation> failure = script.failure();
  if (!is_moved || !failure) co_return;
  Probed result;
  result.operation = failure->name;
  co_await perform_one(probe, script, result, *std::move(failure));
  probe.results.push_back(std::move(result));
}

bool is_unreached(const Probed& result) {
  const auto& transport = result.answer.transport;
  return transport && !transport->request_sent;
}

/// Whether the profile's setup was accepted.
boost::asio::awaitable<bool> set_up(Probe& probe) {
  probe.teardown_is_due = true;
  run::Session session(probe.context, probe.context.prefix);
  const run::HooksEnd setup = co_await run::run_setup(session, probe.context);
  if (setup.acceptance == core::Acceptance::accepted) co_return true;
  probe.teardown_is_due = false;
  probe.setup_trouble = setup.trouble;
  if (!setup.transport || setup.transport->request_sent) co_return false;
  Probed unreached;
  unreached.operation = "setup";
  unreached.answer.transport = setup.transport;
  probe.results.push_back(std::move(unreached));
  co_return false;
}

boost::asio::awaitable<void> perform_all(Probe& probe) {
  ProbeScript script(probe.context.profile, probe.context.prefix, probe.options.control);
  const std::vector<std::string> names = script.operations();
  probe.operations = names.size();
  if (!co_await set_up(probe)) co_return;
  for (const std::string& name : names) {
    co_await probe_one(probe, script, name);
    if (is_unreached(probe.results.back())) co_return;
  }
  co_await probe_failure(probe, script);
}

boost::asio::awaitable<void> probe_all(Probe& probe) {
  try {
    co_await perform_all(probe);
  } catch (const run::Interrupted&) {
    probe.was_interrupted = true;
  }
  run::Session session(probe.context, probe.context.prefix + "-cleanup");
  session.wind_up();
  co_await run::clean_up(session, probe.made);
  co_await run::tear_down(probe.context, probe.teardown_is_due);
}

std::string outcome_text(const Probed& result) {
  if (!result.skipped.empty()) return fmt::format("not sent: {}", result.skipped);
  const core::Answer& answer = result.answer;
  if (answer.transport) {
    return fmt::format("no answer: {}", core::transport_fault_texts[answer.transport->fault]);
  }
  return fmt::format("{} {}", answer.status, core::acceptance_words[answer.acceptance]);
}

/// The target's words for states that the vocabulary has and no answer showed.
std::vector<std::string> words_not_met(const Probe& probe) {
  std::vector<std::string> words;
  for (const auto& [theirs, ours] : probe.context.profile.state_names) {
    if (!probe.words.contains(theirs)) words.push_back(theirs);
  }
  return words;
}

void print_text(const Probe& probe, std::ostream& out) {
  if (!probe.setup_trouble.empty()) {
    out << fmt::format("setup failed: {}\n", visible(probe.setup_trouble, limit_shown_bytes));
  }
  for (const Probed& result : probe.results) {
    out << fmt::format("{:<22} {}\n", result.operation, outcome_text(result));
    for (const std::string& request : result.requests) {
      out << fmt::format("    {}\n", visible(request, limit_shown_bytes));
    }
    if (!result.skipped.empty()) continue;
    if (!result.answer.trouble.empty()) {
      out << fmt::format("    trouble: {}\n", visible(result.answer.trouble, limit_shown_bytes));
    }
    const Value& shown = result.answer.mapped.is_null() ? result.answer.body : result.answer.mapped;
    if (!shown.is_null()) {
      out << fmt::format("    {}\n", visible(wire::to_json(shown), limit_shown_bytes));
    }
    if (!result.reading.found.empty()) {
      out << fmt::format("    from {}\n", fmt::join(result.reading.found, ", "));
    }
    for (const std::string& hint : result.reading.hints) out << fmt::format("    ! {}\n", hint);
  }
  const std::vector<std::string> words = words_not_met(probe);
  if (!words.empty()) {
    out << fmt::format("States of the vocabulary that no answer showed: {}\n",
                       fmt::join(words, ", "));
  }
}

void print_json(const Probe& probe, std::ostream& out) {
  List items;
  for (const Probed& result : probe.results) {
    const auto& [found, hints, words] = result.reading;
    items.emplace_back(Object{
        {"operation", result.operation},
        {"request", result.requests.empty() ? "" : result.requests.back()},
        {"requests", List(result.requests.begin(), result.requests.end())},
        {"found", List(found.begin(), found.end())},
        {"hints", List(hints.begin(), hints.end())},
        {"skipped", result.skipped.empty() ? Value() : Value(result.skipped)},
        {"status", result.answer.status},
        {"acceptance", result.skipped.empty()
                           ? Value(core::acceptance_words[result.answer.acceptance])
                           : Value()},
        {"trouble", result.answer.trouble},
        {"mapped", result.answer.mapped},
        {"body", result.answer.body},
    });
  }
  out << wire::to_pretty_json(Value(std::move(items))) << "\n";
}

/// What to say where nothing at all was taken: most likely it is not the operations that are wrong.
std::string nothing_taken_text(const Probe& probe) {
  std::size_t sent = 0;
  std::size_t unknown = 0;
  for (const Probed& result : probe.results) {
    const core::Answer& answer = result.answer;
    if (!result.skipped.empty() || result.operation == "server.health") continue;
    if (answer.acceptance == core::Acceptance::refused || core::is_taken(answer.acceptance)) {
      return "";
    }
    ++sent;
    if (answer.status == 404) ++unknown;
  }
  if (sent == 0) return "";
  return fmt::format(
      "{}: nothing here answers as the profile {} describes{}.{}", probe.context.target.location(),
      probe.context.profile.name,
      unknown == sent ? ": every request was answered 404. Is the base URL right? Where the paths "
                        "stand below one, such as /api, it ends with that"
                      : "",
      run::other_profile_advice(probe.context.profile));
}

core::ExitCode conclude(const Probe& probe, Terminal& terminal) {
  if (probe.was_interrupted) {
    terminal.err << fmt::format("assay: interrupted after {} of {} operations; incomplete\n",
                                probe.results.size(), probe.operations);
    return core::ExitCode::nothing_proven;
  }
  bool is_as_declared = probe.setup_trouble.empty();
  for (const Probed& result : probe.results) {
    const core::Answer& answer = result.answer;
    if (is_unreached(result)) {
      terminal.err << fmt::format("assay: {}: {}\n", probe.context.profile.base_url,
                                  core::transport_fault_texts[answer.transport->fault]);
      return core::ExitCode::target_unreachable;
    }
    if (!result.skipped.empty() && !result.is_left_out) is_as_declared = false;
    if (result.is_malformed) is_as_declared = false;
    if (result.skipped.empty() && (answer.acceptance == core::Acceptance::unexpected ||
                                   answer.acceptance == core::Acceptance::no_answer)) {
      is_as_declared = false;
    }
  }
  if (const std::string text = nothing_taken_text(probe); !text.empty()) {
    terminal.err << fmt::format("assay: {}\n", text);
  }
  return is_as_declared ? core::ExitCode::conforms : core::ExitCode::unexpected_findings;
}

core::ExitCode probe(const ProbeOptions& options, Terminal& terminal) {
  LoadedProfile profile = load_profile(options.target.profile, terminal);
  const Interruption interruption;
  boost::asio::io_context io(1);
  std::random_device device;
  ReadyTarget ready(io, profile, options.target, device());
  target::SystemClock clock;
  run::TimerWaiter waiter(interruption.token());
  run::RunContext context{.target = ready.target(),
                          .profile = profile.profile,
                          .clock = clock,
                          .waiter = waiter,
                          .prefix = fmt::format("probe-{:08x}", device()),
                          .stop = interruption.token()};
  Probe probe{context, options, {}, ""};
  std::exception_ptr failure;
  boost::asio::co_spawn(io, probe_all(probe), [&io, &failure](std::exception_ptr thrown) {
    failure = std::move(thrown);
    io.stop();
  });
  run::run_until_over(io, context, probe.teardown_is_due);
  probe.was_interrupted |= interruption.token().stop_requested();
  if (failure) std::rethrow_exception(failure);
  mask(probe);
  judge_refusals(probe);
  (options.json ? print_json : print_text)(probe, terminal.out);
  return conclude(probe, terminal);
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
      "Runs the profile's setup, makes an execution, a workflow execution and a run on the "
      "target, and\n"
      "cleans up. A line that begins with ! says what to write in the profile. Exit code 1 where "
      "an\n"
      "answer is none that the profile names, an operation was not sent, or the target takes a\n"
      "request for malformed.\n"
      "Example:\n  assay probe --profile my-profile.yaml --target http://127.0.0.1:8082");
  verb->callback([options, &chosen] {
    chosen = [options](Terminal& terminal) { return probe(*options, terminal); };
  });
}

}  // namespace assay::cli
