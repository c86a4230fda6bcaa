#include "harness/run/reading.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <utility>

#include "base/overloaded.h"
#include "harness/check/answer.h"
#include "harness/check/case_history.h"
#include "harness/check/events.h"
#include "harness/check/step_runs.h"
#include "harness/check/text.h"
#include "harness/core/operation_shape.h"

namespace assay::run {
namespace {

using core::Acceptance;
using core::ReadExpectation;

/// What is read of a listing whose pages do not end: each of its bytes may cost a hundred.
constexpr std::size_t most_listing_bytes = std::size_t{64} << 20U;

/// What the kind of an answer alone says of a read that expects to see something.
ReadResult look_of(const Reply& reply) {
  const core::Answer& answer = *reply.answer;
  if (answer.transport) {
    return verdict_of(*answer.transport) == core::Verdict::error ? ReadResult::fault
                                                                 : ReadResult::undecided;
  }
  if (core::is_taken(answer.acceptance)) {
    return answer.trouble.empty() ? ReadResult::matched : ReadResult::undecided;
  }
  switch (answer.acceptance) {
    case Acceptance::unknown:
    case Acceptance::refused:
      return ReadResult::missing;
    default:
      return ReadResult::undecided;
  }
}

std::string missing_text(const Reply& reply) {
  return fmt::format("{}: {} (status {})", reply.request_line,
                     core::acceptance_words[reply.answer->acceptance], reply.answer->status);
}

/// The mapped array of a listing: `items`, or the first array that there is.
const List* items_of(const Value& mapped) {
  if (mapped.is_list()) return &mapped.as_list();
  if (!mapped.is_object()) return nullptr;
  if (const Value* items = mapped.find("items"); items != nullptr && items->is_list()) {
    return &items->as_list();
  }
  for (const auto& [name, member] : mapped.as_object()) {
    if (member.is_list()) return &member.as_list();
  }
  return nullptr;
}

void fail_listing(Listing& listing, ReadResult result, std::string reason) {
  listing.result = result;
  listing.reason = std::move(reason);
}

/// Takes one page; gives the cursor of the next.
std::optional<Value> page_taken(Listing& listing, const Reply& reply) {
  const ReadResult result = look_of(reply);
  if (reply.answer->is_ambiguous) listing.ambiguity = reply.answer->trouble;
  if (result != ReadResult::matched) {
    fail_listing(listing, result,
                 result == ReadResult::missing ? missing_text(reply) : trouble_text(reply));
    return std::nullopt;
  }
  const List* items = items_of(reply.answer->mapped);
  if (items == nullptr) {
    fail_listing(listing, ReadResult::missing,
                 fmt::format("{}: no array of items in {}", reply.request_line,
                             check::value_text(reply.answer->mapped)));
    return std::nullopt;
  }
  List& all = listing.items.as_list();
  all.insert(all.end(), items->begin(), items->end());
  const Value* next = reply.answer->mapped.find("next");
  if (next == nullptr || next->is_null()) return std::nullopt;
  return *next;
}

/// The same, beside the cases that wait where the page is long.
boost::asio::awaitable<std::optional<Value>> take_page(const Session& session, Listing& listing,
                                                       const Reply& reply) {
  std::optional<Value> next;
  listing.body_bytes += reply.body_bytes;
  co_await perform_on(session.context(), reply.body_bytes,
                      [&] { next = page_taken(listing, reply); });
  co_return next;
}

void keep(Reading& reading, ReadResult result, std::string expected, std::string actual) {
  reading.result = result;
  reading.expected = std::move(expected);
  reading.actual = std::move(actual);
}

void keep_mismatch(Reading& reading, const ReadExpectation& read,
                   const std::optional<check::Mismatch>& mismatch) {
  if (!mismatch) return;
  keep(reading, ReadResult::mismatched,
       fmt::format("{} {}{}{}", read.operation, mismatch->pointer,
                   mismatch->pointer.empty() ? "" : ": ", mismatch->expected),
       mismatch->actual);
}

std::vector<std::string> step_names(const std::vector<Value>& steps) {
  std::vector<std::string> names;
  names.reserve(steps.size());
  for (const Value& step : steps) {
    names.push_back(step.is_string() ? step.as_string() : check::value_text(step));
  }
  std::sort(names.begin(), names.end());
  return names;
}

void judge_scheduled(Reading& reading, const std::vector<Value>& steps, const List& events) {
  const std::vector<std::string> expected = step_names(steps);
  const std::vector<std::string> actual = check::scheduled_steps(events);
  if (expected == actual) return;
  keep(reading, ReadResult::mismatched, fmt::format("scheduled: [{}]", fmt::join(expected, ", ")),
       fmt::format("[{}]", fmt::join(actual, ", ")));
}

void judge_never_scheduled(Reading& reading, const std::vector<Value>& steps, const List& events) {
  const std::vector<std::string> forbidden = step_names(steps);
  for (const check::StepRun& run : check::step_runs_of(events)) {
    if (std::find(forbidden.begin(), forbidden.end(), run.step) == forbidden.end()) continue;
    keep(reading, ReadResult::mismatched, fmt::format("{} is never scheduled", run.step),
         fmt::format("step run {} of it", run.id));
    return;
  }
}

/// Whether the states that were seen come in the path in their order, however many were not.
bool is_on_path(const std::vector<std::string>& seen, const std::vector<std::string>& path) {
  auto at = path.begin();
  for (const std::string& state : seen) {
    at = std::find(at, path.end(), state);
    if (at == path.end()) return false;
    ++at;
  }
  return true;
}

std::vector<std::string> words(const std::vector<Value>& values) {
  std::vector<std::string> texts;
  for (const Value& value : values) {
    texts.push_back(value.is_string() ? value.as_string() : check::value_text(value));
  }
  return texts;
}

/// Without the acknowledgements that a target makes by itself: they are no state that a case led
/// to.
std::vector<std::string> without_acknowledgements(const std::vector<std::string>& states) {
  constexpr std::string_view suffix = "_ACK";
  std::vector<std::string> kept;
  for (std::string state : states) {
    if (state.ends_with(suffix)) state.resize(state.size() - suffix.size());
    if (kept.empty() || kept.back() != state) kept.push_back(std::move(state));
  }
  return kept;
}

/// The states that a kept history names.
std::vector<std::string> states_of(const Value& answer) {
  std::vector<std::string> states;
  const Value* history = answer.find("history");
  if (history == nullptr || !history->is_list()) return states;
  for (const Value& entry : history->as_list()) {
    states.push_back(entry.string_at("status").value_or(check::value_text(entry)));
  }
  return states;
}

void judge_path(Reading& reading, const std::string& operation, const core::StatePath& due,
                const Value& answer, const Session& session) {
  const std::vector<std::string> path = words(due.names);
  const auto& operations = session.context().profile.operations;
  const auto form = operations.find(operation);
  const bool keeps_history =
      form != operations.end() && !form->second.unobserved.contains("history");
  std::vector<std::string> seen =
      keeps_history
          ? states_of(answer)
          : check::states_seen(session.history(), operation, answer.string_at("uuid").value_or(""));
  if (session.context().profile.own_acknowledgements) seen = without_acknowledgements(seen);
  const bool has_arrived = !seen.empty() && seen.back() == path.back();
  const bool is_so = has_arrived && (keeps_history ? seen == path : is_on_path(seen, path));
  const std::string text =
      fmt::format("{} [{}]", keeps_history ? "a history of" : "seen were", fmt::join(seen, ", "));
  reading.seen = text;
  if (is_so) return;
  keep(reading, ReadResult::mismatched, fmt::format("the path [{}]", fmt::join(path, ", ")), text);
}

/// Holds a value, the items of a listing or a whole answer, against what it must show.
void judge_value(Reading& reading, const ReadExpectation& read, Read& shown, const Value& value,
                 const Session& session) {
  std::visit(Overloaded{[](std::monostate) {},
                        [&](const core::Pattern& pattern) {
                          keep_mismatch(reading, read, check::match(pattern, &value));
                        },
                        [&](const core::EventExpectation& events) {
                          keep_mismatch(reading, read,
                                        check::match_events(events, value.as_list(), shown.audit));
                        },
                        [&](const core::ScheduledSteps& steps) {
                          judge_scheduled(reading, steps.names, value.as_list());
                        },
                        [&](const core::NeverScheduledSteps& steps) {
                          judge_never_scheduled(reading, steps.names, value.as_list());
                        },
                        [&](const core::StatePath& path) {
                          judge_path(reading, read.operation, path, value, session);
                        }},
             read.shows);
  const bool says_itself = std::holds_alternative<core::StatePath>(read.shows);
  if (reading.result == ReadResult::matched && !says_itself)
    reading.seen = check::value_text(value);
}

/// Whether the answer itself is as `response` says; the look is decided where it is not, or where
/// nothing more is expected.
bool judge_response(Reading& reading, const ReadExpectation& read, const Reply& reply) {
  if (const auto silence = silence_of(reply, read.response ? &*read.response : nullptr)) {
    reading.result =
        silence->verdict == core::Verdict::error ? ReadResult::fault : ReadResult::undecided;
    reading.reason = silence->reason;
    return true;
  }
  reading.result = ReadResult::matched;
  reading.seen = fmt::format("{}: status {}", reply.request_line, reply.answer->status);
  if (!read.response) return false;
  keep_mismatch(reading, read,
                check::match_answer(*read.response, *reply.answer, reply.headers, reply.body()));
  return reading.result != ReadResult::matched || !read.expects_more();
}

/// An answer that shows nothing to match: the look is decided.
bool judge_kind(Reading& reading, ReadResult result, const ReadExpectation& read,
                std::string text) {
  if (result == ReadResult::matched) return false;
  if (result == ReadResult::missing) {
    keep(reading, result, fmt::format("{} answers with what is there", read.operation),
         std::move(text));
  } else {
    reading.result = result;
    reading.reason = std::move(text);
  }
  return true;
}

/// Whether the pages that were read decide a list that could not be read to its end, whatever the
/// others hold. Where a page is missing that the target offered, they do not excuse it.
bool is_decided_by_part(const ReadExpectation& read, const Listing& listing) {
  const core::Pattern* pattern = read.pattern();
  if (pattern == nullptr || listing.result != ReadResult::undecided ||
      listing.exchanges.size() < 2) {
    return false;
  }
  const bool matches = check::matches(*pattern, &listing.items);
  if (pattern->is(core::Pattern::How::contains)) return matches;
  return pattern->is(core::Pattern::How::excludes) && !matches;
}

/// Why a read can be read in two ways, empty where it can't.
const std::string& ambiguity_of(const Read& shown) {
  static const std::string none;
  if (shown.is_listing) return shown.shown.ambiguity;
  const core::Answer& answer = *shown.shown.first.answer;
  return answer.is_ambiguous ? answer.trouble : none;
}

/// It breaks the reference's binding (CONTRACT.md: "Answers have no duplicate keys and no byte
/// order mark"), and says nothing elsewhere.
void judge_ambiguity(Reading& reading, const Session& session, const Reply& reply,
                     const std::string& ambiguity) {
  if (!session.context().profile.capabilities.contains("binding.reference")) {
    reading.result = ReadResult::undecided;
    reading.reason = fmt::format("{}: {}", reply.request_line, ambiguity);
    return;
  }
  keep(reading, ReadResult::missing, fmt::format("{}: {}", reply.request_line, unambiguous_text),
       ambiguity);
}

/// What the read showed, against what it must show.
Reading judge(const Session& session, const ReadExpectation& read, Read& shown) {
  Reading reading;
  const Reply& reply = shown.shown.first;
  if (const std::string& ambiguity = ambiguity_of(shown); !ambiguity.empty()) {
    judge_ambiguity(reading, session, reply, ambiguity);
    return reading;
  }
  if (judge_response(reading, read, reply)) return reading;
  if (shown.is_listing) {
    if (is_decided_by_part(read, shown.shown) ||
        !judge_kind(reading, shown.shown.result, read, shown.shown.reason)) {
      judge_value(reading, read, shown, shown.shown.items, session);
    }
    return reading;
  }
  const ReadResult result = look_of(reply);
  if (judge_kind(reading, result, read,
                 result == ReadResult::missing ? missing_text(reply) : trouble_text(reply))) {
    return reading;
  }
  judge_value(reading, read, shown, reply.answer->mapped, session);
  return reading;
}

/// The read itself, with all pages where its items count.
boost::asio::awaitable<std::shared_ptr<Read>> ask(Session& session, core::Operation operation,
                                                  bool is_listing) {
  auto read = std::make_shared<Read>();
  read->asked = operation;
  read->is_listing = is_listing;
  read->called_ms = session.now_ms();
  if (is_listing) {
    read->shown = co_await read_listing(session, std::move(operation), true);
  } else {
    read->shown.first = co_await session.perform(std::move(operation), {.is_look = true});
    read->shown.exchanges = read->shown.first.exchanges;
    read->shown.body_bytes = read->shown.first.body_bytes;
  }
  co_return read;
}

boost::asio::awaitable<Reading> look_at(Session& session, const ReadExpectation& read,
                                        SharedReads& shared, bool from_shared) {
  core::Operation operation{read.operation, read.parameters};
  const core::OperationShape* shape = core::operation_shape(operation.name);
  const bool is_listing = shape != nullptr && shape->listing && read.expects_more();
  std::shared_ptr<Read> shown = from_shared ? shared.find(operation, is_listing) : nullptr;
  if (shown == nullptr) {
    shown = co_await ask(session, std::move(operation), is_listing);
    shared.keep(shown);
  }
  Reading reading;
  co_await perform_on(session.context(), shown->shown.body_bytes,
                      [&] { reading = judge(session, read, *shown); });
  reading.reads.push_back(std::move(shown));
  co_return reading;
}

/// How much a look decides against the expectation; the worst of several reads is told.
int weight(ReadResult result) {
  switch (result) {
    case ReadResult::matched:
      return 0;
    case ReadResult::undecided:
      return 1;
    case ReadResult::fault:
      return 2;
    case ReadResult::missing:
      return 3;
    case ReadResult::mismatched:
      return 4;
  }
  return 4;
}

}  // namespace

boost::asio::awaitable<Listing> read_listing(Session& session, core::Operation operation,
                                             bool is_look) {
  Listing listing;
  std::set<std::string> cursors;
  const auto& operations = session.context().profile.operations;
  const auto form = operations.find(operation.name);
  // A page that a target itself offered has to be there; one that was only counted may lie deeper
  // than it lets anybody read.
  const bool counts_pages =
      form != operations.end() && form->second.paging.style != core::Paging::Style::cursor;
  const std::size_t max_pages = session.context().profile.limits.max_pages;
  for (std::size_t page = 0;; ++page) {
    core::Operation asked = operation;
    const CallKind kind{.is_look = is_look, .is_later_page = page > 0};
    Reply reply = co_await session.perform(std::move(asked), kind);
    listing.exchanges.insert(listing.exchanges.end(), reply.exchanges.begin(),
                             reply.exchanges.end());
    const std::optional<Value> next = co_await take_page(session, listing, reply);
    if (page > 0 && counts_pages && listing.result == ReadResult::missing)
      listing.result = ReadResult::undecided;
    if (page == 0) listing.first = std::move(reply);
    if (!next) break;
    if (session.now_ms() > session.latest_ms()) {
      fail_listing(
          listing, ReadResult::undecided,
          fmt::format("{}: the case's time was over after {} pages", operation.name, page + 1));
      break;
    }
    if (page + 1 >= max_pages) {
      fail_listing(listing, ReadResult::undecided,
                   fmt::format("{}: more than {} pages", operation.name, max_pages));
      break;
    }
    if (listing.body_bytes > most_listing_bytes) {
      fail_listing(listing, ReadResult::undecided,
                   fmt::format("{}: longer than {} MiB after {} pages", operation.name,
                               most_listing_bytes >> 20U, page + 1));
      break;
    }
    if (!cursors.insert(check::value_text(*next, static_cast<std::size_t>(-1) / 2)).second) {
      fail_listing(
          listing, ReadResult::undecided,
          fmt::format("{}: the cursor {} came twice", operation.name, check::value_text(*next)));
      break;
    }
    operation.parameters.insert_or_assign("after", *next);
  }
  if (form != operations.end() && form->second.newest_first) {
    std::reverse(listing.items.as_list().begin(), listing.items.as_list().end());
  }
  co_return listing;
}

std::shared_ptr<Read> SharedReads::find(const core::Operation& asked, bool is_listing) const {
  const auto found = std::find_if(reads_.rbegin(), reads_.rend(), [&](const auto& read) {
    return read->is_listing == is_listing && read->asked.name == asked.name &&
           read->asked.parameters == asked.parameters;
  });
  return found == reads_.rend() ? nullptr : *found;
}

boost::asio::awaitable<Reading> read_once(Session& session,
                                          const std::vector<ReadExpectation>& reads,
                                          SharedReads& shared, bool from_shared) {
  Reading worst;
  worst.result = ReadResult::matched;
  std::vector<std::shared_ptr<Read>> all;
  for (const ReadExpectation& read : reads) {
    Reading reading = co_await look_at(session, read, shared, from_shared);
    std::move(reading.reads.begin(), reading.reads.end(), std::back_inserter(all));
    if (weight(reading.result) > weight(worst.result) || worst.seen.empty()) {
      worst = std::move(reading);
    }
  }
  worst.reads = std::move(all);
  co_return worst;
}

}  // namespace assay::run
