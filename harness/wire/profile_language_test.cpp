// What the profile language says of engines that spell, place and send things in their own way.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/operation.h"
#include "harness/wire/exchange.h"
#include "harness/wire/json.h"
#include "harness/wire/profile_reader.h"

namespace assay::wire::profile_language_test {
namespace {

using ::testing::HasSubstr;

core::Profile read(const std::string& text) {
  auto result = read_profile(text, "p.yaml", [](std::string_view name) {
    return name == "WORD" ? std::optional<std::string>("a&b ${x}") : std::nullopt;
  });
  if (!result) {
    for (const auto& problem : result.error()) ADD_FAILURE() << core::diagnostic_text(problem);
    return {};
  }
  return std::move(result).value();
}

/// A profile of one operation.
std::string one(std::string_view operation, std::string_view form, std::string_view more = "") {
  return "name: p\n" + std::string(more) + "capabilities: [" + std::string(operation) +
         "]\noperations:\n  " + std::string(operation) + ":\n" + std::string(form);
}

std::string problems(const std::string& text) {
  const auto result = read_profile(text, "p.yaml", nullptr);
  std::string all;
  if (!result) {
    for (const auto& problem : result.error()) all += core::diagnostic_text(problem) + "\n";
  }
  return all;
}

core::HttpRequest sent(const core::Profile& profile, const std::string& name, Object parameters) {
  auto rendered = render_request(profile, {name, std::move(parameters)});
  if (!rendered) {
    ADD_FAILURE() << rendered.error().reason;
    return {};
  }
  return std::move(rendered).value();
}

std::string unsayable(const core::Profile& profile, const std::string& name, Object parameters) {
  const auto rendered = render_request(profile, {name, std::move(parameters)});
  return rendered ? "sayable" : rendered.error().reason;
}

/// The status that a runs.get with that `read` finds in a body.
Value status_of(const core::Profile& profile, std::string body,
                std::vector<core::Header> headers = {}) {
  const auto answer = read_answer(profile, "runs.get",
                                  core::HttpResponse{200, std::move(headers), std::move(body)});
  const Value* status = answer.mapped.find("status");
  return status != nullptr ? *status : Value("no status: " + answer.trouble);
}

core::Profile reading(std::string_view status) {
  return read(one("runs.get", "    request: GET /runs/${run_id}\n    read: {object: {status: " +
                                  std::string(status) + "}}\n"));
}

TEST(Conditions, TellAStateFromSeveralFields) {
  const core::Profile profile = reading(
      "{cases: [{and: [{at: /ended, exists: true}, {at: /exit, is: 0}], gives: success}, "
      "{at: /ended, exists: true, gives: failed}, "
      "{or: [{at: /state, one_of: [PAUSED, HELD]}, {at: /state, matches: \"^WAIT\"}], "
      "gives: waiting}, {at: /progress, above: 0, at_most: 100, gives: running}, "
      "{not: {at: /state, is_not: NEW}, gives: created}], otherwise: unknown}");
  EXPECT_EQ(status_of(profile, R"({"ended":"t","exit":0})"), Value("success"));
  EXPECT_EQ(status_of(profile, R"({"ended":"t","exit":1})"), Value("failed"));
  EXPECT_EQ(status_of(profile, R"({"ended":"t"})"), Value("failed"));
  EXPECT_EQ(status_of(profile, R"({"ended":null,"exit":0,"state":"HELD"})"), Value("waiting"));
  EXPECT_EQ(status_of(profile, R"({"state":"WAITING_FOR_CALLBACK"})"), Value("waiting"));
  EXPECT_EQ(status_of(profile, R"({"progress":100})"), Value("running"));
  EXPECT_EQ(status_of(profile, R"({"progress":0,"state":"NEW"})"), Value("created"));
  EXPECT_EQ(status_of(profile, R"({"progress":101})"), Value("unknown"));
  EXPECT_EQ(status_of(profile, R"({"progress":"50"})"), Value("unknown"))
      << "a text is not a number";
}

TEST(Conditions, CompareTimesAsTexts) {
  const core::Profile profile =
      reading("{cases: [{at: /until, below: \"2026-02-01\", gives: timeout}], otherwise: running}");
  EXPECT_EQ(status_of(profile, R"({"until":"2026-01-31T23:59:59Z"})"), Value("timeout"));
  EXPECT_EQ(status_of(profile, R"({"until":"2026-02-01T00:00:00Z"})"), Value("running"));
}

TEST(Conditions, DecideOutcomesAndWhatIsLeftOut) {
  const core::Profile profile = read(one("runs.list", R"(    request: GET /runs
    outcomes: [{at: /error/code, matches: "NOT_FOUND$", means: unknown}]
    read:
      object:
        next: {constant: null}
        items: {items: /runs, except: [{at: /id, exists: false}], each: {object: {run_id: /id}}}
)"));
  const auto answer = [&](std::string body) {
    return read_answer(profile, "runs.list", core::HttpResponse{200, {}, std::move(body)});
  };
  EXPECT_EQ(answer(R"({"error":{"code":"RUN_NOT_FOUND"}})").acceptance, core::Acceptance::unknown);
  EXPECT_EQ(*answer(R"({"runs":[{"id":"a"},{"no":1}]})").mapped.at_pointer("/items"),
            Value(List{Object{{"run_id", "a"}}}));
}

TEST(Conditions, AreLintedWithPositions) {
  const auto of = [](std::string_view one_case) {
    return problems(one("runs.get", "    request: GET /r/${run_id}\n    read: {cases: [" +
                                        std::string(one_case) + "]}\n"));
  };
  EXPECT_THAT(of("{at: /a, iss: 1, gives: x}"), HasSubstr("p.yaml:6:"));
  EXPECT_THAT(of("{at: /a, iss: 1, gives: x}"), HasSubstr("did you mean \"is\"?"));
  EXPECT_THAT(of("{at: /a, gives: x}"), HasSubstr("at needs a test"));
  EXPECT_THAT(of("{is: 1, gives: x}"), HasSubstr("the test needs \"at\""));
  EXPECT_THAT(of("{at: /a, matches: \"a(b\", gives: x}"), HasSubstr("not a regular expression"));
  EXPECT_THAT(of("{at: /a, exists: maybe, gives: x}"), HasSubstr("expected true or false"));
  EXPECT_THAT(of("{at: /a, is: 1}"), HasSubstr("either \"gives\", a value, or \"read\""));
  EXPECT_THAT(of("{at: /a, is: 1, gives: {pointer: /x}}"), HasSubstr("write read:"));
}

TEST(Patterns, GiveUpOnWhatATargetMakesTooLong) {
  const core::Profile profile =
      reading("{cases: [{at: /s, matches: \"^(a+)+$\", gives: yes}], otherwise: no}");
  EXPECT_EQ(status_of(profile, R"({"s":"aaa"})"), Value("yes"));
  EXPECT_EQ(status_of(profile, R"({"s":")" + std::string(5'000, 'a') + R"(b"})"), Value("no"));
}

const core::Profile& by_value() {
  static const core::Profile profile = read(one("runs.transition", R"(    by: to
    requests:
      waiting: {request: "POST /runs/${run_id}/pause"}
      running: {request: "PUT /runs/${run_id}/resume", body: {force: true}}
      canceled: {request: "DELETE /runs/${run_id}", query: {reason: "${reason?}"}}
)"));
  return profile;
}

TEST(RequestsByValue, SendEachItsOwn) {
  EXPECT_EQ(sent(by_value(), "runs.transition", {{"run_id", "r"}, {"to", "waiting"}}).target,
            "/runs/r/pause");
  const auto cancel =
      sent(by_value(), "runs.transition", {{"run_id", "r"}, {"to", "canceled"}, {"reason", "x y"}});
  EXPECT_EQ(cancel.method + " " + cancel.target, "DELETE /runs/r?reason=x%20y");
}

TEST(RequestsByValue, CannotSayTheOthers) {
  EXPECT_EQ(unsayable(by_value(), "runs.transition", {{"run_id", "r"}, {"to", "success"}}),
            "the target's runs.transition takes no to: success");
  EXPECT_EQ(lacked_parameter(by_value().operations.at("runs.transition"), {{"to", "denied"}}),
            "to: denied");
}

TEST(RequestsByValue, FallBackOnTheOperationsOwnRequest) {
  const core::Profile profile = read(one("jobs.push", R"(    request: POST /jobs/${job_id}/failed
    by: success
    requests: {"true": {request: "POST /jobs/${job_id}/done", body: {data: "${data?}"}}}
)"));
  EXPECT_EQ(sent(profile, "jobs.push", {{"job_id", "j"}, {"success", true}}).target,
            "/jobs/j/done");
  EXPECT_EQ(sent(profile, "jobs.push", {{"job_id", "j"}, {"success", false}}).target,
            "/jobs/j/failed");
}

TEST(RequestsByValue, AreLinted) {
  const auto of = [](std::string_view form) { return problems(one("runs.transition", form)); };
  EXPECT_THAT(of("    by: too\n    requests: {running: {request: POST /r}}\n"),
              HasSubstr("unknown parameter \"too\"; did you mean \"to\"?"));
  EXPECT_THAT(of("    by: to\n    requests: {runing: {request: POST /r}}\n"),
              HasSubstr("p.yaml:6:16: unknown state \"runing\"; did you mean \"running\"?"));
  EXPECT_THAT(of("    by: to\n    request: POST /r\n"), HasSubstr("belong together"));
}

constexpr std::string_view verbs = R"(vocabulary:
  words: {verb: {waiting: pause, running: resume}, code: {success: 0, failed: 1}}
)";

TEST(Words, AreByValueWhereverATextStands) {
  const core::Profile profile =
      read(one("runs.transition", R"(    request: POST /runs/${run_id}/${to|verb}
    query: {verb: "${to|verb}"}
    body: {code: "${to|code}", text: "do ${to|verb}"}
)",
               "vocabulary:\n  words: {verb: {failed: fail}, "
               "code: {failed: 1}}\n"));
  const auto request = sent(profile, "runs.transition", {{"run_id", "r"}, {"to", "failed"}});
  EXPECT_EQ(request.target, "/runs/r/fail?verb=fail");
  EXPECT_EQ(request.body, R"({"code":1,"text":"do fail"})");
  EXPECT_THAT(unsayable(profile, "runs.transition", {{"run_id", "r"}, {"to", "denied"}}),
              HasSubstr("a word for denied in vocabulary.words."));
}

TEST(Words, AreLinted) {
  EXPECT_THAT(problems(one("runs.transition", "    request: POST /${to|verbs}\n", verbs)),
              HasSubstr("unknown filter or table of vocabulary.words \"verbs\"; did you mean "
                        "\"verb\"?"));
  EXPECT_THAT(problems("name: p\nvocabulary: {words: {lower: {a: b}}}\n"),
              HasSubstr("lower is a filter"));
}

TEST(Bodies, AreTextOrAForm) {
  const core::Profile text = read(one("runs.create", R"(    request: POST /runs
    text: "run ${run_id?} ${env:WORD}"
    answers: text
    read: {object: {run_id: ""}}
)"));
  const auto request = sent(text, "runs.create", {{"run_id", "r"}});
  EXPECT_EQ(request.body, "run r a&b ${x}");
  EXPECT_EQ(request.headers.front().value, "text/plain; charset=utf-8");
  EXPECT_EQ(read_answer(text, "runs.create", core::HttpResponse{200, {}, "id-7"}).mapped,
            Value(Object{{"run_id", "id-7"}}));
  EXPECT_EQ(read_answer(text, "runs.create", core::HttpResponse{200, {}, "\xff"}).acceptance,
            core::Acceptance::unexpected);

  const core::Profile form = read(one("runs.create", R"(    request: POST /runs
    form: {name: "${run_id?}", kind: "${run_kind?}", word: "${env:WORD}"}
    answers: none
    read: {object: {run_id: {header: location, part: "/runs/([^/]+)$"}}}
)"));
  const auto posted = sent(form, "runs.create", {{"run_id", "a b"}});
  EXPECT_EQ(posted.body, "name=a%20b&word=a%26b%20%24%7Bx%7D");
  EXPECT_EQ(posted.headers.front().value, "application/x-www-form-urlencoded");
  const core::HttpResponse created{200, {{"Location", "http://x/runs/r%201"}}, ""};
  EXPECT_EQ(read_answer(form, "runs.create", created).mapped, Value(Object{{"run_id", "r%201"}}));
}

TEST(Bodies, OfTwoKindsAreAnError) {
  EXPECT_THAT(problems(one("runs.create",
                           "    request: POST /r\n    body: {}\n    text: x\n"
                           "    read: {object: {run_id: /id}}\n")),
              HasSubstr("a request has one of body (JSON), text and form"));
}

TEST(Sources, AreHeadersCookiesAndLinks) {
  const std::vector<core::Header> headers = {
      {"X-State", "done"},
      {"Set-Cookie", "a=1; Path=/"},
      {"set-cookie", "session=s=2; HttpOnly"},
      {"Link", "</r?page=1>; rel=\"first prev\", </r?page=3,4&x=1>; title=\"a, b\"; rel=next"}};
  EXPECT_EQ(status_of(reading("{header: x-state, spelling: {done: success}}"), "{}", headers),
            Value("success"));
  EXPECT_EQ(status_of(reading("{cookie: session}"), "{}", headers), Value("s=2"));
  EXPECT_EQ(status_of(reading("{link: next, part: \"page=([0-9,]+)\"}"), "{}", headers),
            Value("3,4"));
  EXPECT_EQ(status_of(reading("{link: last, otherwise: none}"), "{}", headers), Value("none"));
}

TEST(Lists, AreMapsByIdSplitAndJoined) {
  const core::Profile profile = read(one("events.list", R"(    request: GET /x/${execution_id}
    read:
      object:
        next: {constant: null}
        items:
          entries: /tasks
          joined_by: /event_id
          each:
            list:
              - {object: {event_id: /key, event_type: {constant: task.started}, by: /value/by}}
              - {cases: [{at: /value/end, exists: true, read:
                  {object: {event_id: {pointer: /value/end}, event_type: {constant: task.done}}}}]}
)"));
  const auto answer = read_answer(
      profile, "events.list",
      core::HttpResponse{200, {}, R"({"tasks":{"a":{"by":"w","end":"a2"},"b":{"end":"a"}}})"});
  const Value expected(
      List{Object{{"event_id", "a"}, {"event_type", "task.done"}, {"by", "w"}},
           Object{{"event_id", "a2"}, {"event_type", "task.done"}},
           Object{{"event_id", "b"}, {"event_type", "task.started"}, {"by", nullptr}}});
  EXPECT_EQ(*answer.mapped.at_pointer("/items"), expected) << to_json(answer.mapped);
}

TEST(Lists, BecomeMapsById) {
  const core::Profile profile = read(one("executions.detail", R"(    request: GET /x/${execution_id}
    read: {object: {steps: {items: /tasks, keyed_by: /name, each: {object: {state: /s}}}}}
)"));
  EXPECT_EQ(read_answer(profile, "executions.detail",
                        core::HttpResponse{200, {}, R"({"tasks":[{"name":"a","s":"DONE"}]})"})
                .mapped,
            Value(Object{{"steps", Object{{"a", Object{{"state", "DONE"}}}}}}));
}

TEST(Times, AreCountedFrom1970) {
  EXPECT_EQ(status_of(reading("{pointer: /t, as_time: milliseconds}"), R"({"t":1709251199007})"),
            Value("2024-02-29T23:59:59.007Z"));
  EXPECT_EQ(status_of(reading("{pointer: /t, as_time: seconds}"), R"({"t":1.5})"),
            Value("1970-01-01T00:00:01.500Z"));
  EXPECT_EQ(status_of(reading("{pointer: /t, as_time: seconds}"), R"({"t":1e300})"), Value(1e300));
}

TEST(EveryText, MayNameTheEnvironmentAndWhatSetupCaptured) {
  const core::Profile profile = read(R"(name: p
headers: {x-tenant: "${setup.tenant}", x-word: "${env:WORD}"}
setup: [{request: POST /tenants, capture: {tenant: /id}}]
capabilities: [server.health]
operations:
  server.health: {request: "GET /t/${setup.tenant}/health"}
)");
  const Object setup = {{"setup", Object{{"tenant", "t7"}}}};
  const auto request = sent(profile, "server.health", setup);
  EXPECT_EQ(request.target, "/t/t7/health");
  ASSERT_EQ(request.headers.size(), 2U);
  EXPECT_EQ(request.headers[0].value, "t7");
  EXPECT_EQ(request.headers[1].value, "a&b ${x}");
  EXPECT_TRUE(request.headers[0].secret);
  EXPECT_EQ(own_headers(profile, {}).size(), 1U) << "setup itself has no tenant yet";
  EXPECT_THAT(problems("name: p\nheaders: {x: \"${setup.tenant}\"}\n"),
              HasSubstr("p.yaml:2:14: unknown member of setup \"tenant\""));
}

TEST(When, SaysThatAParameterIsThere) {
  EXPECT_EQ(problems(one("runs.list", R"(    request: GET /runs
    body: {filter: {when: status, give: {state: "${status}"}}}
    read: {object: {items: {items: ""}, next: {constant: null}}}
)")),
            "");
}

TEST(When, NamesTheValuesForWhichARequestIsMade) {
  const auto form = [](std::string_view when) {
    return one("runs.create", "    request: POST /runs\n    after:\n      - request: POST /go\n" +
                                  fmt::format("        when: {}\n", when) +
                                  "    read: {object: {run_id: /id}}\n");
  };
  const core::Profile profile = read(form("{ends: [success, failed]}"));
  const core::Hook& go = profile.operations.at("runs.create").after.front();
  EXPECT_TRUE(is_due(go, {{"ends", "failed"}}));
  EXPECT_FALSE(is_due(go, {{"ends", "never"}}));
  EXPECT_FALSE(is_due(go, {{"run_id", "r"}}));
  EXPECT_THAT(problems(form("{ends: []}")), HasSubstr("made for no value is never made"));
  EXPECT_THAT(problems(form("{end: [success]}")), HasSubstr("did you mean \"ends\"?"));
  EXPECT_THAT(problems(form("{ends: [a], run_id: [b]}")), HasSubstr("one parameter"));
}

TEST(SignificantParameters, AreNotAskedOfWhatNeverSaysThem) {
  const auto asked = [](std::string_view body) {
    const core::Profile profile =
        read(one("runs.create", fmt::format("    request: POST /runs\n{}", body)));
    return unsayable(profile, "runs.create", {{"run_kind", "agent"}});
  };
  EXPECT_EQ(asked(""), "the target's runs.create takes no run_kind");
  EXPECT_EQ(asked("    body: {name: \"${run_id?}\"}\n"),
            "the target's runs.create takes no run_kind");
  EXPECT_EQ(asked("    body: {kind: \"${run_kind?}\"}\n"), "sayable");
  EXPECT_EQ(asked("    before: [{request: POST /kinds, when: run_kind}]\n"), "sayable");
}

TEST(States, AreNotAskedForAsAnEndWhereTheTargetHasNone) {
  const core::Profile profile = read(
      "name: p\ncapabilities: [runs.create, runs.unattended]\nvocabulary: {missing_states: "
      "[timeout]}\n"
      "operations:\n  runs.create: {request: \"POST /runs/${ends?}\"}\n");
  EXPECT_EQ(unsayable(profile, "runs.create", {{"ends", "timeout"}}),
            "the target has no state timeout");
  EXPECT_EQ(sent(profile, "runs.create", {{"ends", "failed"}}).target, "/runs/failed");
}

TEST(States, MayPassByThemselvesOrBeBeyondOurs) {
  const core::Profile profile = read(
      "name: p\ncapabilities: [states.extra]\nvocabulary: {states: {q: created}, "
      "passing_states: [created], extra_states: [PAUSED]}\n");
  EXPECT_TRUE(profile.missing_states.contains("created")) << "no case finds a run in it";
  EXPECT_THAT(problems("name: p\nvocabulary: {passing_states: [runing]}\n"),
              HasSubstr("p.yaml:2:31: unknown status that a run leaves for running \"runing\""));
  EXPECT_THAT(problems("name: p\nvocabulary: {states: {q: created}, extra_states: [q]}\n"),
              HasSubstr("q is one of our states, or means one"));
}

TEST(Of, ReadsWhatARequestBesideCaptured) {
  const std::string form = R"yaml(    request: POST /runs
    capture: {place: {header: location, part: "/tasks/(.*)"}}
    after:
      - request: GET /tasks/${place}
        until: [{at: /state, is: DONE, means: accepted}]
        capture: {task: ""}
    read: {object: {run_id: {of: task, pointer: /result/id}}}
)yaml";
  const core::Profile profile = read(one("runs.create", form));
  Object captured;
  const core::HttpResponse accepted{202, {{"Location", "/tasks/9"}}, "{}"};
  const core::OperationTemplate& create = profile.operations.at("runs.create");
  EXPECT_EQ(take_captures(create.captures, accepted, create.answers, captured), "");
  EXPECT_EQ(captured.at("place"), Value("9"));
  const core::HttpResponse waits{200, {}, R"({"state":"QUEUED"})"};
  const core::HttpResponse done{200, {}, R"({"state":"DONE","result":{"id":"r"}})"};
  EXPECT_FALSE(take_hook(create.after.front(), waits, captured));
  EXPECT_EQ(take_hook(create.after.front(), done, captured), core::Acceptance::accepted);
  EXPECT_EQ(read_answer(profile, "runs.create", accepted, captured).mapped,
            Value(Object{{"run_id", "r"}}));
  std::string misspelt = form;
  misspelt.replace(misspelt.find("of: task"), 8, "of: tusk");
  EXPECT_THAT(problems(one("runs.create", misspelt)),
              HasSubstr("unknown capture \"tusk\"; did you mean \"task\"?"));
}

}  // namespace
}  // namespace assay::wire::profile_language_test
