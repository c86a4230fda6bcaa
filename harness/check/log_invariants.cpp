#include "harness/check/log_invariants.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "harness/check/events.h"
#include "harness/check/instant.h"
#include "harness/check/text.h"

namespace assay::check {
namespace {

using Words = std::set<std::string_view>;

bool contains(const Words& words, std::string_view word) { return words.contains(word); }

/// Seed 001 3 and 5: what only the server emits.
const Words& server_types() {
  static const Words types = {"playbook.execution.requested",
                              "playbook.request.evaluated",
                              "playbook.started",
                              "playbook.paused",
                              "playbook.finished",
                              "playbook.processed",
                              "workflow.started",
                              "workflow.finished",
                              "step.scheduled",
                              "policy.admit.evaluated",
                              "next.evaluated"};
  return types;
}

/// Seed 001 3 and 5: what only workers emit.
const Words& worker_types() {
  static const Words types = {"step.started",
                              "step.done",
                              "step.failed",
                              "task.started",
                              "task.attempt.started",
                              "task.attempt.done",
                              "task.attempt.failed",
                              "task.done",
                              "task.failed",
                              "policy.task.evaluated",
                              "loop.iteration.started",
                              "loop.iteration.done",
                              "loop.iteration.failed"};
  return types;
}

/// The clause of the taxonomy's section for an event type of that plane.
std::string taxonomy_clause(std::string_view type) {
  const std::string_view entity = type.substr(0, type.find('.'));
  if (entity == "playbook") return "EVT-TAX-PLAYBOOK";
  if (entity == "workflow") return "EVT-TAX-WORKFLOW";
  if (entity == "step") return "EVT-TAX-STEP";
  if (entity == "task") return "EVT-TAX-TASK";
  return entity == "loop" ? "EVT-TAX-LOOP" : "EVT-TAX-POLICY";
}

/// Seed 001 1.1: segments of a-z, 0-9 and _, each begun by a letter.
bool is_segment(std::string_view segment) {
  const auto is_letter = [](char byte) { return byte >= 'a' && byte <= 'z'; };
  return !segment.empty() && is_letter(segment.front()) &&
         std::all_of(segment.begin(), segment.end(), [is_letter](char byte) {
           return is_letter(byte) || (byte >= '0' && byte <= '9') || byte == '_';
         });
}

bool is_standard_name(std::string_view name) {
  std::size_t segments = 0;
  while (true) {
    const std::size_t dot = name.find('.');
    if (!is_segment(name.substr(0, dot))) return false;
    ++segments;
    if (dot == std::string_view::npos) break;
    name.remove_prefix(dot + 1);
  }
  return segments == 2 || segments == 3;
}

bool has_upper_case(std::string_view name) {
  return std::any_of(name.begin(), name.end(),
                     [](char byte) { return byte >= 'A' && byte <= 'Z'; });
}

/// One step run, from its scheduling on (seed 001 3.3, seed 003 4.1).
struct StepRun {
  std::string step;
  bool scheduled = false;
  bool ended = false;
};

/// One task run (seed 001 3.4).
struct TaskRun {
  std::int64_t attempts = 0;
  bool ended = false;
};

/// One iteration of a loop's step run (seed 001 3.5).
struct Iteration {
  bool scheduled = false;
  bool started = false;
  bool ended = false;
};

/// The loop of one step run.
struct Loop {
  bool started = false;
  bool done = false;
  std::map<std::int64_t, Iteration> iterations;
};

class Auditor {
 public:
  Auditor(const List& events, LogScope scope) : events_(events), scope_(scope) {}

  std::vector<Violation> audit() {
    for (index_ = 0; index_ < events_.size(); ++index_) {
      const Value& event = events_[index_];
      if (!event.is_object()) {
        report("EVT-ENV-TYPE", fmt::format("is {}, not an object", event.kind_name()));
        continue;
      }
      check_envelope(event);
      check_sequence(event);
      if (scope_ == LogScope::driven) check_order(event);
    }
    return std::move(violations_);
  }

