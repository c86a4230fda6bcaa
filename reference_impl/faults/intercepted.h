#pragma once

#include <memory>

#include "reference_impl/faults/fault.h"
#include "reference_impl/service/service.h"

namespace assay::faults {

/// The service behind an intercept. It refuses nothing by the head alone, so that the intercept
/// sees every request.
[[nodiscard]] std::unique_ptr<service::Service> intercepted(std::unique_ptr<service::Service> below,
                                                            Intercept intercept);

}  // namespace assay::faults
