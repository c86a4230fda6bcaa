#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/value.h"
#include "harness/check/log_event.h"
#include "harness/check/log_invariants.h"
#include "harness/check/log_rule.h"
#include "reference_impl/model/status/fold.h"

namespace assay::check {

/// Folds one execution's log by the reference's model and holds the moves that its events claim
/// against the tables of specification 000: commands, the workflow, and commands behind a
/// completion. An event that the model's table does not allow is a violation where nothing missing
/// explains it; of one command the first is told, because what follows only follows.
class LogLayers {
 public:
  explicit LogLayers(std::string execution_id) : fold_(std::move(execution_id)) {}

  /// The next event, and whether all that came before it is in the log.
  void add(const LogEvent& event, bool is_whole);

  [[nodiscard]] std::vector<Violation> take_violations() { return std::exchange(violations_, {}); }
  [[nodiscard]] bool has_violations() const { return !violations_.empty(); }
  [[nodiscard]] const LogTally& tally() const { return tally_; }
  [[nodiscard]] const status::ExecutionFold& fold() const { return fold_; }

 private:
  void judge_command(const LogEvent& event, bool is_whole);
  void judge_workflow(const LogEvent& event, bool is_whole);
  void report(const LogEvent& event, LogRule rule, std::string what);
  /// Applies the event; whether the model had nothing against it.
  [[nodiscard]] bool fold(const LogEvent& event);
  [[nodiscard]] status::State state_of(const std::string& command) const;

  status::ExecutionFold fold_;
  std::size_t index_ = 0;
  std::vector<Violation> violations_;
  LogTally tally_;
  /// Where in the fold's list each command is.
  std::unordered_map<std::string, std::size_t> commands_;
  /// The commands of which something was told.
  std::unordered_set<std::string> told_;
};

}  // namespace assay::check
