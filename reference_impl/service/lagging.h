#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "reference_impl/service/clock.h"
#include "reference_impl/service/service.h"

namespace assay::service {

/// Makes a service that takes its time from the clock given. Two that it makes are equal: told the
/// same at the same times, they answer the same.
using MakeService = std::function<std::unique_ptr<Service>(std::shared_ptr<Clock>)>;

/// A service of eventual consistency: a request that may change something is answered at once, by
/// what is true; a GET is answered by a copy that learns of each change `lag` after it was
/// answered.
[[nodiscard]] std::unique_ptr<Service> make_lagging(const MakeService& make,
                                                    std::shared_ptr<Clock> clock,
                                                    std::chrono::nanoseconds lag);

}  // namespace assay::service
