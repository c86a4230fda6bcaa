#include "harness/check/asked.h"

#include <variant>

#include "base/overloaded.h"
#include "harness/core/log_clauses.h"

namespace assay::check {
namespace {

using core::Pattern;

void add_members(const Pattern& pattern, std::set<std::string>& asked) {
  for (const auto& [name, member] : pattern.members()) {
    asked.insert(name);
    add_members(member, asked);
  }
  for (const Pattern& element : pattern.elements()) add_members(element, asked);
}

/// The first member on the way of a JSON Pointer.
void add_pointer(const std::string& pointer, std::set<std::string>& asked) {
  if (pointer.size() > 1) asked.insert(pointer.substr(1, pointer.find('/', 1) - 1));
}

void add_answer(const core::AnswerPattern& answer, std::set<std::string>& asked) {
  asked.insert("answer");
  if (answer.body) add_members(*answer.body, asked);
  asked.insert(answer.nowhere.begin(), answer.nowhere.end());
}

void add_events(const core::EventExpectation& events, std::set<std::string>& asked) {
  if (events.exactly) {
    asked.insert({"count", "order"});
    for (const Pattern& pattern : *events.exactly) add_members(pattern, asked);
  }
  for (const auto* patterns : {&events.contains, &events.absent}) {
    for (const Pattern& pattern : *patterns) add_members(pattern, asked);
  }
  if (events.count || !events.count_variable.empty()) asked.insert("count");
  for (const auto& [first, second] : events.before) {
    asked.insert("order");
    add_members(first, asked);
    add_members(second, asked);
  }
  for (const std::string& pointer : events.same) add_pointer(pointer, asked);
  for (const std::string& pointer : events.distinct) add_pointer(pointer, asked);
  if (const core::LogClause* kept = core::find_log_clause(events.keeps)) {
    asked.insert(kept->members.begin(), kept->members.end());
  }
}

}  // namespace

std::set<std::string> asked_by(const core::Expect& expect) {
  std::set<std::string> asked;
  for (const core::ReadExpectation& read : expect.reads) {
    asked.insert(read.operation);
    std::visit(
        Overloaded{[](std::monostate) {},
                   [&asked](const Pattern& pattern) { add_members(pattern, asked); },
                   [&asked](const core::EventExpectation& events) { add_events(events, asked); },
                   [&asked](const core::ScheduledSteps&) { asked.insert("scheduled"); },
                   [&asked](const core::NeverScheduledSteps&) { asked.insert("scheduled"); },
                   [&asked](const core::StatePath&) { asked.insert("status"); }},
        read.shows);
    if (read.response) add_answer(*read.response, asked);
  }
  return asked;
}

std::set<std::string> asked_by(const core::AnswerPattern& answer, const std::string& operation) {
  std::set<std::string> asked;
  if (!operation.empty()) asked.insert(operation);
  add_answer(answer, asked);
  return asked;
}

}  // namespace assay::check
