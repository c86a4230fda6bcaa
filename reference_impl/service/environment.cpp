#include "reference_impl/service/environment.h"

#include "reference_impl/model/events/timestamp.h"

namespace assay::service {

std::string Environment::timestamp() {
  return events::format_timestamp(events::instant_of_nanoseconds(clock.now()));
}

}  // namespace assay::service
