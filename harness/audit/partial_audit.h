#pragma once

#include <bitset>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "harness/audit/finding.h"
#include "harness/check/log_rule.h"
#include "harness/core/source.h"

namespace assay::audit {

/// What an audit of one partition of a log came to, with what a record needs besides.
struct PartialAudit {
  AuditResult result;
  /// The rules that were asked.
  std::bitset<check::log_rule_count> rules;
  /// What the log is called, and the command that audits all of it.
  std::vector<std::string> sources;
  std::string command;
};

/// The type of its line in a partial record, between header and footer.
inline constexpr std::string_view partial_line_type = "partition";

/// The line of a partial record that has it all, with its line break.
[[nodiscard]] std::string partial_line(const PartialAudit& partial);

/// Reads it back out of a partial record's text; the diagnostic names the line that is wrong, or
/// that none was there.
[[nodiscard]] Result<PartialAudit, core::Diagnostic> read_partial(std::string_view text,
                                                                  const std::string& file_name);

}  // namespace assay::audit
