#include "harness/check/execution_log.h"

#include <cstddef>
#include <set>
#include <utility>
#include <vector>

#include "reference_impl/model/events/event_view.h"
#include "reference_impl/model/events/legacy.h"
#include "reference_impl/model/status/fold.h"

namespace assay::check {
namespace {

using events::EventKind;
using events::EventView;
using events::Lifecycle;
using status::State;

/// The event that asks for the same in the words of specification 000, empty if there is none.
std::string_view execution_trigger(Lifecycle lifecycle) {
  switch (lifecycle) {
    case Lifecycle::start:
      return "playbook.initialized";
    case Lifecycle::success:
      return "playbook.completed";
    case Lifecycle::failure:
      return "playbook.failed";
    case Lifecycle::cancel:
      return "execution.cancelled";
    case Lifecycle::none:
    case Lifecycle::undecided:
      break;
  }
  return {};
}

std::string_view workflow_trigger(const EventView& event) {
  switch (event.kind()) {
    case EventKind::workflow_initialized:
    case EventKind::workflow_started:
      return "workflow.initialized";
    case EventKind::workflow_completed:
      return "workflow.completed";
    case EventKind::workflow_failed:
      return "workflow.failed";
    case EventKind::workflow_finished:
      if (event.text("status") == "success") return "workflow.completed";
      return event.text("status") == "error" ? "workflow.failed" : "";
    default:
      return {};
  }
}

/// Folds events one by one and counts every move that each makes.
class Follower {
 public:
  explicit Follower(Tallies& tallies)
      : execution_(tallies[std::string(layer::execution)]),
        workflow_(tallies[std::string(layer::workflow)]),
        step_(tallies[std::string(layer::step)]),
        command_(tallies[std::string(layer::command)]),
        tool_(tallies[std::string(layer::tool)]) {}

  /// What came before the log that is seen.
  void assume(const Value& event) {
    fold_.apply(event, 0);
    state_ = fold_.state();
  }

  void apply(const Value& body, std::int64_t seq) {
    count_attempts(EventView(body));
    fold_.apply(body, seq);
    see(execution_, state_, fold_.state());
    see(workflow_, workflow_state_, fold_.workflow_state());
    follow(step_, steps_, fold_.steps(), &status::Step::state);
    follow(command_, commands_, fold_.commands(), &status::Command::state);
    follow_tools();
  }

  [[nodiscard]] std::vector<std::string> commands_to_cancel() const {
    return fold_.commands_to_cancel();
  }
  [[nodiscard]] bool is_closed() const { return fold_.is_closed(); }

 private:
  void count_attempts(const EventView& event) {
    const auto lifecycle = execution_trigger(lifecycle_of(event.kind(), event.text("status")));
    if (!lifecycle.empty()) execution_.attempt(word_of(state_), lifecycle);
    const std::string_view workflow = workflow_trigger(event);
    if (!workflow.empty()) workflow_.attempt(word_of(workflow_state_), workflow);
    const std::string_view id = event.text("command_id");
    if (!event.type().starts_with("command.") || id.empty()) return;
    State before = State::pending;
    for (const status::Command& command : fold_.commands()) {
      if (command.id == id) before = command.state;
    }
    command_.attempt(word_of(before), event.type());
  }

  static void see(LayerTally& tally, State& before, State now) {
    if (before == now) return;
    tally.move(word_of(before), word_of(now));
    before = now;
  }

  template <typename Entry>
  static void follow(LayerTally& tally, std::vector<State>& before,
                     const std::vector<Entry>& entries, State Entry::* state) {
    before.resize(entries.size(), State::pending);
    for (std::size_t i = 0; i < entries.size(); ++i) see(tally, before[i], entries[i].*state);
  }

  /// A tool in flight leaves no event; whatever has an outcome was (STM-TOOL-T1).
  void follow_tools() {
    for (; tools_ < fold_.tools().size(); ++tools_) {
      tool_.move(word_of(State::pending), word_of(State::running));
      tool_.move(word_of(State::running), word_of(fold_.tools()[tools_].outcome));
    }
  }

