#pragma once

#include <boost/asio/awaitable.hpp>

#include "harness/core/record.h"
#include "harness/run/session.h"

namespace assay::run {

/// The positive control of a case that passed though all of its requests were answered alike, or
/// none was accepted: the target is asked for something that it must accept, and answer in another
/// way. Where it does not, nothing tells it from a server that answers whatever it is asked with
/// the same words or refuses it, and the case is inconclusive.
boost::asio::awaitable<void> check_control(const RunContext& context, core::CaseResult& result);

}  // namespace assay::run
