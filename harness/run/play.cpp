// Script::play: the harness as the worker of a driven execution.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

#include "harness/run/event_body.h"
#include "harness/run/pauses.h"
#include "harness/run/reading.h"
#include "harness/run/script.h"
#include "harness/run/worker.h"

namespace assay::run {
namespace {

using boost::asio::awaitable;
using core::Verdict;

core::Play substitute_play(const core::Play& play, const check::Variables& variables) {
  core::Play result = play;
  result.step = check::substitute_text(play.step, variables);
  result.outcome = check::substitute_text(play.outcome, variables);
  result.result = check::substitute(play.result, variables);
  result.ctx = check::substitute(play.ctx, variables);
  result.worker = check::substitute_text(play.worker, variables);
  List outcomes(play.iterations.begin(), play.iterations.end());
  outcomes = check::substitute_elements(outcomes, variables);
  result.iterations.clear();
  for (const Value& outcome : outcomes) {
    if (!outcome.is_string()) throw check::SubstitutionError("an iteration's outcome is a word");
    result.iterations.push_back(outcome.as_string());
  }
  return result;
}

}  // namespace

/// Plays one step run as a script's play says, over the log that the target lists.
class Player {
 public:
  Player(Session& session, const Identity& identity, Scope& scope, core::Play play,
         std::string execution_id)
      : session_(session),
        identity_(identity),
        scope_(scope),
        play_(std::move(play)),
        execution_id_(std::move(execution_id)),
        deadline_ms_(session.now_ms() + window_ms()) {}

  /// Why it could not be played, with the verdict that this makes; nothing where it was.
  struct Trouble {
    Verdict verdict = Verdict::inconclusive;
    std::string reason;
    std::vector<std::size_t> evidence;
  };

  awaitable<std::optional<Trouble>> run() {
    std::optional<check::StepRun> run = co_await find_run();
    if (!run) co_return trouble_;
    if (!session_.context().profile.worker.empty()) {
      const std::vector<Value> events =
          profile_play(session_.context().profile, play_, *run, execution_id_);
      co_await post_all(events);
      co_return trouble_;
    }
    const std::vector<Value> begin = begin_of_play(play_, *run);
    co_await post_all(begin);
    if (run->is_loop) {
      co_await play_iterations(run->id);
    } else {
      const std::vector<Value> end = end_of_play(play_, *run);
      co_await post_all(end);
    }
    co_return trouble_;
  }

 private:
  [[nodiscard]] double window_ms() const {
    const core::Profile& profile = session_.context().profile;
    return session_.scaled(profile.limits.within_ms) + consistency_window_ms(profile);
  }

  /// The events of the log for which a member is so, as far as the target can filter; nothing after
  /// noting the trouble. A long run would be read whole for each of its steps otherwise.
  awaitable<std::optional<List>> read_log(std::string member = "", std::string value = "") {
    core::Operation operation{"events.list", {{"execution_id", execution_id_}}};
    const auto& operations = session_.context().profile.operations;
    const auto listing_template = operations.find("events.list");
    const bool can_filter = !member.empty() && listing_template != operations.end() &&
                            !listing_template->second.lacks.contains(member);
    if (can_filter) operation.parameters.emplace(std::move(member), std::move(value));
    Listing listing = co_await read_listing(session_, std::move(operation));
    log_bytes_ = listing.body_bytes;
    if (listing.result == ReadResult::matched) co_return std::move(listing.items.as_list());
    Trouble trouble;
    trouble.verdict = listing.result == ReadResult::fault ? Verdict::error : Verdict::inconclusive;
    trouble.reason = fmt::format("set-up refused: {}", listing.reason);
    trouble.evidence = std::move(listing.exchanges);
    trouble_ = std::move(trouble);
    co_return std::nullopt;
  }

  /// Whether there is time for another look; waits before it.
  awaitable<bool> wait_for_more() {
    const double left_ms = std::min(deadline_ms_, session_.latest_ms()) - session_.now_ms();
    if (session_.context().target.is_immediate() || left_ms <= 0) co_return false;
    co_await session_.wait(std::min(pause_ms_, left_ms));
    pause_ms_ = std::min(pause_ms_ * 2, longest_pause_ms);
    co_return true;
  }

  awaitable<std::optional<check::StepRun>> find_run() {
    // An older log may show a run as open that has been played.
    const bool has_settled = co_await session_.settle();
    if (!has_settled) {
      trouble_ = Trouble{Verdict::inconclusive,
                         "set-up refused: the case's time would be over before its log is whole",
                         {}};
      co_return std::nullopt;
    }
    while (true) {
      const std::optional<List> events = co_await read_log("entity_id", play_.step);
      if (events) {
        trouble_.reset();
        std::optional<check::StepRun> run;
        co_await perform_on(session_.context(), log_bytes_,
                            [&] { run = check::run_to_play(*events, play_.step, play_.only_end); });
        if (run) {
          co_await find_loop(*run);
          co_return run;
        }
      }
      const bool again = co_await wait_for_more();
      if (again) continue;
      if (events) {
        trouble_ = Trouble{Verdict::inconclusive,
                           fmt::format("set-up refused: no open step run of {} within {:.0f} ms",
                                       play_.step, window_ms()),
                           {}};
      }
      co_return std::nullopt;
    }
  }