  LayerTally& execution_;
  LayerTally& workflow_;
  LayerTally& step_;
  LayerTally& command_;
  LayerTally& tool_;
  status::ExecutionFold fold_{""};
  State state_ = State::pending;
  State workflow_state_ = State::pending;
  std::vector<State> steps_;
  std::vector<State> commands_;
  std::size_t tools_ = 0;
};

/// Applies what the cancel call appends; gives how many events that are.
std::int64_t apply_cancel(Follower& follower, std::int64_t seq) {
  std::int64_t count = 0;
  const std::vector<std::string> commands = follower.commands_to_cancel();
  follower.apply(Object{{"event_type", "execution.cancelled"}}, seq + count++);
  for (const std::string& id : commands) {
    follower.apply(Object{{"event_type", "command.cancelled"}, {"command_id", id}}, seq + count++);
  }
  return count;
}

std::string_view policy_word(routing::StatusPolicy policy) {
  switch (policy) {
    case routing::StatusPolicy::fail_on_any_error:
      return "fail_on_any_error";
    case routing::StatusPolicy::fail_fast:
      return "fail_fast";
    case routing::StatusPolicy::allow_partial:
      break;
  }
  return "allow_partial";
}

}  // namespace

void ExecutionLog::posted(Value event, std::optional<std::int64_t> seq) {
  if (const auto standard = events::standard_name_of_legacy(EventView(event))) {
    events::normalize_legacy(event, *standard);
  }
  const std::int64_t next = events_.empty() ? 1 : events_.rbegin()->first + 1;
  events_.try_emplace(seq.value_or(next), std::move(event));
}

void ExecutionLog::listed(const Value& event) {
  const Value* seq = event.find("seq");
  const auto number = seq != nullptr ? seq->to_int64() : std::nullopt;
  if (!number) return;
  const auto [known, is_new] = events_.try_emplace(*number, event);
  // Logs are read again and again, mostly with the same events.
  if (!is_new && !(known->second == event)) known->second = event;
}

void ExecutionLog::cancelled() { is_cancelled_ = true; }

void ExecutionLog::count(Tallies& tallies) const {
  Follower follower(tallies);
  if (begins_started_) follower.assume(Object{{"event_type", "playbook.initialized"}});
  bool cancel_is_due = is_cancelled_;
  std::int64_t next = 1;
  LayerTally& types = tallies[std::string(layer::events)];
  for (const auto& [seq, event] : events_) types.state(EventView(event).type());
  for (const auto& [seq, event] : events_) {
    if (seq != next && cancel_is_due && !follower.is_closed()) {
      next += apply_cancel(follower, next);
      cancel_is_due = false;
    }
    if (seq != next) break;
    follower.apply(event, seq);
    ++next;
  }
  const bool is_whole = events_.empty() || next > events_.rbegin()->first;
  if (cancel_is_due && is_whole && !follower.is_closed()) apply_cancel(follower, next);
  if (is_cancelled_) types.state("execution.cancelled");
  if (playbook_) count_routing(tallies);
}

void ExecutionLog::count_routing(Tallies& tallies) const {
  LayerTally& routing = tallies[std::string(layer::routing)];
  LayerTally& outcome = tallies[std::string(layer::outcome)];
  const std::string_view policy = policy_word(playbook_->executor.status_policy);
  std::map<std::string_view, std::size_t> steps;
  for (std::size_t i = 0; i < playbook_->steps.size(); ++i) steps[playbook_->steps[i].name] = i;
  std::set<std::string> loops;
  for (const auto& [seq, body] : events_) {
    const EventView event(body);
    const auto step = steps.find(event.text("entity_id"));
    const bool is_step = step != steps.end();
    switch (event.kind()) {
      case EventKind::next_evaluated:
        routing.state("mode " + std::string(event.payload_text("/mode")));
        break;
      case EventKind::policy_admit_evaluated:
        if (const Value* allow = event.payload("/allow"); allow != nullptr && allow->is_bool()) {
          routing.state(allow->as_bool() ? "admission allows" : "admission denies");
          if (allow->as_bool()) break;
          const bool discards = playbook_->executor.denied_token == routing::DeniedToken::discard;
          routing.state(discards ? "denied token discard" : "denied token pending");
        }
        break;
      case EventKind::step_scheduled:
        if (is_step && playbook_->upstream[step->second].size() > 1) {
          const bool waits = playbook_->executor.fan_in == routing::FanInPolicy::wait_all;
          routing.state(waits ? "fan-in wait_all" : "fan-in none");
        }
        if (is_step && playbook_->steps[step->second].loop) {
          const auto mode = playbook_->steps[step->second].loop->mode;
          routing.state(mode == routing::LoopMode::parallel ? "loop parallel" : "loop sequential");
        }
        break;
      case EventKind::playbook_finished:
        if (!is_cancelled_) outcome.move(policy, event.payload_text("/outcome"));
        break;
      case EventKind::execution_cancelled:
        outcome.move(policy, "cancelled");
        break;
      default:
        break;
    }
  }
  if (is_cancelled_) outcome.move(policy, "cancelled");
}

}  // namespace assay::check
