#include "harness/wire/scenario_writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "harness/wire/json.h"
#include "harness/wire/scenario_reader.h"
#include "harness/wire/testing/scenario_fields.h"

namespace assay::wire::scenario_writer_test {
namespace {

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

const core::ClauseTable& clauses() {
  static const core::ClauseTable table(content(ASSAY_SOURCE_DIR "/fixtures/spec/clauses.tsv"));
  return table;
}

core::Scenario read(const std::string& text, const std::string& name = "x.yaml") {
  auto result = read_scenario(text, name, clauses());
  if (!result) {
    for (const core::Diagnostic& problem : result.error()) {
      ADD_FAILURE() << core::diagnostic_text(problem) << "\n" << text;
    }
    return {};
  }
  return std::move(result).value();
}

/// What is written reads back equal, field by field, and is written again to the same text.
void expect_round_trip(const core::Scenario& scenario) {
  const std::string written = write_scenario(scenario);
  const core::Scenario again = read(written, scenario.id);
  EXPECT_EQ(scenario_fields(again), scenario_fields(scenario)) << written;
  EXPECT_EQ(write_scenario(again), written);
}

core::Scenario with_steps(const std::string& steps, const std::string& head = "") {
  return read("id: status/x\ntitle: X\nclauses: [STM-POS-DONE, STM-INF-CALL]\n" + head +
              "steps:\n" + steps + "  - expect: {status: {state: COMPLETED}}\n");
}

/// A scenario whose first step patches ctx with `value`.
core::Scenario with_value(const Value& value) {
  core::Scenario scenario = with_steps("  - ctx: {patch: {}}\n");
  auto& operate = std::get<core::Operate>(scenario.steps.front().action);
  operate.operation.parameters.insert_or_assign("patch", Object{{"v", value}});
  return scenario;
}

Value patched(const core::Scenario& scenario) {
  const auto& operate = std::get<core::Operate>(scenario.steps.front().action);
  return *operate.operation.parameters.at("patch").find("v");
}

TEST(ScenarioWriter, WritesEveryScenarioOfTheSuiteSoThatItReadsBackEqual) {
  std::size_t files = 0;
  const std::filesystem::path folder = ASSAY_SOURCE_DIR "/scenarios";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".yaml") continue;
    SCOPED_TRACE(entry.path().filename().string());
    expect_round_trip(read(content(entry.path()), entry.path().string()));
    ++files;
  }
  EXPECT_GE(files, 400U);
}

TEST(ScenarioWriter, KeepsEveryActionAndWhatStandsBesideIt) {
  expect_round_trip(with_steps(R"(
  - start: {execution_id: "${unique}", workload: {n: 1}}
    as: other
    response: {status: [200, 201], is: accepted, headers: {Location: !begins /}, nowhere: [ctx]}
    clause: STM-POS-DONE
    capture: {made: /execution_id}
  - post: [{type: step.enter, omit: [event_id, timestamp]}, "${e}"]
    on: other
  - post: "${e}"
    response: {status: "${n}", is: ["${w}", refused], code: X}
    clauses: [STM-POS-DONE, STM-INF-CALL]
  - post: {type: step.enter}
    delivery: half_body
    response: {any: true}
  - together: [[{cancel: {}}, {evict: {}}], [{cancel: {reason: late}, on: other}]]
  - repeat: {times: "${n}", steps: [{post: {type: call.done, node: "n${i}"}}]}
  - request: {method: PUT, path: /x, headers: {X-Y: "${made}"}, json: null}
  - request: {method: POST, path: /x, hex: "7bff00"}
  - request: {method: POST, path: /x, text: !join [!repeat ["[", 200], "1"]}
  - play: {step: a, outcome: failed, result: {a: [1]}, ctx: {b: null}, failed_attempts: 2, iterations: "${l}", times: 2, only_end: true, worker: w}
  - play: {step: b, iterations: [done, failed]}
    under: {status_policy: [fail_fast, allow_partial], fan_in: wait_all}
  - job: {type: ACQUIRE, label: l, push: false, success: "${w}", entities: [e], data: null}
    on: other
    capture: {job: /job_id}
  - job: {}
  - run: {run_kind: k}
    on: r
  - run: {run_kind: k}
    as: ""
  - retry: {}
    on: r
    as: r2
  - retry: {}
    on: r
  - advance_ms: "${n}"
    needs: [control.clock, runs.retry]
  - lock_service: false
  - operation: {name: executions.start, parameters: {execution_id: z}}
    as: z
)",
                               "matrix: {n: [1, 2], w: [accepted, refused], l: [[done], []]}\n"
                               "under: {closed_gate: completes}\n"
                               "variables: {e: {type: call.done}}\n"));
}

