#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/core/clause_table.h"
#include "harness/core/source.h"
#include "harness/wire/interpretations.h"

namespace assay::cli {

using wire::Interpretation;

/// What no request can show to be kept or broken, and why.
struct NotObservable {
  core::SourcePosition at;
  std::string clause;
  std::string reason;
  /// Which part of the clause, in the specification's words; empty: all of it.
  std::string part = {};
};

/// A clause that awaits its first case.
struct NotYetCovered {
  core::SourcePosition at;
  std::string clause;
};

/// The clause table of fixtures/spec, which is compiled in.
[[nodiscard]] const core::ClauseTable& clause_table();

/// A clause's id, or a glob over ids, as they are written: in capitals.
[[nodiscard]] std::string as_clause_id(std::string text);

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

/// The compiled-in lists with what is wrong with them.
struct Specification {
  std::vector<Interpretation> interpretations;
  std::vector<NotObservable> not_observable;
  std::vector<NotYetCovered> not_yet_covered;
  std::vector<core::Diagnostic> faults;
};
[[nodiscard]] Specification embedded_specification();

}  // namespace assay::cli
