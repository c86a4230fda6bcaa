#include "harness/run/event_body.h"

#include <algorithm>

#include "harness/core/scenario.h"

namespace assay::run {

Value event_body(const Value& event, const std::vector<std::string>& omit, const Identity& identity,
                 Scope& scope) {
  const std::int64_t number = scope.next_event();
  if (!event.is_object()) return event;
  Object body = core::expand_event_shorthands(event.as_object());
  const auto make = [&](const char* member, const std::string& value) {
    if (std::find(omit.begin(), omit.end(), member) == omit.end()) body.emplace(member, value);
  };
  make("event_id", identity.event_id(number));
  make("timestamp", event_time(number));
  return body;
}

}  // namespace assay::run
