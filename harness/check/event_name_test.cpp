#include "harness/check/event_name.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/words.h"

namespace assay::check {
namespace {

TEST(EventNames, AreFoundByTheirTextAndByNothingNearIt) {
  std::set<std::string_view> texts;
  for (const EventName name : values_of<EventName::loop_iteration_failed>) {
    if (name == EventName::other) continue;
    const std::string text(text_of(name));
    SCOPED_TRACE(text);
    EXPECT_TRUE(texts.insert(text_of(name)).second);
    EXPECT_EQ(event_name_of(text), name);
    EXPECT_EQ(event_name_of(text + "s"), EventName::other);
    EXPECT_EQ(event_name_of(text.substr(1)), EventName::other);
    EXPECT_EQ(event_name_of("P" + text.substr(1)), EventName::other);
  }
}

TEST(EventNames, OthersAreOther) {
  for (const char* text : {"", "a", "abc", "step", "step.", "loop.iteration", "command.issued"}) {
    EXPECT_EQ(event_name_of(text), EventName::other) << text;
  }
}

TEST(EventNames, AreNamedAsTheyAreSpelt) {
  EXPECT_EQ(text_of(EventName::loop_iteration_failed), "loop.iteration.failed");
  EXPECT_EQ(text_of(EventName::step_exit), "step.exit");
  EXPECT_EQ(text_of(EventName::playbook_execution_requested), "playbook.execution.requested");
}

}  // namespace
}  // namespace assay::check
