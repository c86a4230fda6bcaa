#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "harness/core/record.h"

namespace assay::check {

/// What to say of a run in which several cases had no complete answer within `request_ms` while
/// `jobs` cases were under way at the same moment; nothing where fewer than three had none.
[[nodiscard]] std::optional<std::string> note_on_late_answers(
    std::span<const core::CaseResult> cases, std::size_t jobs, std::int64_t request_ms);

}  // namespace assay::check
