#include "harness/check/model_coverage.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "reference_impl/model/lifecycle/state.h"
#include "reference_impl/model/runs/status.h"

namespace assay::check {
namespace {

using core::Acceptance;

std::string text_of(const Value& value, std::string_view member) {
  return value.string_at(member).value_or(std::string());
}

std::string text_of(const Object& values, std::string_view member) {
  const auto found = values.find(member);
  return found != values.end() && found->second.is_string() ? found->second.as_string()
                                                            : std::string();
}

const List& list_of(const Value& value, std::string_view member) {
  static const List none;
  const Value* found = value.find(member);
  return found != nullptr && found->is_list() ? found->as_list() : none;
}

std::optional<std::int64_t> seq_of(const Value& answer) {
  const Value* seq = answer.find("seq");
  return seq == nullptr ? std::nullopt : seq->to_int64();
}

/// What one case shows of the executions, workflow executions and runs that it is about.
class CaseReading {
 public:
  CaseReading(const core::Profile& profile, const ReadText& read_text, Tallies& tallies)
      : profile_(profile), read_text_(read_text), tallies_(tallies) {}

  void read(const core::Call& call) {
    const std::string& name = call.asked.name;
    // A log says more than the state that it comes to.
    if (name == "executions.status" && profile_.capabilities.contains("events.list")) return;
    for (const auto& [operation, take] : readers) {
      if (operation == name) (this->*take)(call.asked.parameters, *call.answer);
    }
  }

  void count_logs() {
    for (const auto& [id, log] : logs_) log.count(tallies_);
  }

 private:
  using Reader = void (CaseReading::*)(const Object& asked, const core::Answer& answer);
  static const std::array<std::pair<std::string_view, Reader>, 15> readers;

  /// The playbook of a start, which may be text.
  [[nodiscard]] std::optional<routing::Playbook> playbook_of(const Value& written) const {
    std::optional<Value> document = written;
    if (written.is_string()) document = read_text_ ? read_text_(written.as_string()) : std::nullopt;
    if (!document) return std::nullopt;
    auto read = routing::read_playbook(*document);
    return read ? std::optional(*std::move(read)) : std::nullopt;
  }

  void execution_started(const Object& asked, const core::Answer& answer) {
    if (answer.acceptance != Acceptance::accepted) return;
    std::string id = text_of(answer.mapped, "execution_id");
    if (id.empty()) id = text_of(asked, "execution_id");
    ExecutionLog& log = logs_[id];
    const auto playbook = asked.find("playbook");
    if (playbook != asked.end() && !playbook->second.is_null()) {
      if (auto read = playbook_of(playbook->second)) log.driven_by(*std::move(read));
    } else if (!profile_.capabilities.contains("executions.pending")) {
      log.begins_started();
    }
  }

  void event_posted(const Object& asked, const core::Answer& answer) {
    const auto event = asked.find("event");
    if (!core::is_taken(answer.acceptance) || event == asked.end()) return;
    const std::optional<std::int64_t> seq = seq_of(answer.mapped);
    if (!seq && answer.acceptance == Acceptance::duplicate) return;
    logs_[text_of(asked, "execution_id")].posted(event->second, seq);
  }

  void batch_posted(const Object& asked, const core::Answer& answer) {
    const auto events = asked.find("events");
    if (!core::is_taken(answer.acceptance) || events == asked.end() || !events->second.is_list())
      return;
    ExecutionLog& log = logs_[text_of(asked, "execution_id")];
    const List& results = list_of(answer.mapped, "results");
    for (std::size_t i = 0; i < events->second.as_list().size(); ++i) {
      log.posted(events->second.as_list()[i],
                 i < results.size() ? seq_of(results[i]) : std::nullopt);
    }
  }

  void events_listed(const Object& asked, const core::Answer& answer) {
    if (!core::is_taken(answer.acceptance)) return;
    ExecutionLog& log = logs_[text_of(asked, "execution_id")];
    for (const Value& event : list_of(answer.mapped, "items")) log.listed(event);
  }

  void execution_cancelled(const Object& asked, const core::Answer& answer) {
    const Value* already = answer.mapped.find("already_terminal");
    const bool was_open = already == nullptr || !already->is_bool() || !already->as_bool();
    if (core::is_taken(answer.acceptance) && was_open)
      logs_[text_of(asked, "execution_id")].cancelled();
  }

  /// Of a target that shows no events, an execution's state is all there is.
  void status_read(const Object& /*asked*/, const core::Answer& answer) {
    if (core::is_taken(answer.acceptance))
      tally(layer::execution).state(text_of(answer.mapped, "state"));
  }

  void workflow_history(const Object& /*asked*/, const core::Answer& answer) {
    if (!core::is_taken(answer.acceptance)) return;
    std::string last;
    for (const Value& entry : list_of(answer.mapped, "history")) {
      std::string now = text_of(entry, "status");
      if (!last.empty()) tally(layer::lifecycle).move(last, now);
      tally(layer::lifecycle).state(now);
      last = std::move(now);
    }
  }

