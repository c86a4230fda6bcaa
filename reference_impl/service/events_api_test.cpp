#include <gtest/gtest.h>

#include "reference_impl/service/service_fixture.h"

namespace assay::service {
namespace {

class Events : public ServiceTest {
 protected:
  Events() { create(); }

  Answer post_event(const std::string& body) { return post("/executions/x/events", body); }
  std::string ids(const std::string& query) {
    std::string joined;
    const Answer answer = get("/executions/x/events" + query);
    EXPECT_EQ(answer.status, 200) << answer.text;
    for (const Value& entry : answer.body.find("events")->as_list()) {
      joined += *entry.string_at("event_id");
    }
    return joined;
  }
  std::string with_id(const std::string& id, const std::string& more = "") {
    return R"({"event_id":")" + id +
           R"(","event_type":"task.started","timestamp":"2026-03-01T10:00:00Z")" + more + "}";
  }
};

TEST_F(Events, AreNumberedFromOne) {
  EXPECT_EQ(post_event(with_id("a")).text, R"({"duplicate":false,"event_id":"a","seq":1})");
  const Answer second = post_event(with_id("b", R"(,"seq":77)"));
  EXPECT_EQ(second.status, 201);
  EXPECT_EQ(second.text, R"({"duplicate":false,"event_id":"b","seq":2})");
}

TEST_F(Events, AreListedAsTheyAreStored) {
  post_event(
      R"({"timestamp":"2026-03-01t11:30:00.120+01:30","event_type":"step.enter",)"
      R"("event_id":"a","node_name":"fetch","status":null,"seq":9,"extra":[1.0,9007199254740993]})");
  EXPECT_EQ(get("/executions/x/events").text,
            R"({"events":[{"event_id":"a","event_type":"step.enter","execution_id":"x",)"
            R"("extra":[1.0,9007199254740993],"node_name":"fetch","seq":1,)"
            R"("timestamp":"2026-03-01T10:00:00.120Z"}],"next":null})");
}

TEST_F(Events, OfOneIdAndContentAreStoredOnce) {
  const std::string body = with_id("a", R"(,"payload":{"n":1,"m":[true]},"attempt":1)");
  EXPECT_EQ(post_event(body).status, 201);
  post_event(with_id("b"));
  for (
      const std::string& same :
      {body, with_id("a", R"(,  "attempt": 1.0,"payload":{"m":[true],"n":1.0})"),
       with_id(
           "a",
           R"(,"payload":{"n":1,"m":[true]},"attempt":1,"seq":5,"execution_id":"x","status":null)"),
       std::string(R"({"event_id":"a","event_type":"task.started","timestamp":)"
                   R"("2026-03-01T12:00:00+02:00","payload":{"n":1,"m":[true]},"attempt":1})")}) {
    const Answer answer = post_event(same);
    EXPECT_EQ(answer.status, 200) << same;
    EXPECT_EQ(answer.text, R"({"duplicate":true,"event_id":"a","seq":1})");
  }
  EXPECT_EQ(ids(""), "ab");
}

TEST_F(Events, OfOneIdAndOtherContentAreRefused) {
  post_event(with_id("a", R"(,"payload":{"n":1})"));
  for (const char* more : {"", R"(,"payload":{"n":2})", R"(,"payload":{"n":true})",
                           R"(,"payload":{"n":"1"})", R"(,"payload":{"n":1},"attempt":1)"}) {
    const Answer answer = post_event(with_id("a", more));
    EXPECT_EQ(answer.status, 409) << more;
    EXPECT_EQ(answer.at("/code"), "\"EVENT_ID_CONFLICT\"");
  }
  EXPECT_EQ(ids(""), "a");
  EXPECT_EQ(get("/executions/x/events").at("/events/0/payload"), R"({"n":1})");
}

TEST_F(Events, OfOneIdInTwoExecutionsAreTwo) {
  create("y");
  EXPECT_EQ(post_event(with_id("a")).status, 201);
  EXPECT_EQ(post("/executions/y/events", with_id("a")).status, 201);
}

