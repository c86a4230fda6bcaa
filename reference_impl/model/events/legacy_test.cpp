#include "reference_impl/model/events/legacy.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace assay::events {
namespace {

std::optional<std::string> standard_name(std::string_view type, Object members = {}) {
  members["event_type"] = type;
  const Value body(std::move(members));
  return standard_name_of_legacy(EventView(body));
}

TEST(Legacy, NamesHaveStandardOnes) {
  EXPECT_EQ(standard_name("tool.started"), "task.started");
  EXPECT_EQ(standard_name("tool.processed"), "task.done");
  EXPECT_EQ(standard_name("retry.started"), "task.attempt.started");
  EXPECT_EQ(standard_name("retry.processed"), "task.attempt.done");
  EXPECT_EQ(standard_name("sink.started"), "task.started");
  EXPECT_EQ(standard_name("sink.processed"), "task.done");
  EXPECT_EQ(standard_name("sink.failed"), "task.failed");
  EXPECT_EQ(standard_name("sink.write.done"), "task.done");
}

TEST(Legacy, ProcessedFailedWhereTheEventSaysSo) {
  EXPECT_EQ(standard_name("tool.processed", {{"status", "error"}}), "task.failed");
  EXPECT_EQ(standard_name("tool.processed", {{"status", "Failed"}}), "task.failed");
  EXPECT_EQ(standard_name("retry.processed", {{"status", "FAILED"}}), "task.attempt.failed");
  const Object outcome = {{"outcome", Object{{"status", "error"}}}};
  EXPECT_EQ(standard_name("sink.processed", {{"payload", outcome}}), "task.failed");
  EXPECT_EQ(standard_name("tool.processed", {{"status", "success"}, {"payload", outcome}}),
            "task.done");
  const Object error = {{"error", Object{{"kind", "http"}}}};
  EXPECT_EQ(standard_name("tool.processed", {{"payload", error}}), "task.failed");
  EXPECT_EQ(standard_name("tool.processed", {{"payload", Object{{"error", nullptr}}}}),
            "task.done");
}

TEST(Legacy, CaseIsARoutingDecisionOrATasksPolicy) {
  EXPECT_EQ(standard_name("case.evaluated"), "next.evaluated");
  EXPECT_EQ(standard_name("case.matched", {{"payload", Object{{"matched", List{}}}}}),
            "next.evaluated");
  EXPECT_EQ(standard_name("case.evaluated", {{"payload", Object{{"action", "retry"}}}}),
            "policy.task.evaluated");
  EXPECT_EQ(standard_name("case.evaluated", {{"payload", Object{{"matched_rule_index", 0}}}}),
            "policy.task.evaluated");
  EXPECT_EQ(standard_name("case.evaluated", {{"entity_type", "policy"}}), "policy.task.evaluated");
}

TEST(Legacy, CurrentAndUnknownNamesAreNotLegacy) {
  for (const std::string_view type : {"task.started", "tool.invoked", "tools.started", "step.exit",
                                      "casework.done", "sinks.done", "call.done"}) {
    EXPECT_EQ(standard_name(type), std::nullopt) << type;
  }
}

TEST(Legacy, IsRenamedInPlaceAndKeepsItsOldNameInMeta) {
  Value body = Object{{"event_type", "tool.started"}, {"event_alias", "ToolStarted"}};
  normalize_legacy(body, "task.started");
  const Value expected = Object{
      {"event_type", "task.started"},
      {"event_alias", "TaskStarted"},
      {"payload", Object{{"meta", Object{{"legacy_type", "tool.started"}}}}},
  };
  EXPECT_EQ(body, expected);
}

TEST(Legacy, KeepsWhatPayloadAndMetaHad) {
  Value body = Object{{"event_type", "sink.done"},
                      {"payload", Object{{"inputs", 1}, {"meta", Object{{"region", "eu"}}}}}};
  normalize_legacy(body, "task.done");
  const Value expected = Object{
      {"event_type", "task.done"},
      {"payload",
       Object{{"inputs", 1}, {"meta", Object{{"region", "eu"}, {"legacy_type", "sink.done"}}}}},
  };
  EXPECT_EQ(body, expected);
}

TEST(Legacy, WrapsAMetaThatIsNoObject) {
  Value body = Object{{"event_type", "sink.done"}, {"payload", Object{{"meta", "note"}}}};
  normalize_legacy(body, "task.done");
  EXPECT_EQ(*body.at_pointer("/payload/meta"),
            Value(Object{{"legacy_type", "sink.done"}, {"value", "note"}}));
  body = Object{{"event_type", "sink.done"}, {"payload", Object{{"meta", nullptr}}}};
  normalize_legacy(body, "task.done");
  EXPECT_EQ(*body.at_pointer("/payload/meta"), Value(Object{{"legacy_type", "sink.done"}}));
}

}  // namespace
}  // namespace assay::events
