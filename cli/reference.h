#pragma once

#include <cstdint>

#include "reference_impl/service/options.h"

namespace assay::cli {

/// How the reference is set up in this program: the machine's clock, ids from the seed.
[[nodiscard]] service::ServiceOptions reference_options(std::uint64_t seed);

}  // namespace assay::cli
