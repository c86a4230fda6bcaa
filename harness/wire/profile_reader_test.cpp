#include "harness/wire/profile_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "harness/core/operation.h"

namespace assay::wire::profile_reader_test {
namespace {

std::optional<std::string> environment(std::string_view name) {
  if (name == "TOKEN") return "s3cret";
  if (name == "ODD") return "a/b ${x}";
  if (name == "BROKEN") return "a\r\nb";
  return std::nullopt;
}

core::Profile read(std::string_view text) {
  auto result = read_profile(text, "p.yaml", environment);
  if (!result) {
    for (const core::Diagnostic& problem : result.error()) {
      ADD_FAILURE() << core::diagnostic_text(problem);
    }
    return {};
  }
  return std::move(result).value();
}

std::string problems(std::string_view text) {
  const auto result = read_profile(text, "p.yaml", environment);
  std::string all;
  if (!result) {
    for (const core::Diagnostic& problem : result.error())
      all += core::diagnostic_text(problem) + "\n";
  }
  return all;
}

/// A profile with one operation, runs.get, as `form` says it.
std::string with_operation(std::string_view form) {
  return "name: p\ncapabilities: [runs.get]\noperations:\n  runs.get: " + std::string(form) + "\n";
}

TEST(ProfileReader, ReadsEveryBuiltInProfile) {
  const std::vector<std::string> names = embedded_profile_names();
  EXPECT_NE(std::find(names.begin(), names.end(), "reference"), names.end());
  for (const std::string& name : names) {
    EXPECT_EQ(read(embedded_profile(name).value_or("")).name, name);
  }
  EXPECT_FALSE(embedded_profile("no-such-profile"));
}

TEST(ProfileReader, GivesTheReferenceEveryOperationAndCapability) {
  const core::Profile profile = read(embedded_profile("reference").value_or(""));
  for (const std::string_view name : core::operation_names()) {
    EXPECT_TRUE(profile.operations.contains(name)) << name;
    EXPECT_TRUE(profile.capabilities.contains(name)) << name;
  }
  for (const std::string_view name : core::semantic_capabilities()) {
    // The reference refuses legacy names only when it is started so.
    if (name == "legacy.reject") continue;
    EXPECT_TRUE(profile.capabilities.contains(name)) << name;
  }
}

TEST(ProfileReader, ReadsEveryMember) {
  const core::Profile profile = read(R"(
name: mine
title: My server
base_url: https://localhost:8443
headers: {authorization: "Bearer ${env:TOKEN}", x-plain: y}
tls: {ca: ca.pem, certificate: c.pem, key: k.pem, verify: false}
limits: {connect_ms: 1, request_ms: 2, within_ms: 3, hold_ms: 4, case_ms: 5, max_header_bytes: 6,
         max_body_bytes: 7, max_pages: 8, jobs: 9, rate: 9.5, wait_factor: 2}
consistency: {window_ms: 500}
capabilities: [runs.get]
interpretations: {repeated_cancel: refused}
vocabulary: {events: {a.b: c.d, e.f: null}, states: {running: RUNNING}}
operations:
  runs.get: {request: "GET /runs/${run_id}", accepted: [200], unknown: [404, 410]}
worker: [{when: done, type: call.done, node: "${step}"}]
launch: {command: [server, --port, "0"], environment: {A: b}, health_path: /healthz,
         ready_within_ms: 9, stop_signal: INT}
)");
  EXPECT_EQ(profile.title, "My server");
  EXPECT_EQ(profile.base_url, "https://localhost:8443");
  ASSERT_EQ(profile.headers.size(), 2U);
  EXPECT_EQ(profile.headers[0].value, "Bearer s3cret");
  EXPECT_TRUE(profile.headers[0].secret);
  EXPECT_FALSE(profile.headers[1].secret);
  EXPECT_EQ(profile.tls.key_file, "k.pem");
  EXPECT_FALSE(profile.tls.verify);
  EXPECT_EQ(profile.limits.case_ms, 5);
  EXPECT_EQ(profile.limits.max_pages, 8U);
  EXPECT_EQ(profile.limits.jobs, 9U);
  EXPECT_EQ(profile.limits.rate, 9.5);
  EXPECT_TRUE(profile.consistency.eventual);
  EXPECT_EQ(profile.consistency.window_ms, 500);
  EXPECT_EQ(profile.interpretations.at("repeated_cancel"), "refused");
  EXPECT_EQ(profile.event_names.at("a.b"), "c.d");
  EXPECT_EQ(profile.event_names.at("e.f"), "");
  EXPECT_EQ(profile.state_names.at("running"), "RUNNING");
  EXPECT_EQ(profile.operations.at("runs.get").path, "/runs/${run_id}");
  EXPECT_EQ(profile.operations.at("runs.get").unknown, (std::set<int>{404, 410}));
  EXPECT_EQ(profile.worker.at(0).string_at("node"), "${step}");
  ASSERT_TRUE(profile.launch);
  EXPECT_EQ(profile.launch->environment.at("A"), "b");
  EXPECT_EQ(profile.launch->stop_signal, "INT");
}

TEST(ProfileReader, ExtendsABuiltInProfile) {
  const core::Profile profile = read(R"(
name: mine
extends: reference
with: [legacy.reject]
without: [control.evict]
operations:
  server.health: {request: GET /health}
)");
  EXPECT_EQ(profile.name, "mine");
  EXPECT_TRUE(profile.capabilities.contains("legacy.reject"));
  EXPECT_TRUE(profile.capabilities.contains("runs.get"));
  EXPECT_FALSE(profile.capabilities.contains("control.evict"));
  EXPECT_FALSE(profile.operations.contains("control.evict"));
  EXPECT_TRUE(profile.operations.contains("runs.get"));
  EXPECT_EQ(profile.operations.at("server.health").path, "/health");
  EXPECT_NE(problems("name: p\nextends: referense\n").find("did you mean \"reference\"?"),
            std::string::npos);
}

TEST(ProfileReader, LetsGivenStatusesWinOverDefaults) {
  const core::Profile profile =
      read(with_operation("{request: 'GET /${run_id}', duplicate: [200], refused: [404]}"));
  const core::OperationTemplate& form = profile.operations.at("runs.get");
  EXPECT_FALSE(form.accepted.contains(200));
  EXPECT_TRUE(form.accepted.contains(201));
  EXPECT_TRUE(form.unknown.empty());
  EXPECT_NE(problems(with_operation("{request: GET /, accepted: [200], refused: [200]}"))
                .find("status 200 has two meanings"),
            std::string::npos);
}

TEST(ProfileReader, ChecksTemplates) {
  const std::vector<std::pair<std::string, std::string>> faults = {
      {"{request: 'GET /${run_ids}'}",
       R"(unknown parameter of runs.get "run_ids"; did you mean "run_id"?)"},
      {"{request: GET}", "expected a method and a path"},
      {"{request: 'get /x'}", "expected a method and a path"},
      {"{request: 'GET x'}", "expected a method and a path"},
      {"{request: 'GET /${run_id'}", "expected placeholders"},
      {"{request: 'GET /${run_id|title}'}", "unknown filter or table"},
      {"{}", "needs \"request\""},
      {"{request: GET /, boddy: 1}", "did you mean \"body\"?"},
      {"{request: GET /, body: {a: ['${other}']}}", "unknown parameter of runs.get \"other\""},
      {"{request: GET /, query: {a: '${other}'}}", "unknown parameter of runs.get \"other\""},
      {"{request: GET /, headers: {a: '${other}'}}", "unknown parameter of runs.get \"other\""},
      {"{request: GET /, accepted: [20]}", "an integer from 100"},
      {"{request: GET /, accepted: [600]}", "an integer from 100 to 599"},
      {"{request: GET /, read: data}", "a JSON Pointer such as"},
      {"{request: GET /, read: {object: {a: b}}}", "a JSON Pointer such as"},
      {"{request: GET /, read: {cases: [{at: /a}]}}", "at needs a test: is, is_not"},
      {"{request: GET /, read: {items: /a, constant: 1}}", "says what is read"},
      {"{request: GET /, read: {object: {}, each: /a}}", "each belongs to items"},
      {"{request: GET /, read: {merged: [/a], constant: 1}}", "says what is read"},
      {"{request: GET /, narrow: {run_id: /a}}", "only a listing can be narrowed"},
      {"{request: GET /, before: [{request: GET /, when: other.a}]}",
       "unknown parameter of runs.get \"other\""},
      {"{request: GET /, before: [{request: GET /, when: run_id..a}]}", "expected name or name."},
      {"{request: GET /, read: {pointer: /a, spelling: state}}", "events, states, or a mapping"},
      {"{request: GET /, outcomes: [{at: /a, is: 1, means: no}]}", "unknown acceptance"},
  };
  for (const auto& [form, message] : faults) {
    const std::string found = problems(with_operation(form));
    EXPECT_NE(found.find(message), std::string::npos) << form << "\n" << found;
  }
}

TEST(ProfileReader, DemandsAMarkOnParametersThatMayBeAbsent) {
  const std::string found = problems(
      "name: p\ncapabilities: [runs.list]\noperations:\n  runs.list: {request: GET /, query: "
      "{status: '${status}'}, read: {object: {items: {items: /a}, next: /b}}}\n");
  EXPECT_NE(found.find("status may be absent; write ${status?}"), std::string::npos) << found;
}

TEST(ProfileReader, DemandsWhatTheHarnessMustRead) {
  EXPECT_NE(problems("name: p\ncapabilities: [runs.list]\noperations:\n"
                     "  runs.list: {request: GET /}\n")
                .find("its read must give {items, next}"),
            std::string::npos);
  EXPECT_NE(problems("name: p\ncapabilities: [runs.create]\noperations:\n"
                     "  runs.create: {request: POST /, read: {object: {status: /s}}}\n")
                .find("runs.create must read \"run_id\""),
            std::string::npos);
}

TEST(ProfileReader, ComparesDeclarationsWithOperations) {
  EXPECT_NE(problems("name: p\ncapabilities: [runs.get]\n")
                .find("runs.get is declared and has no entry in operations"),
            std::string::npos);
  EXPECT_NE(problems("name: p\ncapabilities: []\noperations:\n  runs.get: {request: GET /}\n")
                .find("p.yaml:4:13: runs.get has an entry in operations and is not declared"),
            std::string::npos);
}

TEST(ProfileReader, TakesTheEnvironmentWhereverATextStands) {
  const core::Profile profile = read(R"(
name: p
base_url: "http://localhost:8443/${env:TOKEN}"
setup:
  - request: POST /login/${env:ODD}
    query: {key: "${env:ODD}"}
    headers: {a: "x ${env:ODD}"}
    body: {password: "${env:ODD}", all: [{key: "${env:TOKEN}"}], mark: "${mark}"}
launch: {command: [server, "${env:TOKEN}"], environment: {A: "b${env:TOKEN}"}, health_path: /}
)");
  EXPECT_EQ(profile.base_url, "http://localhost:8443/s3cret");
  ASSERT_EQ(profile.setup.size(), 1U);
  const core::RequestTemplate& login = profile.setup[0].request;
  // What it gives is no placeholder, and stands in a path or query as any value does.
  EXPECT_EQ(login.path, "/login/a%2Fb%20%24%7Bx%7D");
  EXPECT_EQ(login.query[0].second, "a%2Fb%20%24%7Bx%7D");
  EXPECT_EQ(login.headers[0].value, "x a/b $${x}");
  EXPECT_TRUE(login.headers[0].secret);
  EXPECT_EQ(*login.body, Value(Object{{"password", "a/b $${x}"},
                                      {"all", List{Object{{"key", "s3cret"}}}},
                                      {"mark", "${mark}"}}));
  ASSERT_TRUE(profile.launch);
  EXPECT_EQ(profile.launch->command[1], "s3cret");
  EXPECT_EQ(profile.launch->environment.at("A"), "bs3cret");
  EXPECT_EQ(
      std::set<std::string>(profile.environment_values.begin(), profile.environment_values.end()),
      (std::set<std::string>{"s3cret", "a/b ${x}"}));
}

TEST(ProfileReader, SendsOperationsWithoutARequestThroughTheAdapter) {
  const core::Profile profile = read(R"(
name: p
base_url: http://a
adapter: {command: [python3, "a ${env:TOKEN}"], environment: {A: "${env:TOKEN}"}, ready_within_ms: 5}
capabilities: [runs.create, runs.get, runs.list]
operations:
  runs.create: {request: POST /runs, read: {object: {run_id: /id}}}
  runs.get: {}
  runs.list:
)");
  ASSERT_TRUE(profile.adapter);
  EXPECT_EQ(profile.adapter->command, (std::vector<std::string>{"python3", "a s3cret"}));
  EXPECT_EQ(profile.adapter->environment.at("A"), "s3cret");
  EXPECT_EQ(profile.adapter->ready_within_ms, 5);
  EXPECT_EQ(profile.environment_values, (std::vector<std::string>{"s3cret", "s3cret"}));
  EXPECT_EQ(profile.operations.at("runs.create").method, "POST");
  const core::OperationTemplate& form = profile.operations.at("runs.get");
  EXPECT_EQ(form.method + " " + form.path, "ADAPTER runs.get");
  EXPECT_EQ(form.duplicate, std::set<int>{208});
  EXPECT_EQ(form.refused, std::set<int>{409});
}

TEST(ProfileReader, RefusesWhatAnAdapterHasNoUseFor) {
  const std::string begin = "name: p\nadapter: {command: [a]}\ncapabilities: [runs.get]\n";
  const std::vector<std::pair<std::string, std::string>> profiles = {
      {begin + "operations: {runs.get: {accepted: [200]}}\n", "p.yaml:4:"},
      {begin + "operations: {runs.get: {accepted: [200]}}\n",
       "unknown key in the operation runs.get \"accepted\""},
      {begin + "operations: {runs.get: {body: text}}\n", "what the adapter gets as parameters"},
      {begin + "operations: {runs.get: {body: {a: \"${run_idd}\"}}}\n", "did you mean \"run_id\"?"},
      {begin + "operations: {runs.get: {request: ADAPTER /x}}\n", "a method and a path"},
      {"name: p\nadapter: {}\n", "adapter needs \"command\""},
      {"name: p\nadapter: {command: []}\n", "expected a program and arguments"},
      {"name: p\ncapabilities: [runs.get]\noperations: {runs.get: {}}\n", "needs \"request\""}};
  for (const auto& [text, problem] : profiles) {
    EXPECT_NE(problems(text).find(problem), std::string::npos) << text << problems(text);
  }
}

TEST(ProfileReader, SaysWhatWasFoundAndExpected) {
  const std::vector<std::pair<std::string, std::string>> faults = {
      {"title: x", "a profile needs \"name\""},
      {"name: p\nbase_url: localhost", "expected an http or https URL"},
      {"name: p\nheaders: {a: '${env:NONE}'}", "the environment variable NONE is not set"},
      {"name: p\nheaders: {a: '${env:NONE'}", "expected ${env:NAME}"},
      {"name: p\ncapabilities: [runs.gett]", R"(unknown capability "runs.gett"; did you mean)"},
      {"name: p\noperations: {runs.gett: {}}", R"(unknown operation "runs.gett"; did you mean)"},
      {"name: p\nlimits: {requst_ms: 3}", R"(did you mean "request_ms"?)"},
      {"name: p\nlimits: {request_ms: 0}", "an integer from 1 to 3600000"},
      {"name: p\nlimits: {request_ms: 9223372036854775807}",
       "p.yaml:2:22: found the integer 9223372036854775807, expected an integer from 1 to 3600000"},
      {"name: p\nlimits: {connect_ms: 3600001}", "an integer from 1 to 3600000"},
      {"name: p\nlimits: {within_ms: 3600001}", "an integer from 0 to 3600000"},
      {"name: p\nlimits: {hold_ms: 3600001}", "an integer from 0 to 3600000"},
      {"name: p\nlimits: {case_ms: 86400001}", "an integer from 1 to 86400000"},
      {"name: p\nlimits: {max_header_bytes: 16777217}", "an integer from 1 to 16777216"},
      {"name: p\nlimits: {max_body_bytes: 1073741825}", "an integer from 1 to 1073741824"},
      {"name: p\nlimits: {max_pages: 1000001}", "an integer from 1 to 1000000"},
      {"name: p\nlimits: {jobs: 4097}", "an integer from 1 to 4096"},
      {"name: p\nlimits: {rate: 1e-300}", "a number from 0.001 to 1000000"},
      {"name: p\nlimits: {rate: 1e7}", "a number from 0.001 to 1000000"},
      {"name: p\nlimits: {wait_factor: x}", "a number from 0.01 to 1000"},
      {"name: p\nlimits: {wait_factor: 1e300}", "a number from 0.01 to 1000"},
      {"name: p\nlimits: {wait_factor: 0}", "a number from 0.01 to 1000"},
      {"name: p\nconsistency: {window_ms: 600001}", "an integer from 1 to 600000"},
      {"name: p\nlaunch: {command: [x], health_path: /, ready_within_ms: 3600001}",
       "an integer from 1 to 3600000"},
      {"name: p\nheaders: {a: \"x\\r\\nHost: y\"}", "p.yaml:2:14: the header a has a line break"},
      {"name: p\nheaders: {\"a\\nb\": x}", "the header a␊b has a line break"},
      {"name: p\nheaders: {a: '${env:BROKEN}'}", "the header a has a line break"},
      {"name: p\nconsistency: eventual", "immediate, or {window_ms: n}"},
      {"name: p\nconsistency: {}", "consistency needs \"window_ms\""},
      {"name: p\ntls: {key: k}", "belong together"},
      {"name: p\nlaunch: {command: [x]}", "\"ready_line\" or \"health_path\""},
      {"name: p\nlaunch: {command: [], health_path: /}", "a program and arguments"},
      {"name: p\nlaunch: {command: [x], health_path: /, stop_signal: HUP}", "unknown signal"},
      {"name: p\nworker: [{when: don}]", "unknown outcome \"don\"; did you mean \"done\"?"},
      {"name: p\nworker: [{a: '${stepp}'}]", "did you mean \"step\"?"},
      {"name: p\nworker: [{a: '${step?}'}]", "expected ${step} as it is"},
      {"name: p\nworker: [x]", "expected an event"},
      {"name: p\nvocabulary: {event: {}}", "did you mean \"events\"?"},
      {"[1]", "expected a profile (a mapping)"},
      {"name: [", "p.yaml:"},
  };
  for (const auto& [text, message] : faults) {
    const std::string found = problems(text);
    EXPECT_NE(found.find(message), std::string::npos) << text << "\n" << found;
  }
}

TEST(ProfileReader, ChecksTheNamesThatHooksUse) {
  EXPECT_NE(problems(with_operation(
                         "{request: 'GET /r/${run_id}', after: [{request: 'GET /${ticket}'}]}"))
                .find("unknown parameter of runs.get"),
            std::string::npos);
  EXPECT_EQ(problems(with_operation("{before: [{request: GET /t, capture: {ticket: /t}}], "
                                    "request: 'GET /r/${run_id}/${ticket}'}")),
            "");
  EXPECT_NE(problems("name: p\ncapabilities: []\ncleanup: {flow_id: {request: GET /x}}\n")
                .find("unknown kind of thing that a case makes \"flow_id\""),
            std::string::npos);
}

TEST(ProfileReader, ChecksTheMembersOfEventsAndOfWhatSetupCaptured) {
  const std::string events =
      "name: p\ncapabilities: [events.post]\nsetup: [{request: GET /s, capture: {token: /t}}]\n"
      "operations:\n  events.post: {request: 'POST /e/${execution_id}', body: ";
  EXPECT_EQ(problems(events + "{k: '${event.event_type}', t: '${setup.token}'}}\n"), "");
  const std::string of_event = problems(events + "{k: '${event.event_typ?}'}}\n");
  EXPECT_NE(of_event.find("5:63: unknown member of event \"event_typ\"; did you mean "
                          "\"event_type\"?"),
            std::string::npos)
      << of_event;
  EXPECT_NE(problems(events + "{k: '${setup.tokn}'}}\n").find("did you mean \"token\"?"),
            std::string::npos);
}

TEST(ProfileReader, AnOwnBaseUrlOrNullEndsTheLaunchOfTheProfileThatIsExtended) {
  const auto launch_of = [](const std::string& more) {
    auto read = read_profile("extends: reference\nname: p\n" + more, "p.yaml", {});
    return read.value().launch;
  };
  EXPECT_TRUE(launch_of(""));
  EXPECT_FALSE(launch_of("base_url: http://127.0.0.1:1\n"));
  EXPECT_FALSE(launch_of("launch: null\n"));
  EXPECT_TRUE(
      launch_of("base_url: http://127.0.0.1:1\n"
                "launch: {command: [x], health_path: /}\n"));
}

TEST(ProfileReader, ABaseUrlFromAnEmptyVariableIsNoUrl) {
  const auto read = read_profile("extends: reference\nname: p\nbase_url: ${env:URL}\n", "p.yaml",
                                 [](std::string_view) { return std::optional<std::string>(""); });
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().front().message.find("the base URL is empty"), std::string::npos);
}

TEST(ProfileReader, WantsAWayOfPagingThatItKnows) {
  const std::string listing =
      "name: p\ncapabilities: [runs.list]\noperations:\n  runs.list: {request: GET /r, read: "
      "{object: {items: {items: ''}}}, paging: ";
  EXPECT_EQ(problems(listing + "{by: page, more: /more}}\n"), "");
  EXPECT_NE(problems(listing + "{by: magic, size: 1}}\n").find("\"magic\""), std::string::npos);
  EXPECT_NE(problems(listing + "{by: offset}}\n").find("paging needs \"size\""), std::string::npos);
}

TEST(ProfileReader, KnowsTheStatesOfTheSpecifications) {
  const std::vector<std::pair<std::string, std::string>> profiles = {
      {"vocabulary: {states: {done: sucess}}\n",
       "p.yaml:2:29: unknown state \"sucess\"; did you mean \"success\"?"},
      {"vocabulary: {missing_states: [denied, time_out]}\n", "did you mean \"timeout\"?"},
      {"capabilities: [runs.transition]\noperations: {runs.transition: {request: \"PUT "
       "/${run_id}\", "
       "lacks: [{to: runing}]}}\n",
       "unknown state \"runing\"; did you mean \"running\"?"}};
  for (const auto& [text, problem] : profiles) {
    EXPECT_NE(problems("name: p\n" + text).find(problem), std::string::npos)
        << problems("name: p\n" + text);
  }
  EXPECT_EQ(
      problems("name: p\nvocabulary: {states: {done: success, over: COMPLETED_ACK, x: POLLED}, "
               "missing_states: [BREAK]}\n"),
      "");
}

}  // namespace
}  // namespace assay::wire::profile_reader_test
