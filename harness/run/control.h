#pragma once

#include <boost/asio/awaitable.hpp>

#include "harness/core/record.h"
#include "harness/run/session.h"

namespace assay::run {

/// Whether a case needs a positive control: it passed though all of its requests were answered
/// alike, or none was accepted.
[[nodiscard]] bool needs_control(const core::CaseResult& result);

/// Whether a check says that a case had no positive control.
[[nodiscard]] bool is_missing_control(const core::Check& check);

/// The positive control of a case that needs one: the target is asked for something that it must
/// accept, and answer in another way. Where it does not, nothing tells it from a server that
/// answers whatever it is asked with the same words or refuses it, and the case is inconclusive.
boost::asio::awaitable<void> check_control(const RunContext& context, core::CaseResult& result);

}  // namespace assay::run