  /// Notes whether a run is a loop's: loop events need not name the step.
  awaitable<void> find_loop(check::StepRun& run) {
    if (run.is_loop) co_return;
    const std::optional<List> events = co_await read_log("event_type", "loop.started");
    if (!events) co_return;
    run.is_loop = std::any_of(events->begin(), events->end(), [&run](const Value& event) {
      return event.string_at("event_type") == "loop.started" &&
             event.string_at("step_run_id") == run.id;
    });
  }

  awaitable<void> post_all(const std::vector<Value>& events) {
    for (const Value& event : events) {
      if (trouble_) co_return;
      co_await post(event);
    }
  }

  awaitable<void> post(const Value& event) {
    const Value body = event_body(event, {}, identity_, scope_);
    core::Operation operation{"events.post", {{"execution_id", execution_id_}, {"event", body}}};
    const Reply reply = co_await session_.perform(std::move(operation));
    if (core::is_taken(reply.answer->acceptance)) co_return;
    const auto& transport = reply.answer->transport;
    trouble_ =
        Trouble{transport ? verdict_of(*transport) : Verdict::inconclusive,
                fmt::format("set-up refused: {} of {}: {}",
                            body.string_at("event_type").value_or("event"), play_.step,
                            transport ? trouble_text(reply)
                                      : fmt::format("{} answered {}, expected accepted",
                                                    reply.request_line, reply.answer->status)),
                reply.exchanges};
  }

  /// Iterations come one after the other where the loop is sequential: the log is read again until
  /// it shows the loop's end, or nothing new in the time that it has.
  awaitable<void> play_iterations(const std::string& run_id) {
    std::set<std::int64_t> played;
    while (!trouble_) {
      const std::optional<List> events = co_await read_log();
      if (!events) co_return;
      std::vector<std::int64_t> open;
      co_await perform_on(session_.context(), log_bytes_,
                          [&] { open = iterations_to_play(*events, run_id, played); });
      for (const std::int64_t iteration : open) {
        played.insert(iteration);
        check::StepRun run;
        run.id = run_id;
        const std::vector<Value> iteration_events = iteration_of_play(play_, run, iteration);
        co_await post_all(iteration_events);
      }
      bool is_last = false;
      co_await perform_on(session_.context(), log_bytes_,
                          [&] { is_last = is_over(*events, run_id, played); });
      if (is_last) co_return;
      if (!open.empty()) {
        deadline_ms_ = session_.now_ms() + window_ms();
        pause_ms_ = first_pause_ms;
        continue;
      }
      const bool again = co_await wait_for_more();
      if (!again) co_return;
    }
  }

  [[nodiscard]] std::vector<std::int64_t> iterations_to_play(
      const List& events, const std::string& run_id, const std::set<std::int64_t>& played) const {
    std::vector<std::int64_t> open;
    for (const check::StepRun& run : check::step_runs_of(events)) {
      if (run.id != run_id) continue;
      for (const std::int64_t iteration : run.open_iterations) {
        if (plays_iteration(play_, iteration) && !played.contains(iteration)) {
          open.push_back(iteration);
        }
      }
    }
    return open;
  }

  [[nodiscard]] bool is_over(const List& events, const std::string& run_id,
                             const std::set<std::int64_t>& played) const {
    if (play_.outcome == "none" || check::is_closed(events)) return true;
    if (!play_.iterations.empty() && played.size() == play_.iterations.size()) return true;
    const auto runs = check::step_runs_of(events);
    return std::any_of(runs.begin(), runs.end(),
                       [&](const check::StepRun& run) { return run.id == run_id && run.ended; });
  }

  Session& session_;
  const Identity& identity_;
  Scope& scope_;
  core::Play play_;
  std::string execution_id_;
  double deadline_ms_;
  double pause_ms_ = first_pause_ms;
  /// How long the log was that was read last.
  std::size_t log_bytes_ = 0;
  std::optional<Trouble> trouble_;
};

awaitable<void> Script::play(const core::Step& step, const core::Play& play, Scope& scope) {
  const std::string on = check::substitute_text(step.on, scope.variables());
  Player player(session_, identity_, scope, substitute_play(play, scope.variables()),
                scope.subject(on));
  auto trouble = co_await player.run();
  if (trouble) {
    stop(step, trouble->verdict, std::move(trouble->reason), std::move(trouble->evidence));
  }
}

}  // namespace assay::run