TEST(ScenarioWriter, KeepsEveryFormOfACheck) {
  expect_round_trip(with_steps(R"(
  - start: {}
  - expect:
      status: {response: {status: 404}}
      list: {filter: {state: RUNNING}, items: !contains [{state: RUNNING}]}
      events: {filter: {event_type: a.b}, exactly: [], contains: [!any ""], absent: [{x: 1}], count: "${n}", before: [[{a: 1}, {b: 2}]], same: [/a], distinct: [/b~1c], response: {status: 200}}
      scheduled: "${l}"
      never_scheduled: [a, "${unique}"]
      in_state: {state: QUEUED, items: []}
      read: {operation: executions.list, parameters: {limit: 2}, body: {a: 1}, response: {status: 200}}
      within_ms: 500
      hold_ms: 0
      clauses: [STM-POS-DONE, STM-INF-CALL]
      also_allowed: [{status: {state: PENDING}, detail: {response: {is: unknown}}}, {scheduled: []}]
      because: "the text, as it stands, leaves it open"
  - expect: {detail: {a: 1}, read: {operation: executions.status, body: {response: 1}}, hold: true}
  - expect: {detail: {b: 1}, same_look: true}
  - expect: {events: {count: 3}}
  - expect: {events: {keeps: EVT-TASK-FINAL}}
  - never: {status: {state: COMPLETED}, hold_ms: 20}
)",
                               "matrix: {n: [1], l: [[a]]}\n"));
}

