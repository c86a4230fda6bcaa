#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/operation.h"

namespace assay::check {

/// A call of one run and its answer. Members of an answer that a target doesn't show are nothing.
struct RunCall {
  enum class Kind {
    create,      ///< runs.create
    transition,  ///< runs.transition to one of the eight statuses
    retry,       ///< runs.retry; the new run is another object
    get,         ///< runs.get
    audit,       ///< runs.audit, whole
  };
  enum class Diagnostic { none, incomplete, complete };

  Kind kind = Kind::get;
  /// Of a transition.
  std::string to;
  Diagnostic diagnostic = Diagnostic::none;
  /// What the request says of the run's error code, itself or in its diagnostic.
  std::optional<std::string> sent_error_code;

  /// Nothing: no answer came.
  std::optional<core::Acceptance> answer;
  /// Of a refusal: the code in its body.
  std::optional<std::string> refusal_code;
  /// The run's status in the answer, a refusal's too.
  std::optional<std::string> status;
  /// Empty where the answer has null.
  std::optional<std::string> error_code;
  /// Of an audit.
  std::optional<std::int64_t> audit_events;
};

/// One run of specification 004, from its text and CONTRACT.md, without the reference's model: the
/// nine valid transitions, the Invalid State Rule (an undefined transition is refused, audited, and
/// fails a run that had not ended), terminal statuses that never change, and diagnostics.
class SequentialRun {
 public:
  using Call = RunCall;

  struct State {
    /// Empty: there is no such run.
    std::string status;
    /// Empty: null.
    std::string error_code;
    std::int64_t audit_events = 0;
    auto operator<=>(const State&) const = default;
  };

  /// How the gaps are settled (fixtures/spec/interpretations.yaml has the keys).
  struct Choices {
    bool success_and_canceled_are_retried = false;
    bool diagnostic_before_table = false;
  };

  /// `exists`: whether it was there, as created, before the history's first call.
  explicit SequentialRun(bool exists) : SequentialRun(exists, Choices()) {}
  SequentialRun(bool exists, Choices choices) : exists_(exists), choices_(choices) {}

  [[nodiscard]] State initial() const;
  [[nodiscard]] std::vector<State> step(const State& state, const Call& call) const;
  [[nodiscard]] bool only_reads(const Call& call) const;
  [[nodiscard]] std::string text(const State& state) const;
  [[nodiscard]] std::string text(const Call& call) const;

 private:
  [[nodiscard]] std::vector<State> transition(const State& state, const Call& call) const;
  [[nodiscard]] std::vector<State> refuse_undefined(const State& state, const Call& call) const;

  bool exists_;
  Choices choices_;
};

/// The choices that a profile names by key.
[[nodiscard]] SequentialRun::Choices run_choices(
    const std::map<std::string, std::string, std::less<>>& interpretations);

}  // namespace assay::check
