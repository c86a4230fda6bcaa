#include "harness/wire/exchange.h"

#include <gtest/gtest.h>

#include "harness/wire/json.h"
#include "harness/wire/profile_reader.h"

namespace assay::wire {
namespace {

core::Profile profile_of(std::string_view text) {
  auto result = read_profile(text, "p.yaml", [](std::string_view name) {
    return name == "TOKEN" ? std::optional<std::string>("secret") : std::nullopt;
  });
  if (!result) {
    for (const core::Diagnostic& problem : result.error()) {
      ADD_FAILURE() << core::diagnostic_text(problem);
    }
    return {};
  }
  return std::move(result).value();
}

const core::Profile& reference() {
  static const core::Profile profile = profile_of(embedded_profile("reference").value_or(""));
  return profile;
}

/// A profile with every feature of the language, for a target that differs in everything.
const core::Profile& foreign() {
  static const core::Profile profile = profile_of(R"(
name: foreign
base_url: http://localhost:1
headers: {authorization: "Bearer ${env:TOKEN}"}
vocabulary:
  events: {playbook.started: playbook.initialized, playbook.paused: null, step.done: call.done}
  states: {success: COMPLETED, running: RUNNING}
capabilities: [executions.start, executions.status, executions.list, events.post, events.post_batch,
               events.list, runs.transition]
operations:
  executions.start:
    request: POST /api/execute
    body: {path: fixed, id: "${execution_id?|number}", workload: "${workload?}"}
    read: {object: {execution_id: {pointer: /data/id, as_text: true}}}
  executions.status:
    request: GET /api/executions/${execution_id}/status
    read:
      object:
        state:
          cases:
            - {at: /failed, is: true, gives: FAILED}
            - {at: /completed, is: true, gives: COMPLETED}
          otherwise: RUNNING
        terminal_event: {pointer: /last/type, spelling: events}
        spelled: {pointer: /status, spelling: states}
        missing: {pointer: /none, otherwise: nothing}
        fixed: {constant: 7}
  executions.list:
    request: GET /api/executions?kind=all
    query: {status: "${state?|target_state}", page: "${after?}"}
    read: {object: {items: {items: "", each: {object: {state: {pointer: /s, spelling: states}}}}, next: {constant: null}}}
  events.post:
    request: POST /api/events
    headers: {x-execution: "${execution_id}"}
    body: {name: "${event.event_type}", step: "${event.node_name?}", label: "at ${event.node_name?}", payload: {k: "${event.payload.k?}"}}
  events.post_batch:
    request: POST /api/batch
    body: {execution: "${execution_id}", events: {for_each: events, give: {name: "${item.event_type}", of: "${execution_id}"}}}
  events.list:
    request: GET /api/events
    query: {type: "${event_type?}"}
    read: {object: {items: {items: /events}, next: /next}}
  runs.transition:
    request: POST /flow_runs/${run_id}/set_state
    body: {type: "${to|upper}"}
    accepted: [200, 201]
    outcomes: [{at: /status, is: REJECT, means: refused}, {at: /status, is: ABORT, means: refused}]
)");
  return profile;
}

core::HttpRequest rendered(const core::Profile& profile, const std::string& name,
                           Object parameters) {
  auto result = render_request(profile, {name, std::move(parameters)});
  if (!result) {
    ADD_FAILURE() << result.error().reason;
    return {};
  }
  return std::move(result).value();
}

std::string not_expressible(const core::Profile& profile, const std::string& name,
                            Object parameters) {
  const auto result = render_request(profile, {name, std::move(parameters)});
  return result ? "expressible" : result.error().reason;
}

core::Answer answered(const core::Profile& profile, std::string_view operation, int status,
                      std::string body) {
  return read_answer(profile, operation, core::HttpResponse{status, {}, std::move(body)});
}

TEST(RenderRequest, EncodesPathAndQuery) {
  EXPECT_EQ(rendered(reference(), "executions.status", {{"execution_id", "a/b %é"}}).target,
            "/executions/a%2Fb%20%25%C3%A9/status");
  EXPECT_EQ(rendered(reference(), "executions.list", {{"state", "a&b"}, {"limit", 2}}).target,
            "/executions?state=a%26b&limit=2");
  EXPECT_EQ(rendered(reference(), "executions.list", {}).target, "/executions");
  EXPECT_EQ(rendered(foreign(), "executions.list", {{"state", "COMPLETED"}}).target,
            "/api/executions?kind=all&status=success");
}

TEST(RenderRequest, KeepsTheTypesOfParameters) {
  const auto request = rendered(reference(), "runs.transition",
                                {{"run_id", "r"}, {"to", "failed"}, {"retryable", false}});
  EXPECT_EQ(request.body, R"({"retryable":false,"to":"failed"})");
  EXPECT_EQ(rendered(reference(), "control.clock", {{"advance_ms", 5}}).body,
            R"({"advance_ms":5})");
}

TEST(RenderRequest, LeavesOutAbsentMembersButSendsNull) {
  EXPECT_EQ(rendered(reference(), "executions.start", {}).body, "{}");
  EXPECT_EQ(rendered(reference(), "executions.start", {{"execution_id", nullptr}}).body,
            R"({"execution_id":null})");
  EXPECT_FALSE(rendered(reference(), "executions.status", {{"execution_id", "x"}}).body);
}

TEST(RenderRequest, SaysThatABodyIsJson) {
  const auto request = rendered(reference(), "executions.start", {});
  ASSERT_EQ(request.headers.size(), 1U);
  EXPECT_EQ(request.headers[0].name, "content-type");
  EXPECT_TRUE(rendered(reference(), "server.health", {}).headers.empty());
}

TEST(RenderRequest, TranslatesEventsOneByOneAndInBatches) {
  const Value done(Object{{"event_type", "step.done"}, {"node_name", "a"}});
  const auto one = rendered(foreign(), "events.post", {{"execution_id", "x"}, {"event", done}});
  EXPECT_EQ(one.body, R"({"label":"at a","name":"call.done","payload":{},"step":"a"})");
  ASSERT_EQ(one.headers.size(), 3U);
  EXPECT_EQ(one.headers[0].value, "Bearer secret");
  EXPECT_TRUE(one.headers[0].secret);
  EXPECT_EQ(one.headers[1].value, "x");
  const Value other(Object{{"event_type", "playbook.started"}});
  EXPECT_EQ(rendered(foreign(), "events.post_batch",
                     {{"execution_id", "x"}, {"events", List{done, other}}})
                .body,
            R"({"events":[{"name":"call.done","of":"x"},{"name":"playbook.initialized","of":"x"}],)"
            R"("execution":"x"})");
  EXPECT_EQ(rendered(foreign(), "events.list", {{"execution_id", "x"}, {"event_type", "step.done"}})
                .target,
            "/api/events?type=call.done");
}

TEST(RenderRequest, SaysWhatTheTargetHasNoWordFor) {
  const Value paused(Object{{"event_type", "playbook.paused"}});
  EXPECT_EQ(not_expressible(foreign(), "events.post", {{"execution_id", "x"}, {"event", paused}}),
            "the target has no event for playbook.paused");
  EXPECT_EQ(not_expressible(foreign(), "events.post_batch",
                            {{"execution_id", "x"}, {"events", List{paused}}}),
            "the target has no event for playbook.paused");
  EXPECT_EQ(not_expressible(foreign(), "runs.get", {}),
            "the profile foreign has no operation runs.get");
  EXPECT_EQ(not_expressible(reference(), "runs.get", {}),
            "the profile's runs.get needs run_id, which is not given");
}

TEST(RenderRequest, WritesIdentifiersAsNumbersWhereAsked) {
  EXPECT_EQ(rendered(foreign(), "executions.start", {{"execution_id", "641000000000000001"}}).body,
            R"({"id":641000000000000001,"path":"fixed"})");
  EXPECT_EQ(rendered(foreign(), "executions.start", {{"execution_id", "x1"}}).body,
            R"({"id":"x1","path":"fixed"})");
}

TEST(ReadAnswer, ReadsStatusesByTheProfile) {
  const auto post = [](int status) {
    return answered(reference(), "events.post", status, "{}").acceptance;
  };
  EXPECT_EQ(post(201), core::Acceptance::accepted);
  EXPECT_EQ(post(200), core::Acceptance::duplicate);
  EXPECT_EQ(post(409), core::Acceptance::refused);
  EXPECT_EQ(post(413), core::Acceptance::refused);
  EXPECT_EQ(post(404), core::Acceptance::unknown);
  EXPECT_EQ(post(202), core::Acceptance::unexpected);
  EXPECT_EQ(post(500), core::Acceptance::unexpected);
}

TEST(ReadAnswer, LetsTheBodyDecideWhereTheProfileSaysSo) {
  const auto moved = [](std::string body) {
    return answered(foreign(), "runs.transition", 200, std::move(body)).acceptance;
  };
  EXPECT_EQ(moved(R"({"run_id":"r","status":"ACCEPT"})"), core::Acceptance::accepted);
  EXPECT_EQ(moved(R"({"status":"REJECT"})"), core::Acceptance::refused);
  EXPECT_EQ(moved(R"({"status":"ABORT"})"), core::Acceptance::refused);
}

TEST(ReadAnswer, MapsWhatTheTargetSays) {
  const auto answer = answered(
      foreign(), "executions.status", 200,
      R"({"failed":false,"completed":true,"status":"success","last":{"type":"call.done"}})");
  EXPECT_EQ(to_json(answer.mapped),
            R"({"fixed":7,"missing":"nothing","spelled":"COMPLETED","state":"COMPLETED",)"
            R"("terminal_event":"step.done"})");
  EXPECT_EQ(to_json(answered(foreign(), "executions.status", 200, "{}").mapped),
            R"({"fixed":7,"missing":"nothing","spelled":null,"state":"RUNNING",)"
            R"("terminal_event":null})");
  EXPECT_EQ(
      to_json(answered(foreign(), "executions.start", 200, R"({"data":{"id":641000000000000001}})")
                  .mapped),
      R"({"execution_id":"641000000000000001"})");
}

TEST(ReadAnswer, KeepsWordsThatTheVocabularyDoesNotList) {
  EXPECT_EQ(
      to_json(
          answered(foreign(), "executions.list", 200, R"([{"s":"running"},{"s":"odd"}])").mapped),
      R"({"items":[{"state":"RUNNING"},{"state":"odd"}],"next":null})");
}

TEST(ReadAnswer, GivesListingsOneShape) {
  EXPECT_EQ(
      to_json(answered(reference(), "runs.list", 200, R"({"runs":[{"run_id":"a"}],"next":"c"})")
                  .mapped),
      R"({"items":[{"run_id":"a"}],"next":"c"})");
}

TEST(ReadAnswer, LeavesRefusalsAsTheyCame) {
  const auto answer = answered(reference(), "executions.list", 422, R"({"code":"BAD"})");
  EXPECT_EQ(answer.acceptance, core::Acceptance::refused);
  EXPECT_EQ(to_json(answer.mapped), R"({"code":"BAD"})");
}

TEST(ReadAnswer, CallsWhatIsNoJsonUnexpectedWhereJsonIsDue) {
  const auto html = answered(reference(), "executions.status", 200, "<html>\x1b[2J");
  EXPECT_EQ(html.acceptance, core::Acceptance::unexpected);
  EXPECT_NE(html.trouble.find("<html>␛"), std::string::npos) << html.trouble;
  EXPECT_EQ(answered(reference(), "executions.status", 200, "").acceptance,
            core::Acceptance::unexpected);
  EXPECT_EQ(answered(reference(), "executions.status", 200, "\"\xff\"").acceptance,
            core::Acceptance::unexpected);
  EXPECT_EQ(answered(reference(), "executions.cancel", 200, "OK").acceptance,
            core::Acceptance::accepted);
  EXPECT_EQ(answered(reference(), "executions.status", 404, "<html>").acceptance,
            core::Acceptance::unknown);
}

TEST(ReadAnswer, TakesWhatGoesOverABoundOfOursForNoAnswer) {
  std::string many = "[";
  for (int count = 0; count < 250'000; ++count) many += "0,";
  const auto values = answered(reference(), "executions.status", 200, many + "0]");
  EXPECT_EQ(values.acceptance, core::Acceptance::no_answer);
  EXPECT_EQ(values.trouble, "the body has more than 250000 values");
  const std::string deep(201, '[');
  const auto levels = answered(reference(), "executions.status", 200, deep + std::string(201, ']'));
  EXPECT_EQ(levels.acceptance, core::Acceptance::no_answer);
  EXPECT_EQ(levels.trouble, "the body is nested deeper than 200 levels");
  // What stands in a text counts for nothing.
  EXPECT_EQ(answered(reference(), "executions.status", 200,
                     R"({"a":"\")" + std::string(300, ']') + std::string(300, '[') + R"("})")
                .acceptance,
            core::Acceptance::accepted);
}

TEST(ReadAnswer, TakesAWebPageThatSaysThatAllIsWellForNoAnswer) {
  const auto taken = [](int status, const char* type, const char* body) {
    const core::HttpResponse response{status, {{"Content-Type", type}}, body};
    return read_answer(reference(), "executions.cancel", response).acceptance;
  };
  EXPECT_EQ(taken(200, "text/html; charset=utf-8", "\n<html>"), core::Acceptance::no_answer);
  EXPECT_EQ(taken(200, "Application/XHTML+XML", "<?xml"), core::Acceptance::no_answer);
  EXPECT_EQ(taken(404, "text/html", "<html>"), core::Acceptance::unknown);
  EXPECT_EQ(taken(500, "text/html", "<html>"), core::Acceptance::unexpected);
  EXPECT_EQ(taken(200, "text/html", "OK"), core::Acceptance::accepted);
  EXPECT_EQ(taken(200, "text/html", "{}"), core::Acceptance::accepted);
  EXPECT_EQ(taken(200, "text/plain", "<html>"), core::Acceptance::accepted);
}

TEST(ReadAnswer, TakesNoContentAsNothing) {
  const auto answer = answered(reference(), "jobs.poll", 204, "");
  EXPECT_EQ(answer.acceptance, core::Acceptance::accepted);
  EXPECT_TRUE(answer.mapped.is_null());
}

TEST(ReadAnswer, KeepsTheTransportFault) {
  const auto answer =
      read_answer(reference(), "runs.get",
                  unexpected(core::TransportError{core::TransportFault::refused, "x", false}));
  EXPECT_EQ(answer.acceptance, core::Acceptance::no_answer);
  EXPECT_EQ(answer.trouble, "the connection was refused: x");
  ASSERT_TRUE(answer.transport);
}

/// A target that needs more than one request for an operation, and pages by number.
const core::Profile& roundabout() {
  static const core::Profile profile = profile_of(R"(
name: roundabout
vocabulary: {missing_states: [denied]}
capabilities: [executions.start, executions.list, events.post, runs.list, runs.transition]
setup:
  - request: POST /register
    body: {text: {json_of: {name: "${mark}"}}}
    capture: {path: /where/path}
cleanup:
  execution_id: {request: "DELETE /executions/${execution_id}"}
operations:
  executions.start:
    before: [{request: POST /tickets, capture: {ticket: /ticket}}]
    request: POST /execute
    body: {path: "${setup.path}", ticket: "${ticket}"}
    lacks: [playbook]
    read: {object: {execution_id: /id}}
    after:
      - request: GET /tickets/${ticket}/${answer.id}
        until: [{at: /state, is: done, means: accepted}, {at: /state, is: broken, means: refused}]
  executions.list:
    request: GET /executions
    query: {page: "${after?}"}
    paging: {by: page, more: /more}
    read: {object: {items: {items: /all, except: [{at: /kind, is: own}]}}}
  events.post:
    request: POST /events
    body:
      node: {first_of: ["${event.node_name?}", "${event.entity_id?}", none]}
      command: {number_of: "${execution_id}/${event.command_id?}"}
  runs.list:
    request: POST /runs/filter
    body: {offset: "${after?}", filter: {when: status, give: {is: "${status?}"}}}
    paging: {by: offset, items: "", size: 2}
    read: {object: {items: {items: ""}}}
  runs.transition:
    request: POST /runs/${run_id}
    body: {to: "${to}"}
    lacks: [{to: running}]
)");
  return profile;
}

std::string body_of(const core::Operation& operation) {
  const auto request = render_request(roundabout(), operation);
  return request ? request->body.value_or("") : request.error().reason;
}

core::HttpResult answered(int status, std::string body) {
  core::HttpResponse response;
  response.status = status;
  response.body = std::move(body);
  return response;
}

TEST(Hook, SaysItsRequestAndCapturesForTheNext) {
  Object parameters = {{"mark", "assay-1"}};
  const core::Hook& registers = roundabout().setup.front();
  const auto request = render_hook(roundabout(), registers, parameters);
  EXPECT_EQ(request.value().body, R"({"text":"{\"name\":\"assay-1\"}"})");
  EXPECT_EQ(take_hook(registers, answered(200, R"({"where":{"path":"p"}})"), parameters),
            core::Acceptance::accepted);
  EXPECT_EQ(parameters.at("path"), Value("p"));
}

TEST(Hook, IsUnexpectedWithoutWhatItIsFor) {
  Object parameters;
  const core::Hook& registers = roundabout().setup.front();
  EXPECT_EQ(take_hook(registers, answered(200, "{}"), parameters), core::Acceptance::unexpected);
  EXPECT_EQ(take_hook(registers, answered(500, R"({"where":{"path":"p"}})"), parameters),
            core::Acceptance::unexpected);
  EXPECT_EQ(take_hook(registers, unexpected(core::TransportError{}), parameters),
            core::Acceptance::no_answer);
  const core::HttpResponse portal{200, {{"Content-Type", "text/html"}}, "<html>log in</html>"};
  EXPECT_EQ(take_hook(registers, portal, parameters), core::Acceptance::no_answer);
  core::Hook gives_nothing = registers;
  gives_nothing.captures.clear();
  EXPECT_EQ(take_hook(gives_nothing, portal, parameters), core::Acceptance::no_answer);
}

TEST(Hook, IsAskedAgainUntilItsOutcomeIsThere) {
  Object parameters = {{"ticket", 7}, {"answer", Object{{"id", "e 1"}}}};
  const core::Hook& waits = roundabout().operations.at("executions.start").after.front();
  const auto request = render_hook(roundabout(), waits, parameters);
  EXPECT_EQ(request.value().target, "/tickets/7/e%201");
  EXPECT_FALSE(take_hook(waits, answered(200, R"({"state":"queued"})"), parameters));
  EXPECT_EQ(take_hook(waits, answered(200, R"({"state":"done"})"), parameters),
            core::Acceptance::accepted);
  EXPECT_EQ(take_hook(waits, answered(200, R"({"state":"broken"})"), parameters),
            core::Acceptance::refused);
}

TEST(RenderRequest, RefusesWhatTheTargetLacks) {
  const Object setup = {{"path", "p"}};
  EXPECT_EQ(
      body_of({"executions.start", {{"setup", setup}, {"ticket", 1}, {"playbook", Object{}}}}),
      "the target's executions.start takes no playbook");
  EXPECT_EQ(body_of({"executions.start", {{"setup", setup}, {"ticket", 1}}}),
            R"({"path":"p","ticket":1})");
  EXPECT_EQ(body_of({"runs.transition", {{"run_id", "r"}, {"to", "denied"}}}),
            "the target has no state denied");
  EXPECT_EQ(body_of({"runs.transition", {{"run_id", "r"}, {"to", "running"}}}),
            "the target's runs.transition takes no to: running");
  EXPECT_EQ(body_of({"runs.transition", {{"run_id", "r"}, {"to", "dubious"}}}),
            R"({"to":"dubious"})");
}

TEST(RenderRequest, GivesTheFirstThatIsThereAndWhatAParameterAsksFor) {
  const auto post = [](Object event) {
    return body_of({"events.post", {{"execution_id", "e"}, {"event", std::move(event)}}});
  };
  EXPECT_EQ(post({{"node_name", "a"}, {"entity_id", "b"}}), R"({"node":"a"})");
  EXPECT_EQ(post({{"entity_id", "b"}}), R"({"node":"b"})");
  EXPECT_EQ(post({}), R"({"node":"none"})");
  EXPECT_EQ(body_of({"runs.list", {}}), R"({"offset":0})");
  EXPECT_EQ(body_of({"runs.list", {{"status", "failed"}, {"after", 2}}}),
            R"({"filter":{"is":"failed"},"offset":2})");
}

TEST(RenderRequest, MakesTheSameNumberOfTheSameText) {
  const auto command = [](std::string_view execution, std::string_view id) {
    const core::Operation post{
        "events.post", {{"execution_id", execution}, {"event", Object{{"command_id", id}}}}};
    const auto parsed = parse_json(body_of(post));
    return parsed.value().find("command")->to_int64().value_or(0);
  };
  EXPECT_EQ(command("e", "c1"), command("e", "c1"));
  EXPECT_NE(command("e", "c1"), command("e", "c2"));
  EXPECT_NE(command("e", "c1"), command("f", "c1"));
  EXPECT_GT(command("e", "c1"), std::int64_t{1} << 53);
}

TEST(NextPage, CountsPagesWhileTheAnswerSaysThereAreMore) {
  const core::Paging& paging = roundabout().operations.at("executions.list").paging;
  const core::Answer more = read_answer(roundabout(), "executions.list",
                                        answered(200, R"({"all":[{"kind":"own"},1],"more":true})"));
  EXPECT_EQ(more.mapped.find("items")->as_list().size(), 1U);
  EXPECT_EQ(next_page(paging, {}, more), Value(2));
  EXPECT_EQ(next_page(paging, {{"after", 4}}, more), Value(5));
  const core::Answer last =
      read_answer(roundabout(), "executions.list", answered(200, R"({"all":[1],"more":false})"));
  EXPECT_EQ(next_page(paging, {{"after", 4}}, last), Value());
}

TEST(NextPage, CountsItemsUntilAPageIsNotFull) {
  const core::Paging& paging = roundabout().operations.at("runs.list").paging;
  const auto page = [](std::string body) {
    return read_answer(roundabout(), "runs.list", answered(200, std::move(body)));
  };
  EXPECT_EQ(next_page(paging, {}, page("[1,2]")), Value(2));
  EXPECT_EQ(next_page(paging, {{"after", 2}}, page("[3,4]")), Value(4));
  EXPECT_EQ(next_page(paging, {{"after", 4}}, page("[5]")), Value());
}

TEST(RenderRequest, GivesAnAdapterWhatWasAskedAndNoMore) {
  const core::Profile profile = profile_of(R"(
name: adapted
headers: {authorization: "Bearer ${env:TOKEN}"}
vocabulary:
  events: {playbook.started: begun}
  states: {RUNNING: running}
adapter: {command: [a]}
capabilities: [runs.transition, events.post, runs.get]
operations:
  runs.get: {}
  events.post: {}
  runs.transition: {body: {name: "${run_id}", phase: "${to|target_state}", why: "${diagnostic?}"}}
)");
  const auto rendered = [&profile](core::Operation operation) {
    operation.parameters.emplace("mark", "assay-1");
    operation.parameters.emplace("setup", Object());
    auto request = render_request(profile, operation);
    EXPECT_TRUE(request);
    return std::move(request).value();
  };
  const core::HttpRequest get = rendered({"runs.get", {{"run_id", "1"}}});
  EXPECT_EQ(get.method + " " + get.target, "ADAPTER runs.get");
  EXPECT_EQ(get.body, R"({"run_id":"1"})");
  EXPECT_TRUE(get.headers.empty());
  EXPECT_EQ(
      rendered({"events.post",
                {{"execution_id", "e"}, {"event", Object{{"event_type", "playbook.started"}}}}})
          .body,
      R"({"event":{"event_type":"begun"},"execution_id":"e"})");
  EXPECT_EQ(rendered({"runs.transition", {{"run_id", "1"}, {"to", "running"}}}).body,
            R"({"name":"1","phase":"RUNNING"})");
}

TEST(RenderRequest, APathWithoutOneOfItsPartsIsNotSent) {
  const core::Profile profile = profile_of(R"(
name: p
capabilities: [jobs.list, runs.get]
operations:
  jobs.list:
    request: GET /jobs/${uuid?}?state=${state?}
    read: {object: {items: /items, next: /next}}
  runs.get: {request: "GET /runs/${run_id}"}
)");
  const auto reason = [&profile](const core::Operation& operation) {
    const auto rendered = render_request(profile, operation);
    return rendered ? rendered.value().target : rendered.error().reason;
  };
  EXPECT_EQ(reason({"jobs.list", {{"state", "PENDING"}}}),
            "the profile's jobs.list needs uuid, which is not given");
  EXPECT_EQ(reason({"jobs.list", {{"uuid", "u"}, {"state", "PENDING"}}}), "/jobs/u?state=PENDING");
  EXPECT_EQ(reason({"runs.get", {{"run_id", ""}}}),
            "the profile's runs.get needs run_id, which is not given");
}

}  // namespace
}  // namespace assay::wire
