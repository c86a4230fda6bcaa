#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>
#include <vector>

#include "harness/check/match.h"
#include "harness/core/record.h"
#include "harness/core/scenario.h"
#include "harness/run/patience.h"
#include "harness/run/session.h"

namespace assay::run {

/// What one look at one or more reads showed.
struct Reading {
  Look look = Look::undecided;
  /// Where it is not as expected.
  std::string expected;
  std::string actual;
  /// Why it shows nothing.
  std::string reason;
  /// What was seen where it is as expected, for what must not come true.
  std::string seen;
  std::vector<core::Exchange> exchanges;
};

/// The items of all pages of a listing, or why there are none.
struct Listing {
  /// matched: `items` are whole.
  Look look = Look::matched;
  List items;
  std::string reason;
  /// The answer to the first page.
  Reply first;
  std::vector<core::Exchange> exchanges;
};

/// Follows a listing from its first page to its last, within limits.max_pages.
boost::asio::awaitable<Listing> read_listing(Session& session, core::Operation operation);

/// Looks once at reads (substituted already): matched where all match; else the first definite
/// difference, else the worst trouble.
boost::asio::awaitable<Reading> read_once(Session& session,
                                          const std::vector<core::ReadExpectation>& reads);

}  // namespace assay::run