 private:
  void report(std::string clause, std::string_view message) {
    const std::string subject = events_[index_].is_object() ? event_text(events_, index_)
                                                            : fmt::format("event {}", index_ + 1);
    violations_.push_back({std::move(clause), fmt::format("{} {}", subject, message), index_});
  }

  void check_envelope(const Value& event) {
    check_identity(event);
    check_type(event);
    check_word(event, "source", {"server", "worker"}, "EVT-ENV-SOURCE");
    check_word(event, "entity_type",
               {"playbook", "workflow", "step", "task", "loop", "next", "policy", "result"},
               "EVT-ENV-ENTITY");
    check_whole_number(event, "attempt", 1, "EVT-COR-ATTEMPT");
    check_whole_number(event, "iteration", 0, "EVT-COR-ITER");
    check_whole_number(event, "duration_ms", 0, "EVT-COR-DURATION");
    const auto timestamp = event.string_at("timestamp");
    const auto instant = timestamp ? parse_instant(*timestamp) : std::nullopt;
    if (!instant || !instant->utc) report("EVT-ENV-TIME", "has no RFC 3339 timestamp in UTC");
  }

  void check_identity(const Value& event) {
    const auto id = event.string_at("event_id");
    if (!id || id->empty()) {
      report("EVT-ENV-ID", "has no event_id");
    } else if (const auto [first, is_new] = ids_.emplace(*id, index_); !is_new) {
      report("EVT-IDEM-1", fmt::format("has the event_id of event {}", first->second + 1));
    }
    const auto execution = event.string_at("execution_id");
    if (!execution) {
      report("EVT-ENV-EXEC", "has no execution_id");
    } else if (!execution_) {
      execution_ = execution;
    } else if (*execution_ != *execution) {
      report("EVT-ENV-EXEC", "belongs to another execution than the events before it");
    }
  }

  void check_type(const Value& event) {
    const auto type = event.string_at("event_type");
    if (!type) return report("EVT-ENV-TYPE", "has no event_type");
    if (has_upper_case(*type)) return report("EVT-NAME-LOWER", "has upper case in its type");
    if (!is_standard_name(*type)) return report("EVT-NAME-SHAPE", "has no standard dot name");
    const auto source = event.string_at("source");
    if (scope_ == LogScope::replay || !source) return;
    const bool is_wrong_plane = (*source == "worker" && contains(server_types(), *type)) ||
                                (*source == "server" && contains(worker_types(), *type));
    if (is_wrong_plane) report(taxonomy_clause(*type), fmt::format("comes from the {}", *source));
  }

  void check_word(const Value& event, std::string_view member, const Words& words,
                  const char* clause) {
    const Value* value = event.find(member);
    if (value == nullptr || value->is_null()) return;
    if (value->is_string() && contains(words, value->as_string())) return;
    report(clause, fmt::format("has {} {}", member, value_text(value)));
  }

  void check_whole_number(const Value& event, std::string_view member, std::int64_t least,
                          const char* clause) {
    const Value* value = event.find(member);
    if (value == nullptr || value->is_null()) return;
    const auto number = value->is_number() ? value->to_int64() : std::nullopt;
    if (number && *number >= least) return;
    report(clause, fmt::format("has {} {}", member, value_text(value)));
  }

  /// The first gap is told, not every number behind it.
  void check_sequence(const Value& event) {
    const Value* seq = event.find("seq");
    if (seq == nullptr || seq->is_null()) return;
    const auto number = seq->is_number() ? seq->to_int64() : std::nullopt;
    if (!number || *number <= last_seq_) {
      report("EVT-ENV-SEQ", fmt::format("has seq {} after {}", value_text(seq), last_seq_));
    } else if (*number != last_seq_ + 1) {
      report("API-SEQ", fmt::format("has seq {} after {}", *number, last_seq_));
    }
    if (number) last_seq_ = std::max(last_seq_, *number);
  }

  void check_order(const Value& event) {
    const std::string type = event.string_at("event_type").value_or("");
    check_closing(event, type);
    check_opening(type);
    if (type == "next.evaluated") check_routing(event);
    if (type.starts_with("step.")) check_step(event, type);
    if (type.starts_with("task.")) check_task(event, type);
    if (type.starts_with("loop.")) check_loop(event, type);
  }

