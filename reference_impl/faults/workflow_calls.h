#pragma once

#include <functional>
#include <string>

#include "base/value.h"
#include "reference_impl/faults/fault.h"
#include "reference_impl/faults/rewriting.h"

namespace assay::faults {

inline constexpr const char* workflow_route = "GET /workflow-execution/id/*";

/// Changes a workflow execution wherever it is answered whole.
[[nodiscard]] Intercept changes_execution(ChangeBody change);
/// A state is left out of the execution's history, and never its status.
[[nodiscard]] Intercept omits(const std::string& state);
/// One outcome, and what it is acknowledged to, is taken for the other where `applies` holds.
[[nodiscard]] Intercept confuses_outcome(const std::string& from, const std::string& to,
                                         const std::function<bool(const Value& body)>& applies);
/// Changes the steps of each definition that is sent, by itself or with an execution.
[[nodiscard]] Intercept changes_definitions(const std::function<void(List& steps)>& change);
/// The function blocks of a definition need not be registered.
[[nodiscard]] Intercept takes_unknown_blocks();
/// A failed job of that type is taken for a success.
[[nodiscard]] Intercept takes_failures_for_successes(const std::string& type);
/// A result that comes after the end makes another outcome of it.
[[nodiscard]] Intercept takes_late_results();
/// An abort after the end makes another outcome of it.
[[nodiscard]] Intercept aborts_what_has_ended();
/// The jobs that were PENDING at an abort are still handed out.
[[nodiscard]] Intercept hands_out_withdrawn_jobs();
/// A job is handed out a second time while it is POLLED.
[[nodiscard]] Intercept hands_out_twice();
/// Two executions, as they are shown, have an entity in common.
[[nodiscard]] bool share_an_entity(const Value& one, const Value& other);
/// The list of what is active has the ended executions too.
[[nodiscard]] Intercept lists_ended_as_active();

}  // namespace assay::faults
