#include <iterator>
#include <utility>

#include "properties/families/families.h"

namespace assay::properties {

std::span<const Family> families() {
  static const std::vector<Family> all = [] {
    std::vector<Family> joined = execution_families();
    for (auto& part :
         {owner_families(), envelope_families(), taxonomy_families(), well_formed_families(),
          routing_families(), join_families(), admission_families(), ending_families(),
          loop_families(), lifecycle_families(), lock_families(), run_families(),
          concurrent_families(), request_families(), allowed_families(), page_families()}) {
      joined.insert(joined.end(), part.begin(), part.end());
    }
    return joined;
  }();
  return all;
}

}  // namespace assay::properties
