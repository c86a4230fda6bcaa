#pragma once

#include <cstdint>

#include "harness/core/profile.h"
#include "reference_impl/faults/fault.h"
#include "reference_impl/service/options.h"

namespace assay::cli {

/// How the reference is set up in this program: the machine's clock, ids from the seed.
[[nodiscard]] service::ServiceOptions reference_options(std::uint64_t seed);

/// The same, making the choices that the profile declares of its target.
[[nodiscard]] service::ServiceOptions reference_options(std::uint64_t seed,
                                                        const core::Profile& declared);

/// The reference's profile, declaring the choice under which the fault shows.
[[nodiscard]] core::Profile profile_showing(const faults::Fault& fault);

}  // namespace assay::cli
