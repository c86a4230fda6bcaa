#pragma once

#include <vector>

#include "properties/family.h"

// Each file of families has a namespace of its own: what is alike in all is called alike in all.
namespace assay::properties {

/// Specification 000: replay executions.
namespace execution_families {
[[nodiscard]] std::vector<Family> all();
}

/// Specification 000: who decides the overall state.
namespace owner_families {
[[nodiscard]] std::vector<Family> all();
}

/// Specifications 000 and 004: several clients at once.
namespace concurrent_families {
[[nodiscard]] std::vector<Family> all();
}

/// Specification 001 section 2: the envelopes of events.
namespace envelope_families {
[[nodiscard]] std::vector<Family> all();
}

/// Specification 001 sections 1 and 3: names and kinds of events.
namespace taxonomy_families {
[[nodiscard]] std::vector<Family> all();
}

/// The reference binding: requests that are taken.
namespace allowed_families {
[[nodiscard]] std::vector<Family> all();
}

/// The reference binding: lists in pages.
namespace page_families {
[[nodiscard]] std::vector<Family> all();
}

/// Specification 003, 1 and 2: playbooks that are taken, and where they begin.
namespace well_formed_families {
[[nodiscard]] std::vector<Family> all();
}

/// Specification 003, 6.1: joins.
namespace join_families {
[[nodiscard]] std::vector<Family> all();
}

/// The reference binding: requests that are declined.
namespace request_families {
[[nodiscard]] std::vector<Family> all();
}

/// Specification 003, 3: admission.
namespace admission_families {
[[nodiscard]] std::vector<Family> all();
}

/// Specification 003, 2, 6.2 and 7: what the executor's settings decide.
namespace ending_families {
[[nodiscard]] std::vector<Family> all();
}

/// Specification 003, 5: the language of guards.
namespace guard_families {
[[nodiscard]] std::vector<Family> all();
}

/// Specification 001, 5: the logs of driven executions.
namespace driven_log_families {
[[nodiscard]] std::vector<Family> all();
}

/// Specifications 000 and 001: histories that no page holds.
namespace long_families {
[[nodiscard]] std::vector<Family> all();
}

/// Specification 001, 3.5: loops.
namespace loop_families {
[[nodiscard]] std::vector<Family> all();
}

/// Specification 002: one workflow execution from its submission to its end.
namespace lifecycle_families {
[[nodiscard]] std::vector<Family> all();
}

/// Specification 002: the rollback of impure failures.
namespace rollback_families {
[[nodiscard]] std::vector<Family> all();
}

/// Specification 002: executions that want the same entities.
namespace lock_families {
[[nodiscard]] std::vector<Family> all();
}

/// Specification 003, 4 to 6: random nets, and their quiescence.
namespace routing_families {
[[nodiscard]] std::vector<Family> all();
}

/// Specification 002: what an execution waits for before its steps run.
namespace waiting_families {
[[nodiscard]] std::vector<Family> all();
}

/// Specification 001, 6.2: published events.
namespace published_families {
[[nodiscard]] std::vector<Family> all();
}

/// Specification 003, 4.4 and 7.3: what is passed by reference.
namespace reference_families {
[[nodiscard]] std::vector<Family> all();
}

/// Specification 004: runs.
namespace run_families {
[[nodiscard]] std::vector<Family> all();
}

}  // namespace assay::properties
