#pragma once

#include <vector>

#include "reference_impl/liberties/liberty.h"

namespace assay::liberties {

/// The liberties by what they are about; catalogue.h has them all.
[[nodiscard]] std::vector<Liberty> form_liberties();      ///< words, members, orders, JSON, headers
[[nodiscard]] std::vector<Liberty> list_liberties();      ///< pages, cursors, filters
[[nodiscard]] std::vector<Liberty> request_liberties();   ///< what is taken and what is refused
[[nodiscard]] std::vector<Liberty> layer_liberties();     ///< the lower layers and anomalies
[[nodiscard]] std::vector<Liberty> driven_liberties();    ///< the control plane's events
[[nodiscard]] std::vector<Liberty> run_liberties();       ///< runs and their audits
[[nodiscard]] std::vector<Liberty> workflow_liberties();  ///< workflow executions and jobs

}  // namespace assay::liberties
