#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/value.h"
#include "reference_impl/model/events/envelope.h"
#include "reference_impl/model/events/taxonomy.h"
#include "reference_impl/model/routing/net.h"
#include "reference_impl/model/status/fold.h"
#include "reference_impl/service/driving.h"
#include "reference_impl/service/environment.h"
#include "reference_impl/service/event_log.h"
#include "reference_impl/service/paging.h"

namespace assay::service {

/// Where a posted event is stored.
struct Posted {
  std::string event_id;
  std::int64_t seq = 0;
  /// It was stored before.
  bool is_duplicate = false;
};

/// One execution: its event log, the fold of it, and its variables; driven, also the net that
/// routes it. Every call is one step for all threads: two clients that post the same event at the
/// same moment store it once.
class Execution {
 public:
  /// A replay execution, or with a playbook a driven one, which starts at once. `environment` must
  /// outlive it.
  Execution(Environment& environment, std::string id, events::Vocabulary vocabulary,
            Object workload, std::shared_ptr<const routing::Playbook> playbook);

  [[nodiscard]] const std::string& id() const { return id_; }
  [[nodiscard]] std::uint64_t number() const { return number_; }
  /// Gives the execution its number in the order of creation and enters it into the state index.
  void publish(std::uint64_t number);

  /// Stores an event, or finds it stored. Throws Refusal 409 EVENT_ID_CONFLICT where the id is
  /// stored with other content.
  Posted post(events::Event event);
  /// The same for several, all or none; the Refusal's pointer names the event at fault.
  std::vector<Posted> post_batch(std::vector<events::Event> batch);

  /// `{execution_id, state}`.
  [[nodiscard]] Value created();
  /// Exactly the seven fields of STM-API-FIELDS.
  [[nodiscard]] Value status();
  /// GET /executions/{id}.
  [[nodiscard]] Value detail();
  /// The execution's entry in GET /executions.
  [[nodiscard]] Value summary();
  [[nodiscard]] status::State state();
  /// `{workload, ctx}`.
  [[nodiscard]] Value variables();
  /// `{tokens, in_flight, fan_in}`.
  [[nodiscard]] Value marking();
  /// The body of GET /executions/{id}/events.
  [[nodiscard]] std::string events_page(const EventFilter& filter, const Page& page,
                                        std::string_view scope);
  /// The message that the event at that position was published as (EVT-PUB-TOPIC, EVT-PUB-REF).
  [[nodiscard]] Value message(std::size_t position);

  /// Cancels; on a terminal execution changes nothing. `{execution_id, state, already_terminal}`.
  Value cancel(const std::optional<std::string>& reason);
  /// Pauses a driven execution; `{execution_id, state}`. A replay has nothing to pause. Throws
  /// Refusal 409 EXECUTION_ENDED.
  Value pause(const std::optional<std::string>& reason);
  /// Takes up what a pause kept back; the same answers.
  Value resume();
  /// Merges the patch into ctx, key by key. `{execution_id, state}`.
  Value patch_ctx(Object patch);
  /// Drops the live state; the next read rebuilds it from the stored events.
  void evict();

 private:
  /// What is to be done with one posted event.
  struct Planned {
    events::Event event;
    /// Where it is stored, or will be.
    std::size_t position = 0;
    bool is_duplicate = false;
    /// What the net says to it, in a driven execution.
    routing::Reaction reaction;
  };
  /// What a whole post will do, decided before anything is stored.
  struct Plan {
    std::vector<Planned> entries;
    /// The entries that are new, by event id.
    std::unordered_map<std::string, std::size_t> new_entry_of;
    std::size_t next_position = 1;
    /// The net that the events are tried on; nullptr in a replay.
    routing::Net* net = nullptr;
    /// A batch is tried on a copy, so that it can be given up.
    std::unique_ptr<routing::Net> copy;
    /// An event of the plan ends the execution.
    bool has_ended = false;
  };

  // All of these are called with mutex_ held.
  status::ExecutionFold& live();
  [[nodiscard]] routing::Net new_net() const;
  [[nodiscard]] routing::Net rebuilt_net() const;
  /// Has a driven execution's net take the input; throws Refusal 409 where the execution has ended.
  Value steer(routing::Input input);
  [[nodiscard]] Plan begin_plan(bool on_a_copy);
  /// Adds the event to the plan, or throws the Refusal that it meets.
  void add_to(Plan& plan, events::Event event);
  void check_not_late(Plan& plan, const events::Event& event);
  std::vector<Posted> carry_out(Plan plan);
  void store(const Value& body);
  void publish_event(std::size_t position, const Value& body);
  void store_server_event(Object members);
  void store_reaction(routing::Reaction reaction);
  void note_state();
  [[nodiscard]] Object status_fields();
  [[nodiscard]] Object state_fields();
  [[nodiscard]] Object variable_fields();
  [[nodiscard]] List anomaly_list();
  /// How many of the positions make one page.
  [[nodiscard]] std::size_t page_length(const std::vector<std::size_t>& positions,
                                        std::size_t limit) const;

  Environment& environment_;
  const std::string id_;
  const events::Vocabulary vocabulary_;
  std::uint64_t number_ = 0;

  std::mutex mutex_;
  Object workload_;
  /// Of a replay; a driven execution's is in the net.
  Object ctx_;
  EventLog log_;
  std::optional<Driving> driving_;
  // The live state; nothing after an evict. A driven execution has both, a replay no net.
  std::optional<status::ExecutionFold> fold_;
  std::optional<routing::Net> net_;
};

}  // namespace assay::service
