#pragma once

#include <vector>

#include "reference_impl/liberties/liberty.h"

namespace assay::liberties {

/// The liberties by what they are about; catalogue.h has them all.
[[nodiscard]] std::vector<Liberty> form_liberties();     ///< words, members, orders, JSON, headers
[[nodiscard]] std::vector<Liberty> list_liberties();     ///< pages, cursors, filters
[[nodiscard]] std::vector<Liberty> request_liberties();  ///< what is taken and what is refused
[[nodiscard]] std::vector<Liberty> layer_liberties();    ///< the lower layers and anomalies
[[nodiscard]] std::vector<Liberty> driven_liberties();   ///< the control plane's events
[[nodiscard]] std::vector<Liberty> net_liberties();      ///< tokens, gates, pauses, summaries
[[nodiscard]] std::vector<Liberty>
playbook_liberties();  ///< what a playbook is refused for, and when
[[nodiscard]] std::vector<Liberty> stand_in_liberties();  ///< values that the reference refuses
[[nodiscard]] std::vector<Liberty> run_liberties();       ///< runs and their audits
[[nodiscard]] std::vector<Liberty> workflow_liberties();  ///< workflow executions and jobs

}  // namespace assay::liberties
