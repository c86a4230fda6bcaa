#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "harness/check/substitute.h"
#include "harness/core/scenario.h"
#include "harness/run/identity.h"

namespace assay::run {

/// What one branch of a script knows at a point of it. Branches that run at the same moment have
/// one each, so that what they make does not depend on which answer came first.
class Scope {
 public:
  Scope(const core::Case& one, const Identity& identity);

  [[nodiscard]] const check::Variables& variables() const { return variables_; }
  void set(const std::string& name, Value value);
  void unset(const std::string& name) { variables_.erase(name); }

  /// Sets what the run itself brought (an id, a capture), unlike what the scenario wrote: in the
  /// path of a raw request it is percent-encoded.
  void bring(const std::string& name, Value value);
  /// Variables for the path of a raw request.
  [[nodiscard]] check::Variables path_variables() const;

  /// The identifier of the execution, run or workflow execution of that name: what the target gave
  /// it, else what the harness would give it.
  [[nodiscard]] std::string subject(std::string_view name) const;
  void name_subject(const std::string& name, const Value& id);
  /// Whether an identifier is that of one of the case's subjects.
  [[nodiscard]] bool is_own(std::string_view id) const;

  /// The number of the next event; each is given once.
  std::int64_t next_event() { return next_event_++; }
  [[nodiscard]] std::int64_t event_count() const { return next_event_; }
  void skip_events_to(std::int64_t number) { next_event_ = number; }

  /// Takes over what a branch has set beyond what it began with.
  void adopt(const Scope& branch);

 private:
  const Identity* identity_;
  check::Variables variables_;
  std::set<std::string, std::less<>> brought_;
  std::int64_t next_event_ = 0;
};

/// How many event numbers steps may use: what a branch is given before the next one begins.
[[nodiscard]] std::int64_t event_allotment(const std::vector<core::Step>& steps,
                                           const check::Variables& variables);

/// `times` of a repeat. Throws check::SubstitutionError where it is no whole number from 0.
[[nodiscard]] std::int64_t repeat_count(const Value& times, const check::Variables& variables);

}  // namespace assay::run
