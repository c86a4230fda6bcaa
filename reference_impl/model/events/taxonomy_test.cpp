#include "reference_impl/model/events/taxonomy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace assay::events {
namespace {

std::vector<std::string_view> names(Vocabulary vocabulary, Plane plane) {
  std::vector<std::string_view> found;
  for (const EventType& type : taxonomy()) {
    if (type.vocabulary == vocabulary && type.plane == plane) found.push_back(type.name);
  }
  return found;
}

TEST(Taxonomy, HasSeed001sTypesByThePlaneThatEmitsThem) {
  EXPECT_THAT(names(Vocabulary::v10, Plane::server),
              testing::ElementsAre("playbook.execution.requested", "playbook.request.evaluated",
                                   "playbook.started", "playbook.paused", "playbook.finished",
                                   "playbook.processed", "workflow.started", "workflow.finished",
                                   "step.scheduled", "loop.started", "loop.iteration.scheduled",
                                   "loop.done", "policy.admit.evaluated", "next.evaluated"));
  EXPECT_THAT(names(Vocabulary::v10, Plane::worker),
              testing::ElementsAre("step.started", "step.done", "step.failed", "task.started",
                                   "task.attempt.started", "task.attempt.done",
                                   "task.attempt.failed", "task.done", "task.failed",
                                   "loop.iteration.started", "loop.iteration.done",
                                   "loop.iteration.failed", "policy.task.evaluated"));
  EXPECT_THAT(names(Vocabulary::v10, Plane::both),
              testing::ElementsAre("result.stored", "result.manifest.updated"));
}

TEST(Taxonomy, HasSeed000sNames) {
  for (const std::string_view name :
       {"playbook.initialized", "playbook.completed", "playbook.failed", "workflow.initialized",
        "workflow.completed", "workflow.failed", "step.enter", "step.exit", "command.issued",
        "command.claimed", "command.started", "command.completed", "command.failed",
        "command.cancelled", "call.done", "call.error", "batch.completed"}) {
    const EventType* type = find_event_type(name);
    ASSERT_NE(type, nullptr) << name;
    EXPECT_EQ(type->vocabulary, Vocabulary::status_matrix) << name;
    EXPECT_EQ(type->clause.substr(0, 4), "STM-") << name;
  }
  ASSERT_NE(find_event_type("execution.cancelled"), nullptr);
  EXPECT_EQ(find_event_type("execution.cancelled")->vocabulary, Vocabulary::both);
}

TEST(Taxonomy, NamesEachTypeOnceWithAWellFormedNameAndItsOwnAliasAndKind) {
  std::set<std::string_view> seen_names;
  std::set<EventKind> seen_kinds;
  for (const EventType& type : taxonomy()) {
    EXPECT_TRUE(is_event_name(type.name)) << type.name;
    EXPECT_EQ(type.alias, alias_of(type.name));
    EXPECT_TRUE(seen_names.insert(type.name).second) << type.name;
    EXPECT_TRUE(seen_kinds.insert(type.kind).second) << type.name;
    EXPECT_EQ(find_event_type(type.name), &type);
    EXPECT_EQ(kind_of(type.name), type.kind);
    EXPECT_NE(type.kind, EventKind::other);
  }
  EXPECT_EQ(seen_names.size(), 47U);
}

TEST(Taxonomy, KnowsNoOtherName) {
  for (const std::string_view name : {"", "a.b", "playbook.complete", "playbook.completed2",
                                      "Playbook.Completed", "zzz.zzz", "step.skipped"}) {
    EXPECT_EQ(find_event_type(name), nullptr) << name;
    EXPECT_EQ(kind_of(name), EventKind::other) << name;
  }
}

TEST(EventName, IsTwoOrThreeSegmentsEachBegunByALetter) {
  for (const std::string_view name : {"a.b", "a.b.c", "a1_.b_2.c3", "playbook.metrics.reported"}) {
    EXPECT_TRUE(is_event_name(name)) << name;
  }
  for (const std::string_view name :
       {"",      ".",     "a",      "a.",         ".a",
        "a..b",  "a.b.",  "a.b.c.", "a.b.c.d",    "A.b",
        "a.B",   "1a.b",  "a._b",   "_a.b",       "a.1b",
        "a b.c", "a-b.c", "a.b\n",  "\xC3\xA9.b", "playbook_completed"}) {
    EXPECT_FALSE(is_event_name(name)) << name;
  }
}

TEST(Alias, IsThePascalCaseFormOfAnyName) {
  EXPECT_EQ(alias_of("task.attempt.failed"), "TaskAttemptFailed");
  EXPECT_EQ(alias_of("a.b"), "AB");
  EXPECT_EQ(alias_of("my_entity.sub2.done"), "MyEntitySub2Done");
}

TEST(Lifecycle, IsReadInBothVocabularies) {
  EXPECT_EQ(lifecycle_of(EventKind::playbook_initialized, ""), Lifecycle::start);
  EXPECT_EQ(lifecycle_of(EventKind::playbook_started, ""), Lifecycle::start);
  EXPECT_EQ(lifecycle_of(EventKind::playbook_completed, ""), Lifecycle::success);
  EXPECT_EQ(lifecycle_of(EventKind::playbook_completed, "error"), Lifecycle::success);
  EXPECT_EQ(lifecycle_of(EventKind::playbook_failed, ""), Lifecycle::failure);
  EXPECT_EQ(lifecycle_of(EventKind::playbook_finished, "success"), Lifecycle::success);
  EXPECT_EQ(lifecycle_of(EventKind::playbook_finished, "error"), Lifecycle::failure);
  EXPECT_EQ(lifecycle_of(EventKind::execution_cancelled, ""), Lifecycle::cancel);
}

TEST(Lifecycle, IsUndecidedWhereAFinishSaysNeitherSuccessNorError) {
  for (const std::string_view status : {"", "paused", "skipped", "in_progress", "COMPLETED"}) {
    EXPECT_EQ(lifecycle_of(EventKind::playbook_finished, status), Lifecycle::undecided) << status;
  }
}

TEST(Lifecycle, IsNoneForEveryOtherType) {
  int lifecycle_types = 0;
  for (const EventType& type : taxonomy()) {
    if (lifecycle_of(type.kind, "success") != Lifecycle::none) ++lifecycle_types;
  }
  EXPECT_EQ(lifecycle_types, 6);
  EXPECT_EQ(lifecycle_of(EventKind::batch_completed, "success"), Lifecycle::none);
  EXPECT_EQ(lifecycle_of(EventKind::workflow_finished, "success"), Lifecycle::none);
  EXPECT_EQ(lifecycle_of(EventKind::other, "success"), Lifecycle::none);
}

TEST(Vocabulary, HasTwoWords) {
  EXPECT_EQ(vocabulary_named("status-matrix"), Vocabulary::status_matrix);
  EXPECT_EQ(vocabulary_named("v10"), Vocabulary::v10);
  EXPECT_EQ(vocabulary_named("V10"), std::nullopt);
  EXPECT_EQ(vocabulary_word(Vocabulary::status_matrix), "status-matrix");
  EXPECT_EQ(vocabulary_word(Vocabulary::v10), "v10");
}

}  // namespace
}  // namespace assay::events
