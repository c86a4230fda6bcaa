#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/core/operation.h"
#include "harness/core/profile.h"

namespace assay::cli {

/// What `assay probe` sends: each operation that a profile declares, once, in an order in which
/// each finds what it needs, with harmless parameters.
class ProbeScript {
 public:
  /// `unique` begins every name that is made on the target.
  ProbeScript(const core::Profile& profile, std::string unique, bool with_control);

  /// The declared operations, in the order of sending.
  [[nodiscard]] std::vector<std::string> operations() const;
  /// Whether it is not sent because the command line does not ask for it.
  [[nodiscard]] bool is_left_out(const std::string& name) const;
  /// Why an operation is not to be sent now; empty where it is.
  [[nodiscard]] std::string why_skipped(const std::string& name) const;
  /// The operation with its parameters.
  [[nodiscard]] core::Operation operation(const std::string& name) const;
  /// A second move of the run that the probe made, to its failure and with a diagnostic: what a
  /// target does not take as it is meant shows there. Nothing where the profile's request says no
  /// diagnostic, or the target has no such status.
  [[nodiscard]] std::optional<core::Operation> failure() const;
  /// Takes up the identifiers that an answer gives.
  void learn(const std::string& name, const core::Answer& answer);

 private:
  const core::Profile& profile_;
  std::string unique_;
  bool with_control_;
  /// Identifiers that later operations need: execution_id, uuid, run_id, job_id.
  Object known_;
};

}  // namespace assay::cli
