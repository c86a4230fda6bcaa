#include "harness/check/log_invariants.h"

#include <fmt/format.h>

#include <deque>
#include <iterator>

#include "harness/check/log_auditor.h"

namespace assay::check {

std::vector<Violation> check_log(const List& events, LogScope scope) {
  std::vector<Violation> violations;
  std::deque<std::string> texts;
  LogAuditor auditor({.scope = scope});
  for (std::size_t index = 0; index < events.size(); ++index) {
    const Value& event = events[index];
    auditor.add(event.is_object() ? log_event_of(event, texts) : LogEvent{});
    std::vector<Violation> found = auditor.take_violations();
    if (!event.is_object()) {
      const std::string what = fmt::format("is {}, not an object", event.kind_name());
      found = {{.clause = "EVT-ENV-TYPE",
                .message = fmt::format("event {} {}", index + 1, what),
                .index = index,
                .rule = LogRule::event_type,
                .what = what}};
    }
    std::move(found.begin(), found.end(), std::back_inserter(violations));
  }
  return violations;
}

}  // namespace assay::check
