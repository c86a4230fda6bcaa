#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/value.h"
#include "cli/property_hunt.h"
#include "harness/core/record.h"
#include "reference_impl/faults/fault.h"

namespace assay::cli {

/// What the suite made of one broken server.
struct Kill {
  const faults::Fault* fault = nullptr;
  /// Scenarios of which a check under the fault's own clause failed.
  std::size_t scenarios = 0;
  /// The cases of those checks.
  std::set<std::string> cases;
  /// The first such case in the order of the plan; empty where there is none.
  std::string first_case;
  /// Requests of all cases up to that one's end, or of the whole run.
  std::size_t requests = 0;
  /// Clauses of which a check failed, the fault's own among them; sorted, each once.
  std::vector<std::string> accused;
  /// What generated cases made of it; nothing where none were asked.
  std::optional<Catch> by_property;

  [[nodiscard]] bool caught() const { return scenarios > 0; }
};

/// Adds up a run of all cases against one broken server.
[[nodiscard]] Kill kill_of(const faults::Fault& fault, const core::RunRecord& record);

/// Cases of a run against a sound server that accuse it of something.
[[nodiscard]] std::vector<std::string> accusing_cases(const core::RunRecord& record);

/// "caught", "survived", or "caught only under A, B" of other clauses than the fault's.
[[nodiscard]] std::string kill_word(const Kill& kill);

/// The table for a terminal, as JSON, and as the Markdown page of docs/zoo.md. `by_own_clause`:
/// each fault was judged by the cases that check its clause, and only their requests are counted.
[[nodiscard]] std::string kill_text(std::span<const Kill> kills);
[[nodiscard]] Value kill_json(std::span<const Kill> kills);
[[nodiscard]] std::string kill_markdown(std::span<const Kill> kills, bool by_own_clause);

}  // namespace assay::cli