  /// Seed 000 and seed 003 6.1: one completion, of a quiet net, and no routing behind it.
  void check_closing(const Value& event, const std::string& type) {
    const bool routes = type == "step.scheduled" || type == "next.evaluated" ||
                        type == "loop.iteration.scheduled" || type == "policy.admit.evaluated";
    if (closed_by_ && routes) {
      report("STM-EXEC-R1",
             fmt::format("comes after event {} closed the execution", *closed_by_ + 1));
    }
    if (!closes(event, type)) return;
    if (closed_by_) {
      report("STM-ONCE-1",
             fmt::format("closes an execution that event {} closed", *closed_by_ + 1));
      return;
    }
    closed_by_ = index_;
    const std::string status = event.string_at("status").value_or("success");
    const bool is_success =
        type == "playbook.completed" || (type == "playbook.finished" && status == "success");
    if (is_success && open_runs_ > 0) {
      report("RTE-QUIET-INFLIGHT", fmt::format("comes while {} step runs are open", open_runs_));
    }
  }

  static bool closes(const Value& event, const std::string& type) {
    if (type == "playbook.finished") {
      const auto status = event.string_at("status");
      return status == "success" || status == "error";
    }
    return type == "playbook.completed" || type == "playbook.failed" ||
           type == "execution.cancelled";
  }

  /// Seed 001 3.1, 3.2, 5.1: the server's lifecycle events in the order of the taxonomy.
  void check_opening(const std::string& type) {
    static const std::map<std::string_view, std::string_view> due_before = {
        {"playbook.request.evaluated", "playbook.execution.requested"},
        {"playbook.started", "playbook.request.evaluated"},
        {"workflow.started", "playbook.started"},
        {"step.scheduled", "workflow.started"},
        {"workflow.finished", "workflow.started"},
        {"playbook.processed", "playbook.finished"}};
    const auto due = due_before.find(type);
    if (due != due_before.end() && !seen_.contains(due->second)) {
      report("EVT-EMIT-SERVER", fmt::format("comes with no {} before it", due->second));
    }
    if (type == "workflow.started" || type == "playbook.started") {
      if (seen_.contains(type)) report("STM-ONCE-1", "comes a second time");
    }
    seen_.insert(type);
  }

  /// Seed 003 4: routing follows an outcome; what fires has matched; exclusive fires one arc at
  /// most.
  void check_routing(const Value& event) {
    const Value* matched = event.at_pointer("/payload/matched");
    const Value* selected = event.at_pointer("/payload/selected");
    if (matched == nullptr || !matched->is_list() || selected == nullptr || !selected->is_list()) {
      report("EVT-POL-NEXT", "has no lists of matched and selected arcs");
      return;
    }
    if (const auto step = event.string_at("entity_id"); step && ++routed_[*step] > ended_[*step]) {
      report("RTE-ROUTE-WHEN", "comes with no outcome of the step to follow");
    }
    const Value* mode = event.at_pointer("/payload/mode");
    const bool is_inclusive = mode != nullptr && *mode == Value("inclusive");
    if (!is_inclusive && selected->as_list().size() > 1) {
      report("RTE-MODE-EXCL", fmt::format("fires {} arcs", selected->as_list().size()));
    }
    std::map<std::string, int> open;
    for (const Value& arc : matched->as_list()) ++open[arc.string_at("step").value_or("")];
    for (const Value& arc : selected->as_list()) {
      const std::string target = arc.string_at("step").value_or("");
      if (--open[target] < 0) report("EVT-POL-NEXT", fmt::format("fires {} unmatched", target));
    }
  }

  /// Seed 001 3.3, 5.2: a step run exists only once the server scheduled it, and once.
  void check_step(const Value& event, const std::string& type) {
    const auto id = event.string_at("step_run_id");
    if (!id) {
      if (type != "step.scheduled") report("EVT-EMIT-NOSTART", "names no step run");
      return;
    }
    StepRun& run = runs_[*id];
    if (type == "step.scheduled") {
      if (run.scheduled) report("EVT-STEP-SCHED", "schedules a step run twice");
      run = {event.string_at("entity_id").value_or(""), true, false};
      ++open_runs_;
      return;
    }
    if (!run.scheduled) report("EVT-EMIT-NOSTART", "is of a step run that was never scheduled");
    if (type == "step.done" || type == "step.failed") end_run(run);
  }

