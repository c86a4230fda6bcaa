#pragma once

#include "reference_impl/service/options.h"

namespace assay::faults {

inline service::Deviations& part_of(service::ServiceOptions& options,
                                    bool service::Deviations::* /*flag*/) {
  return options.deviations;
}
inline status::Deviations& part_of(service::ServiceOptions& options,
                                   bool status::Deviations::* /*flag*/) {
  return options.status_deviations;
}
inline routing::Deviations& part_of(service::ServiceOptions& options,
                                    bool routing::Deviations::* /*flag*/) {
  return options.routing_deviations;
}
inline lifecycle::Deviations& part_of(service::ServiceOptions& options,
                                      bool lifecycle::Deviations::* /*flag*/) {
  return options.lifecycle_deviations;
}
inline runs::Deviations& part_of(service::ServiceOptions& options,
                                 bool runs::Deviations::* /*flag*/) {
  return options.run_rules.deviations;
}

/// Sets one flag of whichever deviations have it: switch_on<&runs::Deviations::retry_reuses_id>.
template <auto flag>
void switch_on(service::ServiceOptions& options) {
  part_of(options, flag).*flag = true;
}

/// The same for a flag that counts only once an execution's live state was rebuilt from its log.
template <bool status::Deviations::*... flags>
void switch_on_after_evict(service::ServiceOptions& options) {
  status::Deviations rebuilt = options.status_deviations;
  ((rebuilt.*flags = true), ...);
  options.rebuilt_status_deviations = rebuilt;
}

}  // namespace assay::faults
