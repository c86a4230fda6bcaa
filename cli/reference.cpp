#include "cli/reference.h"

#include <memory>
#include <string>

#include "cli/generated.h"
#include "cli/version_text.h"
#include "reference_impl/liberties/choices.h"
#include "reference_impl/server/system_clock.h"

namespace assay::cli {

service::ServiceOptions reference_options(std::uint64_t seed) {
  service::ServiceOptions options;
  options.clock = std::make_shared<server::SystemClock>();
  options.ids = service::uuid_source(seed);
  options.version = version_text;
  return options;
}

service::ServiceOptions reference_options(std::uint64_t seed, const core::Profile& declared) {
  service::ServiceOptions options = reference_options(seed);
  liberties::take_choices(declared.interpretations, options);
  return options;
}

core::Profile profile_showing(const faults::Fault& fault) {
  core::Profile profile = reference_profile();
  if (!fault.under.key.empty()) {
    profile.interpretations.insert_or_assign(std::string(fault.under.key), fault.under.choice);
  }
  return profile;
}

}  // namespace assay::cli
