#include "reference_impl/model/events/log_rules.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "reference_impl/model/events/event_view.h"
#include "reference_impl/model/events/taxonomy.h"

namespace assay::events {

namespace {

struct StepRun {
  bool scheduled = false;
  bool started = false;
  bool ended = false;
};

struct TaskRun {
  bool started = false;
  bool ended = false;
  bool attempt_open = false;
  std::int64_t attempts = 0;
};

enum class Iteration { scheduled, started, ended };

struct Loop {
  bool started = false;
  bool done = false;
  std::map<std::string, Iteration, std::less<>> iterations;
  std::size_t open = 0;
};

/// Walks a log once and keeps what each run may do next.
class LogJudge {
 public:
  void judge(const Value& body, std::size_t index) {
    index_ = index;
    const EventView event(body);
    judge_envelope(event);
    judge_plane(event);
    judge_step_run(event);
    judge_task_run(event);
    judge_loop(event);
  }

  [[nodiscard]] std::vector<LogViolation> violations() && { return std::move(violations_); }

 private:
  void report(std::string_view clause, const EventView& event, std::string_view what) {
    violations_.push_back({clause, index_, std::string(event.type()).append(": ").append(what)});
  }

  void judge_envelope(const EventView& event) {
    const std::string_view id = event.text("event_id");
    if (!id.empty() && !event_ids_.emplace(id).second) {
      report("EVT-ENV-ID", event, "an event_id that the log has already");
    }
    const auto seq = event.integer("seq");
    if (seq && last_seq_ && *seq <= *last_seq_) {
      report("EVT-ENV-SEQ", event, "seq doesn't rise");
    }
    if (seq) last_seq_ = seq;
  }

  void judge_plane(const EventView& event) {
    const EventType* type = find_event_type(event.type());
    if (type == nullptr || type->vocabulary != Vocabulary::v10) return;
    const std::string_view source = event.text("source");
    if (type->plane == Plane::server && source == "worker") {
      report("EVT-EMIT-SERVER", event, "a server's event from a worker");
    }
    if (type->plane == Plane::worker && source == "server") {
      report("EVT-EMIT-WORKER", event, "a worker's event from the server");
    }
  }

  void judge_step_run(const EventView& event) {
    const std::string_view id = event.text("step_run_id");
    if (id.empty()) return;
    StepRun& run = step_runs_[std::string(id)];
    switch (event.kind()) {
      case EventKind::step_scheduled:
        if (run.scheduled) report("EVT-STEP-SCHED", event, "a step run scheduled twice");
        run.scheduled = true;
        break;
      case EventKind::step_started:
        require_scheduled(event, run);
        if (run.started) report("EVT-TAX-STEP", event, "a step run started twice");
        if (run.ended) report("EVT-TAX-STEP", event, "a step run started after its end");
        run.started = true;
        break;
      case EventKind::step_done:
      case EventKind::step_failed:
        require_scheduled(event, run);
        if (run.ended) report("EVT-TAX-STEP", event, "a second outcome of a step run");
        run.ended = true;
        break;
      case EventKind::task_started:
      case EventKind::loop_iteration_started:
        require_scheduled(event, run);
        break;
      default:
        break;
    }
  }

  void require_scheduled(const EventView& event, const StepRun& run) {
    if (!run.scheduled) report("EVT-EMIT-NOSTART", event, "a step run that was never scheduled");
  }

  void judge_task_run(const EventView& event) {
    const std::string_view id = event.text("task_run_id");
    if (id.empty()) return;
    switch (event.kind()) {
      case EventKind::task_started:
        judge_task_start(event, task_runs_[std::string(id)]);
        break;
      case EventKind::task_attempt_started:
        judge_attempt_start(event, task_runs_[std::string(id)]);
        break;
      case EventKind::task_attempt_done:
      case EventKind::task_attempt_failed:
        judge_attempt_end(event, task_runs_[std::string(id)]);
        break;
      case EventKind::task_done:
      case EventKind::task_failed:
        judge_task_end(event, task_runs_[std::string(id)]);
        break;
      default:
        break;
    }
  }

  void judge_task_start(const EventView& event, TaskRun& run) {
    if (run.ended) {
      report("EVT-TASK-FINAL", event, "a task run started after its outcome");
    } else if (run.started || run.attempts > 0) {
      report("EVT-TASK-RETRY", event, "a task run under way starts again: a retry is an attempt");
    }
    run.started = true;
  }

  void judge_attempt_start(const EventView& event, TaskRun& run) {
    if (run.ended) report("EVT-TASK-FINAL", event, "an attempt after the task run's outcome");
    if (run.attempt_open) report("EVT-TASK-RETRY", event, "an attempt while another is open");
    count_attempt(event, run);
    run.attempt_open = true;
  }

