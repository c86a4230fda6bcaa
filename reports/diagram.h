#pragma once

#include <string>

#include "harness/core/record.h"

namespace assay::reports {

/// A layer's states and transitions as an SVG drawing: what was exercised is drawn with full lines,
/// the rest dashed, and a style sheet may colour the classes "seen" and "unseen". Transitions are
/// read as "FROM -> TO: trigger"; what is no such text is left out of the drawing.
[[nodiscard]] std::string state_diagram(const core::LayerCoverage& layer);

}  // namespace assay::reports
