#include "harness/audit/finding.h"

#include <iterator>

namespace assay::audit {
namespace {

template <typename Container>
void keep_first(Container& container, std::size_t limit) {
  while (container.size() > limit) container.erase(std::prev(container.end()));
}

}  // namespace

EventTime time_named(std::string_view text) {
  EventTime time;
  const auto instant = check::parse_instant(text);
  if (!instant) return time;
  time.seconds = instant->seconds;
  time.fraction = instant->fraction;
  time.text = text;
  return time;
}

EventTime time_of(const check::LogEvent& event) {
  return time_named(event.string(check::EventField::timestamp).value_or(""));
}

bool is_earlier(const Example& left, const Example& right) {
  if (left.time < right.time) return true;
  if (right.time < left.time) return false;
  return std::tie(left.execution, left.place.source, left.place.line) <
         std::tie(right.execution, right.place.source, right.place.line);
}

void Finding::note_event(const EventTime& time) {
  if (events == 0 || time < first) first = time;
  if (events == 0 || last < time) last = time;
  ++events;
}

void Finding::note_execution(const std::string& execution) {
  ++executions;
  names.insert(execution);
  keep_first(names, limit_names);
}

void Finding::add(const Finding& other) {
  const bool is_first = events == 0;
  events += other.events;
  executions += other.executions;
  if (is_first || other.first < first) first = other.first;
  if (is_first || last < other.last) last = other.last;
  names.insert(other.names.begin(), other.names.end());
  keep_first(names, limit_names);
  if (is_first || is_earlier(other.example, example)) example = other.example;
}

void AuditResult::add(const AuditResult& other) {
  tally.add(other.tally);
  for (const auto& [cause, finding] : other.findings) findings[cause].add(finding);
  events += other.events;
  executions += other.executions;
  for (const auto& [state, count] : other.states) states[state] += count;
  bad += other.bad;
  first_bad.insert(other.first_bad.begin(), other.first_bad.end());
  keep_first(first_bad, limit_bad);
  unordered += other.unordered;
  gapped += other.gapped;
  headless += other.headless;
}

void AuditResult::add_bad(const BadText& text) {
  ++bad;
  first_bad.emplace(text.ordinal, text);
  keep_first(first_bad, limit_bad);
}

}  // namespace assay::audit
