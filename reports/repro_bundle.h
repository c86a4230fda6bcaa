#pragma once

#include <string>

#include "harness/core/record.h"

namespace assay::reports {

/// The exchanges of a case as an HTTP Archive (HAR 1.2), secrets masked.
[[nodiscard]] std::string har_of(const core::RunRecord& record, const core::CaseResult& result);

/// A shell script with curl alone that plays the case's requests up to the first failing check on
/// fresh names, and exits with 1 where the answer shows the fault, 0 where it does not, 2 where
/// there is no answer. What the server named (ids) is taken from its answers. Its argument, or
/// $TARGET, says where the server is.
[[nodiscard]] std::string repro_script(const core::RunRecord& record,
                                       const core::CaseResult& result);

}  // namespace assay::reports
