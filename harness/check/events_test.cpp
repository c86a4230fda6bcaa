#include "harness/check/events.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "harness/check/substitute.h"

namespace assay::check::events_test {
namespace {

using core::EventExpectation;
using core::Pattern;
using By = Pattern::By;

Value event(const char* type, const char* entity, int number = 0) {
  return Object{{"event_type", type}, {"entity_id", entity}, {"n", number}};
}

Pattern literal(Value value) { return {core::OperandPattern{By::literal, std::move(value)}}; }
Pattern of_type(const char* type) { return {core::ObjectPattern{{{"event_type", literal(type)}}}}; }
Pattern of(const char* type, int number) {
  return {core::ObjectPattern{{{"event_type", literal(type)}, {"n", literal(number)}}}};
}

const List& log() {
  static const List events = {event("step.scheduled", "a", 1), event("step.started", "a", 2),
                              event("step.done", "a", 3), event("step.scheduled", "b", 4)};
  return events;
}

std::string broken(const EventExpectation& expected, const List& events = log()) {
  const auto mismatch = match_events(expected, events);
  return mismatch ? mismatch->pointer + " | " + mismatch->expected + " | " + mismatch->actual
                  : "none";
}

TEST(Events, ExactlyIsTheWholeLogInOrder) {
  EventExpectation expected;
  expected.exactly = {{of_type("step.scheduled"), of_type("step.started"), of_type("step.done"),
                       of_type("step.scheduled")}};
  EXPECT_EQ(broken(expected), "none");
}

TEST(Events, ExactlyNamesTheFirstMissingEvent) {
  EventExpectation expected;
  expected.exactly = {{of_type("step.scheduled"), of_type("step.enter"), of_type("step.started"),
                       of_type("step.done"), of_type("step.scheduled")}};
  EXPECT_EQ(broken(expected),
            "/1 | {\"event_type\": \"step.enter\"} | missing: event 2 (step.started of a) stands "
            "in its place");
  expected.exactly->push_back(of_type("step.done"));
  expected.exactly->erase(expected.exactly->begin() + 1);
  EXPECT_EQ(broken(expected),
            "/4 | {\"event_type\": \"step.done\"} | no event: the log ends after 4");
}

TEST(Events, ExactlyNamesTheFirstEventTooMany) {
  EventExpectation expected;
  expected.exactly = {{of_type("step.scheduled"), of_type("step.done"), of_type("step.scheduled")}};
  EXPECT_EQ(broken(expected),
            "/1 | {\"event_type\": \"step.done\"} | event 2 (step.started of a), which is one too "
            "many");
  expected.exactly = {std::vector<Pattern>{}};
  EXPECT_EQ(broken(expected),
            "/0 | no more than 0 events | event 1 (step.scheduled of a), which is one too many");
}

TEST(Events, ExactlyNamesTheMemberThatDiffers) {
  EventExpectation expected;
  expected.exactly = {{of("step.scheduled", 7), of_type("step.started"), of_type("step.done"),
                       of_type("step.scheduled")}};
  EXPECT_EQ(broken(expected), "/0/n | 7 | 1 in event 1 (step.scheduled of a)");
}

TEST(Events, ContainsNeedsAnEventForEach) {
  EventExpectation expected;
  expected.contains = {of_type("step.scheduled"), of_type("step.scheduled")};
  EXPECT_EQ(broken(expected), "none");
  expected.contains.push_back(of_type("step.scheduled"));
  EXPECT_NE(broken(expected), "none");
  expected.contains = {of("step.done", 9)};
  EXPECT_EQ(broken(expected),
            "/2/n | an event like {\"event_type\": \"step.done\",\"n\": 9} | none; the nearest is "
            "event 3 (step.done of a), where /n is 3, not 9");
  EXPECT_EQ(broken(expected, {}),
            " | an event like {\"event_type\": \"step.done\",\"n\": 9} | no event is left for it");
}

TEST(Events, AbsentNamesTheEventThatIsThere) {
  EventExpectation expected;
  expected.absent = {of_type("step.failed"), of_type("step.done")};
  EXPECT_EQ(broken(expected),
            "/2 | no event like {\"event_type\": \"step.done\"} | event 3 (step.done of a)");
  expected.absent = {of_type("step.failed")};
  EXPECT_EQ(broken(expected), "none");
}

TEST(Events, CountIsOfTheListedLog) {
  EventExpectation expected;
  expected.count = 4;
  EXPECT_EQ(broken(expected), "none");
  expected.count = 0;
  EXPECT_EQ(broken(expected), " | 0 events | 4 events");
}

TEST(Events, BeforeNamesTheTwoEventsOfTheEdge) {
  EventExpectation expected;
  expected.before = {{of_type("step.started"), of_type("step.done")}};
  EXPECT_EQ(broken(expected), "none");
  expected.before = {{of_type("step.done"), of_type("step.started")}};
  EXPECT_EQ(broken(expected),
            "/1 | {\"event_type\": \"step.done\"} before {\"event_type\": \"step.started\"} | "
            "event 2 (step.started of a) comes before event 3 (step.done of a)");
  expected.before = {{of_type("step.done"), of_type("step.done")}};
  EXPECT_EQ(broken(expected),
            "/2 | {\"event_type\": \"step.done\"} before {\"event_type\": \"step.done\"} | event 3 "
            "(step.done of a) is the first of both");
  expected.before = {{of_type("step.done"), of_type("loop.done")}};
  EXPECT_NE(broken(expected), "none");
}

TEST(Events, SameAndDistinctCompareAcrossEvents) {
  EventExpectation expected;
  expected.same = {"/entity_id"};
  EXPECT_EQ(broken(expected),
            "/3/entity_id | \"a\", as in event 1 (step.scheduled of a) | \"b\" in event 4 "
            "(step.scheduled of b)");
  expected.same = {"/none"};
  EXPECT_NE(broken(expected), "none");
  expected.same = {};
  expected.distinct = {"/n"};
  EXPECT_EQ(broken(expected), "none");
  expected.distinct = {"/entity_id"};
  EXPECT_EQ(broken(expected),
            "/1/entity_id | another value than in event 1 (step.scheduled of a) | \"a\" in event 2 "
            "(step.started of a) too");
  EXPECT_EQ(broken(expected, {}), " | events to compare | no event");
}

TEST(Events, KeepsHoldsALogAgainstTheOneClauseThatItNames) {
  const auto event = [](const char* id, const char* type) {
    return Value(Object{{"event_id", id},
                        {"event_type", type},
                        {"task_run_id", "t"},
                        {"timestamp", "2026-01-01T00:00:00Z"},
                        {"execution_id", "x"}});
  };
  EventExpectation expected;
  expected.keeps = "EVT-TASK-FINAL";
  EXPECT_EQ(broken(expected, {event("1", "task.started"), event("2", "task.done")}), "none");
  const List twice = {event("1", "task.done"), event("2", "task.failed")};
  EXPECT_EQ(broken(expected, twice),
            "/1 | a log that keeps EVT-TASK-FINAL | event 2 (task.failed) comes after its task "
            "run's outcome");
  expected.keeps = "EVT-ENV-ID";
  EXPECT_EQ(broken(expected, twice), "none");
  EXPECT_EQ(broken(expected, {}), " | a log that keeps EVT-ENV-ID | no event");
}

TEST(Events, ACountMayComeFromAVariable) {
  EventExpectation expected;
  expected.count_variable = "${n}";
  EXPECT_EQ(substitute_events(expected, {{"n", 4}}).count, 4);
  EXPECT_THROW(static_cast<void>(substitute_events(expected, {{"n", "four"}})), std::runtime_error);
}

TEST(Events, VariablesReachFiltersAndPatterns) {
  EventExpectation expected;
  expected.filter = {{"entity_id", "${step}"}};
  expected.before = {{of_type("${type}"), of_type("x.y")}};
  const auto done = substitute_events(expected, {{"step", "a"}, {"type", "step.done"}});
  EXPECT_EQ(done.filter.at("entity_id"), Value("a"));
  EXPECT_EQ(*done.before.front().first.members().at("event_type").literal(), Value("step.done"));
}

TEST(SubstituteEvents, TakesTheCountFromAVariable) {
  core::EventExpectation expected;
  expected.count_variable = "${n}";
  EXPECT_EQ(substitute_events(expected, {{"n", 3}}).count, 3);
  const Variables text = {{"n", "x"}};
  EXPECT_THROW((void)substitute_events(expected, text), SubstitutionError);
}

}  // namespace
}  // namespace assay::check::events_test