  /// start, abort and ack answer with the status that they led to. Only of an acknowledged one is
  /// it clear where it came from.
  void workflow_moved(const Object& /*asked*/, const core::Answer& answer) {
    if (!core::is_taken(answer.acceptance)) return;
    const std::string now = text_of(answer.mapped, "status");
    tally(layer::lifecycle).state(now);
    for (const lifecycle::Edge& edge : lifecycle::edges) {
      if (edge.kind != lifecycle::EdgeKind::acknowledgement || to_string(edge.to) != now) continue;
      tally(layer::lifecycle).move(to_string(edge.from), now);
    }
  }

  void run_read(const Object& asked, const core::Answer& answer) {
    if (!core::is_taken(answer.acceptance)) return;
    std::string id = text_of(answer.mapped, "run_id");
    if (id.empty()) id = text_of(asked, "run_id");
    const std::string status = text_of(answer.mapped, "status");
    tally(layer::run).state(status);
    runs_[id] = status;
  }

  void run_moved(const Object& asked, const core::Answer& answer) {
    const std::string to = text_of(asked, "to");
    std::string& status = runs_[text_of(asked, "run_id")];
    LayerTally& runs = tally(layer::run);
    const std::string before = std::exchange(status, std::string());
    if (core::is_taken(answer.acceptance)) {
      status = text_of(answer.mapped, "status");
      if (status != to) return;
      if (!before.empty()) runs.move(before, to);
      if (!before.empty()) runs.attempt(before, to);
    } else if (answer.acceptance == Acceptance::refused) {
      const auto from = runs::parse_status(before);
      const auto wanted = runs::parse_status(to);
      const bool denied = from && wanted && !runs::is_defined(*from, *wanted);
      if (denied) runs.attempt(before, to);
      if (const Value* run = answer.body.find("run")) status = text_of(*run, "status");
    }
  }

  void audit_read(const Object& /*asked*/, const core::Answer& answer) {
    if (!core::is_taken(answer.acceptance)) return;
    LayerTally& runs = tally(layer::run);
    for (const Value& event : list_of(answer.mapped, "items")) {
      const std::string before = text_of(event, "before_state");
      const std::string after = text_of(event, "after_state");
      if (text_of(event, "outcome") == "deny") {
        runs.attempt(before, text_of(event, "attempted_state"));
      } else if (text_of(event, "error_code") == "INVALID_STATE_TRANSITION") {
        // What a refused attempt does to a run is none of the table's transitions.
        runs.state(after);
      } else {
        runs.move(before, after);
        runs.attempt(before, after);
      }
    }
  }

  /// Of a layer that the target does not have, a tally that counts nothing.
  LayerTally& tally(std::string_view name) { return tallies_[std::string(name)]; }

  const core::Profile& profile_;
  const ReadText& read_text_;
  Tallies& tallies_;
  std::map<std::string, ExecutionLog> logs_;
  std::map<std::string, std::string> runs_;
};

const std::array<std::pair<std::string_view, CaseReading::Reader>, 15> CaseReading::readers = {{
    {"events.post", &CaseReading::event_posted},
    {"events.list", &CaseReading::events_listed},
    {"executions.start", &CaseReading::execution_started},
    {"executions.cancel", &CaseReading::execution_cancelled},
    {"executions.status", &CaseReading::status_read},
    {"events.post_batch", &CaseReading::batch_posted},
    {"workflow.start", &CaseReading::workflow_moved},
    {"workflow.get", &CaseReading::workflow_history},
    {"workflow.abort", &CaseReading::workflow_moved},
    {"workflow.ack", &CaseReading::workflow_moved},
    {"runs.create", &CaseReading::run_read},
    {"runs.retry", &CaseReading::run_read},
    {"runs.get", &CaseReading::run_read},
    {"runs.transition", &CaseReading::run_moved},
    {"runs.audit", &CaseReading::audit_read},
}};

}  // namespace

ModelCoverage::ModelCoverage(core::Profile profile, ReadText read_text)
    : profile_(std::move(profile)), read_text_(std::move(read_text)) {
  for (core::LayerCoverage& layer : model_layers(profile_)) {
    order_.push_back(layer.layer);
    tallies_.insert_or_assign(order_.back(), LayerTally(std::move(layer)));
  }
}

void ModelCoverage::add(const core::History& history) {
  CaseReading reading(profile_, read_text_, tallies_);
  for (const core::Call& call : history.calls) reading.read(call);
  reading.count_logs();
}

std::vector<core::LayerCoverage> ModelCoverage::layers() const {
  std::vector<core::LayerCoverage> layers;
  for (const std::string& name : order_) layers.push_back(tallies_.find(name)->second.coverage());
  return layers;
}

}  // namespace assay::check
