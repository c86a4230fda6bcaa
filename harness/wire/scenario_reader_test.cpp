#include "harness/wire/scenario_reader.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace assay::wire::scenario_reader_test {
namespace {

const core::ClauseTable& clauses() {
  static const core::ClauseTable table = [] {
    std::ifstream file(ASSAY_SOURCE_DIR "/fixtures/spec/clauses.tsv");
    std::ostringstream text;
    text << file.rdbuf();
    return core::ClauseTable(text.str());
  }();
  return table;
}

std::string with_steps(std::string_view steps, std::string_view head = "") {
  std::string text = "id: status/x\ntitle: X\nclauses: [STM-POS-DONE]\n";
  text += head;
  text += "steps:\n";
  text += steps;
  return text;
}

core::Scenario read(std::string_view text) {
  auto result = read_scenario(text, "x.yaml", clauses());
  if (!result) {
    for (const core::Diagnostic& problem : result.error()) {
      ADD_FAILURE() << core::diagnostic_text(problem);
    }
    return {};
  }
  return std::move(result).value();
}

std::string problems(std::string_view text) {
  const auto result = read_scenario(text, "x.yaml", clauses());
  std::string all;
  if (!result) {
    for (const core::Diagnostic& problem : result.error())
      all += core::diagnostic_text(problem) + "\n";
  }
  return all;
}

constexpr std::string_view check = "  - expect: {status: {state: COMPLETED}}\n";

std::string problems_of_step(std::string_view step) {
  return problems(with_steps(std::string("  - ") + std::string(step) + "\n" + std::string(check)));
}

template <typename Action>
Action first_action(std::string_view step) {
  const core::Scenario scenario =
      read(with_steps(std::string("  - ") + std::string(step) + "\n" + std::string(check)));
  if (scenario.steps.empty()) return {};
  return std::get<Action>(scenario.steps.front().action);
}

TEST(ScenarioReader, ReadsTheExampleOfTheDesign) {
  const core::Scenario scenario = read(R"(
id: status/batch-completed-zero-pending
title: A batch that completes with nothing pending leaves the execution running
clauses: [STM-INF-BATCH, STM-POS-DONE]
needs: [executions.replay]
tags: [premature]
source: noetl/noetl#292
variables: {node: end}
matrix: {pending: [0, -1], name: [a, b]}
playbook: {workflow: [{step: a}]}
steps:
  - start: {}
  - post: {type: playbook.initialized}
  - post: {type: batch.completed, node: "${node}", payload: {pending_count: "${pending}"}}
  - expect: {status: {state: RUNNING, ended_at: null}, hold: true, clause: STM-INF-BATCH}
  - post: {type: playbook.completed}
  - expect: {status: {state: COMPLETED}, within_ms: 2000, clause: STM-POS-DONE}
)");
  EXPECT_EQ(scenario.id, "status/batch-completed-zero-pending");
  EXPECT_EQ(scenario.needs, std::vector<std::string>{"executions.replay"});
  EXPECT_EQ(core::cases_of(scenario).size(), 2U);
  ASSERT_EQ(scenario.steps.size(), 6U);
  EXPECT_EQ(scenario.steps[0].as, "main");
  EXPECT_EQ(scenario.steps[2].at.line, 14);
  const auto& post = std::get<core::Post>(scenario.steps[2].action);
  EXPECT_FALSE(post.batch);
  EXPECT_EQ(*post.events.at(0).find("event_type"), Value("batch.completed"));
  EXPECT_EQ(*post.events.at(0).find("node_name"), Value("${node}"));
  const auto& expect = std::get<core::Expect>(scenario.steps[3].action);
  EXPECT_TRUE(std::holds_alternative<core::Hold>(expect.when));
  EXPECT_EQ(expect.clauses, std::vector<std::string>{"STM-INF-BATCH"});
  EXPECT_EQ(expect.reads.at(0).operation, "executions.status");
  EXPECT_EQ(expect.reads.at(0).pattern()->members().at("state").literal()->as_string(), "RUNNING");
}

TEST(ScenarioReader, MapsEachActionToItsOperation) {
  const std::vector<std::pair<std::string, std::string>> actions = {
      {"start: {vocabulary: v10}", "executions.start"},
      {"cancel: {reason: r}", "executions.cancel"},
      {"cancel:", "executions.cancel"},
      {"ctx: {patch: {a: 1}}", "executions.ctx"},
      {"evict: {}", "control.evict"},
      {"advance_ms: 5", "control.clock"},
      {"lock_service: false", "control.lock_service"},
      {"block: {name: b, pure: true}", "blocks.register"},
      {"definition: {name: d, steps: []}", "definitions.register"},
      {"execute: {workflow: d}", "workflow.start"},
      {"abort: {}", "workflow.abort"},
      {"ack: {}", "workflow.ack"},
      {"poll: {worker: w}", "jobs.poll"},
      {"push: {job_id: j, success: true}", "jobs.push"},
      {"run: {}", "runs.create"},
      {"transition: {to: running}", "runs.transition"},
      {"retry: {}", "runs.retry"},
      {"operation: {name: runs.get, parameters: {run_id: r}}", "runs.get"},
  };
  for (const auto& [step, operation] : actions) {
    EXPECT_EQ(first_action<core::Operate>(step).operation.name, operation) << step;
  }
  EXPECT_EQ(first_action<core::Operate>("advance_ms: 5").operation.parameters.at("advance_ms"),
            Value(5));
  EXPECT_EQ(first_action<core::Operate>("lock_service: no").operation.parameters.at("available"),
            Value("no"));
}

TEST(ScenarioReader, GivesNamesToWhatStepsMake) {
  const core::Scenario scenario = read(with_steps(R"(  - run: {}
  - {run: {}, as: b}
  - {retry: {}, on: b}
  - {retry: {}, on: b, as: c}
  - {expect: {run: {status: created}}, on: c}
)"));
  ASSERT_EQ(scenario.steps.size(), 5U);
  EXPECT_EQ(scenario.steps[0].as, "main");
  EXPECT_EQ(scenario.steps[1].as, "b");
  EXPECT_EQ(scenario.steps[2].as, "");
  EXPECT_EQ(scenario.steps[3].on, "b");
  EXPECT_EQ(scenario.steps[3].as, "c");
  EXPECT_EQ(scenario.steps[4].on, "c");
}

TEST(ScenarioReader, ReadsBatchesAndOmissions) {
  const auto post = first_action<core::Post>(
      "post: [{type: a.b, omit: [event_id]}, {id: e, time: t, type: a.b, command: c, step_run: "
      "s}]");
  EXPECT_TRUE(post.batch);
  ASSERT_EQ(post.events.size(), 2U);
  EXPECT_EQ(post.omit[0], std::vector<std::string>{"event_id"});
  EXPECT_EQ(*post.events[1].find("event_id"), Value("e"));
  EXPECT_EQ(*post.events[1].find("timestamp"), Value("t"));
  EXPECT_EQ(*post.events[1].find("command_id"), Value("c"));
  EXPECT_EQ(*post.events[1].find("step_run_id"), Value("s"));
  EXPECT_TRUE(first_action<core::Post>("post: []").batch);
  EXPECT_EQ(first_action<core::Post>("post: '${unique}'").events.at(0), Value("${unique}"));
}

TEST(ScenarioReader, ReadsBranchesRepeatsRequestsAndPlays) {
  EXPECT_EQ(
      first_action<core::Together>("together: [[{start: {}}], [{evict: {}}]]").branches.size(), 2U);
  const auto repeat =
      first_action<core::Repeat>("repeat: {times: 3, steps: [{post: {type: a.b, id: 'e${i}'}}]}");
  EXPECT_EQ(repeat.times, Value(3));
  const auto request = first_action<core::RawRequest>(
      "request: {method: POST, path: '/executions/${id}', headers: {a: b}, json: [1]}");
  EXPECT_EQ(request.json, Value(List{1}));
  EXPECT_EQ(request.headers.at(0).name, "a");
  EXPECT_EQ(first_action<core::RawRequest>("request: {method: PUT, path: /, hex: '7bFF00'}").text,
            std::string("\x7b\xff\0", 3));
  const auto play = first_action<core::Play>(
      "play: {step: a, outcome: none, ctx: {k: 1}, failed_attempts: 2, iterations: [done, failed], "
      "times: 2, only_end: true}");
  EXPECT_EQ(play.outcome, "none");
  EXPECT_EQ(play.iterations, (std::vector<std::string>{"done", "failed"}));
  EXPECT_EQ(play.times, 2);
  EXPECT_TRUE(play.only_end);
}

TEST(ScenarioReader, MakesLongTexts) {
  const auto request = first_action<core::RawRequest>(
      "request: {method: POST, path: /, text: !join ['{\"a\":', !repeat ['[', 3], '1}']}");
  EXPECT_EQ(request.text, R"({"a":[[[1})");
  EXPECT_NE(problems_of_step("request: {method: POST, path: /, text: !repeat [x, 99999999999]}")
                .find("bytes of text"),
            std::string::npos);
}

TEST(ScenarioReader, KeepsExpectedAnswersThatAMatrixGives) {
  const core::Scenario scenario =
      read(with_steps("  - start: {}\n    response: {status: [\"${s}\", 409], is: \"${a}\"}\n",
                      "matrix: {s: [422], a: [refused]}\n"));
  ASSERT_EQ(scenario.steps.size(), 1U);
  EXPECT_EQ(scenario.steps[0].response->statuses, std::vector<int>{409});
  EXPECT_EQ(scenario.steps[0].response->status_variables, std::vector<std::string>{"${s}"});
  EXPECT_EQ(scenario.steps[0].response->acceptance_variables, std::vector<std::string>{"${a}"});
}

TEST(ScenarioReader, KeepsListsAndCountsThatAMatrixGives) {
  const core::Scenario scenario =
      read(with_steps("  - play: {step: a, iterations: \"${l}\"}\n"
                      "  - expect: {scheduled: \"${l}\", events: {count: \"${n}\"}}\n",
                      "matrix: {l: [[done]], n: [1]}\n"));
  ASSERT_EQ(scenario.steps.size(), 2U);
  EXPECT_EQ(std::get<core::Play>(scenario.steps[0].action).iterations,
            std::vector<std::string>{"${l}"});
  const auto& expect = std::get<core::Expect>(scenario.steps[1].action);
  EXPECT_EQ(expect.reads.at(0).events()->count_variable, "${n}");
  EXPECT_EQ(std::get<core::ScheduledSteps>(expect.reads.at(1).shows).names,
            std::vector<Value>{"${l}"});
}

TEST(ScenarioReader, ReadsEachKindOfRead) {
  const auto expect = first_action<core::Expect>(R"(expect:
      list: {filter: {state: RUNNING}, items: !contains [{state: RUNNING}]}
      events: {filter: {event_type: a.b}, exactly: [{event_id: x}], contains: [], absent: [!any ],
               count: 1, before: [[{a: 1}, {b: 2}]], same: [/a], distinct: [/b]}
      scheduled: [a, "${id}"]
      never_scheduled: [b]
      in_state: {state: RUNNING, items: []}
      jobs: {filter: {state: PENDING}, response: {is: refused}}
      workflow: {response: {status: 404, is: unknown, code: NOT_FOUND, nowhere: [variables]}}
      read: {operation: runs.get, parameters: {run_id: x}, body: {status: running}}
      hold_ms: 50
      also_allowed: [{status: {state: PENDING}}]
      because: specification 000 is silent)");
  ASSERT_EQ(expect.reads.size(), 8U);
  EXPECT_EQ(expect.reads[0].parameters.at("state"), Value("RUNNING"));
  EXPECT_TRUE(expect.reads[0].pattern()->is(core::Pattern::How::contains));
  EXPECT_EQ(expect.reads[1].events()->before.size(), 1U);
  EXPECT_EQ(expect.reads[1].events()->absent.at(0), core::Pattern());
  EXPECT_EQ(std::get<core::ScheduledSteps>(expect.reads[2].shows).names.at(0), Value("a"));
  EXPECT_EQ(std::get<core::NeverScheduledSteps>(expect.reads[3].shows).names.at(0), Value("b"));
  EXPECT_EQ(expect.reads[4].response->statuses, std::vector<int>{404});
  EXPECT_EQ(expect.reads[4].response->body->members().at("code").literal()->as_string(),
            "NOT_FOUND");
  EXPECT_EQ(expect.reads[5].operation, "workflow.by_state");
  EXPECT_EQ(expect.reads[6].response->acceptances,
            std::vector<core::Acceptance>{core::Acceptance::refused});
  EXPECT_EQ(expect.reads[7].operation, "runs.get");
  EXPECT_EQ(std::get<core::Hold>(expect.when).hold_ms, 50);
  EXPECT_EQ(expect.also_allowed.size(), 1U);
  const auto never = first_action<core::Expect>("never: {status: {state: FAILED}, hold_ms: 9}");
  EXPECT_EQ(std::get<core::Never>(never.when).hold_ms, 9);
}

TEST(ScenarioReader, ReadsForHowLongACheckLooks) {
  const auto when = [](const std::string& more) {
    return first_action<core::Expect>("expect: {status: {state: FAILED}" + more + "}").when;
  };
  EXPECT_TRUE(std::holds_alternative<core::Now>(when("")));
  EXPECT_TRUE(std::holds_alternative<core::Now>(when(", hold: false")));
  EXPECT_EQ(std::get<core::Within>(when(", within_ms: 5")).within_ms, 5);
  const auto held = std::get<core::Hold>(when(", within_ms: 5, hold: true"));
  EXPECT_EQ(held.within_ms, 5);
  EXPECT_EQ(held.hold_ms, std::nullopt);
}

TEST(ScenarioReader, ReadsWhichClauseALogKeeps) {
  const auto expect = first_action<core::Expect>("expect: {events: {keeps: EVT-TASK-FINAL}}");
  EXPECT_EQ(expect.reads.at(0).events()->keeps, "EVT-TASK-FINAL");
}

TEST(ScenarioReader, ReadsEveryPatternTag) {
  using By = core::Pattern::By;
  using How = core::Pattern::How;
  const auto expect = first_action<core::Expect>(R"(expect:
      status:
        exactly: !exactly {a: 1}
        unordered: !unordered [1, 2]
        contains: !contains [1]
        excludes: !excludes {a: 1}
        any: !any
        absent: !absent
        one_of: !one_of [1, !absent ]
        negation: !not "1"
        type: !type integer
        length: !length 2
        instant: !instant "2026-01-01T00:00:00Z"
        begins: !begins x
        ends: !ends "1"
        includes: !includes x
        at_least: !at_least 1.5
        at_most: !at_most "${unique}"
        list: [1, x]
        literal: null)");
  const auto operand = [](By by, Value value) {
    return core::Pattern{core::OperandPattern{by, std::move(value)}};
  };
  const auto elements = [](How how, std::vector<core::Pattern> each) {
    return core::Pattern{core::ElementsPattern{how, std::move(each)}};
  };
  const core::Pattern one = operand(By::literal, 1);
  const core::Pattern object{core::ObjectPattern{{{"a", one}}}};
  const core::Pattern absent{core::AbsentPattern()};
  const std::map<std::string, core::Pattern> members = {
      {"exactly", core::Pattern{core::ObjectPattern{{{"a", one}}, true}}},
      {"unordered", elements(How::unordered, {one, operand(By::literal, 2)})},
      {"contains", elements(How::contains, {one})},
      {"excludes", elements(How::excludes, {object})},
      {"any", core::Pattern()},
      {"absent", absent},
      {"one_of", elements(How::one_of, {one, absent})},
      {"negation", elements(How::none_of, {operand(By::literal, "1")})},
      {"type", operand(By::type, "integer")},
      {"length", operand(By::length, 2)},
      {"instant", operand(By::instant, "2026-01-01T00:00:00Z")},
      {"begins", operand(By::begins, "x")},
      {"ends", operand(By::ends, "1")},
      {"includes", operand(By::includes, "x")},
      {"at_least", operand(By::at_least, 1.5)},
      {"at_most", operand(By::at_most, "${unique}")},
      {"list", elements(How::list, {one, operand(By::literal, "x")})},
      {"literal", operand(By::literal, nullptr)}};
  EXPECT_EQ(expect.reads.at(0).pattern()->members(), members);
}

TEST(ScenarioReader, NamesTheNearestOfEveryKindOfName) {
  const std::vector<std::pair<std::string, std::string>> faults = {
      {"exspect: {status: {}}", R"(unknown key in a step "exspect"; did you mean "expect"?)"},
      {"expect: {statuss: {}}", R"(unknown key in expect "statuss"; did you mean "status"?)"},
      {"post: {typ: a.b}", R"(unknown key in an event "typ"; did you mean "type"?)"},
      {"start: {workloads: {}}", R"(did you mean "workload"?)"},
      {"operation: {name: runs.gett}",
       R"(unknown operation "runs.gett"; did you mean "runs.get"?)"},
      {"expect: {status: {a: !exactl {}}}",
       R"(unknown pattern tag "!exactl"; did you mean "!exactly"?)"},
      {"expect: {status: {a: !type int}}", R"(unknown type "int")"},
      {"{start: {}, response: {is: acepted}}",
       R"(unknown acceptance "acepted"; did you mean "accepted"?)"},
      {"expect: {status: {}, clause: STM-POS-DON}",
       R"(unknown clause "STM-POS-DON"; did you mean "STM-POS-DONE"?)"},
      {"expect: {events: {keeps: EVT-TASK-FINA}}", R"(did you mean "EVT-TASK-FINAL"?)"},
      {"post: {type: a.b, id: '${uniqe}'}", R"(unknown variable "uniqe"; did you mean "unique"?)"},
      {"{evict: {}, on: other}", R"(unknown subject "other")"},
      {"post: {type: a.b, id: '${id:other}'}", R"(unknown subject "other")"},
      {"play: {step: a, outcome: don}", R"(unknown outcome "don"; did you mean "done"?)"},
      {"post: {type: a.b, omit: [event_ids]}", R"(did you mean "event_id"?)"},
      {"expect: {list: {filter: {stat: X}, items: []}}", R"(did you mean "state"?)"},
  };
  for (const auto& [step, message] : faults) {
    const std::string found = problems_of_step(step);
    EXPECT_NE(found.find(message), std::string::npos) << step << "\n" << found;
  }
}

TEST(ScenarioReader, SaysWhatWasFoundAndExpected) {
  const std::vector<std::pair<std::string, std::string>> faults = {
      {"post: 3", "found the integer 3, expected an event or a list of events"},
      {"expect: {status: {}, hold: 1}", "found the integer 1, expected true or false"},
      {"expect: {status: {}, within_ms: soon}", "found the text \"soon\", expected an integer"},
      {"repeat: {times: many, steps: [{start: {}}]}", "expected how often"},
      {"{start: {}, evict: {}}", "found a second action evict in one step"},
      {"start", "expected a step"},
      {"{on: main}", "expected a step"},
      {"ctx: {}", "the parameters of executions.ctx needs \"patch\""},
      {"{start: {}, clause: STM-POS-DONE}", "clauses without a response"},
      {"{start: {}, response: {status: 99}}", "an integer from 100"},
      {"{start: {}, response: {}}", "a response that expects nothing"},
      {"expect: {}", "needs a read"},
      {"expect: {events: {}}", "expects nothing of the events"},
      {"expect: {events: {keeps: EVT-ENV-ID, filter: {event_type: a.b}}}", "without a filter"},
      {"expect: {status: {}, also_allowed: [{status: {}}]}", "also_allowed needs \"because\""},
      {"{start: {}, capture: {x: data}}", "expected a JSON Pointer"},
      {"{start: {}, capture: {unique: /a}}", "has a meaning of its own"},
      {"post: {type: a.b, event_type: a.c}", "has a member twice"},
      {"post: {id: x}", "an event needs \"type\""},
      {"post: {type: 'a${i}'}", "inside of repeat"},
      {"post: {type: '${bytes:x}'}", "takes a number from 0"},
      {"post: {type: 'a${unique'}", "without its }"},
      {"request: {method: GET, path: x}", "begun by /"},
      {"request: {method: GET, path: /, json: 1, text: x}", "one of json, text and hex"},
      {"request: {method: GET, path: /, hex: '7'}", "pairs of hexadecimal digits"},
      {"together: [[{start: {}}]]", "two branches or more"},
      {"expect: {status: {a: !length x}}", "a length: an integer from 0 after !length"},
      {"expect: {status: {a: !any 3}}", "expected nothing after !any"},
      {"{expect: {status: {}}, response: {status: 200}}", "unknown key in a step with expect"},
      {"never: {status: {}, within_ms: 3}", "unknown key in never \"within_ms\""},
  };
  for (const auto& [step, message] : faults) {
    const std::string found = problems_of_step(step);
    EXPECT_NE(found.find(message), std::string::npos) << step << "\n" << found;
  }
}

TEST(ScenarioReader, KnowsCapturesOnlyAfterTheyWereMade) {
  EXPECT_EQ(problems(with_steps("  - {start: {}, capture: {x: /a}}\n"
                                "  - expect: {status: {execution_id: \"${x}\"}}\n")),
            "");
  EXPECT_EQ(problems(with_steps("  - expect: {status: {execution_id: \"${x}\"}}\n"
                                "  - {start: {}, capture: {x: /a}}\n")),
            "x.yaml:5:37: unknown variable \"x\"; did you mean \"id\"? (expected one of: id, "
            "unique, case, extra_states)\n");
}

TEST(ScenarioReader, TakesADoubledDollarAsALiteral) {
  EXPECT_EQ(problems_of_step("post: {type: a.b, id: '$${x}'}"), "");
}

TEST(ScenarioReader, ChecksTheHead) {
  const std::string text(with_steps(check,
                                    "tags: [Bad Tag]\nneeds: [executions.replai]\n"
                                    "variables: {a: 1}\nmatrix: {a: [1], b: [1, 2]}\n"));
  const std::string found = problems(text);
  EXPECT_NE(found.find("a tag in kebab-case"), std::string::npos) << found;
  EXPECT_NE(found.find("did you mean \"executions.replay\"?"), std::string::npos) << found;
  EXPECT_NE(found.find("the column b has 2 values, a has 1"), std::string::npos) << found;
  EXPECT_NE(found.find("a is a variable and a column"), std::string::npos) << found;
  EXPECT_NE(problems("id: Status\nsteps: []").find("family/name"), std::string::npos);
  EXPECT_NE(problems("id: a/b\nsteps: []").find("needs \"title\""), std::string::npos);
}

TEST(ScenarioReader, ReadsJobsAndWhatNoneMayBe) {
  const core::Scenario scenario =
      read(with_steps("  - execute: {workflow: flow}\n"
                      "  - job: {type: EXECUTE, label: one, success: false, data: {n: 1}}\n"
                      "    capture: {job: /job_id}\n"
                      "  - expect: {workflow: {status: !none_of [NEW, VALID]}}\n"));
  const auto& job = std::get<core::Job>(scenario.steps.at(1).action);
  EXPECT_EQ(job.type, "EXECUTE");
  EXPECT_EQ(job.label, "one");
  EXPECT_EQ(job.success, Value(false));
  EXPECT_TRUE(job.push);
  EXPECT_EQ(job.data, Value(Object{{"n", 1}}));
  EXPECT_EQ(scenario.steps.at(1).capture.at("job"), "/job_id");
  const auto& expect = std::get<core::Expect>(scenario.steps.at(2).action);
  const core::Pattern& status = expect.reads.at(0).pattern()->members().at("status");
  EXPECT_TRUE(status.is(core::Pattern::How::none_of));
  EXPECT_EQ(status.elements().size(), 2U);
  EXPECT_NE(problems(with_steps("  - job: {type: RUN}\n")).find("ACQUIRE"), std::string::npos);
}

TEST(ScenarioReader, DemandsThatSomethingIsProven) {
  EXPECT_NE(problems(with_steps("  - start: {}\n")).find("asserts nothing"), std::string::npos);
  EXPECT_EQ(problems("id: a/b\ntitle: X\nclauses: [STM-POS-DONE, STM-INF-BATCH]\nsteps:\n"
                     "  - expect: {status: {}, clause: STM-POS-DONE}\n"),
            "x.yaml:3:25: no check proves STM-INF-BATCH\n");
  EXPECT_NE(problems(with_steps("  - expect: {status: {}, clause: STM-INF-BATCH}\n"))
                .find("STM-INF-BATCH is not among the scenario's clauses"),
            std::string::npos);
}

TEST(ScenarioReader, CollectsManyProblemsInTheOrderOfTheText) {
  const std::string found = problems(with_steps("  - posd: {}\n  - evikt: {}\n  - expect: {}\n"));
  EXPECT_LT(found.find("x.yaml:5:5"), found.find("x.yaml:6:5"));
  EXPECT_NE(found.find("x.yaml:7:"), std::string::npos) << found;
}

TEST(ScenarioReader, ReadsEveryScenarioOfTheSuite) {
  std::size_t files = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(ASSAY_SOURCE_DIR "/scenarios")) {
    if (entry.path().extension() != ".yaml") continue;
    ++files;
    std::ifstream file(entry.path());
    std::ostringstream text;
    text << file.rdbuf();
    const auto result = read_scenario(text.str(), entry.path().filename().string(), clauses());
    if (!result) {
      for (const core::Diagnostic& problem : result.error()) {
        ADD_FAILURE() << core::diagnostic_text(problem);
      }
    }
  }
  EXPECT_GT(files, 0U);
}

}  // namespace
}  // namespace assay::wire::scenario_reader_test
