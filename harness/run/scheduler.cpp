#include "harness/run/scheduler.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <cstddef>
#include <limits>
#include <memory>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/check/flakiness.h"
#include "harness/check/merging.h"
#include "harness/check/model_coverage.h"
#include "harness/check/text.h"
#include "harness/core/masked_value.h"
#include "harness/run/branches.h"
#include "harness/run/case_runner.h"
#include "harness/run/control.h"
#include "harness/run/ending.h"
#include "harness/run/hooks.h"
#include "harness/run/identity.h"
#include "harness/run/plan.h"
#include "harness/run/preflight.h"
#include "harness/wire/json.h"
#include "harness/wire/record.h"
#include "harness/wire/yaml.h"

namespace assay::run {
namespace {

using boost::asio::awaitable;

/// A longer capture is not recorded.
constexpr std::size_t recorded_capture_bytes = std::size_t{64} * 1024;

/// What one run has done so far. Shared with the coroutines, which may be destroyed after the run
/// was cancelled.
struct Progress {
  explicit Progress(const core::Profile& profile) : coverage(profile, wire::value_of_yaml) {}

  check::ModelCoverage coverage;
  std::vector<std::optional<core::CaseResult>> results;
  /// Indices into the plan, in the order in which they are begun.
  std::vector<std::size_t> side_by_side;
  std::vector<std::size_t> alone;
  std::size_t next = 0;
  bool has_failed = false;
  bool has_ended = false;
  /// The setup was begun, and the teardown is still due.
  bool teardown_is_due = false;
  std::size_t ended = 0;
  /// Cases one after the other in which nothing was answered.
  std::size_t silent_cases = 0;
  std::string unreachable;
  bool is_profile_fault = false;
  std::string target_identity;
  /// What the profile's setup captured, as the record has it.
  Object recorded_setup;
  /// What the long answers that were kept whole come to.
  std::size_t long_answer_bytes = 0;
  /// Histories that are being counted, or wait for it.
  std::size_t being_counted = 0;
};

struct Run {
  RunContext& context;
  std::span<const core::Case> cases;
  const RunOptions& options;
  std::shared_ptr<Progress> progress;

