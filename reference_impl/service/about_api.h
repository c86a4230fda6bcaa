#pragma once

#include <string_view>

#include "reference_impl/service/environment.h"
#include "reference_impl/service/router.h"

namespace assay::service {

/// The contract as OpenAPI 3.1: the text of openapi.json.
[[nodiscard]] std::string_view openapi_document();

/// Adds what the server tells of itself: /healthz, /openapi.json and /metrics. `environment` must
/// outlive the router.
void add_about_routes(Router& router, Environment& environment);

}  // namespace assay::service
