#include "harness/run/case_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/run/testing/scripted_target.h"

namespace assay::run {
namespace {

using core::TransportFault;
using core::Verdict;
using testing::Bench;
using ::testing::ElementsAre;
using testing::events_path;
using testing::fault;
using ::testing::HasSubstr;
using testing::json;
using testing::scenario_of;
using ::testing::StartsWith;
using testing::status_path;

constexpr const char* main_id = "assay-7-test-case-8c6c8202-main";
Value state(const char* word) { return Object{{"state", word}}; }

TEST(CaseRunner, AnExpectationThatIsKeptPasses) {
  Bench bench;
  bench.target.on("GET", status_path, [](const auto&) { return json(200, state("RUNNING")); });
  const auto result = bench.run(
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
  Bench bench;
  bench.target.on("GET", status_path, [](const auto&) { return json(200, state("COMPLETED")); });
  const auto result = bench.run(
      "  - start: {}\n"
      "  - expect: {status: {state: RUNNING}, clause: STM-CORE-1}\n"
      "  - expect: {status: {state: COMPLETED}, clause: STM-CORE-2}\n");
  EXPECT_EQ(result.verdict, Verdict::fail);
  ASSERT_EQ(result.checks.size(), 2U);
  EXPECT_EQ(result.checks[0].expected, "executions.status /state: \"RUNNING\"");
  EXPECT_EQ(result.checks[0].actual, "\"COMPLETED\"");
  EXPECT_EQ(result.checks[1].verdict, Verdict::pass);
}

TEST(CaseRunner, ARefusedSetUpEndsTheCaseInconclusive) {
  Bench bench;
  bench.target.on("POST", "/executions", [](const auto&) { return json(500, Object{}); });
  const auto result = bench.run(
      "  - start: {}\n"
      "  - expect: {status: {response: {is: unknown}}}\n");
  EXPECT_EQ(result.verdict, Verdict::inconclusive);
  ASSERT_EQ(result.checks.size(), 1U);
  EXPECT_THAT(result.checks[0].reason,
              StartsWith("set-up refused: POST /executions: answered 500"));
  EXPECT_THAT(result.checks[0].reason, HasSubstr("expected accepted"));
  EXPECT_EQ(bench.target.requests().size(), 1U);
}

TEST(CaseRunner, AConflictAtSetUpIsNoFindingEither) {
  Bench bench;
  bench.target.on("POST", events_path, [](const auto&) { return json(409, Object{}); });
  const auto result = bench.run(
      "  - start: {}\n"
      "  - post: {type: playbook.initialized}\n"
      "  - expect: {status: {state: RUNNING}}\n");
  EXPECT_EQ(result.verdict, Verdict::inconclusive);
  EXPECT_THAT(result.checks.back().reason, HasSubstr("answered 409 (refused)"));
}

TEST(CaseRunner, ADuplicateIsAccepted) {
  Bench bench;
  bench.target.on("POST", "/executions", [](const auto&) { return json(208, Object{}); });
  bench.target.on("GET", status_path, [](const auto&) { return json(200, state("RUNNING")); });
  EXPECT_EQ(bench.run("  - start: {}\n  - expect: {status: {state: RUNNING}}\n").verdict,
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
    Bench reading;
    reading.target.on("GET", status_path, broken);
    EXPECT_EQ(reading.run("  - start: {}\n  - expect: {status: {state: RUNNING}}\n").verdict,
              verdict);
    EXPECT_EQ(reading.run("  - start: {}\n  - never: {status: {state: RUNNING}}\n").verdict,
              verdict);
    Bench writing;
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
    Bench bench;
    bench.target.on("GET", status_path, [answer](const auto&) { return answer; });
    for (const char* check :
         {"expect: {status: {state: RUNNING}}", "expect: {status: {state: RUNNING}, hold: true}",
          "expect: {status: {state: RUNNING}, within_ms: 50}",
          "never: {status: {state: RUNNING}}"}) {
      const auto result = bench.run(std::string("  - start: {}\n  - ") + check + "\n");
      EXPECT_EQ(result.verdict, Verdict::inconclusive) << answer.status << " " << check;
      EXPECT_FALSE(result.checks.back().reason.empty());
    }
  }
}

TEST(CaseRunner, WhatExistsAndIsSaidToBeUnknownIsAFail) {
  Bench bench;
  const auto result = bench.run("  - start: {}\n  - expect: {status: {state: RUNNING}}\n");
  EXPECT_EQ(result.verdict, Verdict::fail);
  EXPECT_THAT(result.checks[0].actual, HasSubstr("unknown (status 404)"));
  // Nothing is seen there, so nothing is seen not to happen.
  EXPECT_EQ(bench.run("  - start: {}\n  - never: {status: {state: RUNNING}}\n").verdict,
            Verdict::inconclusive);
}

TEST(CaseRunner, AReadsAnswerCanBeExpectedItself) {
  Bench bench;
  EXPECT_EQ(bench.run("  - expect: {status: {response: {is: unknown}}}\n").verdict, Verdict::pass);
  EXPECT_EQ(bench.run("  - expect: {status: {response: {status: 410}}}\n").verdict, Verdict::fail);
  bench.target.on("GET", status_path, [](const auto&) { return json(500, Object{}); });
  EXPECT_EQ(bench.run("  - expect: {status: {response: {is: unknown}}}\n").verdict, Verdict::fail);
}

TEST(CaseRunner, AResponseIsACheckOfItsStep) {
  Bench bench;
  bench.target.on("POST", events_path,
                  [](const auto&) { return json(409, Object{{"code", "EVENT_ID_CONFLICT"}}); });
  const auto result = bench.run(
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
  Bench bench;
  int looks = 0;
  bench.target.on("GET", status_path, [&looks](const auto&) {
    return json(200, state(++looks < 2 ? "RUNNING" : "COMPLETED"));
  });
  const auto result =
      bench.run("  - start: {}\n  - expect: {status: {state: RUNNING}, hold: true}\n");
  EXPECT_EQ(result.verdict, Verdict::fail);
  EXPECT_EQ(result.checks[0].looks, 2);
  EXPECT_THAT(result.checks[0].reason, HasSubstr("then broke"));
}

TEST(CaseRunner, AHoldSaysHowLongItLooked) {
  Bench bench;
  bench.profile.limits.wait_factor = 3;
  bench.target.on("GET", status_path, [](const auto&) { return json(200, state("RUNNING")); });
  const auto result =
      bench.run("  - start: {}\n  - expect: {status: {state: RUNNING}, hold_ms: 200}\n");
  EXPECT_EQ(result.verdict, Verdict::pass);
  EXPECT_EQ(result.checks[0].looked_ms, 600);
  // Only the look that decided it is kept.
  EXPECT_EQ(result.exchanges.size(), 2U);
}

TEST(CaseRunner, AnImmediateTargetIsLookedAtTwiceWithoutWaiting) {
  Bench bench(true);
  bench.target.on("GET", status_path, [](const auto&) { return json(200, state("RUNNING")); });
  const auto result =
      bench.run("  - start: {}\n  - expect: {status: {state: RUNNING}, hold: true}\n");
  EXPECT_EQ(result.verdict, Verdict::pass);
  EXPECT_EQ(result.checks[0].looks, 2);
  EXPECT_EQ(bench.clock.steady_ms(), 0);
}

TEST(CaseRunner, NeverFailsWhenItComesTrue) {
  Bench bench;
  bench.target.on("GET", status_path, [&bench](const auto&) {
    return json(200, state(bench.clock.steady_ms() < 50 ? "RUNNING" : "COMPLETED"));
  });
  const auto result = bench.run("  - start: {}\n  - never: {status: {state: COMPLETED}}\n");
  EXPECT_EQ(result.verdict, Verdict::fail);
  EXPECT_EQ(result.checks[0].actual, "{\"state\":\"COMPLETED\"}");
}

TEST(CaseRunner, WithinWaitsAndALateTruthFails) {
  const auto verdict_when_true_at = [](double from_ms) {
    Bench bench;
    bench.target.on("GET", status_path, [&bench, from_ms](const auto&) {
      return json(200, state(bench.clock.steady_ms() < from_ms ? "RUNNING" : "COMPLETED"));
    });
    return bench.run("  - start: {}\n  - expect: {status: {state: COMPLETED}, within_ms: 1000}\n")
        .verdict;
  };
  EXPECT_EQ(verdict_when_true_at(900), Verdict::pass);
  EXPECT_EQ(verdict_when_true_at(1'001), Verdict::fail);
}

TEST(CaseRunner, AnEventualTargetHasItsWindow) {
  Bench bench;
  bench.profile.consistency = {true, 500};
  bench.target.on("GET", status_path, [&bench](const auto&) {
    return json(200, state(bench.clock.steady_ms() < 400 ? "PENDING" : "RUNNING"));
  });
  const char* plain = "  - start: {}\n  - expect: {status: {state: RUNNING}}\n";
  EXPECT_EQ(bench.run(plain).verdict, Verdict::pass);
  Bench strict;
  strict.target.on("GET", status_path, [&strict](const auto&) {
    return json(200, state(strict.clock.steady_ms() < 400 ? "PENDING" : "RUNNING"));
  });
  EXPECT_EQ(strict.run(plain).verdict, Verdict::fail);
}

TEST(CaseRunner, AnOldAnswerOfAnEventualTargetProvesNothing) {
  Bench bench;
  bench.profile.consistency = {true, 500};
  bench.target.on("GET", status_path, [&bench](const auto&) {
    return json(200, state(bench.clock.steady_ms() < 450 ? "RUNNING" : "COMPLETED"));
  });
  const auto result = bench.run(
      "  - start: {}\n  - post: {type: batch.completed}\n"
      "  - expect: {status: {state: RUNNING}}\n");
  EXPECT_EQ(result.verdict, Verdict::fail);
}

TEST(CaseRunner, AReadOfAnEventualTargetWaitsUntilItShowsWhatTheCaseDid) {
  Bench bench;
  bench.profile.consistency = {true, 500};
  bench.target.on("GET", "/raw", [&bench](const auto&) {
    return json(bench.clock.steady_ms() < 500 ? 404 : 200, "{}");
  });
  const auto result = bench.run(
      "  - start: {}\n  - request: {method: GET, path: /raw}\n"
      "    response: {status: 200}\n");
  EXPECT_EQ(result.verdict, Verdict::pass);
}

TEST(CaseRunner, AnEventualTargetsHoldSeesWhatShowsLate) {
  Bench bench;
  bench.profile.consistency = {true, 500};
  bench.target.on("GET", status_path, [&bench](const auto&) {
    return json(200, state(bench.clock.steady_ms() < 450 ? "RUNNING" : "COMPLETED"));
  });
  EXPECT_EQ(
      bench.run("  - start: {}\n  - expect: {status: {state: RUNNING}, hold: true}\n").verdict,
      Verdict::fail);
}

TEST(CaseRunner, AnotherAllowedReadingPassesAndSaysWhy) {
  Bench bench;
  bench.target.on("GET", status_path, [](const auto&) { return json(200, state("FAILED")); });
  const char* steps =
      "  - start: {}\n"
      "  - expect: {status: {state: COMPLETED}, also_allowed: [{status: {state: FAILED}}], "
      "because: the text is silent}\n";
  const auto result = bench.run(steps);
  EXPECT_EQ(result.verdict, Verdict::pass);
  EXPECT_EQ(result.checks[0].reason, "also allowed; the text is silent");
  bench.target.on("GET", status_path, [](const auto&) { return json(200, state("RUNNING")); });
  EXPECT_EQ(bench.run(steps).verdict, Verdict::fail);
}

TEST(CaseRunner, WhereAnotherAllowedReadingCannotBeDecidedNobodyIsAccused) {
  Bench bench;
  bench.target.on("GET", status_path, [](const auto&) { return json(200, state("FAILED")); });
  bench.target.on("GET", events_path, [](const auto&) { return json(503, Object{}); });
  const auto result = bench.run(
      "  - start: {}\n"
      "  - expect: {status: {state: COMPLETED}, also_allowed: [{events: {count: 0}}], "
      "because: the text is silent}\n");
  EXPECT_EQ(result.verdict, Verdict::inconclusive);
  EXPECT_THAT(result.checks[0].reason, HasSubstr("503"));
}

TEST(CaseRunner, WhatMakesSomethingAndNamesNothingIsNoFaultOfTheHarness) {
  Bench bench;
  const auto result = bench.run(
      "  - operation: {name: workflow.start, parameters: {workflow: w}}\n"
      "    as: b\n"
      "  - expect: {read: {operation: workflow.get, parameters: {uuid: \"${id:b}\"}, body: "
      "{status: NEW}}}\n");
  EXPECT_EQ(result.verdict, Verdict::inconclusive);
  EXPECT_THAT(result.checks.at(0).reason, HasSubstr("without uuid"));
}

TEST(CaseRunner, EventsGetIdsAndTimesInTheOrderOfTheScript) {
  Bench bench;
  bench.run(
      "  - start: {}\n"
      "  - post: {type: playbook.initialized}\n"
      "  - post: {type: step.enter, id: mine, time: \"2030-01-01T00:00:00Z\", node: a}\n"
      "  - post: [{type: step.exit, node: a, omit: [event_id]}, {type: call.done}]\n"
      "  - expect: {status: {response: {is: unknown}}}\n");
  const auto& bodies = bench.target.bodies();
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
  Bench bench;
  const auto result = bench.run(scenario, 1);
  EXPECT_EQ(result.id, "test/case[-1-FAILED]");
  EXPECT_EQ(*bench.target.bodies()[1].at_pointer("/payload/pending_count"), Value(-1));
  EXPECT_THAT(result.repro, HasSubstr("--case 'test/case[-1-FAILED]'"));
}

TEST(CaseRunner, ARawRequestGoesAsItIsWritten) {
  Bench bench;
  bench.profile.headers = {{"Authorization", "Bearer s3cret", true}};
  bench.run(
      scenario_of("  - request: {method: GET, path: \"/a?${query}\"}\n"
                  "    response: {status: 404}\n"
                  "  - request: {method: POST, path: /b, json: {n: 1}}\n"
                  "    response: {status: 201}\n"
                  "  - request: {method: POST, path: /c, headers: {content-type: text/x}, "
                  "text: \"{\"}\n"
                  "    response: {status: 201}\n",
                  "variables: {query: \"limit=%zz\"}"));
  EXPECT_THAT(bench.target.requests(),
              ElementsAre("GET /a?limit=%zz", "POST /b {\"n\":1}", "POST /c {"));
}

TEST(CaseRunner, ItsTimeEndsEveryWaitUnderEventualConsistency) {
  for (const std::string read :
       {"  - expect: {status: {state: RUNNING}}\n", "  - expect: {status: {state: CREATED}}\n",
        "  - never: {status: {state: FAILED}}\n",
        "  - request: {method: GET, path: /healthz}\n    response: {status: 200}\n"}) {
    Bench bench;
    bench.profile.limits.case_ms = 3'000;
    bench.profile.consistency = {true, 600'000};
    const auto give = [&bench](const char* method, const char* path, int status,
                               const Object& body) {
      bench.target.on(method, path, [status, body](const core::HttpRequest& /*request*/) {
        return json(status, body);
      });
    };
    give("POST", "/executions", 201, {{"execution_id", "e"}});
    give("GET", status_path, 200, {{"state", "CREATED"}});
    give("GET", "/healthz", 200, {});
    const auto result = bench.run("  - start: {}\n" + read);
    EXPECT_EQ(result.verdict, Verdict::inconclusive) << read;
    EXPECT_LE(result.duration_ms, 3'250) << read;
  }
}

TEST(CaseRunner, SecretsAreMaskedWhereverTheyShow) {
  Bench bench;
  bench.profile.headers = {{"Authorization", "Bearer s3cret", true}};
  bench.target.on("GET", "/echo", [](const core::HttpRequest& request) {
    return json(200, Object{{"you sent", request.headers.at(0).value}});
  });
  const auto result = bench.run(
      "  - request: {method: GET, path: /echo}\n"
      "    response: {body: {you sent: nothing}}\n");
  EXPECT_EQ(result.verdict, Verdict::fail);
  EXPECT_EQ(result.exchanges[0].request.headers.at(0).value, "***");
  EXPECT_EQ(result.exchanges[0].response->body, "{\"you sent\":\"***\"}");
  EXPECT_EQ(result.checks[0].actual, "\"***\"");
}

TEST(CaseRunner, ARecordedBodyIsWholeUpToFourMebibytes) {
  for (const std::size_t bytes : {100'000U, 5'000'000U}) {
    Bench bench;
    bench.target.on("GET", status_path, [bytes](const auto&) {
      return json(200, Object{{"state", std::string(bytes, 'x')}});
    });
    const auto result = bench.run("  - start: {}\n  - expect: {status: {state: !length " +
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
  Bench bench;
  bench.profile.capabilities.erase("executions.status");
  bench.profile.capabilities.erase("executions.replay");
  const auto result = bench.run("  - start: {}\n  - expect: {status: {state: RUNNING}}\n");
  EXPECT_EQ(result.verdict, Verdict::not_applicable);
  EXPECT_EQ(result.reason, "the profile does not declare executions.replay, executions.status");
  EXPECT_TRUE(bench.target.requests().empty());
}

TEST(CaseRunner, ClausesOfTheBindingAreJudgedOnlyWhereItIsDeclared) {
  Bench bench;
  bench.target.on("GET", status_path, [](const auto&) { return json(200, state("COMPLETED")); });
  core::Scenario scenario = scenario_of(
      "  - start: {}\n"
      "  - expect: {status: {state: RUNNING}, clause: STM-CORE-1}\n"
      "  - expect: {status: {state: COMPLETED}, clause: STM-CORE-2}\n");
  scenario.clauses = {"API-DETAIL", "STM-CORE-2"};
  std::get<core::Expect>(scenario.steps[1].action).clauses = {"API-DETAIL"};
  EXPECT_EQ(bench.run(scenario).verdict, Verdict::fail);

  bench.profile.capabilities.erase("binding.reference");
  const auto result = bench.run(scenario);
  EXPECT_EQ(result.verdict, Verdict::pass);
  EXPECT_THAT(result.clauses, ElementsAre("STM-CORE-2"));
  ASSERT_EQ(result.checks.size(), 1U);
}

TEST(CaseRunner, AnEventThatTheTargetDoesNotHaveIsNotApplicable) {
  Bench bench;
  bench.profile.event_names["playbook.paused"] = "";
  const auto result = bench.run(
      "  - start: {}\n"
      "  - post: {type: playbook.paused}\n"
      "  - expect: {status: {state: RUNNING}}\n");
  EXPECT_EQ(result.verdict, Verdict::not_applicable);
  EXPECT_EQ(result.reason, "the profile does not declare event playbook.paused");
}

/// Whoever comes to its verdict again asks the same on the way.
TEST(CaseRunner, ACaseThatTurnsOutNotToApplyKeepsWhatItAsked) {
  Bench bench;
  core::OperationTemplate& detail = bench.profile.operations["executions.detail"];
  detail = bench.profile.operations.at("executions.status");
  detail.path = "/executions/${nobody_says_what}";
  bench.target.on("GET", status_path, [](const auto&) { return json(200, state("RUNNING")); });
  const auto result = bench.run(
      "  - start: {}\n"
      "  - expect: {status: {state: RUNNING}, detail: {state: RUNNING}}\n");
  EXPECT_EQ(result.verdict, Verdict::not_applicable);
  EXPECT_EQ(result.exchanges.size(), 2U);
}

TEST(CaseRunner, TheCasesTimeEndsItInconclusive) {
  Bench bench;
  bench.profile.limits.case_ms = 1'000;
  bench.target.on("GET", status_path, [](const auto&) { return json(200, state("RUNNING")); });
  const auto result =
      bench.run("  - start: {}\n  - expect: {status: {state: COMPLETED}, within_ms: 60000}\n");
  EXPECT_EQ(result.verdict, Verdict::inconclusive);
  EXPECT_EQ(bench.clock.steady_ms(), 1'000);
}

TEST(CaseRunner, TheSameSeedGivesTheSameRequestsAndRecord) {
  const char* steps =
      "  - start: {}\n"
      "  - together:\n"
      "      - [{post: {type: step.enter, node: a}}, {post: {type: step.exit, node: a}}]\n"
      "      - [{post: {type: step.enter, node: b}}]\n"
      "  - repeat: {times: 2, steps: [{post: {type: call.done, payload: {n: \"${i}\"}}}]}\n"
      "  - expect: {status: {response: {is: unknown}}}\n";
  Bench first;
  Bench second;
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
