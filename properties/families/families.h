#pragma once

#include <vector>

#include "properties/family.h"

namespace assay::properties {

/// Seed 000: replay executions.
[[nodiscard]] std::vector<Family> execution_families();

/// Seed 000: who decides the overall state.
[[nodiscard]] std::vector<Family> owner_families();

/// Seeds 000 and 004: several clients at once.
[[nodiscard]] std::vector<Family> concurrent_families();

/// Seed 001 section 2: the envelopes of events.
[[nodiscard]] std::vector<Family> envelope_families();

/// Seed 001 sections 1 and 3: names and kinds of events.
[[nodiscard]] std::vector<Family> taxonomy_families();

/// The reference binding: requests that are taken.
[[nodiscard]] std::vector<Family> allowed_families();

/// The reference binding: lists in pages.
[[nodiscard]] std::vector<Family> page_families();

/// Seed 003, 1 and 2: playbooks that are taken, and where they begin.
[[nodiscard]] std::vector<Family> well_formed_families();

/// Seed 003, 6.1: joins.
[[nodiscard]] std::vector<Family> join_families();

/// The reference binding: requests that are declined.
[[nodiscard]] std::vector<Family> request_families();

/// Seed 003, 3: admission.
[[nodiscard]] std::vector<Family> admission_families();

/// Seed 003, 2, 6.2 and 7: what the executor's settings decide.
[[nodiscard]] std::vector<Family> ending_families();

/// Seed 001, 3.5: loops.
[[nodiscard]] std::vector<Family> loop_families();

/// Seed 002: one workflow execution from its submission to its end.
[[nodiscard]] std::vector<Family> lifecycle_families();

/// Seed 002: executions that want the same entities.
[[nodiscard]] std::vector<Family> lock_families();

/// Seed 003, 4 to 6: random nets, and their quiescence.
[[nodiscard]] std::vector<Family> routing_families();

/// Seed 004: runs.
[[nodiscard]] std::vector<Family> run_families();

}  // namespace assay::properties