  void end_run(StepRun& run) {
    if (!run.scheduled || run.ended) return;
    run.ended = true;
    --open_runs_;
    ++ended_[run.step];
  }

  /// Seed 001 3.4: attempts of one task run count 1, 2, 3 …, and one outcome ends them.
  void check_task(const Value& event, const std::string& type) {
    const auto id = event.string_at("task_run_id");
    if (!id) return;
    TaskRun& run = tasks_[*id];
    if (run.ended) {
      report("EVT-TASK-FINAL", "comes after its task run's outcome");
      return;
    }
    if (type == "task.done" || type == "task.failed") run.ended = true;
    if (!type.starts_with("task.attempt.")) return;
    const Value* attempt = event.find("attempt");
    const auto number = attempt == nullptr ? std::nullopt : attempt->to_int64();
    if (!number) return;
    const std::int64_t due = type == "task.attempt.started" ? run.attempts + 1 : run.attempts;
    if (*number != due) {
      report("EVT-TASK-RETRY", fmt::format("is attempt {} where {} is due", *number, due));
    }
    run.attempts = std::max(run.attempts, *number);
  }

  /// Seed 001 3.5: loop.started, then each iteration scheduled, started, ended, then loop.done.
  void check_loop(const Value& event, const std::string& type) {
    const auto id = event.string_at("step_run_id");
    if (!id) return;
    Loop& loop = loops_[*id];
    if (type == "loop.started") {
      loop.started = true;
    } else if (type == "loop.done") {
      check_loop_end(loop, *id);
    } else {
      check_iteration(event, type, loop);
    }
  }

  void check_loop_end(Loop& loop, const std::string& id) {
    if (loop.done) report("EVT-LOOP-ORDER", "ends a loop twice");
    loop.done = true;
    for (const auto& [number, iteration] : loop.iterations) {
      if (!iteration.scheduled || iteration.ended) continue;
      report("EVT-LOOP-ORDER", fmt::format("comes while iteration {} is open", number));
      break;
    }
    end_run(runs_[id]);
  }

  void check_iteration(const Value& event, const std::string& type, Loop& loop) {
    const Value* number = event.find("iteration");
    const auto index = number == nullptr ? std::nullopt : number->to_int64();
    if (!index) return;
    Iteration& iteration = loop.iterations[*index];
    if (type == "loop.iteration.scheduled") {
      if (!loop.started) report("EVT-LOOP-ORDER", "comes before loop.started");
      if (loop.done) report("EVT-LOOP-ORDER", "comes after loop.done");
      if (iteration.scheduled) report("EVT-LOOP-ORDER", "schedules an iteration twice");
      iteration.scheduled = true;
    } else if (type == "loop.iteration.started") {
      if (!iteration.scheduled) report("EVT-LOOP-ORDER", "starts an iteration not scheduled");
      iteration.started = true;
    } else {
      if (!iteration.started) report("EVT-LOOP-ORDER", "ends an iteration not started");
      if (iteration.ended) report("EVT-LOOP-ORDER", "ends an iteration twice");
      iteration.ended = true;
    }
  }

  const List& events_;
  LogScope scope_;
  std::size_t index_ = 0;
  std::vector<Violation> violations_;

  std::map<std::string, std::size_t> ids_;
  std::optional<std::string> execution_;
  std::int64_t last_seq_ = 0;

  std::optional<std::size_t> closed_by_;
  std::set<std::string, std::less<>> seen_;
  std::map<std::string, StepRun> runs_;
  std::map<std::string, TaskRun> tasks_;
  std::map<std::string, Loop> loops_;
  std::size_t open_runs_ = 0;
  /// By step: outcomes so far, and how many of them were routed.
  std::map<std::string, std::size_t> ended_;
  std::map<std::string, std::size_t> routed_;
};

}  // namespace

std::vector<Violation> check_log(const List& events, LogScope scope) {
  return Auditor(events, scope).audit();
}

}  // namespace assay::check
