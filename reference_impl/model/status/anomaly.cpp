#include "reference_impl/model/status/anomaly.h"

namespace assay::status {

std::string_view text_of(Reason reason) {
  switch (reason) {
    case Reason::late_lifecycle:
      return "a lifecycle event after the execution was closed";
    case Reason::second_start:
      return "a second start of the execution";
    case Reason::undecided_finish:
      return "a finish whose status is neither success nor error";
    case Reason::workflow_move:
      return "the workflow's state does not allow this event";
    case Reason::names_no_step:
      return "a step event that names no step";
    case Reason::names_no_command:
      return "a command or call event that names no command";
    case Reason::step_move:
      return "the step's state does not allow this event";
    case Reason::exit_without_outcome:
      return "a step.exit whose status is not an outcome of a step";
    case Reason::step_run_ended:
      return "an event of a step run that already has its outcome";
    case Reason::command_move:
      return "the command's state does not allow this event";
    case Reason::command_issued_twice:
      return "a command that was issued already";
    case Reason::second_command_outcome:
      return "a second outcome of a command";
    case Reason::second_tool_outcome:
      return "a second outcome of a tool call";
    case Reason::second_task_outcome:
      return "a second outcome of a task run";
    case Reason::iteration_never_scheduled:
      return "the outcome of an iteration that was never scheduled";
    case Reason::iteration_ended_twice:
      return "a second outcome of an iteration";
    case Reason::loop_done_too_early:
      return "a loop.done over an open iteration";
  }
  return "";
}

}  // namespace assay::status
