#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/value.h"
#include "properties/draft.h"
#include "properties/family.h"

namespace assay::properties {

/// The playbook that construction stands for. It begins with a step "a"; each part adds to it:
///
///   step      a further step with an arc to it
///   arc       an arc between two steps, back and to itself too
///   router    the mode of a step, and whether its arcs go by state
///   fan       two further steps that a step leads to at once
///   workload  what guards see of it
///   gate      admission rules of a step
///   loop      a step goes over items
///   policy    status_policy, or no_next_is_error
///   final     final_step, mostly one that no arc leads to, and what its failure means
///   entry     entry_step
///   join      fan_in: wait_all
///   discard   denied_token: discard
///
/// Of several arcs that may match, none goes by state: so a difference is one clause's. Arcs that
/// go by state ask one subject for different values, and only the last arc of an exclusive router
/// may be without a guard.
[[nodiscard]] Value playbook_of(std::span<const Move> construction, std::span<const Kind> parts);

/// The step of that name, or nullptr.
[[nodiscard]] const Value* step_of_playbook(const Value& playbook, std::string_view name);

/// next.arcs of a step; empty where it has none.
[[nodiscard]] List arcs_of(const Value& playbook, std::string_view step);

/// next.spec.mode as written; empty where it is not.
[[nodiscard]] std::string mode_of(const Value& playbook, std::string_view step);

/// A member of executor.spec that is a text; empty where it is absent.
[[nodiscard]] std::string setting_of(const Value& playbook, std::string_view name);

/// The clause by which a step's arcs fire as they do, where `selected` are those that fire.
[[nodiscard]] std::string clause_of_arcs(const Value& playbook, std::string_view step,
                                         const List& selected);

}  // namespace assay::properties
