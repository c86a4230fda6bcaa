#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>

#include "harness/core/history.h"
#include "harness/core/operation.h"
#include "harness/core/profile.h"
#include "harness/run/session.h"

namespace assay::run {

/// Why nothing may be made of the answer to a transition: the run would have to stay in a state
/// that the target does not have or leaves by itself. Empty where it may be asked.
[[nodiscard]] std::string unaskable_of(const core::Profile& profile, const core::History& history,
                                       const core::Operation& operation);

/// Whether the operation is a transition that the target makes by itself (passing_states).
[[nodiscard]] bool is_awaited(const core::Profile& profile, const core::History& history,
                              const core::Operation& operation);

/// Looks by runs.get, within limits.within_ms, until the run is where the transition takes it: the
/// answer is that look's. Where it does not come there, there is no answer.
[[nodiscard]] boost::asio::awaitable<Reply> await_transition(Session& session,
                                                             const core::Operation& operation);

}  // namespace assay::run
