#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/value.h"
#include "harness/core/operation.h"
#include "harness/core/profile.h"
#include "harness/core/scenario.h"

namespace assay::properties {

/// What two plays of one case must not have in common, so that what they do have is the rule's.
struct OracleSetup {
  /// What identifiers of the harness begin with.
  std::string prefix;
  /// The server's own clock and ids.
  std::int64_t now_ns = 0;
  std::uint64_t seed = 0;
  /// Takes every liberty that the contract leaves (liberties::liberties) and a reader can tell.
  bool takes_liberties = false;
};

/// A sound server, in process, with a script that is played on it step by step.
class Oracle {
 public:
  /// `profile` is the reference's own, with the choices that the server makes
  /// (`interpretations`); it and the scenario (its playbook; no step of it is run)
  /// outlive the oracle.
  Oracle(const core::Profile& profile, const core::Scenario& scenario, const OracleSetup& setup);
  ~Oracle();
  Oracle(const Oracle&) = delete;
  Oracle& operator=(const Oracle&) = delete;

  /// Plays a step; false where it would have ended a case (a set-up that was declined).
  bool play(const core::Step& step);

  /// What the last step's own request brought, nullptr where it made none.
  [[nodiscard]] const core::Answer* answer() const;

  /// As View::read; the same question is put once between two steps.
  [[nodiscard]] const Value& read(std::string_view operation, std::string_view on,
                                  const Object& parameters);

  /// The identifier of the execution, run or workflow execution of that name.
  [[nodiscard]] std::string subject(std::string_view name) const;
  /// ${unique}.
  [[nodiscard]] const std::string& unique() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace assay::properties
