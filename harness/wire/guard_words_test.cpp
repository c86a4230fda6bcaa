#include "harness/wire/guard_words.h"

#include <gtest/gtest.h>

namespace assay::wire {
namespace {

core::Profile with_other_event_names() {
  core::Profile profile;
  profile.event_names = {
      {"step.done", "call.done"}, {"call.done", "tool.done"}, {"playbook.paused", ""}};
  return profile;
}

Value guarded_playbook(std::string guard) {
  return Object{{"workflow", List{Object{{"step", "a"}, {"when", std::move(guard)}}}}};
}

TEST(GuardWords, NameEventsAsTheTargetDoes) {
  const auto renamed = with_target_names_in_guards(
      with_other_event_names(),
      guarded_playbook(R"({{ event.name == 'step.done' or event.name == "call.done" }})"));
  EXPECT_EQ(renamed.value(),
            guarded_playbook(R"({{ event.name == 'call.done' or event.name == "tool.done" }})"));
}

TEST(GuardWords, AreTheSameInAPlaybookThatIsText) {
  // A quote of the text itself may stand around the guard.
  EXPECT_EQ(with_target_names_in_guards(with_other_event_names(),
                                        Value("when: \"{{ event.name == 'step.done' }}\""))
                .value(),
            Value("when: \"{{ event.name == 'call.done' }}\""));
}

TEST(GuardWords, StayWhatTheyAreOutsideOfGuards) {
  for (const char* text : {"'step.done'", "{{ workload.name == 'a step.done' }}",
                           "{{ event.name == 'step.done }}", "{{ x == 'other.event' }}"}) {
    EXPECT_EQ(with_target_names_in_guards(with_other_event_names(), guarded_playbook(text)).value(),
              guarded_playbook(text));
  }
}

TEST(GuardWords, SayWhichEventTheTargetDoesNotHave) {
  const auto renamed = with_target_names_in_guards(
      with_other_event_names(), guarded_playbook("{{ event.name == 'playbook.paused' }}"));
  ASSERT_FALSE(renamed);
  EXPECT_EQ(renamed.error().reason, "the target has no event for playbook.paused");
}

}  // namespace
}  // namespace assay::wire
