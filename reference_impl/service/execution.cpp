#include "reference_impl/service/execution.h"

#include "reference_impl/model/events/event_view.h"
#include "reference_impl/service/problem.h"

namespace assay::service {
namespace {

/// The Refusal, pointing at the event of a batch that caused it.
Refusal within_batch(const Refusal& refusal, std::size_t number) {
  Problem problem = refusal.problem();
  problem.pointer = "/events/" + std::to_string(number) + problem.pointer.value_or("");
  return Refusal(std::move(problem));
}

/// Whether the event would end an execution that has not ended.
bool closes(const events::Event& event) {
  const events::EventView view(event.body);
  const events::Lifecycle lifecycle = events::lifecycle_of(view.kind(), view.text("status"));
  return lifecycle == events::Lifecycle::success || lifecycle == events::Lifecycle::failure ||
         lifecycle == events::Lifecycle::cancel;
}

}  // namespace

Execution::Execution(Environment& environment, std::string id, events::Vocabulary vocabulary,
                     Object workload, std::shared_ptr<const routing::Playbook> playbook)
    : environment_(environment),
      id_(std::move(id)),
      vocabulary_(vocabulary),
      workload_(std::move(workload)),
      fold_(std::in_place, id_, environment.options.fold_policy) {
  if (playbook == nullptr) return;
  driving_.emplace(Driving{std::move(playbook), {}, {}});
  net_ = new_net();
  store_reaction(net_->apply(routing::Start{}));
}

void Execution::publish(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  number_ = number;
  note_state();
  for (std::size_t at = 1; at <= log_.size(); ++at) publish_event(at, log_.event_at(at));
}

status::ExecutionFold& Execution::live() {
  if (fold_) return *fold_;
  fold_.emplace(id_, environment_.options.fold_policy);
  for (std::size_t at = 1; at <= log_.size(); ++at)
    fold_->apply(log_.event_at(at), EventLog::seq_at(at));
  fold_->mark_rebuilt();
  if (driving_) net_ = rebuilt_net();
  note_state();
  return *fold_;
}

routing::Net Execution::new_net() const {
  const routing::NetLimits limits{.args_bytes = environment_.options.limits.max_args_bytes};
  return {driving_->playbook, id_, workload_, limits, environment_.options.net_policy};
}

routing::Net Execution::rebuilt_net() const {
  routing::Net net = new_net();
  net.apply(routing::Start{});
  for (const Journal::Entry& entry : driving_->journal.entries()) {
    if (const auto* position = std::get_if<std::size_t>(&entry)) {
      net.apply(worker_event_of(log_.event_at(*position)));
    } else {
      net.apply(std::get<routing::Input>(entry));
    }
  }
  return net;
}

void Execution::note_state() {
  if (number_ != 0 && fold_) environment_.states.put(number_, fold_->state());
}

void Execution::store(const Value& body) {
  const std::size_t position = log_.append(body);
  if (fold_) fold_->apply(body, EventLog::seq_at(position));
  ++environment_.counters.events;
  // Before it has its number the execution may yet be given up.
  if (number_ != 0) publish_event(position, body);
}

void Execution::publish_event(std::size_t position, const Value& body) {
  environment_.publications.add(body.string_at("event_type").value_or(""), number_, position);
}

void Execution::store_server_event(Object members) {
  members["event_id"] = environment_.options.ids();
  members["timestamp"] = environment_.timestamp();
  members["execution_id"] = id_;
  members["source"] = "server";
  store(std::move(members));
}

void Execution::store_reaction(routing::Reaction reaction) {
  if (reaction.disposition == routing::Disposition::anomaly) {
    driving_->anomalies.emplace_back(EventLog::seq_at(log_.size()), std::move(reaction.reason));
  }
  for (routing::ServerEvent& event : reaction.events) {
    store_server_event(body_of(std::move(event), vocabulary_));
  }
}

Execution::Plan Execution::begin_plan(bool on_a_copy) {
  Plan plan;
  plan.next_position = log_.size() + 1;
  if (!driving_) return plan;
  live();
  if (on_a_copy) plan.copy = std::make_unique<routing::Net>(*net_);
  plan.net = on_a_copy ? plan.copy.get() : &*net_;
  return plan;
}

void Execution::add_to(Plan& plan, events::Event event) {
  const std::string& event_id = event.event_id();
  const auto new_entry = plan.new_entry_of.find(event_id);
  const auto stored_at = log_.find(event_id);
  if (stored_at || new_entry != plan.new_entry_of.end()) {
    const Planned* earlier = stored_at ? nullptr : &plan.entries[new_entry->second];
    const Value stored = stored_at ? log_.event_at(*stored_at) : earlier->event.body;
    if (!events::same_content(event.body, stored)) {
      ++environment_.counters.conflicts;
      throw conflict("EVENT_ID_CONFLICT", "the event id " + event_id +
                                              " is stored with other content; nothing was changed");
    }
    plan.entries.push_back(
        {std::move(event), stored_at ? *stored_at : earlier->position, true, {}});
    return;
  }
  check_not_late(plan, event);
  routing::Reaction reaction;
  if (plan.net != nullptr) {
    reaction = plan.net->apply(worker_event_of(event.body));
    if (reaction.disposition == routing::Disposition::refused) {
      throw conflict(reaction.code, reaction.reason);
    }
  }
  plan.new_entry_of.emplace(event_id, plan.entries.size());
  const std::size_t position = plan.next_position;
  plan.next_position += 1 + reaction.events.size();
  plan.entries.push_back({std::move(event), position, false, std::move(reaction)});
}

/// Where events after the end are not taken: of a batch, also after the event in it that ends it.
void Execution::check_not_late(Plan& plan, const events::Event& event) {
  const EventPolicy& policy = environment_.options.event_policy;
  if (policy.takes_second_end && policy.takes_late_events) return;
  const bool is_end = closes(event);
  const bool has_ended = plan.has_ended || live().is_closed() ||
                         (plan.net != nullptr && plan.net->outcome() != routing::Outcome::none);
  if (has_ended && !(is_end ? policy.takes_second_end : policy.takes_late_events)) {
    throw conflict("EXECUTION_ENDED", "the execution has ended");
  }
  plan.has_ended = plan.has_ended || is_end;
}

std::vector<Posted> Execution::carry_out(Plan plan) {
  std::vector<Posted> results;
  results.reserve(plan.entries.size());
  for (Planned& entry : plan.entries) {
    results.push_back(
        {entry.event.event_id(), EventLog::seq_at(entry.position), entry.is_duplicate});
    if (entry.is_duplicate) {
      ++environment_.counters.duplicates;
    } else {
      store(entry.event.body);
      if (driving_) {
        driving_->journal.note_event(entry.position);
        store_reaction(std::move(entry.reaction));
      }
    }
  }
  if (plan.copy) net_ = std::move(*plan.copy);
  note_state();
  return results;
}

Posted Execution::post(events::Event event) {
  const std::lock_guard lock(mutex_);
  Plan plan = begin_plan(false);
  add_to(plan, std::move(event));
  return std::move(carry_out(std::move(plan)).front());
}

std::vector<Posted> Execution::post_batch(std::vector<events::Event> batch) {
  const std::lock_guard lock(mutex_);
  Plan plan = begin_plan(true);
  for (std::size_t number = 0; number < batch.size(); ++number) {
    try {
      add_to(plan, std::move(batch[number]));
    } catch (const Refusal& refusal) {
      throw within_batch(refusal, number);
    }
  }
  return carry_out(std::move(plan));
}

Value Execution::cancel(const std::optional<std::string>& reason) {
  const std::lock_guard lock(mutex_);
  const bool already_terminal = live().is_closed();
  if (already_terminal && !environment_.options.event_policy.takes_second_cancel) {
    throw conflict("EXECUTION_ENDED", "the execution has ended");
  }
  if (!already_terminal) {
    Object payload;
    if (reason) payload["reason"] = *reason;
    const std::vector<std::string> commands = live().commands_to_cancel();
    store_server_event({{"event_type", "execution.cancelled"},
                        {"entity_type", "playbook"},
                        {"payload", std::move(payload)}});
    for (const std::string& command : commands) {
      store_server_event({{"event_type", "command.cancelled"}, {"command_id", command}});
    }
    if (driving_) {
      store_reaction(net_->apply(routing::Cancel{}));
      driving_->journal.note(routing::Cancel{});
    }
    note_state();
  }
  Object answer = state_fields();
  answer["already_terminal"] = already_terminal;
  return answer;
}

Value Execution::pause(const std::optional<std::string>& reason) {
  return steer(routing::Pause{reason});
}

Value Execution::resume() { return steer(routing::Resume{}); }

Value Execution::steer(routing::Input input) {
  const std::lock_guard lock(mutex_);
  if (live().is_closed()) throw conflict("EXECUTION_ENDED", "the execution has ended");
  if (driving_) {
    store_reaction(net_->apply(input));
    driving_->journal.note(std::move(input));
    note_state();
  }
  return state_fields();
}

Value Execution::patch_ctx(Object patch) {
  const std::lock_guard lock(mutex_);
  live();
  if (driving_) {
    routing::Input input = routing::CtxPatch{std::move(patch)};
    store_reaction(net_->apply(input));
    driving_->journal.note(std::move(input));
    note_state();
  } else {
    for (auto& [key, value] : patch) ctx_[key] = std::move(value);
  }
  return state_fields();
}

void Execution::evict() {
  const std::lock_guard lock(mutex_);
  fold_.reset();
  net_.reset();
  if (number_ != 0) environment_.states.forget(number_);
}

}  // namespace assay::service
