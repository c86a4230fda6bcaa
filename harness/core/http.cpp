#include "harness/core/http.h"

#include <algorithm>
#include <array>

namespace assay::core {

bool is_intermediary_status(int status) {
  constexpr std::array<int, 5> statuses = {408, 429, 502, 503, 504};
  return std::find(statuses.begin(), statuses.end(), status) != statuses.end();
}

}  // namespace assay::core
