#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/check/events.h"
#include "harness/check/match.h"
#include "harness/core/record.h"
#include "harness/core/scenario.h"
#include "harness/run/patience.h"
#include "harness/run/session.h"

namespace assay::run {

/// The items of all pages of a listing, or why there are none.
struct Listing {
  /// matched: `items`, a list, is whole; else it has what was read before the trouble.
  ReadResult result = ReadResult::matched;
  Value items = List();
  std::string reason;
  /// Why a page can be read in two ways, empty where none can.
  std::string ambiguity;
  /// The answer to the first page.
  Reply first;
  /// How long the answers to all its pages are.
  std::size_t body_bytes = 0;
  /// Those of all its pages, in the history.
  std::vector<std::size_t> exchanges;
};

/// Follows a listing from its first page to its last, within limits.max_pages. `is_look` as in
/// core::Call.
boost::asio::awaitable<Listing> read_listing(Session& session, core::Operation operation,
                                             bool is_look = false);

/// One read as it went; expectations of one look are judged from the same.
struct Read {
  core::Operation asked;
  /// Whether all pages were read; else there is only `shown.first`.
  bool is_listing = false;
  Listing shown;
  double called_ms = 0;
  /// Of a log.
  check::Audit audit;
};

/// What the expectations of one look (core::Expect::same_look) have read so far.
class SharedReads {
 public:
  /// The last read that asked the same, nullptr where none did.
  [[nodiscard]] std::shared_ptr<Read> find(const core::Operation& asked, bool is_listing) const;
  void keep(std::shared_ptr<Read> read) { reads_.push_back(std::move(read)); }
  void forget() { reads_.clear(); }

 private:
  std::vector<std::shared_ptr<Read>> reads_;
};

/// What one look at one or more reads showed.
struct Reading {
  ReadResult result = ReadResult::undecided;
  /// Where it is not as expected.
  std::string expected;
  std::string actual;
  /// Why it shows nothing.
  std::string reason;
  /// What was seen where it is as expected, for what must not come true.
  std::string seen;
  std::vector<std::shared_ptr<Read>> reads;
};

/// Looks once at reads (substituted already): matched where all match; else the first definite
/// difference, else the worst trouble. What it reads it leaves in `shared`; with `from_shared` it
/// asks nothing that is there.
boost::asio::awaitable<Reading> read_once(Session& session,
                                          const std::vector<core::ReadExpectation>& reads,
                                          SharedReads& shared, bool from_shared);

}  // namespace assay::run
