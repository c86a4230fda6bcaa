#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/core/clause_table.h"
#include "harness/core/record.h"
#include "reports/report.h"

namespace assay::reports {

/// Groups the cases of a record that did not pass by cause. `cases` are those of the report, in the
/// record's order; `safe` makes text of a record fit to be shown. The worst outcome comes first,
/// then the higher level, then the cause of most cases.
[[nodiscard]] std::vector<CauseReport> group_causes(
    const core::RunRecord& record, const std::vector<CaseReport>& cases,
    const core::ClauseTable& table, const std::function<std::string(const std::string&)>& safe);

}  // namespace assay::reports
