#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "properties/draft.h"
#include "properties/family.h"
#include "properties/recorder.h"

namespace assay::properties {

struct ShrinkBudget {
  /// Candidates that may be run against the target.
  std::size_t runs = 100;
};

struct Shrunk {
  Recording recording;
  /// Candidates that were run.
  std::size_t runs = 0;
};

/// Whether a recording, run against the target, still fails for the same cause.
using StillFails = std::function<bool(const Recording&)>;

/// The smallest draft found whose recording still fails: what comes after `failing_line` is cut,
/// then moves and construction are thinned out (delta debugging, Zeller 2002; the reference repairs
/// what no longer fits), then operands made simple. Each candidate is run at most once. `failing`
/// itself is not run again.
[[nodiscard]] Shrunk shrink(const Recorder& recorder, const Family& family, Recording failing,
                            int failing_line, const StillFails& still_fails,
                            const ShrinkBudget& budget = {});

}  // namespace assay::properties
