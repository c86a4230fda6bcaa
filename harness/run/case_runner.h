#pragma once

#include <boost/asio/awaitable.hpp>

#include "harness/core/record.h"
#include "harness/core/scenario.h"
#include "harness/run/session.h"

namespace assay::run {

/// Runs one case against the target and judges it. Everything that can go wrong is in the result:
/// what the profile lacks makes it not_applicable, the harness's own faults an error. Throws
/// Interrupted where the run is to end first, after cleaning up, and nothing for anything that a
/// scenario says or a target does. The context outlives the call.
boost::asio::awaitable<core::CaseResult> run_case(const RunContext& context, core::Case one);

/// "assay run --profile P --target URL --case ID --seed N", quoted for a POSIX shell.
[[nodiscard]] std::string repro_command(const RunContext& context, std::string_view case_id);

/// A case that a profile's target is not judged by, and why.
[[nodiscard]] core::CaseResult not_applicable(const RunContext& context, const core::Case& one,
                                              std::string reason);

}  // namespace assay::run
