#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>

#include "base/value.h"
#include "harness/core/http.h"
#include "harness/core/secrets.h"

namespace assay::run {

struct HooksEnd;
struct RunContext;

/// What the profile's login gave, for all cases of a run.
struct Login {
  /// What ${login.name} is, and how often that was renewed.
  Object captured = {};
  std::uint64_t times = 0;
  bool is_under_way = false;
  /// Every value that it ever was.
  core::Secrets secrets = {};
};

/// Whether the request has a header that the login gives.
[[nodiscard]] bool needs_login(const core::HttpRequest& request);

/// The request with what the login gave; a header that names what it did not give is left out, as
/// of the login's own requests.
[[nodiscard]] core::HttpRequest with_login(core::HttpRequest request, const Login& login);

/// Logs in, unless somebody has since the login was renewed for the `seen`th time, or is about to:
/// then waits for that. What it captures is added to the login and to its secrets.
[[nodiscard]] boost::asio::awaitable<HooksEnd> log_in(const RunContext& context,
                                                      std::uint64_t seen);

}  // namespace assay::run
