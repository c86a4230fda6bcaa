#pragma once

#include <string>

#include "base/result.h"
#include "base/value.h"
#include "harness/core/profile.h"
#include "harness/wire/exchange.h"

namespace assay::wire {

/// A playbook whose guards ask for events by the target's names: `event.name` is the persisted
/// event type (001, Naming), so `'step.done'` is `'call.done'` where the vocabulary says so.
/// Nothing can be said of an event for which the target has no name.
[[nodiscard]] Result<Value, NotExpressible> with_target_names_in_guards(
    const core::Profile& profile, Value playbook);

}  // namespace assay::wire
