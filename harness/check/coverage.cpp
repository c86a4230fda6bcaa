#include "harness/check/coverage.h"

#include <fmt/format.h>

#include <algorithm>

namespace assay::check {
namespace {

void add_missing(std::vector<std::string>& missing, const std::string& layer,
                 const std::vector<std::string>& defined, const std::vector<std::string>& seen) {
  for (const std::string& name : defined) {
    if (std::find(seen.begin(), seen.end(), name) != seen.end()) continue;
    missing.push_back(fmt::format("{}: {}", layer, name));
  }
}

}  // namespace

double CoverageTotal::percent() const {
  if (defined == 0) return 0;
  return 100 * static_cast<double>(seen) / static_cast<double>(defined);
}

CoverageTotal coverage_total(std::span<const core::LayerCoverage> layers) {
  CoverageTotal total;
  for (const core::LayerCoverage& layer : layers) {
    total.seen += layer.states_seen.size() + layer.transitions_seen.size();
    total.defined += layer.states.size() + layer.transitions.size();
  }
  return total;
}

std::vector<std::string> never_exercised(std::span<const core::LayerCoverage> layers) {
  std::vector<std::string> missing;
  for (const core::LayerCoverage& layer : layers) {
    add_missing(missing, layer.layer, layer.states, layer.states_seen);
    add_missing(missing, layer.layer, layer.transitions, layer.transitions_seen);
  }
  return missing;
}

bool falls_short(const core::RecordFooter& footer) {
  return footer.required_coverage &&
         coverage_total(footer.coverage).percent() < *footer.required_coverage;
}

}  // namespace assay::check
