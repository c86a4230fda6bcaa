#pragma once

#include "reports/report.h"

namespace assay::reports {

/// Says in words what the counts of a report come to: its conclusion, headline and explanation.
void conclude(Report& report);

}  // namespace assay::reports
