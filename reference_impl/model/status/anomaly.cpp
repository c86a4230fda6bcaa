#include "reference_impl/model/status/anomaly.h"

#include "base/words.h"

namespace assay::status {

std::string_view text_of(Reason reason) {
  constexpr Words<Reason::loop_done_too_early> texts = {
      "a lifecycle event after the execution was closed",
      "a second start of the execution",
      "a finish whose status is neither success nor error",
      "the workflow's state does not allow this event",
      "a step event that names no step",
      "a command or call event that names no command",
      "the step's state does not allow this event",
      "a step.exit whose status is not an outcome of a step",
      "an event of a step run that already has its outcome",
      "the command's state does not allow this event",
      "a command that was issued already",
      "a second outcome of a command",
      "a second outcome of a tool call",
      "a second outcome of a task run",
      "the outcome of an iteration that was never scheduled",
      "a second outcome of an iteration",
      "a loop.done over an open iteration"};
  return texts[reason];
}

}  // namespace assay::status