  void judge_attempt_end(const EventView& event, TaskRun& run) {
    if (run.ended) report("EVT-TASK-FINAL", event, "an attempt after the task run's outcome");
    if (!run.attempt_open) {
      count_attempt(event, run);
    } else if (event.integer("attempt").value_or(run.attempts) != run.attempts) {
      report("EVT-COR-ATTEMPT", event, "the outcome of another attempt than the open one");
    }
    run.attempt_open = false;
  }

  void count_attempt(const EventView& event, TaskRun& run) {
    const std::int64_t expected = run.attempts + 1;
    const std::int64_t attempt = event.integer("attempt").value_or(expected);
    if (attempt != expected) {
      report(
          "EVT-COR-ATTEMPT", event,
          "attempt " + std::to_string(attempt) + " where " + std::to_string(expected) + " is next");
    }
    run.attempts = std::max(expected, attempt);
  }

  void judge_task_end(const EventView& event, TaskRun& run) {
    if (run.ended) report("EVT-TASK-FINAL", event, "a second outcome of a task run");
    if (run.attempt_open) report("EVT-TASK-FINAL", event, "an outcome while an attempt is open");
    run.ended = true;
  }

  void judge_loop(const EventView& event) {
    switch (event.kind()) {
      case EventKind::loop_started:
        judge_loop_start(event, loop_of(event));
        break;
      case EventKind::loop_iteration_scheduled:
      case EventKind::loop_iteration_started:
      case EventKind::loop_iteration_done:
      case EventKind::loop_iteration_failed:
        judge_iteration(event, loop_of(event));
        break;
      case EventKind::loop_done:
        judge_loop_end(event, loop_of(event));
        break;
      default:
        break;
    }
  }

  Loop& loop_of(const EventView& event) {
    const std::string_view run = event.text("step_run_id");
    if (!run.empty()) return loops_[std::string("run ").append(run)];
    return loops_[std::string("entity ").append(event.text("entity_id"))];
  }

  void judge_loop_start(const EventView& event, Loop& loop) {
    if (loop.started) report("EVT-LOOP-ORDER", event, "a loop started twice");
    loop.started = true;
  }

  void judge_loop_end(const EventView& event, Loop& loop) {
    if (!loop.started) report("EVT-LOOP-ORDER", event, "the end of a loop that never started");
    if (loop.done) report("EVT-LOOP-ORDER", event, "a loop done twice");
    if (loop.open > 0) report("EVT-LOOP-ORDER", event, "loop.done over an open iteration");
    loop.done = true;
  }

  void judge_iteration(const EventView& event, Loop& loop) {
    std::string key(event.text("iteration_id"));
    if (const auto number = event.integer("iteration")) key = "#" + std::to_string(*number);
    const auto found = loop.iterations.find(key);
    const bool known = found != loop.iterations.end();
    if (event.kind() == EventKind::loop_iteration_scheduled) {
      if (!loop.started) report("EVT-LOOP-ORDER", event, "an iteration before loop.started");
      if (loop.done) report("EVT-LOOP-ORDER", event, "an iteration after loop.done");
      if (known) return report("EVT-LOOP-ORDER", event, "an iteration scheduled twice");
      loop.iterations.emplace(std::move(key), Iteration::scheduled);
      ++loop.open;
      return;
    }
    if (!known) return report("EVT-LOOP-ORDER", event, "an iteration that was never scheduled");
    judge_iteration_step(event, loop, found->second);
  }

  void judge_iteration_step(const EventView& event, Loop& loop, Iteration& iteration) {
    if (iteration == Iteration::ended) {
      return report("EVT-LOOP-ORDER", event, "an iteration that has ended");
    }
    if (event.kind() == EventKind::loop_iteration_started) {
      if (iteration == Iteration::started) {
        report("EVT-LOOP-ORDER", event, "an iteration started twice");
      }
      iteration = Iteration::started;
      return;
    }
    if (iteration == Iteration::scheduled) {
      report("EVT-LOOP-ORDER", event, "the outcome of an iteration that never started");
    }
    iteration = Iteration::ended;
    --loop.open;
  }

  std::size_t index_ = 0;
  std::optional<std::int64_t> last_seq_;
  std::set<std::string, std::less<>> event_ids_;
  std::map<std::string, StepRun, std::less<>> step_runs_;
  std::map<std::string, TaskRun, std::less<>> task_runs_;
  std::map<std::string, Loop, std::less<>> loops_;
  std::vector<LogViolation> violations_;
};

}  // namespace

std::vector<LogViolation> check_log(std::span<const Value> log) {
  LogJudge judge;
  for (std::size_t i = 0; i < log.size(); ++i) judge.judge(log[i], i);
  return std::move(judge).violations();
}

}  // namespace assay::events