  [[nodiscard]] bool goes_on() const {
    return progress->unreachable.empty() && !(options.fail_fast && progress->has_failed) &&
           !options.stop.stop_requested();
  }
};

bool is_our_lack(const std::optional<core::TransportError>& error) {
  return error && error->fault == core::TransportFault::no_room;
}

/// Whether anything at all came back in a case that asked something, or nothing could be asked.
bool has_any_answer(const core::CaseResult& result) {
  return result.exchanges.empty() || std::any_of(result.exchanges.begin(), result.exchanges.end(),
                                                 [](const core::Exchange& each) {
                                                   return each.response.has_value() ||
                                                          is_our_lack(each.error);
                                                 });
}

awaitable<bool> is_silent(const RunContext& context) {
  // There is nothing else that an adapter could be asked.
  if (!context.target.speaks_http()) co_return true;
  Session session(context, context.prefix + "-control");
  core::HttpRequest root{"GET", "/", {}, std::nullopt};
  const Reply reply = co_await session.send(std::move(root));
  co_return reply.answer->transport.has_value() && !is_our_lack(reply.answer->transport);
}

/// After several cases in which nothing was answered the target is asked once more: if it is gone,
/// each further case would only wait for nothing.
awaitable<void> notice_silence(const Run& run, const core::CaseResult& result) {
  constexpr std::size_t silent_cases = 8;
  Progress& progress = *run.progress;
  progress.silent_cases = has_any_answer(result) ? 0 : progress.silent_cases + 1;
  if (progress.silent_cases < silent_cases || !progress.unreachable.empty()) co_return;
  progress.silent_cases = 0;
  if (!co_await is_silent(run.context)) co_return;
  progress.unreachable = fmt::format("{}: stopped answering after {} cases",
                                     run.context.target.location(), progress.ended);
}

/// Asks who the target is, until it is there or nobody waits any longer.
awaitable<void> await_target(const Run& run) {
  constexpr double pause_ms = 200;
  const double end_ms = run.context.clock.steady_ms() + run.options.wait_ms;
  while (true) {
    const Introduction introduction = co_await introduce(run.context);
    run.progress->target_identity = introduction.identity;
    run.progress->unreachable = introduction.unreachable;
    if (introduction.unreachable.empty() || run.context.clock.steady_ms() >= end_ms) co_return;
    co_await run.context.waiter.wait(pause_ms);
  }
}

/// Counts a history towards the coverage, beside the cases that wait where it is long. While one is
/// counted there, another has its turn behind it.
awaitable<void> count_coverage(const Run& run, const core::History& history) {
  if (!run.options.counts_coverage) co_return;
  const std::shared_ptr<Progress> progress = run.progress;
  const std::size_t bytes = progress->being_counted > 0 ? std::numeric_limits<std::size_t>::max()
                                                        : body_bytes_of(history.exchanges);
  ++progress->being_counted;
  co_await perform_on(run.context, bytes, [&] { progress->coverage.add(history); });
  --progress->being_counted;
}

/// Lets go of a history: what long answers were read into takes its time to go.
awaitable<void> forget(const RunContext& context, core::History& history) {
  co_await perform_on(context, body_bytes_of(history.exchanges), [&history] { history = {}; });
}

/// Makes a case again and again behind what is excused in it, until nothing is left of it, or
/// something is found that nobody excuses.
awaitable<core::CaseResult> go_on(const Run& run, const RunContext& context,
                                  core::CaseResult first) {
  const GoingOn& going_on = *run.options.going_on;
  const NextRound next = going_on.rounds_of(first.id);
  if (!next) co_return first;
  std::vector<core::CaseResult> rounds;
  rounds.push_back(std::move(first));
  const auto is_news = [&] {
    return rounds.back().verdict == core::Verdict::fail && !going_on.is_excused(rounds.back());
  };
  while (rounds.size() < most_rounds && run.goes_on() && !is_news()) {
    const std::optional<core::Case> again = next(rounds.back());
    if (!again) break;
    RunContext renamed = context;
    renamed.prefix = prefix_of_round(context.prefix, rounds.size());
    renamed.ambient.insert_or_assign("mark", renamed.prefix);
    core::CaseResult round = co_await run_case(renamed, *again);
    // What was not decided here says nothing of what was found before.
    if (round.verdict != core::Verdict::pass && round.verdict != core::Verdict::fail) break;
    co_await count_coverage(run, round.history);
    co_await forget(context, round.history);
    rounds.push_back(std::move(round));
  }
  const bool last_first = is_news();
  co_return joined_rounds(std::move(rounds), last_first);
}

awaitable<core::CaseResult> play(const Run& run, const RunContext& context, std::size_t index) {
  core::CaseResult result = co_await run_case(context, run.cases[index]);
  if (run.options.asks_for_control) co_await check_control(context, result);
  const bool may_go_on = run.options.going_on && result.verdict == core::Verdict::fail;
  if (may_go_on) result = co_await go_on(run, context, std::move(result));
  co_return result;
}

/// Cuts the long answers for which the run has no room left.
void bound_answers(const Run& run, std::vector<core::Exchange>& exchanges) {
  std::size_t& kept_bytes = run.progress->long_answer_bytes;
  for (core::Exchange& exchange : exchanges) {
    if (!exchange.response) continue;
    std::string& body = exchange.response->body;
    if (body.size() <= check::kept_body_bytes) continue;
    if (kept_bytes + body.size() <= run.options.long_answer_bytes) {
      kept_bytes += body.size();
    } else {
      body = check::kept_body(std::move(body));
    }
  }
}

/// Runs a case again whose failure nobody expects.
awaitable<void> retry(const Run& run, std::size_t index, core::CaseResult& result) {
  if (result.verdict <= core::Verdict::pass || result.expected_fail) co_return;
  for (std::size_t number = 1; number <= run.options.retries && run.goes_on(); ++number) {
    RunContext again = run.context;
    again.prefix = prefix_of_retry(run.context.prefix, number);
    again.ambient.insert_or_assign("mark", again.prefix);
    core::CaseResult repeated = co_await play(run, again, index);
    bound_answers(run, repeated.exchanges);
    co_await forget(again, repeated.history);
    result.retries.push_back({repeated.verdict, repeated.duration_ms, std::move(repeated.checks),
                              std::move(repeated.exchanges), std::move(repeated.rounds)});
  }
}

bool fails_the_run(const Run& run, const core::CaseResult& result) {
  return result.verdict == core::Verdict::fail && !result.expected_fail &&
         !check::is_let_through(result, run.options.header);
}

awaitable<void> run_one(const Run& run, std::size_t index) {
  core::CaseResult result = co_await play(run, run.context, index);
  bound_answers(run, result.exchanges);
  if (run.options.amend) run.options.amend(result);
  co_await retry(run, index, result);
  run.progress->has_failed |= fails_the_run(run, result);
  std::optional<core::CaseResult>& place = run.progress->results[index];
  place = std::move(result);
  co_await count_coverage(run, place->history);
  if (run.options.on_case) run.options.on_case(*place);
  if (run.options.keep_case) {
    co_await perform_on(run.context, body_bytes_of(place->exchanges),
                        [&run, &place] { run.options.keep_case(*place); });
  }
  ++run.progress->ended;
  co_await notice_silence(run, *place);
  // Of a whole run there may be more than fits into memory.
  co_await forget(run.context, place->history);
}

/// One of `jobs`: takes case after case until none is left.
awaitable<void> take_cases(const Run& run) {
  Progress& progress = *run.progress;
  while (progress.next < progress.side_by_side.size() && run.goes_on()) {
    const std::size_t index = progress.side_by_side[progress.next++];
    co_await run_one(run, index);
  }
}

/// What the setup captured, secrets masked.
Object recorded_setup(const Object& captured, const core::History& history) {
  Object recorded;
  for (const auto& [name, value] : captured) {
    if (wire::to_json(value).size() > recorded_capture_bytes) continue;
    recorded.insert_or_assign(name, wire::as_recorded(value, history.exchanges));
  }
  return recorded;
}

/// The profile's own requests before all cases; what they capture is there for every template.
awaitable<void> set_up(const Run& run) {
  run.progress->teardown_is_due = true;
  Session session(run.context, run.context.prefix + "-setup");
  const HooksEnd end = co_await run_setup(session, run.context);
  if (end.acceptance != core::Acceptance::accepted) {
    run.progress->unreachable = "the profile's setup failed: " + end.trouble;
    run.progress->teardown_is_due = false;
    co_return;
  }
  const Object& captured = run.context.ambient.at("setup").as_object();
  run.progress->recorded_setup =
      core::masked(recorded_setup(captured, session.history()), run.context.secrets).as_object();
}

/// Who the target is, the profile's setup, and whether the operations are answered at all.
awaitable<void> begin(const Run& run) {
  Progress& progress = *run.progress;
  if (run.options.asks_first) co_await await_target(run);
  if (progress.unreachable.empty()) co_await set_up(run);
  if (!progress.unreachable.empty() || !run.options.checks_operations) co_return;
  const OperationsFinding finding =
      co_await check_operations(run.context, run.context.prefix + "-first-look");
  progress.unreachable = finding.trouble;
  progress.is_profile_fault = finding.is_profile_fault;
}

awaitable<void> judge_all_cases(const Run& run) {
  co_await begin(run);
  if (!run.progress->unreachable.empty()) co_return;
  // In process no waits overlap: side by side, one case's work would only use up another one's
  // time.
  const std::size_t most = run.context.target.is_immediate()
                               ? 1
                               : std::min(run.options.jobs, run.context.profile.limits.jobs);
  const std::size_t jobs =
      std::min(std::max<std::size_t>(most, 1), run.progress->side_by_side.size());
  std::vector<awaitable<void>> takers;
  for (std::size_t job = 0; job < jobs; ++job) takers.push_back(take_cases(run));
  co_await run_all(std::move(takers));
  for (const std::size_t index : run.progress->alone) {
    if (!run.goes_on()) break;
    co_await run_one(run, index);
  }
  run.progress->has_ended = !run.options.stop.stop_requested();
}

/// What was judged before somebody wanted the end stands.
awaitable<void> judge_as_far_as_wanted(const Run& run) {
  try {
    co_await judge_all_cases(run);
  } catch (const Interrupted&) {
    co_return;
  }
}

awaitable<void> run_all_cases(Run run) {
  co_await judge_as_far_as_wanted(run);
  co_await tear_down(run.context, run.progress->teardown_is_due);
}

std::shared_ptr<Progress> progress_of(std::span<const core::Case> cases,
                                      const core::Profile& profile) {
  auto progress = std::make_shared<Progress>(profile);
  progress->results.resize(cases.size());
  for (std::size_t index = 0; index < cases.size(); ++index) {
    auto& order = runs_alone(*cases[index].scenario) ? progress->alone : progress->side_by_side;
    order.push_back(index);
  }
  return progress;
}

}  // namespace

bool runs_alone(const core::Scenario& scenario) {
  constexpr std::array<std::string_view, 4> single = {"control.clock", "control.lock_service",
                                                      "jobs.poll", "workflow.start"};
  if (core::has_tag(scenario, "alone")) return true;
  const std::set<std::string> used = capabilities_of(scenario);
  return std::any_of(single.begin(), single.end(),
                     [&used](std::string_view name) { return used.contains(std::string(name)); });
}

RunOutcome run_cases(boost::asio::io_context& io, const RunContext& context,
                     std::span<const core::Case> cases, const RunOptions& options) {
  const double start_ms = context.clock.steady_ms();
  RunContext prepared = context;
  prepared.stop = options.stop;
  SideThread side_thread;
  if (!context.target.is_immediate()) prepared.side_thread = &side_thread;
  const Run run{prepared, cases, options, progress_of(cases, prepared.profile)};
  std::exception_ptr fault;
  boost::asio::co_spawn(io, run_all_cases(run), [&io, &fault](std::exception_ptr thrown) {
    fault = std::move(thrown);
    // Idle connections keep the context busy; the run is over all the same.
    io.stop();
  });
  run_until_over(io, prepared, run.progress->teardown_is_due, options.clean_up_ms);
  if (fault) std::rethrow_exception(fault);

  RunOutcome outcome;
  outcome.record.header = options.header;
  outcome.record.header.target_identity =
      prepared.secrets.masked(std::move(run.progress->target_identity));
  if (!run.progress->recorded_setup.empty()) {
    outcome.record.header.setup.insert_or_assign(check::run_ids_of(options.header).front(),
                                                 run.progress->recorded_setup);
  }
  outcome.unreachable = prepared.secrets.masked(std::move(run.progress->unreachable));
  outcome.is_profile_fault = run.progress->is_profile_fault;
  for (std::optional<core::CaseResult>& result : run.progress->results) {
    if (result) outcome.record.cases.push_back(std::move(*result));
  }
  if (run.progress->has_ended || !outcome.unreachable.empty()) {
    core::RecordFooter footer;
    footer.cases = outcome.record.cases.size();
    footer.duration_ms = context.clock.steady_ms() - start_ms;
    if (options.counts_coverage) footer.coverage = run.progress->coverage.layers();
    footer.required_coverage = options.required_coverage;
    footer.stopped = outcome.unreachable;
    outcome.record.footer = std::move(footer);
  }
  return outcome;
}

}  // namespace assay::run
