#include "harness/check/sequential_execution.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/check/linearizability.h"

namespace assay::check::sequential_execution_test {
namespace {

using core::Acceptance;
using core::Verdict;
using ::testing::HasSubstr;
using Kind = ExecutionCall::Kind;

/// Makes the calls of a history and judges it.
struct Story {
  std::vector<ObservedCall<ExecutionCall>> calls;
  SequentialExecution specification = SequentialExecution(true);

  Story& add(ExecutionCall call, double called_ms, double returned_ms) {
    const bool is_answered = call.answer.has_value();
    calls.push_back(
        {std::move(call), {called_ms, is_answered ? std::optional(returned_ms) : std::nullopt}});
    return *this;
  }

  [[nodiscard]] Verdict verdict() const {
    return check_linearizability(specification, calls).verdict;
  }
};

PostedEvent event(std::size_t number, std::string type, std::size_t content = 0) {
  PostedEvent made;
  made.event_id = "e" + std::to_string(number);
  made.event_type = std::move(type);
  made.id_number = number;
  made.content_number = content;
  return made;
}

ExecutionCall post(std::vector<PostedEvent> events, std::optional<Acceptance> answer) {
  ExecutionCall call;
  call.kind = Kind::post;
  call.events = std::move(events);
  call.answer = answer;
  return call;
}

ExecutionCall post(PostedEvent event, std::optional<Acceptance> answer = Acceptance::accepted) {
  return post(std::vector{std::move(event)}, answer);
}

ExecutionCall numbered(PostedEvent event, bool duplicate, std::int64_t seq) {
  event.duplicate = duplicate;
  event.seq = seq;
  return post(std::move(event), duplicate ? Acceptance::duplicate : Acceptance::accepted);
}

ExecutionCall cancel(std::string state, bool already_terminal) {
  ExecutionCall call;
  call.kind = Kind::cancel;
  call.answer = Acceptance::accepted;
  call.state = std::move(state);
  call.already_terminal = already_terminal;
  return call;
}

ExecutionCall read(std::string state, std::string terminal_event = "") {
  ExecutionCall call;
  call.answer = Acceptance::accepted;
  call.state = std::move(state);
  call.terminal_event = std::move(terminal_event);
  return call;
}

ExecutionCall start(std::optional<Acceptance> answer) {
  ExecutionCall call;
  call.kind = Kind::start;
  call.answer = answer;
  return call;
}

ExecutionCall log(std::vector<std::size_t> listed) {
  ExecutionCall call;
  call.kind = Kind::log;
  call.answer = Acceptance::accepted;
  call.listed = std::move(listed);
  return call;
}

TEST(SequentialExecution, GoesFromPendingByItsStartToItsFirstEnd) {
  Story story;
  story.add(read("PENDING"), 0, 1)
      .add(post(event(0, "playbook.initialized")), 2, 3)
      .add(read("RUNNING"), 4, 5)
      .add(post(event(1, "batch.completed")), 6, 7)
      .add(read("RUNNING"), 8, 9)
      .add(post(event(2, "playbook.completed")), 10, 11)
      .add(post(event(3, "playbook.failed")), 12, 13)
      .add(read("COMPLETED", "playbook.completed"), 14, 15);
  EXPECT_EQ(story.verdict(), Verdict::pass);
  story.add(read("FAILED", "playbook.failed"), 16, 17);
  EXPECT_EQ(story.verdict(), Verdict::fail);
}

TEST(SequentialExecution, KnowsBothVocabularies) {
  PostedEvent end = event(1, "playbook.finished");
  end.status = "error";
  Story story;
  story.add(post(event(0, "playbook.started")), 0, 1)
      .add(read("RUNNING"), 2, 3)
      .add(post(end), 4, 5)
      .add(read("FAILED", "playbook.finished"), 6, 7);
  EXPECT_EQ(story.verdict(), Verdict::pass);
  end.status = "skipped";
  Story open;
  open.add(post(end), 0, 1).add(read("PENDING"), 2, 3);
  EXPECT_EQ(open.verdict(), Verdict::pass);
}

TEST(SequentialExecution, LetsOneOfTwoConcurrentEndsStand) {
  Story story;
  story.add(post(event(0, "playbook.completed")), 0, 10)
      .add(post(event(1, "playbook.failed")), 0, 10)
      .add(read("FAILED", "playbook.failed"), 11, 12)
      .add(read("FAILED", "playbook.failed"), 13, 14);
  EXPECT_EQ(story.verdict(), Verdict::pass);
  story.add(read("COMPLETED", "playbook.completed"), 15, 16);
  EXPECT_EQ(story.verdict(), Verdict::fail);
}

TEST(SequentialExecution, LetsExactlyOneOfTwoConcurrentCancelsEndIt) {
  const auto both = [](bool first, bool second) {
    Story story;
    story.add(cancel("CANCELLED", first), 0, 10).add(cancel("CANCELLED", second), 0, 10);
    return story.verdict();
  };
  EXPECT_EQ(both(false, true), Verdict::pass);
  EXPECT_EQ(both(true, false), Verdict::pass);
  EXPECT_EQ(both(false, false), Verdict::fail);
  EXPECT_EQ(both(true, true), Verdict::fail);
}

TEST(SequentialExecution, ShowsACancelTheEndThatCameBefore) {
  Story story;
  story.add(post(event(0, "playbook.completed")), 0, 10).add(cancel("COMPLETED", true), 0, 10);
  EXPECT_EQ(story.verdict(), Verdict::pass);
  story.add(read("CANCELLED", "execution.cancelled"), 11, 12);
  EXPECT_EQ(story.verdict(), Verdict::fail);
}

TEST(SequentialExecution, StoresAnEventOnce) {
  const auto both = [](bool first, bool second, std::int64_t second_seq) {
    Story story;
    story.add(numbered(event(0, "step.enter"), first, 1), 0, 10)
        .add(numbered(event(0, "step.enter"), second, second_seq), 0, 10);
    return story.verdict();
  };
  EXPECT_EQ(both(false, true, 1), Verdict::pass);
  EXPECT_EQ(both(true, false, 1), Verdict::pass);
  EXPECT_EQ(both(false, false, 2), Verdict::fail);
  EXPECT_EQ(both(true, true, 1), Verdict::fail);
  EXPECT_EQ(both(false, true, 2), Verdict::fail);
}

TEST(SequentialExecution, RefusesOtherContentUnderTheSameId) {
  const auto second = [](std::size_t content, Acceptance answer) {
    Story story;
    story.add(post(event(0, "step.enter", 0)), 0, 1)
        .add(post(event(0, "step.enter", content), answer), 2, 3);
    return story.verdict();
  };
  EXPECT_EQ(second(1, Acceptance::refused), Verdict::pass);
  EXPECT_EQ(second(1, Acceptance::accepted), Verdict::fail);
  EXPECT_EQ(second(0, Acceptance::refused), Verdict::fail);
  EXPECT_EQ(second(0, Acceptance::duplicate), Verdict::pass);
}

TEST(SequentialExecution, NumbersEventsInTheOrderOfTheirStoring) {
  const auto second_seq = [](std::int64_t seq, double called_ms) {
    Story story;
    story.add(numbered(event(0, "step.enter"), false, 2), 0, 10)
        .add(numbered(event(1, "step.exit"), false, seq), called_ms, called_ms + 5);
    return story.verdict();
  };
  EXPECT_EQ(second_seq(3, 11), Verdict::pass);
  EXPECT_EQ(second_seq(1, 11), Verdict::fail);
  EXPECT_EQ(second_seq(1, 5), Verdict::pass);
  EXPECT_EQ(second_seq(2, 5), Verdict::fail);
}

TEST(SequentialExecution, StoresABatchWholeOrNotAtAll) {
  const auto batch = [](std::vector<PostedEvent> events, Acceptance answer, std::string state) {
    Story story;
    story.add(post(event(0, "step.enter")), 0, 1)
        .add(post(std::move(events), answer), 2, 3)
        .add(read(std::move(state)), 4, 5);
    return story.verdict();
  };
  const std::vector both = {event(1, "playbook.initialized"), event(0, "step.enter", 1)};
  EXPECT_EQ(batch(both, Acceptance::refused, "PENDING"), Verdict::pass);
  EXPECT_EQ(batch(both, Acceptance::refused, "RUNNING"), Verdict::fail);
  EXPECT_EQ(batch(both, Acceptance::accepted, "RUNNING"), Verdict::fail);
  EXPECT_EQ(batch({event(1, "playbook.initialized"), event(0, "step.enter")}, Acceptance::accepted,
                  "RUNNING"),
            Verdict::pass);
  EXPECT_EQ(batch({event(1, "playbook.initialized")}, Acceptance::duplicate, "RUNNING"),
            Verdict::fail);
}

TEST(SequentialExecution, ListsExactlyWhatIsStored) {
  const auto listed = [](std::vector<std::size_t> numbers) {
    Story story;
    story.add(post(event(0, "step.enter")), 0, 1)
        .add(post(event(1, "step.exit"), Acceptance::accepted), 2, 9)
        .add(post(event(2, "step.exit"), std::nullopt), 2, 9)
        .add(log(std::move(numbers)), 10, 11);
    return story.verdict();
  };
  EXPECT_EQ(listed({0, 1}), Verdict::pass);
  EXPECT_EQ(listed({0, 1, 2}), Verdict::pass);
  EXPECT_EQ(listed({0}), Verdict::fail);
  EXPECT_EQ(listed({0, 1, 1}), Verdict::fail);
}

TEST(SequentialExecution, AnswersOnlyOneStartOfAnId) {
  const auto starts = [](Acceptance second) {
    Story story;
    story.specification = SequentialExecution(false);
    story.add(start(Acceptance::accepted), 0, 10)
        .add(start(second), 0, 10)
        .add(read("PENDING"), 11, 12);
    return story.verdict();
  };
  EXPECT_EQ(starts(Acceptance::refused), Verdict::pass);
  EXPECT_EQ(starts(Acceptance::accepted), Verdict::fail);
}

TEST(SequentialExecution, KnowsNoExecutionBeforeItsStart) {
  const auto read_at = [](double called_ms) {
    ExecutionCall unknown;
    unknown.answer = Acceptance::unknown;
    Story story;
    story.specification = SequentialExecution(false);
    story.add(start(Acceptance::accepted), 0, 5).add(unknown, called_ms, called_ms + 1);
    return story.verdict();
  };
  EXPECT_EQ(read_at(2), Verdict::pass);
  EXPECT_EQ(read_at(6), Verdict::fail);
}

TEST(SequentialExecution, FollowsTheProfilesChoices) {
  const auto verdict = [](const std::string& key, const std::string& choice, ExecutionCall last) {
    Story story;
    story.specification = SequentialExecution(true, execution_choices({{key, choice}}));
    story.add(post(event(0, "playbook.completed")), 0, 1).add(std::move(last), 2, 3);
    return story.verdict();
  };
  EXPECT_EQ(verdict("end_from_pending", "ignored", read("PENDING")), Verdict::pass);
  EXPECT_EQ(verdict("end_from_pending", "closes", read("PENDING")), Verdict::fail);
  const ExecutionCall second_end = post(event(1, "playbook.failed"), Acceptance::refused);
  EXPECT_EQ(verdict("second_closing_event", "refused", second_end), Verdict::pass);
  EXPECT_EQ(verdict("second_closing_event", "stored", second_end), Verdict::fail);
  const ExecutionCall late = post(event(1, "step.exit"), Acceptance::refused);
  EXPECT_EQ(verdict("late_events", "refused", late), Verdict::pass);
  EXPECT_EQ(verdict("late_events", "stored", late), Verdict::fail);
  ExecutionCall refused_cancel;
  refused_cancel.kind = Kind::cancel;
  refused_cancel.answer = Acceptance::refused;
  EXPECT_EQ(verdict("repeated_cancel", "refused", refused_cancel), Verdict::pass);
  EXPECT_EQ(verdict("repeated_cancel", "accepted", refused_cancel), Verdict::fail);
}

TEST(SequentialExecution, TellsItsCallsAndStatesToPeople) {
  Story story;
  story.add(numbered(event(0, "playbook.completed"), false, 1), 0, 1).add(read("RUNNING"), 2, 3);
  const auto result = check_linearizability(story.specification, story.calls);
  EXPECT_THAT(result.explanation,
              HasSubstr("post playbook.completed e0 -> accepted, new, seq 1\n"
                        "Then it is: COMPLETED by playbook.completed, 1 of the posted events "
                        "stored. Next in time, and not explained:\n"
                        "  - [2.00 ms, 3.00 ms] read -> accepted, RUNNING"));
}

}  // namespace
}  // namespace assay::check::sequential_execution_test
