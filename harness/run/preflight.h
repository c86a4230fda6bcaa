#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "harness/run/session.h"

namespace assay::run {

/// What the target says of itself before the first case.
struct Introduction {
  /// Name and version, as far as the profile's health operation shows them.
  std::string identity;
  /// Why there is nobody to be judged: "http://127.0.0.1:1: the connection was refused"; empty:
  /// somebody answers, or at least took the connection.
  std::string unreachable;
};

/// Asks the target who it is.
boost::asio::awaitable<Introduction> introduce(const RunContext& context);

/// Why the target cannot be judged, as one sentence; empty: it can.
struct OperationsFinding {
  std::string trouble;
  /// It is the profile that has to be put right.
  bool is_profile_fault = false;
  /// Whether the profile has any operation to ask by.
  bool was_asked = false;
};

/// What to say where a target does not answer as the profile of the reference has it, which is the
/// one that is taken where none is named; empty of any other profile.
[[nodiscard]] std::string other_profile_advice(const core::Profile& profile);

/// The parameters with which an execution (executions.start) or a run (runs.create) called `id`
/// stays open where a target with these capabilities lets it.
[[nodiscard]] Object parameters_to_start(std::string_view operation, const std::string& id,
                                         const std::set<std::string, std::less<>>& capabilities);

/// Asks until one operation of the profile is answered as the profile describes: the listings, then
/// what makes an execution, a run or a function block. No trouble where one is, or where the
/// profile has none of these; a wrong path, a login page and a plain web server would answer every
/// case with nothing that can be judged.
/// What it makes is called `id`, where it can be given a name. With `other` only an answer counts
/// that accepts what is asked and is another than it.
boost::asio::awaitable<OperationsFinding> check_operations(
    const RunContext& context, std::string id, const core::HttpResponse* other = nullptr);

}  // namespace assay::run
