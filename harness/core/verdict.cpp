#include "harness/core/verdict.h"

#include <algorithm>

namespace assay::core {

Verdict merge(Verdict left, Verdict right) { return std::max(left, right); }

Verdict merge(std::span<const Verdict> verdicts) {
  Verdict worst = Verdict::not_applicable;
  for (const Verdict verdict : verdicts) worst = merge(worst, verdict);
  return worst;
}

}  // namespace assay::core
