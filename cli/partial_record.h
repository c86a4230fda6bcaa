#pragma once

#include <span>
#include <string>

#include "cli/terminal.h"
#include "harness/audit/partial_audit.h"
#include "harness/check/merging.h"
#include "harness/core/record.h"

namespace assay::cli {

/// The record of one partition ("2/3"): header and footer of a record, and between them a line with
/// what the audit came to, from which `merge_partitions` makes the whole's cases.
[[nodiscard]] std::string partial_record_text(core::RunRecord record, const std::string& partition,
                                              const audit::PartialAudit& partial);

/// Whether it is such a record.
[[nodiscard]] bool is_partial(const core::RunRecord& record);

/// Joins the partial records of all partitions of a log to the record that an audit of all of it
/// gives. Says on standard error what was read. Throws UsageError for what cannot be read.
[[nodiscard]] check::Merged merge_partitions(std::span<const check::NamedRecord> partials,
                                             Terminal& terminal);

}  // namespace assay::cli
