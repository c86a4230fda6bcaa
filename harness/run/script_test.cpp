// Branches, listings and the worker's play: what a script does beside single requests.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/run/testing/scripted_target.h"

namespace assay::run {
namespace {

using core::Verdict;
using ::testing::ElementsAre;
using testing::events_path;
using ::testing::HasSubstr;
using testing::json;
using testing::scenario_of;
using testing::TestRunner;

/// A log that a worker's posts are appended to.
class LogTarget {
 public:
  explicit LogTarget(TestRunner& runner, std::vector<Value> events) : events_(std::move(events)) {
    runner.target.on("GET", events_path,
                     [this](const auto&) { return json(200, Object{{"events", events_}}); });
    runner.target.on("POST", events_path, [this, &runner](const auto&) {
      events_.push_back(runner.target.bodies().back());
      if (on_post) on_post(events_.back());
      return json(201, Object{});
    });
  }

  void add(Value event) { events_.push_back(std::move(event)); }

  /// The types of what was posted to it, of that step run.
  [[nodiscard]] std::vector<std::string> posted() const {
    std::vector<std::string> types;
    for (const Value& event : events_) {
      if (event.string_at("source") == "worker") types.push_back(*event.string_at("event_type"));
    }
    return types;
  }

  [[nodiscard]] const std::vector<Value>& events() const { return events_; }

  std::function<void(const Value&)> on_post;