TEST_F(Events, ThatBreakARuleAreRefusedWithTheField) {
  const std::pair<std::string, const char*> cases[] = {
      {"{}", "\"/event_id\""},
      {with_id("a", R"(,"execution_id":"y")"), "\"/execution_id\""},
      {with_id("a", R"(,"attempt":0)"), "\"/attempt\""},
      {with_id("a", R"(,"source":"client")"), "\"/source\""},
      {R"({"event_id":"a","event_type":"Task.Started","timestamp":"2026-03-01T10:00:00Z"})",
       "\"/event_type\""},
      {R"({"event_id":"a","event_type":"task.started","timestamp":"2026-03-01T10:00:00"})",
       "\"/timestamp\""},
      {"[]", "\"\""},
      {"7", "\"\""},
  };
  for (const auto& [body, pointer] : cases) {
    const Answer answer = post_event(body);
    EXPECT_EQ(answer.status, 422) << body;
    EXPECT_EQ(answer.at("/pointer"), pointer) << body;
  }
  EXPECT_EQ(ids(""), "");
}

TEST_F(Events, WithLargeResultsAreRefused) {
  const std::string fits = R"(,"payload":{"outcome":")" + std::string(65'534, 'x') + "\"}";
  const std::string large = R"(,"payload":{"inputs":")" + std::string(65'535, 'x') + "\"}";
  EXPECT_EQ(post_event(with_id("a", fits)).status, 201);
  const Answer answer = post_event(with_id("b", large));
  EXPECT_EQ(answer.status, 413);
  EXPECT_EQ(answer.at("/code"), "\"EXTERNALISE_RESULT\"");
  EXPECT_EQ(answer.at("/pointer"), "\"/payload/inputs\"");
}

TEST_F(Events, UnderALegacyNameAreStoredUnderTheStandardOne) {
  post_event(R"({"event_id":"a","event_type":"tool.started","timestamp":"2026-03-01T10:00:00Z"})");
  EXPECT_EQ(get("/executions/x/events").at("/events/0/event_type"), "\"task.started\"");
  EXPECT_EQ(get("/executions/x/events").at("/events/0/payload/meta/legacy_type"),
            "\"tool.started\"");
}

TEST_F(Events, UnderALegacyNameAreRefusedWhereSoAsked) {
  ServiceOptions options;
  options.legacy = LegacyPolicy::reject;
  start(std::move(options));
  create();
  const Answer answer = post_event(
      R"({"event_id":"a","event_type":"tool.started","timestamp":"2026-03-01T10:00:00Z"})");
  EXPECT_EQ(answer.status, 422);
  EXPECT_EQ(answer.at("/code"), "\"LEGACY_EVENT\"");
}

TEST_F(Events, AfterTheEndAreStored) {
  tell("playbook.completed");
  tell("playbook.failed");
  tell("step.enter", R"("node_name":"late")");
  EXPECT_EQ(state(), "\"COMPLETED\"");
  EXPECT_EQ(get("/executions/x").at("/anomalies/0/seq"), "2");
  EXPECT_EQ(get("/executions/x").at("/steps/0/state"), "\"RUNNING\"");
  EXPECT_EQ(get("/executions/x/status").at("/current_step"), "null");
}

TEST_F(Events, OfABatchAreStoredInOrder) {
  const Answer answer = post("/executions/x/events/batch",
                             R"({"events":[)" + with_id("a") + "," + with_id("b") + "]}");
  EXPECT_EQ(answer.status, 201);
  EXPECT_EQ(answer.text, R"({"results":[{"duplicate":false,"event_id":"a","seq":1},)"
                         R"({"duplicate":false,"event_id":"b","seq":2}]})");
  EXPECT_EQ(ids(""), "ab");
}

