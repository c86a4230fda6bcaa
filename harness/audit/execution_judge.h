#pragma once

#include <bitset>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/audit/finding.h"
#include "harness/check/log_invariants.h"

namespace assay::audit {

/// What is asked of a log.
struct AuditScope {
  check::LogScope scope = check::LogScope::foreign;
  /// The rules that are asked.
  std::bitset<check::log_rule_count> rules = std::bitset<check::log_rule_count>().set();
  /// Only what events between these show is told; the events around them are read all the same.
  std::optional<EventTime> since;
  std::optional<EventTime> until;
};

/// Starts to fetch the log of an execution that will be judged next: one that has waited for its
/// end is in no cache any more, and arrives while another is judged. Changes nothing.
void expect_execution(std::string_view packed);

/// Judges the packed log of one execution, in the order of seq where every event has one, and adds
/// what it finds. Nothing: one event that names no execution.
void judge_execution(std::optional<std::string_view> execution, std::string_view packed,
                     const AuditScope& scope, AuditResult& result);

/// What one packed log breaks, in the order given.
[[nodiscard]] std::vector<check::Violation> violations_of(std::string_view packed,
                                                          check::LogPremises premises);

/// The example with every event left out of its log that is not needed to show it, in a bounded
/// number of tries, and what is left as lines.
[[nodiscard]] Example shrunk(Example example, check::LogScope scope, check::LogRule rule);

/// The offsets of the events of a packed log.
[[nodiscard]] std::vector<std::size_t> offsets_of(std::string_view packed);

}  // namespace assay::audit
