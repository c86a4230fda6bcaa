#include "harness/run/case_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/run/pairing.h"
#include "harness/run/testing/scripted_target.h"

namespace assay::run {
namespace {

using core::TransportFault;
using core::Verdict;
using ::testing::ElementsAre;
using testing::events_path;
using testing::fault;
using ::testing::HasSubstr;
using testing::json;
using testing::scenario_of;
using ::testing::StartsWith;
using testing::status_path;
using testing::TestRunner;

constexpr const char* main_id = "assay-7-test-case-8c6c8202-main";
Value state(const char* word) { return Object{{"state", word}}; }

TEST(CaseRunner, AnExpectationThatIsKeptPasses) {
  TestRunner runner;
  runner.target.on("GET", status_path, [](const auto&) { return json(200, state("RUNNING")); });
  const auto result = runner.run(
      "  - start: {}\n"
      "  - post: {type: playbook.initialized}\n"
      "  - expect: {status: {state: RUNNING}, clause: STM-CORE-1}\n"
      "  - expect: {status: {state: RUNNING}}\n");
  EXPECT_EQ(result.verdict, Verdict::pass);
  ASSERT_EQ(result.checks.size(), 2U);
  EXPECT_THAT(result.checks[0].clauses, ElementsAre("STM-CORE-1"));
  EXPECT_THAT(result.checks[1].clauses, ElementsAre("STM-CORE-1", "STM-CORE-2"));
  EXPECT_EQ(result.checks[0].at, "case.yaml:8:5");
  EXPECT_THAT(result.checks[0].evidence, ElementsAre(2U));
  EXPECT_EQ(result.exchanges.at(2).operation, "executions.status");
  EXPECT_EQ(result.repro,
            "assay run --profile contract --target http://scripted --case test/case --seed 7");
}

TEST(CaseRunner, ADifferenceIsAFailAndLaterChecksAreJudgedToo) {
  TestRunner runner;
  runner.target.on("GET", status_path, [](const auto&) { return json(200, state("COMPLETED")); });
  const auto result = runner.run(
      "  - start: {}\n"
      "  - expect: {status: {state: RUNNING}, clause: STM-CORE-1}\n"
      "  - expect: {status: {state: COMPLETED}, clause: STM-CORE-2}\n");
  EXPECT_EQ(result.verdict, Verdict::fail);
  ASSERT_EQ(result.checks.size(), 2U);
  EXPECT_EQ(result.checks[0].expected, "executions.status /state: \"RUNNING\"");
  EXPECT_EQ(result.checks[0].actual, "\"COMPLETED\"");
  EXPECT_EQ(result.checks[1].verdict, Verdict::pass);
}

TEST(CaseRunner, ConcludesNothingFromAnswersThatMayBeOfOtherRequests) {
  TestRunner runner;
  runner.target.on("GET", status_path, [](const auto&) { return json(200, state("COMPLETED")); });
  runner.target.mixes_answers();
  const auto result = runner.run(
      "  - start: {}\n"
      "  - expect: {status: {state: RUNNING}, clause: STM-CORE-1}\n"
      "  - expect: {status: {state: COMPLETED}, clause: STM-CORE-2}\n");
  EXPECT_EQ(result.verdict, Verdict::inconclusive);
  ASSERT_EQ(result.checks.size(), 2U);
  for (const core::Check& check : result.checks) {
    EXPECT_EQ(check.verdict, Verdict::inconclusive);
    EXPECT_THAT(check.reason, HasSubstr("sent responses that nobody had asked for"));
    EXPECT_EQ(check.actual, "");
  }
  EXPECT_TRUE(are_answers_doubted(result.checks));
}

TEST(CaseRunner, ARefusedSetUpEndsTheCaseInconclusive) {
  TestRunner runner;
  runner.target.on("POST", "/executions", [](const auto&) { return json(500, Object{}); });
  const auto result = runner.run(
      "  - start: {}\n"
      "  - expect: {status: {response: {is: unknown}}}\n");
  EXPECT_EQ(result.verdict, Verdict::inconclusive);
  ASSERT_EQ(result.checks.size(), 1U);
  EXPECT_THAT(result.checks[0].reason,
              StartsWith("set-up refused: POST /executions: answered 500"));
  EXPECT_THAT(result.checks[0].reason, HasSubstr("expected accepted"));
  EXPECT_EQ(runner.target.requests().size(), 1U);
}

TEST(CaseRunner, AConflictAtSetUpIsNoFindingEither) {
  TestRunner runner;
  runner.target.on("POST", events_path, [](const auto&) { return json(409, Object{}); });
  const auto result = runner.run(
      "  - start: {}\n"
      "  - post: {type: playbook.initialized}\n"
      "  - expect: {status: {state: RUNNING}}\n");
  EXPECT_EQ(result.verdict, Verdict::inconclusive);
  EXPECT_THAT(result.checks.back().reason, HasSubstr("answered 409 (refused)"));
}

TEST(CaseRunner, ADuplicateIsAccepted) {
  TestRunner runner;
  runner.target.on("POST", "/executions", [](const auto&) { return json(208, Object{}); });
  runner.target.on("GET", status_path, [](const auto&) { return json(200, state("RUNNING")); });
  EXPECT_EQ(runner.run("  - start: {}\n  - expect: {status: {state: RUNNING}}\n").verdict,
            Verdict::pass);
}

TEST(CaseRunner, TransportFaultsAreNeverAPassOrAFail) {
  const std::vector<std::pair<TransportFault, Verdict>> rows = {
      {TransportFault::refused, Verdict::error},
      {TransportFault::resolve, Verdict::error},
      {TransportFault::connect_timeout, Verdict::error},
      {TransportFault::tls, Verdict::error},
      {TransportFault::closed, Verdict::inconclusive},
      {TransportFault::request_timeout, Verdict::inconclusive},
      {TransportFault::malformed, Verdict::inconclusive},
      {TransportFault::header_limit, Verdict::inconclusive},
      {TransportFault::body_limit, Verdict::inconclusive},
  };
  for (const auto& [kind, verdict] : rows) {
    const auto broken = [fault_kind = kind](const auto&) { return fault(fault_kind); };
    TestRunner reading;
    reading.target.on("GET", status_path, broken);
    EXPECT_EQ(reading.run("  - start: {}\n  - expect: {status: {state: RUNNING}}\n").verdict,
              verdict);
    EXPECT_EQ(reading.run("  - start: {}\n  - never: {status: {state: RUNNING}}\n").verdict,
              verdict);
    TestRunner writing;
    writing.target.on("POST", "/executions", broken);
    EXPECT_EQ(writing.run("  - start: {}\n    response: {status: 201}\n").verdict, verdict);
    EXPECT_EQ(writing.run("  - start: {}\n  - expect: {status: {state: RUNNING}}\n").verdict,
              verdict);
  }
}

TEST(CaseRunner, AnAnswerThatSaysNothingIsInconclusive) {
  const std::vector<core::HttpResponse> answers = {
      {200, {{"Content-Type", "text/html"}}, "<html>welcome</html>"},
      {200, {}, ""},
      {200, {}, "{\"state\": \"RUNNING\""},
      {503, {}, "{\"state\": \"RUNNING\"}"},
      {302, {{"Location", "/elsewhere"}}, "{\"state\": \"RUNNING\"}"}};
  for (const core::HttpResponse& answer : answers) {
    TestRunner runner;
    runner.target.on("GET", status_path, [answer](const auto&) { return answer; });
    for (const char* check :
         {"expect: {status: {state: RUNNING}}", "expect: {status: {state: RUNNING}, hold: true}",
          "expect: {status: {state: RUNNING}, within_ms: 50}",
          "never: {status: {state: RUNNING}}"}) {
      const auto result = runner.run(std::string("  - start: {}\n  - ") + check + "\n");
      EXPECT_EQ(result.verdict, Verdict::inconclusive) << answer.status << " " << check;
      EXPECT_FALSE(result.checks.back().reason.empty());
    }
  }
}

TEST(CaseRunner, WhatExistsAndIsSaidToBeUnknownIsAFail) {
  TestRunner runner;
  const auto result = runner.run("  - start: {}\n  - expect: {status: {state: RUNNING}}\n");
  EXPECT_EQ(result.verdict, Verdict::fail);
  EXPECT_THAT(result.checks[0].actual, HasSubstr("unknown (status 404)"));
  // Nothing is seen there, so nothing is seen not to happen.
  EXPECT_EQ(runner.run("  - start: {}\n  - never: {status: {state: RUNNING}}\n").verdict,
            Verdict::inconclusive);
}

TEST(CaseRunner, AReadsAnswerCanBeExpectedItself) {
  TestRunner runner;
  EXPECT_EQ(runner.run("  - expect: {status: {response: {is: unknown}}}\n").verdict, Verdict::pass);
  EXPECT_EQ(runner.run("  - expect: {status: {response: {status: 410}}}\n").verdict, Verdict::fail);
  runner.target.on("GET", status_path, [](const auto&) { return json(500, Object{}); });
  EXPECT_EQ(runner.run("  - expect: {status: {response: {is: unknown}}}\n").verdict, Verdict::fail);
}

TEST(CaseRunner, AResponseIsACheckOfItsStep) {
  TestRunner runner;
  runner.target.on("POST", events_path,
                   [](const auto&) { return json(409, Object{{"code", "EVENT_ID_CONFLICT"}}); });
  const auto result = runner.run(
      "  - start: {}\n"
      "  - post: {type: playbook.initialized}\n"
      "    response: {is: refused, code: EVENT_ID_CONFLICT}\n"
      "    clause: STM-CORE-2\n"
      "  - post: {type: playbook.initialized}\n"
      "    response: {status: 201}\n"
      "    clause: STM-CORE-1\n");
  ASSERT_EQ(result.checks.size(), 2U);
  EXPECT_EQ(result.checks[0].verdict, Verdict::pass);
  EXPECT_THAT(result.checks[0].clauses, ElementsAre("STM-CORE-2"));
  EXPECT_EQ(result.checks[1].verdict, Verdict::fail);
  EXPECT_THAT(result.checks[1].expected, HasSubstr("status 201"));
  EXPECT_EQ(result.checks[1].actual, "status 409");
}

TEST(CaseRunner, AHoldThatBreaksOnTheSecondLookFails) {
  TestRunner runner;
  int looks = 0;
  runner.target.on("GET", status_path, [&looks](const auto&) {
    return json(200, state(++looks < 2 ? "RUNNING" : "COMPLETED"));
  });
  const auto result =
      runner.run("  - start: {}\n  - expect: {status: {state: RUNNING}, hold: true}\n");
  EXPECT_EQ(result.verdict, Verdict::fail);
  EXPECT_EQ(result.checks[0].looks, 2);
  EXPECT_THAT(result.checks[0].reason, HasSubstr("then broke"));
}

TEST(CaseRunner, AHoldSaysHowLongItLooked) {
  TestRunner runner;
  runner.profile.limits.wait_factor = 3;
  runner.target.on("GET", status_path, [](const auto&) { return json(200, state("RUNNING")); });
  const auto result =
      runner.run("  - start: {}\n  - expect: {status: {state: RUNNING}, hold_ms: 200}\n");
  EXPECT_EQ(result.verdict, Verdict::pass);
  EXPECT_EQ(result.checks[0].looked_ms, 600);
  // Only the look that decided it is kept.
  EXPECT_EQ(result.exchanges.size(), 2U);
}

TEST(CaseRunner, AnImmediateTargetIsLookedAtTwiceWithoutWaiting) {
  TestRunner runner(true);
  runner.target.on("GET", status_path, [](const auto&) { return json(200, state("RUNNING")); });
  const auto result =
      runner.run("  - start: {}\n  - expect: {status: {state: RUNNING}, hold: true}\n");
  EXPECT_EQ(result.verdict, Verdict::pass);
  EXPECT_EQ(result.checks[0].looks, 2);
  EXPECT_EQ(runner.clock.steady_ms(), 0);
}

TEST(CaseRunner, NeverFailsWhenItComesTrue) {
  TestRunner runner;
  runner.target.on("GET", status_path, [&runner](const auto&) {
    return json(200, state(runner.clock.steady_ms() < 50 ? "RUNNING" : "COMPLETED"));
  });
  const auto result = runner.run("  - start: {}\n  - never: {status: {state: COMPLETED}}\n");
  EXPECT_EQ(result.verdict, Verdict::fail);
  EXPECT_EQ(result.checks[0].actual, "{\"state\":\"COMPLETED\"}");
}

TEST(CaseRunner, WithinWaitsAndALateTruthFails) {
  const auto verdict_when_true_at = [](double from_ms) {
    TestRunner runner;
    runner.target.on("GET", status_path, [&runner, from_ms](const auto&) {
      return json(200, state(runner.clock.steady_ms() < from_ms ? "RUNNING" : "COMPLETED"));
    });
    return runner.run("  - start: {}\n  - expect: {status: {state: COMPLETED}, within_ms: 1000}\n")
        .verdict;
  };
  EXPECT_EQ(verdict_when_true_at(900), Verdict::pass);
  EXPECT_EQ(verdict_when_true_at(1'001), Verdict::fail);
}

TEST(CaseRunner, AnEventualTargetHasItsWindow) {
  TestRunner runner;
  runner.profile.consistency = {true, 500};
  runner.target.on("GET", status_path, [&runner](const auto&) {
    return json(200, state(runner.clock.steady_ms() < 400 ? "PENDING" : "RUNNING"));
  });
  const char* plain = "  - start: {}\n  - expect: {status: {state: RUNNING}}\n";
  EXPECT_EQ(runner.run(plain).verdict, Verdict::pass);
  TestRunner strict;
  strict.target.on("GET", status_path, [&strict](const auto&) {
    return json(200, state(strict.clock.steady_ms() < 400 ? "PENDING" : "RUNNING"));
  });
  EXPECT_EQ(strict.run(plain).verdict, Verdict::fail);
}

TEST(CaseRunner, AnOldAnswerOfAnEventualTargetProvesNothing) {
  TestRunner runner;
  runner.profile.consistency = {true, 500};
  runner.target.on("GET", status_path, [&runner](const auto&) {
    return json(200, state(runner.clock.steady_ms() < 450 ? "RUNNING" : "COMPLETED"));
  });
  const auto result = runner.run(
      "  - start: {}\n  - post: {type: batch.completed}\n"
      "  - expect: {status: {state: RUNNING}}\n");
  EXPECT_EQ(result.verdict, Verdict::fail);
}

TEST(CaseRunner, AReadOfAnEventualTargetWaitsUntilItShowsWhatTheCaseDid) {
  TestRunner runner;
  runner.profile.consistency = {true, 500};
  runner.target.on("GET", "/raw", [&runner](const auto&) {
    return json(runner.clock.steady_ms() < 500 ? 404 : 200, "{}");
  });
  const auto result = runner.run(
      "  - start: {}\n  - request: {method: GET, path: /raw}\n"
      "    response: {status: 200}\n");
  EXPECT_EQ(result.verdict, Verdict::pass);
}

TEST(CaseRunner, AnEventualTargetsHoldSeesWhatShowsLate) {
  TestRunner runner;
  runner.profile.consistency = {true, 500};
  runner.target.on("GET", status_path, [&runner](const auto&) {
    return json(200, state(runner.clock.steady_ms() < 450 ? "RUNNING" : "COMPLETED"));
  });
  EXPECT_EQ(
      runner.run("  - start: {}\n  - expect: {status: {state: RUNNING}, hold: true}\n").verdict,
      Verdict::fail);
}

TEST(CaseRunner, AnotherAllowedReadingPassesAndSaysWhy) {
  TestRunner runner;
  runner.target.on("GET", status_path, [](const auto&) { return json(200, state("FAILED")); });
  const char* steps =
      "  - start: {}\n"
      "  - expect: {status: {state: COMPLETED}, also_allowed: [{status: {state: FAILED}}], "
      "because: the text is silent}\n";
  const auto result = runner.run(steps);
  EXPECT_EQ(result.verdict, Verdict::pass);
  EXPECT_EQ(result.checks[0].reason, "also allowed; the text is silent");
  runner.target.on("GET", status_path, [](const auto&) { return json(200, state("RUNNING")); });
  EXPECT_EQ(runner.run(steps).verdict, Verdict::fail);
}

TEST(CaseRunner, WhereAnotherAllowedReadingCannotBeDecidedNobodyIsAccused) {
  TestRunner runner;
  runner.target.on("GET", status_path, [](const auto&) { return json(200, state("FAILED")); });
  runner.target.on("GET", events_path, [](const auto&) { return json(503, Object{}); });
  const auto result = runner.run(
      "  - start: {}\n"
      "  - expect: {status: {state: COMPLETED}, also_allowed: [{events: {count: 0}}], "
      "because: the text is silent}\n");
  EXPECT_EQ(result.verdict, Verdict::inconclusive);
  EXPECT_THAT(result.checks[0].reason, HasSubstr("503"));
}

TEST(CaseRunner, WhatMakesSomethingAndNamesNothingIsNoFaultOfTheHarness) {
  TestRunner runner;
  const auto result = runner.run(
      "  - operation: {name: workflow.start, parameters: {workflow: w}}\n"
      "    as: b\n"
      "  - expect: {read: {operation: workflow.get, parameters: {uuid: \"${id:b}\"}, body: "
      "{status: NEW}}}\n");
  EXPECT_EQ(result.verdict, Verdict::inconclusive);
  EXPECT_THAT(result.checks.at(0).reason, HasSubstr("without uuid"));
}

TEST(CaseRunner, EventsGetIdsAndTimesInTheOrderOfTheScript) {
  TestRunner runner;
  runner.run(
      "  - start: {}\n"
      "  - post: {type: playbook.initialized}\n"
      "  - post: {type: step.enter, id: mine, time: \"2030-01-01T00:00:00Z\", node: a}\n"
      "  - post: [{type: step.exit, node: a, omit: [event_id]}, {type: call.done}]\n"
      "  - expect: {status: {response: {is: unknown}}}\n");
  const auto& bodies = runner.target.bodies();
  EXPECT_EQ(bodies[0], Value(Object{{"execution_id", main_id}}));
  EXPECT_EQ(bodies[1], Value(Object{{"event_type", "playbook.initialized"},
                                    {"event_id", "assay-7-test-case-8c6c8202-e0"},
                                    {"timestamp", "2026-01-01T00:00:00Z"}}));
  EXPECT_EQ(bodies[2], Value(Object{{"event_type", "step.enter"},
                                    {"event_id", "mine"},
                                    {"timestamp", "2030-01-01T00:00:00Z"},
                                    {"node_name", "a"}}));
  const Value* batch = bodies[3].find("events");
  ASSERT_NE(batch, nullptr);
  EXPECT_EQ(batch->as_list()[0], Value(Object{{"event_type", "step.exit"},
                                              {"node_name", "a"},
                                              {"timestamp", "2026-01-01T00:00:02Z"}}));
  EXPECT_EQ(batch->as_list()[1].find("timestamp")->as_string(), "2026-01-01T00:00:03Z");
}

TEST(CaseRunner, AMatrixRowGivesItsValuesWithTheirTypes) {
  const auto scenario = scenario_of(
      "  - start: {}\n"
      "  - post: {type: batch.completed, payload: {pending_count: \"${pending}\"}}\n"
      "  - expect: {status: {state: \"${word}\"}}\n",
      "matrix: {pending: [0, -1], word: [RUNNING, FAILED]}");
  TestRunner runner;
  const auto result = runner.run(scenario, 1);
  EXPECT_EQ(result.id, "test/case[-1-FAILED]");
  EXPECT_EQ(*runner.target.bodies()[1].at_pointer("/payload/pending_count"), Value(-1));
  EXPECT_THAT(result.repro, HasSubstr("--case 'test/case[-1-FAILED]'"));
}

TEST(CaseRunner, ARawRequestGoesAsItIsWritten) {
  TestRunner runner;
  runner.profile.headers = {{"Authorization", "Bearer s3cret", true}};
  runner.run(
      scenario_of("  - request: {method: GET, path: \"/a?${query}\"}\n"
                  "    response: {status: 404}\n"
                  "  - request: {method: POST, path: /b, json: {n: 1}}\n"
                  "    response: {status: 201}\n"
                  "  - request: {method: POST, path: /c, headers: {content-type: text/x}, "
                  "text: \"{\"}\n"
                  "    response: {status: 201}\n",
                  "variables: {query: \"limit=%zz\"}"));
  EXPECT_THAT(runner.target.requests(),
              ElementsAre("GET /a?limit=%zz", "POST /b {\"n\":1}", "POST /c {"));
}

TEST(CaseRunner, ItsTimeEndsEveryWaitUnderEventualConsistency) {
  for (const std::string read :
       {"  - expect: {status: {state: RUNNING}}\n", "  - expect: {status: {state: CREATED}}\n",
        "  - never: {status: {state: FAILED}}\n",
        "  - request: {method: GET, path: /healthz}\n    response: {status: 200}\n"}) {
    TestRunner runner;
    runner.profile.limits.case_ms = 3'000;
    runner.profile.consistency = {true, 600'000};
    const auto give = [&runner](const char* method, const char* path, int status,
                                const Object& body) {
      runner.target.on(method, path, [status, body](const core::HttpRequest& /*request*/) {
        return json(status, body);
      });
    };
    give("POST", "/executions", 201, {{"execution_id", "e"}});
    give("GET", status_path, 200, {{"state", "CREATED"}});
    give("GET", "/healthz", 200, {});
    const auto result = runner.run("  - start: {}\n" + read);
    EXPECT_EQ(result.verdict, Verdict::inconclusive) << read;
    EXPECT_LE(result.duration_ms, 3'250) << read;
  }
}

TEST(CaseRunner, SecretsAreMaskedWhereverTheyShow) {
  TestRunner runner;
  runner.profile.headers = {{"Authorization", "Bearer s3cret", true}};
  runner.target.on("GET", "/echo", [](const core::HttpRequest& request) {
    return json(200, Object{{"you sent", request.headers.at(0).value}});
  });
  const auto result = runner.run(
      "  - request: {method: GET, path: /echo}\n"
      "    response: {body: {you sent: nothing}}\n");
  EXPECT_EQ(result.verdict, Verdict::fail);
  EXPECT_EQ(result.exchanges[0].request.headers.at(0).value, "***");
  EXPECT_EQ(result.exchanges[0].response->body, "{\"you sent\":\"***\"}");
  EXPECT_EQ(result.checks[0].actual, "\"***\"");
}

TEST(CaseRunner, ARecordedBodyIsWholeUpToFourMebibytes) {
  for (const std::size_t bytes : {100'000U, 5'000'000U}) {
    TestRunner runner;
    runner.target.on("GET", status_path, [bytes](const auto&) {
      return json(200, Object{{"state", std::string(bytes, 'x')}});
    });
    const auto result = runner.run("  - start: {}\n  - expect: {status: {state: !length " +
                                   std::to_string(bytes) + "}}\n");
    EXPECT_EQ(result.verdict, Verdict::pass);
    const std::string& body = result.exchanges[1].response->body;
    if (bytes < 4'000'000) {
      EXPECT_EQ(body.size(), bytes + 12);
    } else {
      EXPECT_LT(body.size(), 17'000U);
      EXPECT_THAT(body, HasSubstr("(5000012 bytes in all)"));
    }
  }
}

TEST(CaseRunner, AMissingCapabilityIsNamed) {
  TestRunner runner;
  runner.profile.capabilities.erase("executions.status");
  runner.profile.capabilities.erase("executions.replay");
  const auto result = runner.run("  - start: {}\n  - expect: {status: {state: RUNNING}}\n");
  EXPECT_EQ(result.verdict, Verdict::not_applicable);
  EXPECT_EQ(result.reason, "the profile does not declare executions.replay, executions.status");
  EXPECT_TRUE(runner.target.requests().empty());
}

TEST(CaseRunner, ClausesOfTheBindingAreJudgedOnlyWhereItIsDeclared) {
  TestRunner runner;
  runner.target.on("GET", status_path, [](const auto&) { return json(200, state("COMPLETED")); });
  core::Scenario scenario = scenario_of(
      "  - start: {}\n"
      "  - expect: {status: {state: RUNNING}, clause: STM-CORE-1}\n"
      "  - expect: {status: {state: COMPLETED}, clause: STM-CORE-2}\n");
  scenario.clauses = {"API-DETAIL", "STM-CORE-2"};
  std::get<core::Expect>(scenario.steps[1].action).clauses = {"API-DETAIL"};
  EXPECT_EQ(runner.run(scenario).verdict, Verdict::fail);

  runner.profile.capabilities.erase("binding.reference");
  const auto result = runner.run(scenario);
  EXPECT_EQ(result.verdict, Verdict::pass);
  EXPECT_THAT(result.clauses, ElementsAre("STM-CORE-2"));
  ASSERT_EQ(result.checks.size(), 1U);
}

TEST(CaseRunner, AnEventThatTheTargetDoesNotHaveIsNotApplicable) {
  TestRunner runner;
  runner.profile.event_names["playbook.paused"] = "";
  const auto result = runner.run(
      "  - start: {}\n"
      "  - post: {type: playbook.paused}\n"
      "  - expect: {status: {state: RUNNING}}\n");
  EXPECT_EQ(result.verdict, Verdict::not_applicable);
  EXPECT_EQ(result.reason, "the profile does not declare event playbook.paused");
}

/// Whoever comes to its verdict again asks the same on the way.
TEST(CaseRunner, ACaseThatTurnsOutNotToApplyKeepsWhatItAsked) {
  TestRunner runner;
  core::OperationTemplate& detail = runner.profile.operations["executions.detail"];
  detail = runner.profile.operations.at("executions.status");
  detail.path = "/executions/${nobody_says_what}";
  runner.target.on("GET", status_path, [](const auto&) { return json(200, state("RUNNING")); });
  const auto result = runner.run(
      "  - start: {}\n"
      "  - expect: {status: {state: RUNNING}, detail: {state: RUNNING}}\n");
  EXPECT_EQ(result.verdict, Verdict::not_applicable);
  EXPECT_EQ(result.exchanges.size(), 2U);
}

TEST(CaseRunner, TheCasesTimeEndsItInconclusive) {
  TestRunner runner;
  runner.profile.limits.case_ms = 1'000;
  runner.target.on("GET", status_path, [](const auto&) { return json(200, state("RUNNING")); });
  const auto result =
      runner.run("  - start: {}\n  - expect: {status: {state: COMPLETED}, within_ms: 60000}\n");
  EXPECT_EQ(result.verdict, Verdict::inconclusive);
  EXPECT_EQ(runner.clock.steady_ms(), 1'000);
}

TEST(CaseRunner, TheSameSeedGivesTheSameRequestsAndRecord) {
  const char* steps =
      "  - start: {}\n"
      "  - together:\n"
      "      - [{post: {type: step.enter, node: a}}, {post: {type: step.exit, node: a}}]\n"
      "      - [{post: {type: step.enter, node: b}}]\n"
      "  - repeat: {times: 2, steps: [{post: {type: call.done, payload: {n: \"${i}\"}}}]}\n"
      "  - expect: {status: {response: {is: unknown}}}\n";
  TestRunner first;
  TestRunner second;
  const auto one = first.run(steps);
  const auto other = second.run(steps);
  EXPECT_EQ(first.target.requests(), second.target.requests());
  EXPECT_EQ(one.exchanges.size(), other.exchanges.size());
  // No read shows a state, so that what the branches did is not proven to be right.
  EXPECT_EQ(one.verdict, Verdict::inconclusive);
  EXPECT_EQ(other.verdict, Verdict::inconclusive);
}

}  // namespace
}  // namespace assay::run
