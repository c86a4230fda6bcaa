#pragma once

#include <cstdint>
#include <span>

#include "harness/core/profile.h"
#include "harness/core/record.h"
#include "harness/core/scenario.h"

namespace assay::service {
class Service;
}  // namespace assay::service

namespace assay::cli {

/// Of the identifiers of such runs: every one makes the same, so that its outcome is the same each
/// time.
inline constexpr std::uint64_t in_process_seed = 1;

/// Runs cases against a service of this process, as a target with this profile, and counts no
/// coverage. Several threads may do so at once, each with a service of its own.
[[nodiscard]] core::RunRecord run_in_process(service::Service& service, core::Profile profile,
                                             std::span<const core::Case> cases);

}  // namespace assay::cli
