#pragma once

#include "reference_impl/model/lifecycle/definition.h"

namespace assay::service {

/// Step conditions in the language of playbook guards: over `parameters` and `results`.
[[nodiscard]] lifecycle::ConditionLanguage guard_conditions();

}  // namespace assay::service
