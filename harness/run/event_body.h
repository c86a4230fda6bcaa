#pragma once

#include <string>
#include <vector>

#include "base/value.h"
#include "harness/run/identity.h"
#include "harness/run/scope.h"

namespace assay::run {

/// The body of an event as a script writes it (substituted already): shorthands expanded, an
/// event_id and a timestamp made where absent and not in `omit`. What is no object goes as it is.
[[nodiscard]] Value event_body(const Value& event, const std::vector<std::string>& omit,
                               const Identity& identity, Scope& scope);

}  // namespace assay::run
