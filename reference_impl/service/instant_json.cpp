#include "reference_impl/service/instant_json.h"

#include "reference_impl/model/events/timestamp.h"

namespace assay::service {

Value instant_json(std::optional<Instant> instant) {
  if (!instant) return nullptr;
  return events::format_timestamp(
      events::instant_of_nanoseconds(instant->time_since_epoch().count()));
}

}  // namespace assay::service