 private:
  std::vector<Value> events_;
};

Value scheduled(const char* step, const char* run) {
  return Object{{"event_type", "step.scheduled"}, {"entity_id", step}, {"step_run_id", run}};
}

Value loop_event(const char* type, int iteration) {
  return Object{{"event_type", type}, {"step_run_id", "r1"}, {"iteration", iteration}};
}

constexpr const char* playbook = "playbook: {workflow: [{step: a}]}";

TEST(Together, BranchesAreSentBeforeAnyIsAnswered) {
  TestRunner runner;
  runner.run(
      "  - start: {}\n"
      "  - together:\n"
      "      - [{post: {type: step.enter, node: a}}, {post: {type: step.exit, node: a}}]\n"
      "      - [{post: {type: step.enter, node: b}}, {post: {type: step.exit, node: b}}]\n"
      "  - post: {type: call.done}\n"
      "  - expect: {status: {response: {is: unknown}}}\n");
  std::vector<std::string> order;
  for (const Value& body : runner.target.bodies()) {
    if (const auto node = body.string_at("node_name")) {
      order.push_back(*body.string_at("event_type") + " " + *node);
    }
  }
  EXPECT_THAT(order, ElementsAre("step.enter a", "step.enter b", "step.exit a", "step.exit b"));
  // Their events are numbered by the script, not by who was first.
  EXPECT_EQ(runner.target.bodies()[3].string_at("timestamp"), "2026-01-01T00:00:01Z");
  EXPECT_EQ(runner.target.bodies()[2].string_at("timestamp"), "2026-01-01T00:00:02Z");
  EXPECT_EQ(runner.target.bodies()[5].string_at("timestamp"), "2026-01-01T00:00:04Z");
}

TEST(Together, ARefusedBranchEndsTheCaseOnceAllHaveEnded) {
  TestRunner runner;
  runner.target.on("POST", events_path, [](const core::HttpRequest& request) {
    const bool refuses = request.body->find("\"node_name\":\"a\"") != std::string::npos;
    return json(refuses ? 500 : 201, Object{});
  });
  const auto result = runner.run(
      "  - start: {}\n"
      "  - together:\n"
      "      - [{post: {type: step.enter, node: a}}]\n"
      "      - [{post: {type: step.enter, node: b}, response: {status: [201, 500]}}]\n"
      "  - expect: {status: {response: {is: unknown}}}\n");
  EXPECT_EQ(result.verdict, Verdict::inconclusive);
  // The refusal, the other branch's response, and whether one order explains both.
  EXPECT_EQ(result.checks.size(), 3U);
}

TEST(Together, WhatABranchCapturesIsKnownAfterwards) {
  TestRunner runner;
  runner.target.on("POST", events_path, [](const auto&) { return json(201, Object{{"seq", 3}}); });
  runner.run(
      "  - start: {}\n"
      "  - together:\n"
      "      - [{post: {type: step.enter}, capture: {first: /seq}}]\n"
      "      - [{post: {type: step.enter}}]\n"
      "  - post: {type: step.exit, payload: {n: \"${first}\"}}\n"
      "  - expect: {status: {response: {is: unknown}}}\n");
  EXPECT_EQ(*runner.target.bodies()[3].at_pointer("/payload/n"), Value(3));
}

TEST(Repeat, CountsFromZero) {
  TestRunner runner;
  runner.run(
      "  - start: {}\n"
      "  - repeat: {times: 3, steps: [{post: {type: call.done, payload: {n: \"${i}\"}}}]}\n"
      "  - expect: {status: {response: {is: unknown}}}\n");
  EXPECT_EQ(*runner.target.bodies()[1].at_pointer("/payload/n"), Value(0));
  EXPECT_EQ(*runner.target.bodies()[3].at_pointer("/payload/n"), Value(2));
}

TEST(Subjects, AreCalledAsTheTargetCallsThem) {
  TestRunner runner;
  runner.target.on("POST", "/executions", [](const auto&) {
    return json(201, Object{{"execution_id", std::int64_t{9'007'199'254'740'993}}});
  });
  runner.run(
      "  - start: {}\n"
      "    as: second\n"
      "  - expect: {status: {response: {is: unknown}}}\n"
      "  - expect: {status: {response: {is: unknown}}}\n"
      "    on: second\n");
  EXPECT_EQ(runner.target.requests()[1], "GET /executions/assay-7-test-case-8c6c8202-main/status");
  EXPECT_EQ(runner.target.requests()[2], "GET /executions/9007199254740993/status");
}

TEST(Listings, AreReadToTheirLastPage) {
  TestRunner runner;
  runner.target.on("GET", events_path, [](const core::HttpRequest& request) {
    const bool second = request.target.ends_with("after=c%2F1");
    return json(200, Object{{"events", List{Object{{"seq", second ? 2 : 1}}}},
                            {"next", second ? Value() : Value("c/1")}});
  });
  const auto result =
      runner.run("  - start: {}\n  - expect: {events: {exactly: [{seq: 1}, {seq: 2}]}}\n");
  EXPECT_EQ(result.verdict, Verdict::pass) << result.checks.back().actual;
  EXPECT_THAT(result.checks[0].evidence, ElementsAre(1U, 2U));
}

TEST(Listings, HaveABoundAndMustNotGoInCircles) {
  TestRunner endless;
  endless.profile.limits.max_pages = 10;
  int page = 0;
  endless.target.on("GET", events_path, [&page](const auto&) {
    return json(200, Object{{"events", List{}}, {"next", ++page}});
  });
  const auto bounded = endless.run("  - start: {}\n  - expect: {events: {count: 0}}\n");
  EXPECT_EQ(bounded.verdict, Verdict::inconclusive);
  EXPECT_EQ(bounded.checks[0].reason, "events.list: more than 10 pages");
  EXPECT_EQ(page, 10);
  TestRunner circle;
  circle.target.on("GET", events_path, [](const auto&) {
    return json(200, Object{{"events", List{}}, {"next", "again"}});
  });
  const auto stuck = circle.run("  - start: {}\n  - expect: {events: {count: 0}}\n");
  EXPECT_EQ(stuck.checks[0].reason, "events.list: the cursor \"again\" came twice");
}

TEST(Listings, AreReadNoFurtherThanTheyFitIntoMemory) {
  TestRunner endless;
  int page = 0;
  const std::string padding(std::size_t{4} << 20U, ' ');
  endless.target.on("GET", events_path, [&](const auto&) {
    return core::HttpResponse{
        200, {}, R"({"events":[],"next":)" + std::to_string(++page) + padding + "}"};
  });
  const auto bounded = endless.run("  - start: {}\n  - expect: {events: {count: 0}}\n");
  EXPECT_EQ(bounded.verdict, Verdict::inconclusive);
  EXPECT_EQ(bounded.checks[0].reason, "events.list: longer than 64 MiB after 16 pages");
  EXPECT_EQ(page, 16);
}

/// Pages of two executions each, of which the third is refused.
class ThirdPageRefused {
 public:
  explicit ThirdPageRefused(core::Paging::Style style) {
    core::Paging& paging = runner.profile.operations.at("executions.list").paging;
    paging.style = style;
    paging.items = "/items";
    paging.size = 2;
    runner.target.on("GET", "/executions", [this](const auto&) {
      if (++pages % 3 == 0) return json(422, Object{{"detail", "Requested page is too deep"}});
      return json(
          200, Object{{"items", List{Object{{"seq", (2 * pages) - 1}}, Object{{"seq", 2 * pages}}}},
                      {"next", pages}});
    });
  }

  core::Check judge(const std::string& events) {
    pages = 0;
    return runner.run("  - start: {}\n  - expect: {within_ms: 0, list: {items: " + events + "}}\n")
        .checks.at(0);
  }

  TestRunner runner;
  int pages = 0;
};

TEST(Listings, ThatCannotBeReadToTheirEndAreDecidedByTheirBeginningOrNotAtAll) {
  for (const auto style : {core::Paging::Style::page, core::Paging::Style::offset}) {
    ThirdPageRefused target(style);
    const core::Check unseen = target.judge("!contains [{seq: 9}]");
    EXPECT_EQ(unseen.verdict, Verdict::inconclusive);
    EXPECT_THAT(unseen.reason, HasSubstr("refused (status 422)"));
    EXPECT_EQ(target.judge("!excludes {seq: 9}").verdict, Verdict::inconclusive);
    EXPECT_EQ(target.judge("!length 4").verdict, Verdict::inconclusive);
    EXPECT_EQ(target.judge("!contains [{seq: 3}]").verdict, Verdict::pass);
    EXPECT_EQ(target.judge("!excludes {seq: 3}").verdict, Verdict::fail);
  }
}

TEST(Listings, APageThatTheTargetOfferedHasToBeThere) {
  ThirdPageRefused target(core::Paging::Style::cursor);
  EXPECT_EQ(target.judge("!contains [{seq: 9}]").verdict, Verdict::fail);
  EXPECT_EQ(target.judge("!contains [{seq: 3}]").verdict, Verdict::fail);
}

TEST(Listings, AnAnswerWithoutAnArrayIsNoEmptyListing) {
  TestRunner runner;
  runner.target.on("GET", events_path, [](const auto&) { return json(200, Object{{"n", 0}}); });
  EXPECT_EQ(runner.run("  - start: {}\n  - expect: {events: {count: 0}}\n").verdict, Verdict::fail);
  EXPECT_EQ(runner.run("  - start: {}\n  - never: {events: {count: 1}}\n").verdict,
            Verdict::inconclusive);
}

TEST(FirstFail, EndsACaseThatIsTaggedSo) {
  const std::string steps =
      "  - start: {}\n"
      "  - expect: {status: {response: {is: unknown}}, clause: STM-CORE-1}\n"
      "  - expect: {status: {response: {is: accepted}}, within_ms: 0, clause: STM-CORE-1}\n"
      "  - post: {type: step.enter}\n"
      "  - expect: {status: {response: {is: unknown}}, clause: STM-CORE-2}\n";
  TestRunner runner;
  EXPECT_EQ(runner.run(scenario_of(steps)).checks.size(), 3U);
  const std::size_t requests = runner.target.requests().size();
  const auto ended = runner.run(scenario_of(steps, "tags: [first-fail]\n"));
  EXPECT_EQ(ended.verdict, Verdict::fail);
  EXPECT_EQ(ended.checks.size(), 2U);
  EXPECT_EQ(runner.target.requests().size(), requests + 3);
  EXPECT_THAT(ended.clauses, ElementsAre("STM-CORE-1"));
}

TEST(Scheduled, IsReadOffTheLog) {
  TestRunner runner;
  LogTarget log(runner, {scheduled("a", "r1"), scheduled("b", "r2")});
  const auto run = [&runner](const char* check) {
    return runner.run(
        scenario_of(std::string("  - start: {}\n  - expect: ") + check + "\n", playbook));
  };
  EXPECT_EQ(run("{scheduled: [b, a]}").verdict, Verdict::pass);
  EXPECT_EQ(run("{scheduled: [a]}").checks[0].actual, "[a, b]");
  EXPECT_EQ(run("{never_scheduled: [c]}").verdict, Verdict::pass);
  EXPECT_EQ(run("{never_scheduled: [c, b]}").checks[0].actual, "step run r2 of it");
}

TEST(Play, PostsAWorkersEvents) {
  TestRunner runner;
  LogTarget log(runner, {scheduled("a", "r1")});
  const auto result = runner.run(
      scenario_of("  - start: {}\n"
                  "  - play: {step: a, result: {n: 1}, ctx: {k: v}, failed_attempts: 1, times: 2}\n"
                  "  - expect: {scheduled: []}\n",
                  playbook));
  EXPECT_EQ(result.verdict, Verdict::pass);
  EXPECT_THAT(log.posted(),
              ElementsAre("step.started", "task.started", "task.attempt.started",
                          "task.attempt.failed", "task.attempt.started", "task.attempt.done",
                          "task.done", "step.done", "step.done"));
  const Value& end = log.events().back();
  EXPECT_EQ(end.string_at("step_run_id"), "r1");
  EXPECT_EQ(*end.find("payload"),
            Value(Object{{"outcome", Object{{"n", 1}}}, {"ctx", Object{{"k", "v"}}}}));
  EXPECT_NE(end.string_at("event_id"), log.events()[8].string_at("event_id"));
}

TEST(Play, EndsAsItIsTold) {
  const auto posted_by = [](const char* play) {
    TestRunner runner;
    LogTarget log(runner, {scheduled("a", "r1")});
    runner.run(scenario_of(
        std::string("  - start: {}\n  - play: ") + play + "\n  - expect: {events: {count: 1}}\n",
        playbook));
    return log.posted();
  };
  EXPECT_THAT(posted_by("{step: a, outcome: failed}"),
              ElementsAre("step.started", "task.started", "task.failed", "step.failed"));
  EXPECT_THAT(posted_by("{step: a, outcome: none}"), ElementsAre("step.started", "task.started"));
  EXPECT_THAT(posted_by("{step: a, only_end: true}"), ElementsAre("step.done"));
}

TEST(Play, WaitsForTheStepAndGivesUpInconclusive) {
  TestRunner runner;
  LogTarget log(runner, {});
  const char* steps = "  - start: {}\n  - play: {step: a}\n  - expect: {scheduled: []}\n";
  const auto result = runner.run(scenario_of(steps, playbook));
  EXPECT_EQ(result.verdict, Verdict::inconclusive);
  EXPECT_EQ(result.checks[0].reason, "set-up refused: no open step run of a within 2000 ms");
  EXPECT_EQ(runner.clock.steady_ms(), 2'000);
  TestRunner later;
  LogTarget growing(later, {});
  later.target.on("GET", events_path, [&](const auto&) {
    if (later.clock.steady_ms() >= 1'000 && growing.events().empty()) {
      growing.add(scheduled("a", "r1"));
    }
    return json(200, Object{{"events", growing.events()}});
  });
  EXPECT_EQ(later.run(scenario_of(steps, playbook)).verdict, Verdict::pass);
}

TEST(Play, ASequentialLoopIsPlayedToItsEnd) {
  TestRunner runner;
  LogTarget log(
      runner, {scheduled("a", "r1"), Object{{"event_type", "loop.started"}, {"step_run_id", "r1"}},
               loop_event("loop.iteration.scheduled", 0)});
  log.on_post = [&log](const Value& event) {
    const std::string type = *event.string_at("event_type");
    if (type != "loop.iteration.done" && type != "loop.iteration.failed") return;
    const bool is_last = *event.find("iteration") == Value(1);
    log.add(is_last ? Value(Object{{"event_type", "loop.done"}, {"step_run_id", "r1"}})
                    : loop_event("loop.iteration.scheduled", 1));
  };
  const auto result =
      runner.run(scenario_of("  - start: {}\n"
                             "  - play: {step: a, iterations: [failed, done]}\n"
                             "  - expect: {scheduled: []}\n",
                             playbook));
  EXPECT_EQ(result.verdict, Verdict::pass);
  EXPECT_THAT(log.posted(),
              ElementsAre("step.started", "loop.iteration.started", "loop.iteration.failed",
                          "loop.iteration.started", "loop.iteration.done"));
}

TEST(Play, ALoopIsPlayedInPart) {
  TestRunner runner;
  LogTarget log(
      runner,
      {scheduled("a", "r1"), Object{{"event_type", "loop.started"}, {"step_run_id", "r1"}},
       loop_event("loop.iteration.scheduled", 0), loop_event("loop.iteration.scheduled", 1)});
  runner.run(
      scenario_of("  - start: {}\n"
                  "  - play: {step: a, iterations: [done]}\n"
                  "  - expect: {scheduled: [a]}\n",
                  playbook));
  EXPECT_THAT(log.posted(),
              ElementsAre("step.started", "loop.iteration.started", "loop.iteration.done"));
}

TEST(Play, ARefusedWorkerEventEndsTheCaseInconclusive) {
  TestRunner runner;
  LogTarget log(runner, {scheduled("a", "r1")});
  runner.target.on("POST", events_path, [](const auto&) { return json(409, Object{}); });
  const auto result = runner.run(
      scenario_of("  - start: {}\n  - play: {step: a}\n  - expect: {scheduled: []}\n", playbook));
  EXPECT_EQ(result.verdict, Verdict::inconclusive);
  EXPECT_THAT(result.checks[0].reason, HasSubstr("step.started of a"));
  EXPECT_THAT(result.checks[0].reason, HasSubstr("answered 409, expected accepted"));
}

TEST(Play, AProfilesOwnWorkerIsUsed) {
  TestRunner runner;
  runner.profile.worker = {
      Object{{"event_type", "call.done"},
             {"name", "${step}"},
             {"source", "worker"},
             {"step_run_id", "${step_run_id}"},
             {"when", "done"}},
      Object{{"event_type", "call.error"}, {"source", "worker"}, {"when", "failed"}}};
  LogTarget log(runner, {scheduled("a", "r1")});
  runner.run(
      scenario_of("  - start: {}\n  - play: {step: a}\n  - expect: {scheduled: [a]}\n", playbook));
  EXPECT_THAT(log.posted(), ElementsAre("call.done"));
  EXPECT_EQ(log.events().back().string_at("name"), "a");
  EXPECT_EQ(log.events().back().find("when"), nullptr);
}

TEST(Jobs, OfOthersArePassedOver) {
  TestRunner runner;
  int polls = 0;
  runner.target.on("POST", "/workflow-execution",
                   [](const auto&) { return json(201, Object{{"uuid", "mine"}}); });
  runner.target.on("POST", "/blackboard/jobs/poll", [&polls](const auto&) {
    return json(200, Object{{"uuid", ++polls < 3 ? "other" : "mine"}, {"job_id", polls}});
  });
  const auto result = runner.run(
      "  - execute: {workflow: w}\n"
      "  - poll: {worker: w1}\n"
      "    response: {body: {job_id: 3}}\n");
  EXPECT_EQ(result.verdict, Verdict::pass);
}

/// A queue of jobs that is handed out in order; an empty text stands for none.
struct JobQueue {
  JobQueue(TestRunner& runner, std::vector<std::string> owners) : uuids(std::move(owners)) {
    runner.target.on("POST", "/workflow-execution", [this](const auto&) {
      return json(201, Object{{"uuid", ++executions == 1 ? "first" : "second"}});
    });
    runner.target.on("POST", "/blackboard/jobs/poll", [this](const auto&) -> core::HttpResult {
      const std::string uuid = polls < uuids.size() ? uuids[polls] : "";
      ++polls;
      if (uuid.empty()) return core::HttpResponse{204, {}, ""};
      return json(200, Object{{"uuid", uuid},
                              {"job_id", "j-" + uuid + std::to_string(polls)},
                              {"type", "EXECUTE"}});
    });
  }

  std::vector<std::string> uuids;
  std::size_t polls = 0;
  int executions = 0;
};

TEST(Job, IsPolledUntilItComesAndItsResultPushed) {
  TestRunner runner;
  const JobQueue queue(runner, {"", "", "other", "first"});
  const auto result = runner.run(
      "  - execute: {workflow: w}\n"
      "  - job: {type: EXECUTE, data: {n: 1}}\n"
      "    capture: {job: /job_id}\n"
      "  - push: {job_id: \"${job}\", success: true}\n"
      "    response: {status: 201}\n");
  EXPECT_EQ(result.verdict, Verdict::pass);
  EXPECT_EQ(runner.target.requests()[5],
            "POST /blackboard/jobs/j-first4/result {\"data\":{\"n\":1},\"success\":true}");
  EXPECT_EQ(runner.target.requests()[6],
            "POST /blackboard/jobs/j-first4/result {\"success\":true}");
}

TEST(Job, OfAnotherExecutionOfTheCaseIsKeptForIt) {
  TestRunner runner;
  const JobQueue queue(runner, {"first", "second"});
  const auto result = runner.run(
      "  - execute: {workflow: w}\n"
      "  - execute: {workflow: w}\n"
      "    as: second\n"
      "  - job: {}\n"
      "    on: second\n"
      "  - job: {}\n"
      "  - push: {job_id: x, success: true}\n"
      "    response: {status: 201}\n");
  EXPECT_EQ(result.verdict, Verdict::pass);
  EXPECT_EQ(queue.polls, 2U);
}

TEST(Job, OfAnotherExecutionThatComesTooLateIsShownAsItCame) {
  TestRunner runner;
  const JobQueue queue(runner, {});
  runner.target.on("POST", "/blackboard/jobs/poll", [&runner](const auto&) {
    runner.clock.advance(3000);
    return json(200, Object{{"uuid", "second"}, {"job_id", "j"}});
  });
  const auto result = runner.run(
      "  - execute: {workflow: w}\n"
      "  - execute: {workflow: w}\n"
      "    as: second\n"
      "  - job: {}\n"
      "  - push: {job_id: x, success: true}\n"
      "    response: {status: 201}\n");
  EXPECT_EQ(result.verdict, Verdict::inconclusive);
  ASSERT_EQ(result.checks.size(), 1U);
  EXPECT_EQ(result.checks[0].reason, "set-up refused: no job of first within 2000 ms");
  ASSERT_EQ(result.checks[0].evidence.size(), 1U);
  const core::Exchange& shown = result.exchanges[result.checks[0].evidence[0]];
  EXPECT_EQ(shown.request.target, "/blackboard/jobs/poll");
  ASSERT_TRUE(shown.response.has_value());
  EXPECT_THAT(shown.response->body, HasSubstr("second"));
}

TEST(Job, ThatNeverComesOrIsAnotherEndsTheCaseInconclusive) {
  const char* tail =
      "  - push: {job_id: x, success: true}\n"
      "    response: {status: 201}\n";
  TestRunner none;
  const JobQueue empty(none, {});
  const auto missing = none.run(std::string("  - execute: {workflow: w}\n  - job: {}\n") + tail);
  EXPECT_EQ(missing.verdict, Verdict::inconclusive);
  EXPECT_EQ(missing.checks[0].reason, "set-up refused: no job of first within 2000 ms");
  TestRunner other;
  const JobQueue queue(other, {"first"});
  const auto wrong =
      other.run(std::string("  - execute: {workflow: w}\n  - job: {type: ACQUIRE}\n") + tail);
  EXPECT_EQ(wrong.verdict, Verdict::inconclusive);
  EXPECT_EQ(wrong.checks[0].reason,
            "set-up refused: was handed out a job whose type is \"EXECUTE\", expected \"ACQUIRE\"");
}

}  // namespace
}  // namespace assay::run
