#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/value.h"
#include "harness/check/log_rule.h"

namespace assay::check {

/// A rule that a log breaks.
struct Violation {
  std::string clause;
  /// What is wrong, naming the event.
  std::string message;
  /// The event at which it shows, from 0; the number of events where it shows at the end.
  std::size_t index = 0;
  LogRule rule = LogRule::event_id;
  /// The message without the event's name.
  std::string what = {};
};

/// Whose words a log is made of.
enum class LogScope {
  replay,   ///< A client posted every event: only what a server owes any log is judged.
  driven,   ///< The server is the control plane: the order of its events is judged too, and that of
            ///< the worker events, which is the worker's duty and the server's to see.
  foreign,  ///< Written by a system of which nothing is known: as driven, without what only the
            ///< reference binding promises, and nothing that a gap would explain.
};

/// What holds for every event log (whole, in the order of the listing), judged from specifications
/// 001 and 003 alone, without the reference's model: envelopes (001 2), numbering, one outcome a
/// task run and consecutive attempts (001 3.4), steps that start only once scheduled (001 5.2), the
/// order of loops (001 3.5), exactly one completion and nothing routed after it (000, 003 6), arcs
/// that match before they fire (003 4.3). A log may end anywhere: what has not come yet is no
/// violation. Each clause is one of core::log_clauses(). In order of `index`; each rule shows at
/// most once an event. Takes time linear in the log, up to logarithms.
[[nodiscard]] std::vector<Violation> check_log(const List& events,
                                               LogScope scope = LogScope::driven);

}  // namespace assay::check
