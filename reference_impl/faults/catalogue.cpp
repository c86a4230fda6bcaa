#include "reference_impl/faults/catalogue.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>
#include <vector>

#include "reference_impl/faults/families.h"
#include "reference_impl/faults/intercepted.h"
#include "reference_impl/service/reference.h"

namespace assay::faults {
namespace {

std::vector<Fault> all_families() {
  std::vector<Fault> all;
  for (const auto family :
       {inference_faults,    status_faults,    event_faults,          publication_faults,
        lifecycle_faults,    term_faults,      routing_faults,        token_faults,
        run_faults,          binding_faults,   refusal_faults,        value_faults,
        afterthought_faults, field_faults,     reading_faults,        deciding_faults,
        telling_faults,      keeping_faults,   passage_faults,        firing_faults,
        plane_faults,        own_event_faults, refused_legacy_faults, own_way_faults}) {
    std::vector<Fault> some = family();
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace

std::span<const Fault> faults() {
  static const std::vector<Fault> all = all_families();
  return all;
}

const Fault* find_fault(std::string_view id) {
  const std::span<const Fault> all = faults();
  const auto found =
      std::find_if(all.begin(), all.end(), [id](const Fault& fault) { return fault.id == id; });
  return found == all.end() ? nullptr : &*found;
}

std::unique_ptr<service::Service> make_broken(const Fault& fault, service::ServiceOptions options) {
  if (const auto* configure = std::get_if<Configure>(&fault.means)) {
    (*configure)(options);
    return service::make_reference(std::move(options));
  }
  const auto* make = std::get_if<MakeIntercept>(&fault.means);
  Intercept intercept = make != nullptr ? (*make)() : std::get<Intercept>(fault.means);
  return intercepted(service::make_reference(std::move(options)), std::move(intercept));
}

}  // namespace assay::faults
