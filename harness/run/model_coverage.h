#pragma once

#include <string>
#include <vector>

#include "harness/core/profile.h"
#include "harness/core/record.h"
#include "harness/run/execution_log.h"

namespace assay::run {

/// How much of the model a target was taken through. Cases are added one by one and can be dropped
/// after that; the order makes no difference.
///
/// What counts is what a case shows: the log of each execution (posted and accepted, or listed),
/// folded by the model; the history of each workflow execution; the audit of each run and what its
/// calls answered.
class ModelCoverage {
 public:
  /// Keeps the profile: what was counted may outlive the run.
  explicit ModelCoverage(core::Profile profile);

  void add(const core::CaseResult& result);

  /// Every layer that the target's capabilities allow (model_layers.h), with what was seen.
  [[nodiscard]] std::vector<core::LayerCoverage> layers() const;

 private:
  core::Profile profile_;
  std::vector<std::string> order_;
  Tallies tallies_;
};

}  // namespace assay::run
