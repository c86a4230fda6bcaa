#pragma once

#include "reference_impl/service/environment.h"
#include "reference_impl/service/execution_store.h"
#include "reference_impl/service/router.h"

namespace assay::service {

/// Adds the calls under /executions/{id}/events. The references must outlive the router.
void add_event_routes(Router& router, Environment& environment, ExecutionStore& executions);

}  // namespace assay::service
