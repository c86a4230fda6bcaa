#pragma once

#include <cstddef>
#include <functional>

#include "harness/core/scenario.h"
#include "properties/cause.h"
#include "properties/draft.h"
#include "properties/family.h"
#include "properties/recorder.h"

namespace assay::properties {

struct ShrinkBudget {
  /// Scenarios that may be run against the target, and requests that they may send in all.
  std::size_t runs = 100;
  std::size_t requests = 500;
};

/// What a scenario, run against the target, came to.
struct Attempt {
  /// Whether it failed for the same cause.
  bool fails = false;
  std::size_t requests = 0;
};
using Try = std::function<Attempt(const core::Scenario&)>;

struct Shrunk {
  Draft draft;
  /// The last that failed.
  core::Scenario scenario;
  std::size_t runs = 0;
  std::size_t requests = 0;
};

/// The smallest draft found that still fails for the same cause. Of a candidate only the check that
/// failed is run, where that fails alone. What needs no request comes first: the reference says
/// which drafts come to that check at all, and the smallest of those is tried before all others.
/// Then moves and construction are thinned out (delta debugging, Zeller 2002; the reference repairs
/// what no longer fits), then operands made simple. Each candidate is run at most once. `failing`
/// itself is not run again.
[[nodiscard]] Shrunk shrink(const Recorder& recorder, const Family& family, Recording failing,
                            const Cause& cause, const Try& attempt,
                            const ShrinkBudget& budget = {});

}  // namespace assay::properties
