#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/core/clause_table.h"
#include "harness/core/profile.h"
#include "harness/core/source.h"

namespace assay::cli {

/// A place where the specifications leave a choice or pull in two directions, and what we chose.
struct Interpretation {
  struct Choice {
    std::string name;
    std::string meaning;
  };

  core::SourcePosition at;
  /// The name under `interpretations` of a profile.
  std::string key;
  std::string question;
  /// The clauses in tension, or the one that is silent.
  std::vector<std::string> clauses;
  /// What the reference does; one of `choices`.
  std::string chosen;
  std::string because;
  std::vector<Choice> choices;
};

/// A clause that no request can show to be kept or broken, and why.
struct NotObservable {
  core::SourcePosition at;
  std::string clause;
  std::string reason;
};

/// A clause that awaits its first case.
struct NotYetCovered {
  core::SourcePosition at;
  std::string clause;
};

/// The clause table of fixtures/spec, which is compiled in.
[[nodiscard]] const core::ClauseTable& clause_table();

/// The other lists of fixtures/spec. Each appends what is wrong with its text to `faults`: unknown
/// clauses, missing reasons, a choice that is not among the choices.
[[nodiscard]] std::vector<Interpretation> read_interpretations(
    std::string_view text, const std::string& file, const core::ClauseTable& clauses,
    std::vector<core::Diagnostic>& faults);
[[nodiscard]] std::vector<NotObservable> read_not_observable(std::string_view text,
                                                             const std::string& file,
                                                             const core::ClauseTable& clauses,
                                                             std::vector<core::Diagnostic>& faults);
[[nodiscard]] std::vector<NotYetCovered> read_not_yet_covered(
    std::string_view text, const std::string& file, const core::ClauseTable& clauses,
    std::vector<core::Diagnostic>& faults);

/// What a profile's `interpretations` name that is no gap, or choose that is no choice of it.
[[nodiscard]] std::vector<core::Diagnostic> check_interpretations(
    const core::Profile& profile, const std::vector<Interpretation>& interpretations);

/// The compiled-in lists with what is wrong with them.
struct Specification {
  std::vector<Interpretation> interpretations;
  std::vector<NotObservable> not_observable;
  std::vector<NotYetCovered> not_yet_covered;
  std::vector<core::Diagnostic> faults;
};
[[nodiscard]] Specification embedded_specification();

}  // namespace assay::cli
