#include "cli/reference.h"

#include <memory>

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

}  // namespace assay::cli
