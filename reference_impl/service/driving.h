#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/value.h"
#include "reference_impl/model/events/taxonomy.h"
#include "reference_impl/model/routing/net.h"

namespace assay::service {

/// What a driven execution was told, in order. Together with its event log it is enough to build
/// its net anew: the net is a function of these inputs.
class Journal {
 public:
  /// The client's event at that position of the log.
  void note_event(std::size_t position) { entries_.emplace_back(position); }
  void note(routing::Input input) { entries_.emplace_back(std::move(input)); }

  using Entry = std::variant<std::size_t, routing::Input>;
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
};

/// What makes an execution a driven one.
struct Driving {
  std::shared_ptr<const routing::Playbook> playbook;
  Journal journal;
  /// Events that the net did not allow: seq and reason.
  std::vector<std::pair<std::int64_t, std::string>> anomalies;
};

/// Reads a playbook: an object, or a string of YAML. Throws Refusal 422 INVALID_PLAYBOOK, whose
/// pointer leads into the playbook below "/playbook" and whose detail names the line of YAML.
[[nodiscard]] std::shared_ptr<const routing::Playbook> read_playbook_field(
    const Value& field, const routing::PlaybookRules& rules);

/// A stored event as the net takes it.
[[nodiscard]] routing::WorkerEvent worker_event_of(const Value& body);

/// The net's event as it is stored, without what every server event has. Lifecycle events have the
/// name that the vocabulary gives them.
[[nodiscard]] Object body_of(routing::ServerEvent event, events::Vocabulary vocabulary);

/// `{tokens, in_flight, fan_in}`.
[[nodiscard]] Object marking_of(const routing::Net& net);

}  // namespace assay::service
