// Servers that refuse events under legacy names, and store some all the same.
#include <array>
#include <utility>

#include "reference_impl/faults/families.h"
#include "reference_impl/faults/log_reading.h"
#include "reference_impl/faults/rewriting.h"

namespace assay::faults {
namespace {

/// These faults show where legacy events are refused.
constexpr Choice refusing{"legacy_events", "reject"};

bool is_legacy(const Value& event) {
  constexpr std::array<std::string_view, 4> prefixes = {"tool.", "retry.", "sink.", "case."};
  const std::string type = text_of(event, "event_type");
  for (const std::string_view prefix : prefixes) {
    if (type.starts_with(prefix)) return true;
  }
  return false;
}

/// Under a name that is taken.
void rename(Value& event) {
  if (is_legacy(event)) event.as_object().insert_or_assign("event_type", "task.started");
}

/// What is refused is stored.
Intercept stores_what_it_refuses() {
  return [](service::Service& sound, const service::Request& request) {
    service::Reply reply = sound.handle(request);
    if (!is_on_route(request, post_route) || reply.status < 400) return reply;
    Value event = json_of(request.body);
    if (!event.is_object() || !is_legacy(event)) return reply;
    rename(event);
    (void)sound.handle(with_body(request, event));
    return reply;
  };
}

}  // namespace

std::vector<Fault> refused_legacy_faults() {
  return {
      {"legacy-tool-events-are-taken", "EVT-LEG-REJECT",
       "Where legacy events are refused, those under tool.* are taken",
       alters_requests(post_route,
                       [](Value& event) {
                         if (text_of(event, "event_type").starts_with("tool.")) rename(event);
                       }),
       refusing},
      {"legacy-events-in-batches-are-taken", "EVT-LEG-REJECT",
       "Where legacy events are refused, those of a batch are taken",
       alters_requests(batch_route, [](Value& batch) { each_item(batch, "events", rename); }),
       refusing},
      {"refused-legacy-events-are-stored", "EVT-LEG-REJECT",
       "Where legacy events are refused, they are stored all the same", stores_what_it_refuses(),
       refusing},
  };
}

}  // namespace assay::faults
