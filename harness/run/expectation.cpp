#include "harness/run/expectation.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/overloaded.h"
#include "harness/check/answer.h"
#include "harness/check/events.h"
#include "harness/core/list_order.h"
#include "harness/core/operation_shape.h"
#include "harness/run/patience.h"
#include "harness/run/reading.h"
#include "harness/wire/exchange.h"

namespace assay::run {
namespace {

using core::Expect;
using core::ReadExpectation;
using core::Verdict;

Waiting waiting_of(const Session& session, const Expect& expect) {
  const core::Limits& limits = session.context().profile.limits;
  const double lag_ms = consistency_window_ms(session.context().profile);
  Waiting waiting;
  waiting.immediate = session.context().target.is_immediate();
  waiting.latest_ms = session.latest_ms();
  waiting.within_ms = lag_ms;
  waiting.lag_ms = lag_ms;
  waiting.settled_ms = session.settled_ms();
  // What was broken at the end of the window shows only once the reads have caught up.
  const auto window_ms = [&](const std::optional<std::int64_t>& hold_ms) {
    return session.scaled(hold_ms.value_or(limits.hold_ms)) + lag_ms;
  };
  std::visit(Overloaded{[](core::Now) {},
                        [&](const core::Within& within) {
                          waiting.within_ms += session.scaled(within.within_ms);
                        },
                        [&](const core::Hold& hold) {
                          waiting.hold = true;
                          waiting.within_ms += session.scaled(hold.within_ms.value_or(0));
                          // Looked for from when the reads have caught up with its beginning.
                          waiting.hold_ms = window_ms(hold.hold_ms) -
                                            std::max(0.0, session.settled_ms() - session.now_ms());
                        },
                        [&](const core::Never& never) {
                          waiting.never = true;
                          waiting.hold_ms = window_ms(never.hold_ms);
                        }},
             expect.when);
  return waiting;
}

/// Adds the reads that are not there yet.
void keep_reads(std::vector<std::shared_ptr<Read>>& all,
                const std::vector<std::shared_ptr<Read>>& more) {
  for (const auto& read : more) {
    if (std::find(all.begin(), all.end(), read) == all.end()) all.push_back(read);
  }
}

/// One look: the reads, and where they differ each other reading that is allowed, judged from the
/// same answers where it asks the same. Where one of those could not be told, nothing is decided.
boost::asio::awaitable<Reading> look_once(Session& session, const Expect& expect,
                                          SharedReads& shared, bool from_shared, bool& allowed) {
  allowed = false;
  Reading reading = co_await read_once(session, expect.reads, shared, from_shared);
  if (reading.result == ReadResult::matched) co_return reading;
  SharedReads look;
  for (const auto& read : reading.reads) look.keep(read);
  std::optional<Reading> untold;
  for (const auto& reads : expect.also_allowed) {
    Reading other = co_await read_once(session, reads, look, true);
    keep_reads(reading.reads, other.reads);
    if (other.result == ReadResult::matched) {
      allowed = true;
      other.reads = std::move(reading.reads);
      co_return other;
    }
    if (other.result == ReadResult::undecided || other.result == ReadResult::fault)
      untold = std::move(other);
  }
  if (!untold) co_return reading;
  untold->reads = std::move(reading.reads);
  co_return *std::move(untold);
}

void keep_difference(core::Check& check, const Expect& expect, const Reading& reading) {
  if (check.verdict == Verdict::pass) return;
  if (expect.is_never() && check.verdict == Verdict::fail) {
    check.expected = "that it never comes true";
    check.actual = reading.seen;
    return;
  }
  check.expected = reading.expected;
  check.actual = reading.actual;
}

std::string joined(std::string reason, const std::string& more) {
  if (more.empty()) return reason;
  return reason.empty() ? more : reason + "; " + more;
}

using Shown = decltype(ReadExpectation::shows);

Shown substitute_shown(const std::string& operation, const Shown& shows,
                       const check::Variables& variables) {
  return std::visit(Overloaded{[](std::monostate none) -> Shown { return none; },
                               [&](const core::Pattern& pattern) -> Shown {
                                 return core::without_order(operation,
                                                            check::substitute(pattern, variables));
                               },
                               [&](const core::EventExpectation& events) -> Shown {
                                 return check::substitute_events(events, variables);
                               },
                               [&]<typename Named>(const Named& named) -> Shown {
                                 return Named{check::substitute_elements(named.names, variables)};
                               }},
                    shows);
}

/// By names that have to be as many as there are fields, so that none can be forgotten: what a
/// whole log must be like is not copied only to be replaced.
ReadExpectation substitute_read(const ReadExpectation& written, const check::Variables& variables,
                                const std::string& subject) {
  const auto& [operation, parameters, shows, response] = written;
  ReadExpectation read;
  read.operation = operation;
  read.parameters = check::substitute(Value(parameters), variables).as_object();
  read.shows = substitute_shown(operation, shows, variables);
  if (response) read.response = check::substitute_answer(*response, variables);
  if (const core::EventExpectation* events = read.events()) {
    for (const auto& [name, value] : events->filter) {
      read.parameters.insert_or_assign(name, value);
    }
  }
  const core::OperationShape* shape = core::operation_shape(read.operation);
  if (shape != nullptr && !shape->subject.empty()) {
    read.parameters.emplace(shape->subject, subject);
  }
  return read;
}

std::vector<ReadExpectation> substitute_reads(const std::vector<ReadExpectation>& reads,
                                              const check::Variables& variables,
                                              const std::string& subject) {
  std::vector<ReadExpectation> result;
  result.reserve(reads.size());
  for (const ReadExpectation& read : reads) {
    result.push_back(substitute_read(read, variables, subject));
  }
  return result;
}

/// Whether a read asks by a parameter that the target does not take.
bool asks_in_vain(const ReadExpectation& read, const core::Profile& profile) {
  const auto form = profile.operations.find(read.operation);
  return form != profile.operations.end() &&
         !wire::lacked_parameter(form->second, read.parameters).empty();
}

template <typename Expected>
void keep_or_drop(ReadExpectation& read, std::optional<Expected> left) {
  if (left) {
    read.shows = *std::move(left);
  } else {
    read.shows = std::monostate();
  }
}

/// Leaves out of reads what the target does not show or cannot be asked for; false where nothing is
/// left, or where what is left says something else.
bool keep_observable_reads(std::vector<ReadExpectation>& reads, bool never,
                           const core::Profile& profile) {
  std::vector<ReadExpectation> kept;
  for (ReadExpectation& read : reads) {
    if (asks_in_vain(read, profile)) {
      if (never) return false;
      continue;
    }
    const check::Observability shown = observability(profile, read.operation);
    const bool was_judged = read.expects_more();
    if (const core::Pattern* pattern = read.pattern(); pattern != nullptr && !shown.shows_all()) {
      // Less of it would forbid more.
      const core::ElementsPattern none{core::Pattern::How::none_of, {*pattern}};
      if (never && !check::observable({none}, shown)) return false;
      keep_or_drop(read, check::observable(*pattern, shown));
    } else if (const core::EventExpectation* events = read.events()) {
      keep_or_drop(read, check::observable(*events, shown));
    }
    const bool is_emptied = was_judged && !read.expects_more();
    if (!is_emptied || read.response) kept.push_back(std::move(read));
  }
  reads = std::move(kept);
  return !reads.empty();
}

}  // namespace

bool keep_observable(Expect& expect, const core::Profile& profile) {
  bool judged = keep_observable_reads(expect.reads, expect.is_never(), profile);
  for (auto& reads : expect.also_allowed) {
    judged = keep_observable_reads(reads, expect.is_never(), profile) && judged;
  }
  return judged;
}

check::Observability observability(const core::Profile& profile, std::string_view operation) {
  static const std::set<std::string, std::less<>> nothing;
  const auto form = profile.operations.find(operation);
  // The status of an event is no state.
  const bool has_all_words = profile.missing_states.empty() || operation.starts_with("events.");
  return {form == profile.operations.end() ? nothing : form->second.unobserved, profile.own_times,
          profile.own_acknowledgements && operation.starts_with("workflow."),
          has_all_words ? nullptr : &profile.missing_states, &profile.event_names};
}

boost::asio::awaitable<core::Check> judge_expectation(Session& session, Expect expect,
                                                      SharedReads& shared) {
  if (!keep_observable(expect, session.context().profile)) {
    core::Check unseen;
    unseen.verdict = Verdict::not_applicable;
    unseen.reason = "the target exposes none of the checked fields";
    co_return unseen;
  }
  const Waiting waiting = waiting_of(session, expect);
  Patience patience(waiting, session.now_ms());
  Reading reading;
  // The last look that said nothing: what a hold that cannot be told was lacking.
  std::string trouble;
  bool allowed = false;
  std::optional<double> pause = 0;
  while (pause) {
    co_await session.wait(*pause);
    // What has to stay so, or comes true only later, is looked at anew.
    const bool from_shared = expect.same_look && patience.looks() == 0;
    double called_ms = session.now_ms();
    reading = co_await look_once(session, expect, shared, from_shared, allowed);
    for (const auto& read : reading.reads) called_ms = std::min(called_ms, read->called_ms);
    if (!reading.reason.empty()) trouble = reading.reason;
    pause = patience.after_look(reading.result, called_ms, session.now_ms());
  }
  core::Check check;
  check.verdict = patience.verdict();
  check.reason = patience.reason();
  check.looks = patience.looks();
  check.looked_ms = patience.looked_ms();
  keep_difference(check, expect, reading);
  if (check.verdict == Verdict::pass) {
    if (allowed) check.reason = joined("also allowed", expect.because);
  } else if (check.verdict != Verdict::fail) {
    check.reason = joined(std::move(check.reason), trouble);
  }
  for (const auto& read : reading.reads) {
    const std::vector<std::size_t>& exchanges = read->shown.exchanges;
    check.evidence.insert(check.evidence.end(), exchanges.begin(), exchanges.end());
  }
  co_return check;
}

Expect substitute_expectation(const Expect& expect, const check::Variables& variables,
                              const std::string& subject) {
  const auto& [reads, clauses, when, same_look, also_allowed, because] = expect;
  Expect result;
  result.reads = substitute_reads(reads, variables, subject);
  result.clauses = clauses;
  result.when = when;
  result.same_look = same_look;
  for (const auto& other : also_allowed) {
    result.also_allowed.push_back(substitute_reads(other, variables, subject));
  }
  result.because = because;
  return result;
}

}  // namespace assay::run