TEST_F(Events, OfABatchThatAreAllKnownAre200) {
  const std::string two = R"({"events":[)" + with_id("a") + "," + with_id("b") + "]}";
  post("/executions/x/events/batch", two);
  const Answer again = post("/executions/x/events/batch", two);
  EXPECT_EQ(again.status, 200);
  EXPECT_EQ(again.at("/results/1"), R"({"duplicate":true,"event_id":"b","seq":2})");
  const Answer more = post("/executions/x/events/batch",
                           R"({"events":[)" + with_id("b") + "," + with_id("c") + "]}");
  EXPECT_EQ(more.status, 201);
  EXPECT_EQ(more.at("/results/1/seq"), "3");
}

TEST_F(Events, TwiceInOneBatchAreStoredOnce) {
  const Answer answer =
      post("/executions/x/events/batch", R"({"events":[)" + with_id("a") + "," + with_id("b") +
                                             "," + with_id("a") + "," + with_id("c") + "]}");
  EXPECT_EQ(answer.status, 201);
  EXPECT_EQ(answer.at("/results/2"), R"({"duplicate":true,"event_id":"a","seq":1})");
  EXPECT_EQ(answer.at("/results/3/seq"), "3");
  EXPECT_EQ(ids(""), "abc");
}

TEST_F(Events, OfABatchWithOneBadAreNotStored) {
  post_event(with_id("known"));
  const std::pair<std::string, std::pair<int, const char*>> cases[] = {
      {with_id("b", R"(,"attempt":"1")"), {422, "\"/events/1/attempt\""}},
      {R"({"event_id":"b"})", {422, "\"/events/1/event_type\""}},
      {"3", {422, "\"/events/1\""}},
      {with_id("known", R"(,"attempt":2)"), {409, "\"/events/1\""}},
      {with_id("a", R"(,"attempt":2)"), {409, "\"/events/1\""}},
      {with_id("b", R"(,"payload":{"outcome":")" + std::string(65'535, 'x') + "\"}"),
       {413, "\"/events/1/payload/outcome\""}},
      {with_id("b", R"(,"extra":")" + std::string(1'048'576, 'x') + "\""), {413, "\"/events/1\""}},
  };
  for (const auto& [bad, expected] : cases) {
    const Answer answer = post("/executions/x/events/batch", R"({"events":[)" + with_id("a") + "," +
                                                                 bad + "," + with_id("c") + "]}");
    EXPECT_EQ(answer.status, expected.first) << bad.substr(0, 100);
    EXPECT_EQ(answer.at("/pointer"), expected.second);
  }
  EXPECT_EQ(ids(""), "known");
}

TEST_F(Events, OfABatchAreAListThatIsNotEmpty) {
  for (const char* body :
       {"{}", R"({"events":[]})", R"({"events":{}})", R"({"events":null})", "[]"}) {
    EXPECT_EQ(post("/executions/x/events/batch", body).status, 422) << body;
  }
}

TEST_F(Events, AreLimitedInSize) {
  const std::string large = with_id("a", R"(,"extra":")" + std::string(1'048'576, 'x') + "\"");
  EXPECT_EQ(post_event(large).status, 413);
  EXPECT_EQ(post("/executions/x/events/batch", std::string((8U << 20U) + 1, ' ')).status, 413);
  EXPECT_EQ(post("/executions/x/events/batch", std::string(8U << 20U, ' ')).status, 400);
}

TEST_F(Events, AreFilteredByTypeAndEntity) {
  const auto add = [this](const char* id, const char* type, const char* more) {
    post_event(std::string(R"({"event_id":")") + id + R"(","event_type":")" + type +
               R"(","timestamp":"2026-03-01T10:00:00Z")" + more + "}");
  };
  add("a", "task.started", R"(,"entity_type":"task","entity_id":"t1")");
  add("b", "task.done", R"(,"entity_type":"task","entity_id":"t1")");
  add("c", "task.started", R"(,"entity_type":"task","entity_id":"t/2 +")");
  add("d", "step.started", R"(,"entity_type":"step","entity_id":"t1")");
  add("e", "my.event", "");
  EXPECT_EQ(ids("?event_type=task.started"), "ac");
  EXPECT_EQ(ids("?entity_type=task"), "abc");
  EXPECT_EQ(ids("?entity_id=t1"), "abd");
  EXPECT_EQ(ids("?entity_id=t%2F2+%2B"), "c");
  EXPECT_EQ(ids("?entity_type=task&entity_id=t1"), "ab");
  EXPECT_EQ(ids("?event_type=task.started&entity_type=task&entity_id=t1"), "a");
  EXPECT_EQ(ids("?event_type=task.done&entity_type=step"), "");
  EXPECT_EQ(ids("?event_type=unknown.type"), "");
  EXPECT_EQ(ids("?event_type=my.event&other=1"), "e");
}

