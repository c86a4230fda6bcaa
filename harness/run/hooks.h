#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/core/profile.h"
#include "harness/run/session.h"

namespace assay::run {

/// How a list of hooks ended.
struct HooksEnd {
  core::Acceptance acceptance = core::Acceptance::accepted;
  /// "POST /register: answered 500: …" where it was not accepted.
  std::string trouble;
  std::optional<core::TransportError> transport;
  /// Where their exchanges are in the session's history.
  std::vector<std::size_t> exchanges;
  /// A template names what the answer before it has not.
  bool is_profile_fault = false;
};

/// Makes requests of the profile's own, one after the other; each may name what `parameters` has,
/// and adds what it captures. Stops at the first that is not accepted. One with `until` is asked
/// again within limits.within_ms. Throws NotApplicable where a template cannot be filled in.
boost::asio::awaitable<HooksEnd> run_hooks(Session& session, const std::vector<core::Hook>& hooks,
                                           Object& parameters);

/// The profile's setup: what it captures becomes `setup` of the context's ambient, with `mark`
/// beside it, and is added to its secrets. Throws as run_hooks does.
boost::asio::awaitable<HooksEnd> run_setup(Session& session, RunContext& context);

/// Asks for the operations that make the server's services work again, since the next case expects
/// that. What becomes of them is nobody's finding.
boost::asio::awaitable<void> undo(Session& session, const std::vector<core::Operation>& undoings);

/// Asks the profile's cleanup for each thing that a case made, by what identifies it (execution_id,
/// run_id or uuid). What becomes of it is nobody's finding.
boost::asio::awaitable<void> clean_up(Session& session,
                                      const std::vector<std::pair<std::string, std::string>>& made);

}  // namespace assay::run
