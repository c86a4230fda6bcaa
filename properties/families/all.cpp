#include <iterator>
#include <utility>

#include "properties/families/families.h"

namespace assay::properties {

std::span<const Family> families() {
  static const std::vector<Family> all = [] {
    std::vector<Family> joined = execution_families::all();
    for (auto& part :
         {owner_families::all(),       envelope_families::all(),   taxonomy_families::all(),
          well_formed_families::all(), routing_families::all(),    join_families::all(),
          admission_families::all(),   ending_families::all(),     loop_families::all(),
          lifecycle_families::all(),   rollback_families::all(),   lock_families::all(),
          run_families::all(),         concurrent_families::all(), request_families::all(),
          allowed_families::all(),     page_families::all(),       waiting_families::all(),
          published_families::all(),   reference_families::all(),  guard_families::all(),
          driven_log_families::all(),  long_families::all()}) {
      joined.insert(joined.end(), part.begin(), part.end());
    }
    return joined;
  }();
  return all;
}

}  // namespace assay::properties