TEST(ScenarioWriter, KeepsEveryPattern) {
  expect_round_trip(with_steps(R"(
  - expect:
      detail:
        a: !exactly {x: [1, 1.0, "1"], "": null, "${unique}": 0}
        b: !unordered [!type string, !length 3, !instant "2026-01-01T00:00:00Z"]
        c: !contains [!begins "12", !ends "true", !includes ""]
        d: !excludes {x: !any ""}
        e: !excludes 7
        f: !one_of [!at_least -1.5, !at_most 9007199254740993]
        g: !not [1]
        h: !none_of [!absent "", null]
        i: {}
        j: !exactly {}
        k: []
)"));
}

TEST(ScenarioWriter, KeepsTextExactlyWhateverItLooksLike) {
  const std::vector<std::string> texts = {"",
                                          " ",
                                          "null",
                                          "~",
                                          "True",
                                          "no",
                                          "on",
                                          "12",
                                          "1e3",
                                          "0x1F",
                                          ".inf",
                                          "-",
                                          "---",
                                          "...",
                                          "- a",
                                          "a: b",
                                          "a #b",
                                          "# a",
                                          "!tag",
                                          "&a",
                                          "*a",
                                          "%x",
                                          "@x",
                                          "`x",
                                          "'",
                                          "\"",
                                          "\\",
                                          "\\n",
                                          "{a}",
                                          "[a]",
                                          "a,b",
                                          "?",
                                          ": ",
                                          "<<",
                                          "=",
                                          "line\nbreak",
                                          "\r\n",
                                          "\t",
                                          std::string("\0", 1),
                                          "\x01\x04\x1b\x7f",
                                          "\u0085\u2028\u2029\uFEFF",
                                          "\u202Eabc",
                                          "z\u00E9\u4E16",
                                          "\U0001F600",
                                          "\uFFFD",
                                          "$${literal}",
                                          "price $5",
                                          std::string(300, 'x'),
                                          std::string(63, '$'),
                                          "a" + std::string(100, '[') + "b" + std::string(70, ']'),
                                          "2026-01-01",
                                          "1:30",
                                          "a ",
                                          " a"};
  for (const std::string& text : texts) {
    SCOPED_TRACE(text);
    const core::Scenario scenario = with_value(text);
    expect_round_trip(scenario);
    EXPECT_EQ(patched(read(write_scenario(scenario))), Value(text));
    expect_round_trip(with_value(Object{{text.empty() ? "k" : text, List{text, text}}}));
    core::Scenario titled = scenario;
    titled.title = text.empty() ? "t" : text;
    expect_round_trip(titled);
  }
}

TEST(ScenarioWriter, KeepsKeysThatAreLongerThanYamlAllowsWithoutAQuestionMark) {
  for (const std::size_t length : {120U, 130U, 1'000U, 1'100U, 5'000U}) {
    const std::string key = std::string(length - 1, 'k') + '"';
    expect_round_trip(with_value(Object{{key, Object{{key, 1}}}, {"z", 2}}));
  }
}

TEST(ScenarioWriter, KeepsNumbersExactAndOfTheirKind) {
  const std::vector<Value> numbers = {std::int64_t{9007199254740993},
                                      std::numeric_limits<std::int64_t>::min(),
                                      std::numeric_limits<std::uint64_t>::max(),
                                      1.0,
                                      -0.0,
                                      0.1,
                                      1e300,
                                      5e-324,
                                      1e20,
                                      -1.5};
  for (const Value& number : numbers) {
    const Value again = patched(read(write_scenario(with_value(number))));
    EXPECT_EQ(to_json(again), to_json(number));
    EXPECT_EQ(again.is_double(), number.is_double());
  }
}

TEST(ScenarioWriter, KeepsAWideAndDeepValue) {
  Value deep = 1;
  for (int level = 0; level < 40; ++level) {
    deep = level % 2 == 0 ? Value(List{deep, "side text that makes it wide"}) : Object{{"k", deep}};
  }
  expect_round_trip(with_value(deep));
}

TEST(ScenarioWriter, PutsACommentAboveThatNothingCanBreakOutOf) {
  const core::Scenario scenario = with_value(1);
  const std::string text = write_scenario(scenario, "cause: x\n\nseed: 7\rid: evil");
  EXPECT_TRUE(text.starts_with("# cause: x\n#\n# seed: 7␍id: evil\nid: status/x\n")) << text;
  EXPECT_EQ(scenario_fields(read(text)), scenario_fields(scenario));
}

TEST(ScenarioWriter, GivesEachStepALineWhereItFits) {
  const core::Scenario scenario = with_steps(R"(
  - start: {execution_id: e}
    as: other
  - post: {type: step.enter, node: a}
    on: other
)");
  EXPECT_EQ(write_scenario(scenario), R"(id: status/x
title: X
clauses: [STM-POS-DONE, STM-INF-CALL]
steps:
  - start: {execution_id: e}
    as: other
  - post: {type: step.enter, node: a}
    on: other
  - expect: {status: {state: COMPLETED}}
)");
}

TEST(ScenarioWriter, WritesALiteralThatIsNoScalarAsThePatternThatMatchesOnlyIt) {
  core::Scenario scenario = with_steps("");
  auto& expect = std::get<core::Expect>(scenario.steps.front().action);
  expect.reads.front().shows = core::Pattern{
      core::OperandPattern{core::Pattern::By::literal, Object{{"a", List{1, Object{}}}}}};
  const core::Scenario again = read(write_scenario(scenario));
  const auto& read_back = std::get<core::Expect>(again.steps.front().action).reads.front();
  const core::Pattern one{core::OperandPattern{core::Pattern::By::literal, 1}};
  const core::Pattern empty{core::ObjectPattern{{}, true}};
  const core::Pattern list{core::ElementsPattern{core::Pattern::How::list, {one, empty}}};
  EXPECT_EQ(*read_back.pattern(), core::Pattern{core::ObjectPattern({{{"a", list}}, true})});
}

TEST(ScenarioWriter, RefusesWhatTheLanguageHasNoWordsFor) {
  core::Scenario scenario = with_steps("");
  auto& expect = std::get<core::Expect>(scenario.steps.front().action);
  expect.reads.push_back(expect.reads.front());
  expect.reads.push_back(expect.reads.front());
  EXPECT_THROW((void)write_scenario(scenario), std::invalid_argument);
}

}  // namespace
}  // namespace assay::wire::scenario_writer_test
