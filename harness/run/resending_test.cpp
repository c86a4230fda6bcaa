#include "harness/run/resending.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/run/testing/scripted_target.h"

namespace assay::run {
namespace {

using core::Verdict;
using testing::events_path;
using ::testing::HasSubstr;
using testing::json;
using testing::scenario_of;
using testing::status_path;
using testing::TestRunner;

core::HttpResult answer(int status, std::vector<core::Header> headers = {}) {
  return core::HttpResponse{status, std::move(headers), ""};
}

core::HttpResult closed(bool request_sent) {
  return unexpected(core::TransportError{core::TransportFault::closed, "", request_sent});
}

TEST(Resending, AnythingIsSentAgainThatWasDeclined) {
  EXPECT_EQ(pause_before_resending(answer(429), false, 1), 50);
  EXPECT_EQ(pause_before_resending(answer(408), false, 1), 50);
  EXPECT_EQ(pause_before_resending(answer(503, {{"Retry-After", "2"}}), false, 1), 2'000);
  EXPECT_EQ(pause_before_resending(closed(false), false, 1), 50);
}

TEST(Resending, WhatMayHaveBeenCarriedOutIsSentAgainOnlyWhereThatIsHarmless) {
  for (const auto& result :
       {answer(502), answer(503), answer(504), answer(504, {{"retry-after", "1"}}), closed(true)}) {
    EXPECT_EQ(pause_before_resending(result, false, 1), std::nullopt);
    EXPECT_GE(pause_before_resending(result, true, 1).value_or(0), 50);
  }
}

TEST(Resending, NoOtherAnswerIsAskedForAgain) {
  for (const int status : {200, 201, 404, 409, 422, 500, 501}) {
    EXPECT_EQ(pause_before_resending(answer(status), true, 1), std::nullopt) << status;
  }
  EXPECT_EQ(pause_before_resending(answer(500, {{"Retry-After", "1"}}), true, 1), std::nullopt);
  const core::HttpResult refused =
      unexpected(core::TransportError{core::TransportFault::refused, "", false});
  EXPECT_EQ(pause_before_resending(refused, true, 1), std::nullopt);
}

TEST(Resending, RetryAfterMayBeADate) {
  const core::Header now{"Date", "Sun, 06 Nov 1994 08:49:37 GMT"};
  EXPECT_EQ(pause_before_resending(
                answer(429, {now, {"Retry-After", "Sun, 06 Nov 1994 08:49:40 GMT"}}), false, 1),
            3'000);
  // A date that cannot be told from now, or is over, or is none: soon.
  EXPECT_EQ(pause_before_resending(answer(429, {{"Retry-After", "Sun, 06 Nov 1994 08:49:40 GMT"}}),
                                   false, 1),
            50);
  EXPECT_EQ(pause_before_resending(
                answer(429, {now, {"Retry-After", "Sun, 06 Nov 1994 08:49:30 GMT"}}), false, 1),
            50);
  EXPECT_EQ(pause_before_resending(answer(429, {now, {"Retry-After", "later"}}), false, 1), 50);
}

TEST(Resending, EndsAfterAFewTimes) {
  EXPECT_EQ(pause_before_resending(answer(429), true, 5), 800);
  EXPECT_EQ(pause_before_resending(answer(429), true, 6), std::nullopt);
  EXPECT_EQ(pause_before_resending(closed(true), true, 6), std::nullopt);
  EXPECT_EQ(pause_before_resending(answer(429, {{"Retry-After", "1"}}), true, 29), 1'000);
  EXPECT_EQ(pause_before_resending(answer(429, {{"Retry-After", "1"}}), true, 30), std::nullopt);
}

TEST(Resending, KnowsWhatIsHarmlessTwice) {
  core::Profile profile;
  EXPECT_TRUE(is_harmless_twice({"executions.status", {}}, profile));
  EXPECT_TRUE(is_harmless_twice({"events.list", {}}, profile));
  EXPECT_TRUE(is_harmless_twice({"runs.create", {{"run_id", "r"}}}, profile));
  EXPECT_FALSE(is_harmless_twice({"runs.create", {}}, profile));
  EXPECT_FALSE(is_harmless_twice({"runs.retry", {{"run_id", "r"}}}, profile));
  EXPECT_FALSE(is_harmless_twice({"runs.transition", {{"run_id", "r"}}}, profile));
  EXPECT_FALSE(is_harmless_twice({"jobs.poll", {}}, profile));
  EXPECT_FALSE(is_harmless_twice({"events.post", {}}, profile));
  profile.capabilities.insert("events.ids");
  EXPECT_TRUE(is_harmless_twice({"events.post", {}}, profile));
  EXPECT_TRUE(is_harmless_twice("GET"));
  EXPECT_FALSE(is_harmless_twice("POST"));
}

constexpr const char* started_and_read =
    "  - start: {}\n"
    "    response: {status: 201}\n"
    "  - expect: {status: {state: RUNNING}}\n";

/// Answers every `period`th request to a path with something else.
class Limiter {
 public:
  explicit Limiter(int period, core::HttpResult instead)
      : period_(period), instead_(std::move(instead)) {}

  core::HttpResult operator()(const core::HttpResult& sound) {
    return ++asked_ % period_ == 0 ? instead_ : sound;
  }
  [[nodiscard]] int asked() const { return asked_; }

 private:
  int period_;
  core::HttpResult instead_;
  int asked_ = 0;
};

TEST(Intermediary, ThatLetsEnoughThroughChangesNoVerdict) {
  const core::HttpResult running = json(200, Object{{"state", "RUNNING"}});
  for (const auto& instead :
       {answer(429), answer(503, {{"Retry-After", "1"}}), answer(502), answer(504), closed(true)}) {
    TestRunner runner;
    Limiter limiter(2, instead);
    runner.target.on("GET", status_path, [&](const auto&) { return limiter(running); });
    const auto result = runner.run(
        "  - start: {}\n"
        "  - expect: {status: {state: RUNNING}}\n"
        "  - expect: {status: {state: RUNNING}, hold: true}\n"
        "  - expect: {status: {state: FAILED}, also_allowed: [{status: {state: RUNNING}}], "
        "because: x}\n"
        "  - expect: {status: {response: {status: 200}}}\n");
    EXPECT_EQ(result.verdict, Verdict::pass);
    EXPECT_GT(limiter.asked(), 5);
  }
}

TEST(Intermediary, ThatLetsNothingThroughAccusesNobody) {
  for (const auto& instead :
       {answer(302, {{"Location", "https://login.example/"}}), answer(307), answer(408),
        answer(429), answer(502), answer(503), answer(504), closed(true)}) {
    for (const char* check :
         {"expect: {status: {state: RUNNING}}", "expect: {status: {response: {is: unknown}}}",
          "never: {status: {state: RUNNING}}",
          "expect: {status: {state: RUNNING}, also_allowed: [{status: {state: FAILED}}], because: "
          "x}"}) {
      TestRunner runner;
      runner.target.on("GET", status_path, [&](const auto&) { return instead; });
      EXPECT_EQ(runner.run(std::string("  - start: {}\n  - ") + check + "\n").verdict,
                Verdict::inconclusive)
          << check;
    }
    TestRunner runner;
    runner.target.on("POST", "/executions", [&](const auto&) { return instead; });
    EXPECT_EQ(runner.run(started_and_read).verdict, Verdict::inconclusive);
    EXPECT_EQ(runner.run("  - start: {}\n    response: {status: 201}\n").verdict,
              Verdict::inconclusive);
  }
}

TEST(Intermediary, IsNotAskedLongerThanTheCaseLasts) {
  TestRunner runner;
  runner.target.on("GET", status_path,
                   [](const auto&) { return answer(429, {{"Retry-After", "86400"}}); });
  EXPECT_EQ(runner.run("  - start: {}\n  - expect: {status: {state: RUNNING}}\n").verdict,
            Verdict::inconclusive);
  EXPECT_LT(runner.clock.steady_ms(), 60'000);
}

TEST(Intermediary, IsTheServersWordWhereACaseAsksForJustThatStatus) {
  TestRunner runner;
  runner.target.on("POST", "/executions", [](const auto&) { return answer(503); });
  EXPECT_EQ(runner.run("  - start: {}\n    response: {status: [503, 201]}\n").verdict,
            Verdict::pass);
}

TEST(Intermediary, LeavesAnotherReadingOpen) {
  // What is not as expected may be as allowed: nothing is decided while that cannot be told.
  TestRunner runner;
  runner.target.on("GET", status_path,
                   [](const auto&) { return json(200, Object{{"state", "RUNNING"}}); });
  runner.target.on("GET", events_path, [](const auto&) { return answer(503); });
  const auto result = runner.run(
      "  - start: {}\n"
      "  - expect: {status: {state: FAILED}, also_allowed: [{events: {exactly: []}}], because: "
      "x}\n");
  EXPECT_EQ(result.verdict, Verdict::inconclusive);
  EXPECT_THAT(result.checks.back().reason, HasSubstr("503"));
}

TEST(Intermediary, MayHaveLetARequestThroughThatIsSentAgain) {
  // The first request arrived although its answer was lost: that the second is refused says
  // nothing.
  TestRunner runner;
  int asked = 0;
  runner.target.on("POST", "/executions", [&asked](const auto&) {
    return ++asked == 1 ? closed(true) : json(409, Object{});
  });
  const auto result = runner.run("  - start: {}\n    response: {status: 201}\n");
  EXPECT_EQ(result.verdict, Verdict::inconclusive);
  EXPECT_THAT(result.checks.back().reason, HasSubstr("sent 2 times"));
}

TEST(Intermediary, DoesNotHideAFault) {
  TestRunner runner;
  Limiter limiter(2, answer(429));
  runner.target.on("GET", status_path,
                   [&](const auto&) { return limiter(json(200, Object{{"state", "COMPLETED"}})); });
  EXPECT_EQ(runner
                .run("  - start: {}\n"
                     "  - expect: {status: {state: RUNNING}}\n"
                     "  - expect: {status: {state: RUNNING}}\n")
                .verdict,
            Verdict::fail);
}

/// An answer whose status and state are right, in a body that no reader should take.
core::HttpResult with_body(std::string body, std::vector<core::Header> headers = {}) {
  return core::HttpResponse{200, std::move(headers), std::move(body)};
}

TEST(AmbiguousAnswer, BreaksTheReferencesBindingAndSaysNothingElsewhere) {
  for (const char* body : {"{\"state\":\"FAILED\",\"state\":\"RUNNING\"}",
                           "{\"state\":\"RUNNING\",\"more\":{\"a\":[{\"b\":1,\"b\":1}]}}",
                           "\xEF\xBB\xBF{\"state\":\"RUNNING\"}"}) {
    for (const char* check :
         {"expect: {status: {state: RUNNING}}", "expect: {status: {response: {status: 200}}}",
          "expect: {status: {state: RUNNING}, within_ms: 20}"}) {
      const std::string steps = std::string("  - start: {}\n  - ") + check + "\n";
      TestRunner runner;
      runner.target.on("GET", status_path, [&](const auto&) { return with_body(body); });
      EXPECT_EQ(runner.run(steps).verdict, Verdict::fail) << body;
      runner.profile.capabilities.erase("binding.reference");
      EXPECT_EQ(runner.run(steps).verdict, Verdict::inconclusive) << body;
    }
    TestRunner runner;
    runner.target.on("GET", status_path, [&](const auto&) { return with_body(body); });
    EXPECT_EQ(runner.run("  - start: {}\n  - never: {status: {state: FAILED}}\n").verdict,
              Verdict::inconclusive);
  }
}

TEST(AmbiguousAnswer, ToARequestIsOneToo) {
  TestRunner runner;
  runner.target.on("POST", "/executions", [](const auto&) {
    return core::HttpResponse{201, {}, "{\"execution_id\":\"a\",\"execution_id\":\"b\"}"};
  });
  const auto result = runner.run("  - start: {}\n    response: {status: 201}\n");
  EXPECT_EQ(result.verdict, Verdict::fail);
  EXPECT_THAT(result.checks.back().actual, HasSubstr("\"execution_id\" twice"));
  runner.profile.capabilities.erase("binding.reference");
  EXPECT_EQ(runner.run("  - start: {}\n    response: {status: 201}\n").verdict,
            Verdict::inconclusive);
}

TEST(EncodedAnswer, IsNamedAsSuch) {
  TestRunner runner;
  runner.target.on("GET", status_path, [](const auto&) {
    return with_body("\x1F\x8B\x08", {{"Content-Encoding", "gzip"}});
  });
  for (const char* check :
       {"expect: {status: {state: RUNNING}}", "expect: {status: {response: {is: accepted}}}"}) {
    const auto result = runner.run(std::string("  - start: {}\n  - ") + check + "\n");
    EXPECT_EQ(result.verdict, Verdict::inconclusive);
    EXPECT_THAT(result.checks.back().reason,
                HasSubstr("content-encoding gzip, which nobody asked for"));
  }
}

}  // namespace
}  // namespace assay::run
