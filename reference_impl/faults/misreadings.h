#pragma once

#include "reference_impl/faults/retelling.h"

namespace assay::faults {

// Ways to misread a log about the execution's own layer, for reads_log_as.

/// An end is forgotten once work begins behind it.
void forget_ends_before_work(List& events);
/// Only the last end counts.
void keep_last_end(List& events);
/// Only the end with the earliest timestamp counts.
void keep_earliest_end(List& events);
/// An end before the start is lost.
void lose_ends_before_start(List& events);
/// Only the last start counts.
void keep_last_start(List& events);
/// playbook.finished is a success whatever its status.
void take_each_finish_for_success(List& events);
/// Every end comes after all that followed it.
void put_ends_last(List& events);

// Ways to misread a log about the lower layers, for reads_layers_as.

/// step.exit counts only where its status is written in upper case.
void lose_lower_case_exits(List& events);
/// An iteration's step.exit is its step's.
void take_iterations_for_steps(List& events);
/// A command that comes without command.issued is issued, and brought to where the event wants it.
void issue_unissued_commands(List& events);
/// A command is claimed before each command.started.
void claim_before_start(List& events);
/// Only the last outcome of a tool call counts.
void keep_last_tool_outcomes(List& events);

}  // namespace assay::faults
