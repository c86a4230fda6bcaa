#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/value.h"
#include "reference_impl/model/routing/loop_run.h"
#include "reference_impl/model/routing/playbook.h"

namespace assay::routing {

/// What has become of a token. `pending`, `scheduled` and `running` are in the marking.
enum class RunState {
  pending,    ///< admission denies it as yet
  scheduled,  ///< handed to workers
  running,    ///< a worker started it
  done,
  failed,
  dropped  ///< discarded by admission, or withdrawn before it was scheduled
};

/// A token and the step run that it becomes.
struct StepRun {
  std::size_t index = 0;  ///< its place among all of the execution's
  std::size_t step = 0;
  std::string id;
  RunState state = RunState::pending;
  Object args;            ///< emptied once it has ended
  bool is_final = false;  ///< the run of executor.spec.final_step after quiescence
  std::optional<LoopRun> loop;

  [[nodiscard]] bool in_flight() const {
    return state == RunState::scheduled || state == RunState::running;
  }
  [[nodiscard]] bool ended() const { return state == RunState::done || state == RunState::failed; }
};

/// The step runs of one execution, by id, and which of them are in the marking.
class StepRuns {
 public:
  /// A new pending run. Ids are counted by step, so that the same inputs give the same ids.
  StepRun& create(std::size_t step, const std::string& step_name, Object args, bool is_final);

  [[nodiscard]] StepRun* find(std::string_view id);
  [[nodiscard]] StepRun& at(std::size_t index) { return runs_[index]; }
  [[nodiscard]] const StepRun& at(std::size_t index) const { return runs_[index]; }
  void set_state(StepRun& run, RunState state);

  [[nodiscard]] std::size_t size() const { return runs_.size(); }
  [[nodiscard]] std::size_t in_flight() const { return in_flight_; }
  [[nodiscard]] std::size_t pending() const { return active_.size() - in_flight_; }
  /// The runs in the marking, oldest first.
  [[nodiscard]] const std::set<std::size_t>& active() const { return active_; }
  [[nodiscard]] std::vector<std::size_t> pending_runs() const;

 private:
  std::vector<StepRun> runs_;
  std::unordered_map<std::string, std::size_t> index_by_id_;
  std::unordered_map<std::size_t, std::size_t> count_by_step_;
  std::set<std::size_t> active_;
  std::set<std::size_t> pending_;
  std::size_t in_flight_ = 0;
};

}  // namespace assay::routing
