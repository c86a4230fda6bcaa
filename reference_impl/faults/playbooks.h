#pragma once

#include <functional>
#include <string>

#include "base/value.h"
#include "reference_impl/faults/fault.h"

namespace assay::faults {

/// Changes the playbook that a driven execution is made of; one that is a text goes through.
[[nodiscard]] Intercept changes_playbook(const std::function<void(Value& playbook)>& change);
/// Changes each step of it.
[[nodiscard]] Intercept changes_steps(const std::function<void(Value& step)>& change);
/// Changes each arc of each step.
[[nodiscard]] Intercept changes_arcs(const std::function<void(Value& arc)>& change);

/// playbook.executor.spec, or nullptr.
[[nodiscard]] Object* settings_of(Value& playbook);
/// playbook.executor.spec, which is made where there is none; nullptr where it is no object.
[[nodiscard]] Object* made_settings_of(Value& playbook);
/// The admission rules of a step, or nullptr.
[[nodiscard]] List* admission_rules(Value& step);
/// Erases spec.policy.admit of a step.
void admit_all(Value& step);

}  // namespace assay::faults
