#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/value.h"
#include "harness/check/execution_log.h"
#include "harness/core/history.h"
#include "harness/core/profile.h"
#include "harness/core/record.h"

namespace assay::check {

/// Reads text (YAML or JSON) as a value, nothing where it is none.
using ReadText = std::function<std::optional<Value>(std::string_view)>;

/// How much of the model a target was taken through. Cases are added one by one and can be dropped
/// after that; the order makes no difference.
///
/// What counts is what a case shows: the log of each execution (posted and accepted, or listed),
/// folded by the model; the history of each workflow execution; the audit of each run and what its
/// calls answered. A request that a scenario wrote itself is no operation, and does not count.
class ModelCoverage {
 public:
  /// Keeps the profile: what was counted may outlive the run. `read_text` reads a playbook that is
  /// written as text; without it such a playbook's choices are not counted.
  explicit ModelCoverage(core::Profile profile, ReadText read_text = {});

  void add(const core::History& history);

  /// Every layer that the target's capabilities allow (model_layers.h), with what was seen.
  [[nodiscard]] std::vector<core::LayerCoverage> layers() const;

 private:
  core::Profile profile_;
  ReadText read_text_;
  std::vector<std::string> order_;
  Tallies tallies_;
};

}  // namespace assay::check
