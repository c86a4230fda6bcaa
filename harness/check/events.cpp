#include "harness/check/events.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "harness/check/log_invariants.h"
#include "harness/check/substitute.h"
#include "harness/check/text.h"

namespace assay::check {
namespace {

using core::Pattern;

constexpr std::size_t edge_bytes = 160;

std::string short_pattern(const Pattern& pattern) { return pattern_text(pattern, edge_bytes); }

/// The difference at the event that is nearest to the pattern, with the pointer into the list.
Mismatch nearest_miss(const Pattern& pattern, const List& events, const std::vector<bool>& taken) {
  const auto nearest = nearest_value(pattern, events, taken);
  if (!nearest) return {"", "an event like " + short_pattern(pattern), "no event is left for it"};
  auto difference = match(pattern, &events[*nearest]);
  if (!difference) {
    return {"", "an event of its own for " + short_pattern(pattern), "every such event is taken"};
  }
  return {
      fmt::format("/{}{}", *nearest, difference->pointer),
      fmt::format("an event like {}", short_pattern(pattern)),
      fmt::format("none; the nearest is {}, where {} is {}, not {}", event_text(events, *nearest),
                  difference->pointer.empty() ? "it" : difference->pointer, difference->actual,
                  difference->expected)};
}

bool holds_at(const std::vector<Pattern>& patterns, std::size_t pattern, const List& events,
              std::size_t event) {
  return pattern < patterns.size() && event < events.size() &&
         matches(patterns[pattern], &events[event]);
}

/// Where a log leaves the expected sequence: an event missing, one too many, or one that differs.
std::optional<Mismatch> match_exactly(const std::vector<Pattern>& patterns, const List& events) {
  std::size_t at = 0;
  while (holds_at(patterns, at, events, at)) ++at;
  if (at == patterns.size() && at == events.size()) return std::nullopt;
  const std::string pointer = fmt::format("/{}", at);
  const bool is_extra = at >= patterns.size() || holds_at(patterns, at, events, at + 1);
  if (at < events.size() && is_extra) {
    return Mismatch{pointer,
                    at < patterns.size() ? short_pattern(patterns[at])
                                         : fmt::format("no more than {} events", patterns.size()),
                    event_text(events, at) + ", which is one too many"};
  }
  if (at >= events.size()) {
    return Mismatch{pointer, short_pattern(patterns[at]),
                    fmt::format("no event: the log ends after {}", events.size())};
  }
  if (holds_at(patterns, at + 1, events, at)) {
    return Mismatch{pointer, short_pattern(patterns[at]),
                    fmt::format("missing: {} stands in its place", event_text(events, at))};
  }
  auto difference = match(patterns[at], &events[at]);
  return Mismatch{pointer + difference->pointer, difference->expected,
                  fmt::format("{} in {}", difference->actual, event_text(events, at))};
}

std::optional<Mismatch> match_contains(const std::vector<Pattern>& patterns, const List& events) {
  const auto assigned = assign(patterns, events);
  const auto missing = std::find(assigned.begin(), assigned.end(), std::nullopt);
  if (missing == assigned.end()) return std::nullopt;
  std::vector<bool> taken(events.size(), false);
  for (const auto& index : assigned) {
    if (index) taken[*index] = true;
  }
  return nearest_miss(patterns[static_cast<std::size_t>(missing - assigned.begin())], events,
                      taken);
}

std::optional<std::size_t> first_match(const Pattern& pattern, const List& events) {
  const auto found = std::find_if(events.begin(), events.end(), [&pattern](const Value& event) {
    return matches(pattern, &event);
  });
  if (found == events.end()) return std::nullopt;
  return static_cast<std::size_t>(found - events.begin());
}

std::optional<Mismatch> match_absent(const std::vector<Pattern>& patterns, const List& events) {
  for (const Pattern& pattern : patterns) {
    const auto found = first_match(pattern, events);
    if (!found) continue;
    return Mismatch{fmt::format("/{}", *found), "no event like " + short_pattern(pattern),
                    event_text(events, *found)};
  }
  return std::nullopt;
}

std::optional<Mismatch> match_edge(const std::pair<Pattern, Pattern>& edge, const List& events) {
  const auto first = first_match(edge.first, events);
  if (!first) return nearest_miss(edge.first, events, {});
  const auto second = first_match(edge.second, events);
  if (!second) return nearest_miss(edge.second, events, {});
  if (*first < *second) return std::nullopt;
  return Mismatch{
      fmt::format("/{}", *second),
      fmt::format("{} before {}", short_pattern(edge.first), short_pattern(edge.second)),
      *first == *second
          ? event_text(events, *first) + " is the first of both"
          : event_text(events, *second) + " comes before " + event_text(events, *first)};
}

std::optional<Mismatch> match_same(const std::string& pointer, const List& events) {
  for (std::size_t index = 0; index < events.size(); ++index) {
    const Value* first = events.front().at_pointer(pointer);
    const Value* value = events[index].at_pointer(pointer);
    if (value == nullptr) {
      return Mismatch{fmt::format("/{}{}", index, pointer), "a value, the same in all events",
                      "absent in " + event_text(events, index)};
    }
    if (*value == *first) continue;
    return Mismatch{fmt::format("/{}{}", index, pointer),
                    fmt::format("{}, as in {}", value_text(first), event_text(events, 0)),
                    fmt::format("{} in {}", value_text(value), event_text(events, index))};
  }
  return std::nullopt;
}

std::optional<Mismatch> match_distinct(const std::string& pointer, const List& events) {
  std::vector<std::pair<std::string, std::size_t>> seen;
  for (std::size_t index = 0; index < events.size(); ++index) {
    const Value* value = events[index].at_pointer(pointer);
    if (value == nullptr) {
      return Mismatch{fmt::format("/{}{}", index, pointer), "a value, another one in each event",
                      "absent in " + event_text(events, index)};
    }
    seen.emplace_back(value_text(*value, static_cast<std::size_t>(-1) / 2), index);
  }
  std::sort(seen.begin(), seen.end());
  const auto twice = std::adjacent_find(
      seen.begin(), seen.end(),
      [](const auto& left, const auto& right) { return left.first == right.first; });
  if (twice == seen.end()) return std::nullopt;
  const auto next = std::next(twice);
  return Mismatch{fmt::format("/{}{}", next->second, pointer),
                  "another value than in " + event_text(events, twice->second),
                  fmt::format("{} in {} too", cut_text(next->first, edge_bytes),
                              event_text(events, next->second))};
}

/// The clause's rule over the whole log, whoever made the events: who asks for the order of a
/// worker's events means it of a client's too.
std::optional<Mismatch> match_keeps(const std::string& clause, const List& events, Audit& audit) {
  if (events.empty()) return Mismatch{"", "a log that keeps " + clause, "no event"};
  if (!audit) audit = check_log(events);
  for (const Violation& violation : *audit) {
    if (violation.clause != clause) continue;
    return Mismatch{fmt::format("/{}", violation.index), "a log that keeps " + clause,
                    violation.message};
  }
  return std::nullopt;
}

void substitute_all(std::vector<Pattern>& patterns, const Variables& variables) {
  for (Pattern& pattern : patterns) pattern = substitute(pattern, variables);
}

}  // namespace

std::string event_text(const List& events, std::size_t index) {
  const Value& event = events[index];
  const std::string type = event.string_at("event_type").value_or("no event_type");
  auto subject = event.string_at("entity_id");
  if (!subject) subject = event.string_at("node_name");
  if (!subject) return fmt::format("event {} ({})", index + 1, cut_text(type, edge_bytes));
  return fmt::format("event {} ({} of {})", index + 1, cut_text(type, edge_bytes),
                     cut_text(*subject, edge_bytes));
}

std::optional<Mismatch> match_events(const core::EventExpectation& expected, const List& events) {
  Audit audit;
  return match_events(expected, events, audit);
}

std::optional<Mismatch> match_events(const core::EventExpectation& expected, const List& events,
                                     Audit& audit) {
  if (expected.count && !std::cmp_equal(*expected.count, events.size())) {
    return Mismatch{"", fmt::format("{} events", *expected.count),
                    fmt::format("{} events", events.size())};
  }
  if (expected.exactly) {
    if (auto mismatch = match_exactly(*expected.exactly, events)) return mismatch;
  }
  if (auto mismatch = match_contains(expected.contains, events)) return mismatch;
  if (auto mismatch = match_absent(expected.absent, events)) return mismatch;
  for (const auto& edge : expected.before) {
    if (auto mismatch = match_edge(edge, events)) return mismatch;
  }
  for (const std::string& pointer : expected.same) {
    if (auto mismatch = match_same(pointer, events)) return mismatch;
  }
  for (const std::string& pointer : expected.distinct) {
    if (auto mismatch = match_distinct(pointer, events)) return mismatch;
  }
  const bool compares = !expected.same.empty() || !expected.distinct.empty();
  if (compares && events.empty()) {
    return Mismatch{"", "events to compare", "no event"};
  }
  return expected.keeps.empty() ? std::nullopt : match_keeps(expected.keeps, events, audit);
}

core::EventExpectation substitute_events(const core::EventExpectation& expected,
                                         const Variables& variables) {
  core::EventExpectation result = expected;
  result.filter = substitute(Value(expected.filter), variables).as_object();
  if (!expected.count_variable.empty()) {
    const Value count = substitute_string(expected.count_variable, variables);
    result.count = count.is_number() ? count.to_int64() : std::nullopt;
    if (!result.count) {
      throw SubstitutionError(fmt::format("{} is not a count of events", value_text(count)));
    }
  }
  if (result.exactly) substitute_all(*result.exactly, variables);
  substitute_all(result.contains, variables);
  substitute_all(result.absent, variables);
  for (auto& [first, second] : result.before) {
    first = substitute(first, variables);
    second = substitute(second, variables);
  }
  return result;
}

}  // namespace assay::check