TEST_F(Events, PageInOrderWhileOthersAppend) {
  for (const char* id : {"a", "b", "c", "d", "e"}) post_event(with_id(id));
  std::string seen;
  std::string next;
  for (int page = 0; page < 20; ++page) {
    const Answer answer = get("/executions/x/events?limit=2&event_type=task.started" + next);
    for (const Value& entry : answer.body.find("events")->as_list()) {
      seen += *entry.string_at("event_id");
    }
    if (page == 0) post_event(with_id("f"));
    if (page == 1) post_event(event("task.done"));
    if (page == 1) post_event(with_id("g"));
    if (answer.body.find("next")->is_null()) break;
    next = "&after=" + *answer.body.string_at("next");
  }
  EXPECT_EQ(seen, "abcdefg");
}

TEST_F(Events, RefuseAForeignCursor) {
  create("y");
  for (const char* id : {"a", "b", "c"}) post_event(with_id(id));
  const std::string cursor = *get("/executions/x/events?limit=1").body.string_at("next");
  EXPECT_EQ(get("/executions/x/events?after=" + cursor).status, 200);
  EXPECT_EQ(get("/executions/y/events?after=" + cursor).status, 422);
  EXPECT_EQ(get("/executions?after=" + cursor).status, 422);
  EXPECT_EQ(get("/executions/x/events?event_type=task.started&after=" + cursor).status, 422);
  EXPECT_EQ(get("/executions/x/events?after=2").status, 422);
  EXPECT_EQ(get("/executions/x/events?limit=0").status, 422);
  EXPECT_EQ(get("/executions/x/events?limit=1001").status, 422);
}

TEST_F(Events, ThatAreLargeMakeShorterPagesAndNoneIsLost) {
  for (int count = 0; count < 12; ++count) {
    ASSERT_EQ(post_event(with_id(std::string(1, static_cast<char>('a' + count)),
                                 R"(,"extra":")" + std::string(1'000'000, 'x') + "\""))
                  .status,
              201);
  }
  const Answer first = get("/executions/x/events");
  const std::size_t shown = first.body.find("events")->as_list().size();
  EXPECT_GE(shown, 8U);
  EXPECT_LT(shown, 12U);
  const Answer second = get("/executions/x/events?after=" + *first.body.string_at("next"));
  EXPECT_EQ(second.at("/events/0/seq"), std::to_string(shown + 1));
  EXPECT_EQ(shown + second.body.find("events")->as_list().size(), 12U);
  EXPECT_EQ(second.at("/next"), "null");
}

TEST_F(Events, AreListedAHundredAPage) {
  for (int count = 0; count < 101; ++count) tell("task.started");
  const Answer answer = get("/executions/x/events");
  EXPECT_EQ(answer.body.find("events")->as_list().size(), 100U);
  EXPECT_FALSE(answer.body.find("next")->is_null());
}

TEST_F(Events, APayloadAsAWholeIsCapped) {
  // {"d":"…"} is eight bytes longer than its text.
  const auto payload = [](std::size_t bytes) {
    return R"("payload":{"d":")" + std::string(bytes - 8, 'x') + "\"}";
  };
  EXPECT_EQ(post("/executions/x/events", event("task.done", payload(262'144))).status, 201);
  const Answer over = post("/executions/x/events", event("task.done", payload(262'145)));
  EXPECT_EQ(over.status, 413);
  EXPECT_EQ(over.at("/code"), "\"EXTERNALISE_RESULT\"");
  EXPECT_EQ(over.at("/pointer"), "\"/payload\"");
}

}  // namespace
}  // namespace assay::service
