#pragma once

#include <memory>

#include "reference_impl/service/options.h"
#include "reference_impl/service/service.h"

namespace assay::service {

/// The reference: the whole contract, executable. It deviates only where `options` says so.
[[nodiscard]] std::unique_ptr<Service> make_reference(ServiceOptions options);

}  // namespace assay::service
