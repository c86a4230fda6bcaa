#pragma once

#include <bitset>
#include <string>
#include <vector>

#include "harness/audit/finding.h"
#include "harness/check/log_invariants.h"
#include "harness/core/record.h"

namespace assay::audit {

/// The id of a rule's case: "log/loop-waits".
[[nodiscard]] std::string case_id_of(check::LogRule rule);

/// The id of the case that says whether everything in the log could be read.
inline constexpr const char* lines_case_id = "log/lines";

/// The ids of all cases that an audit can have, in the order of its record.
[[nodiscard]] std::vector<std::string> audit_case_ids();

/// What tells these rules from those of another version.
[[nodiscard]] std::string rules_digest();

/// "events.ndjson:4:1": where an event stands; `sources` are the names of the files.
[[nodiscard]] std::string place_text(const LogPlace& place,
                                     const std::vector<std::string>& sources);

/// A case for each rule that was asked: fail with a check for each cause, pass where events showed
/// that it was kept, not applicable where nothing of the log shows it. `sources` are the names of
/// the files; `command` is what audits them again.
[[nodiscard]] std::vector<core::CaseResult> cases_of(
    const AuditResult& result, const std::bitset<check::log_rule_count>& rules,
    const std::vector<std::string>& sources, const std::string& command);

/// What was read and could not be judged as it stands, in sentences without their full stop.
[[nodiscard]] std::vector<std::string> notes_of(const AuditResult& result);

}  // namespace assay::audit
