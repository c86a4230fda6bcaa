#include "reference_impl/model/events/envelope.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "reference_impl/model/events/taxonomy.h"

namespace assay::events {
namespace {

constexpr ReadOptions options{.execution_id = "run-1"};

Value event(const Object& more = {}) {
  Object members = {
      {"event_id", "e1"}, {"event_type", "step.done"}, {"timestamp", "2026-02-05T23:11:22Z"}};
  for (const auto& [key, value] : more) members[key] = value;
  return members;
}

Value accepted(const Value& body, const ReadOptions& read_options = options) {
  const auto result = read_event(body, read_options);
  if (!result) {
    ADD_FAILURE() << result.error().pointer << " " << result.error().message;
    return {};
  }
  return result->body;
}

void expect_refused(const Value& body, std::string_view pointer, std::string_view code,
                    const ReadOptions& read_options = options) {
  const auto result = read_event(body, read_options);
  ASSERT_FALSE(result) << "accepted, where " << pointer << " is at fault";
  EXPECT_EQ(result.error().pointer, pointer);
  EXPECT_EQ(result.error().code, code);
  EXPECT_FALSE(result.error().message.empty());
}

TEST(Envelope, TakesTheExamplesOfWorkersOfSeed001AsTheyStand) {
  const ReadOptions read_options{.execution_id = "exec_01JH..."};
  const Value attempt_failed = Object{
      {"event_id", "01JH..."},
      {"event_type", "task.attempt.failed"},
      {"event_alias", "TaskAttemptFailed"},
      {"timestamp", "2026-02-05T23:11:22Z"},
      {"execution_id", "exec_01JH..."},
      {"source", "worker"},
      {"entity_type", "task"},
      {"entity_id", "fetch_page"},
      {"parent_id", "step:fetch_all_endpoints:run:7"},
      {"task_run_id", "task:fetch_page:run:1"},
      {"attempt", 2},
      {"status", "error"},
      {"payload",
       Object{{"outcome", Object{{"status", "error"},
                                 {"error", Object{{"kind", "http"}, {"retryable", true}}},
                                 {"meta", Object{{"duration_ms", 312}, {"http_status", 503}}}}}}},
  };
  const Value policy_evaluated = Object{
      {"event_id", "01JH..."},
      {"event_type", "policy.task.evaluated"},
      {"event_alias", "PolicyTaskEvaluated"},
      {"timestamp", "2026-02-05T23:11:23Z"},
      {"execution_id", "exec_01JH..."},
      {"source", "worker"},
      {"entity_type", "policy"},
      {"entity_id", "task:fetch_page"},
      {"parent_id", "task:fetch_page:run:1"},
      {"status", "success"},
      {"payload", Object{{"matched_rule_index", 0},
                         {"action", Object{{"do", "retry"},
                                           {"attempts", 10},
                                           {"backoff", "exponential"},
                                           {"delay", 2.0}}}}},
  };
  const Value result_stored = Object{
      {"event_id", "01JH..."},
      {"event_type", "result.stored"},
      {"event_alias", "ResultStored"},
      {"timestamp", "2026-02-05T23:11:30Z"},
      {"execution_id", "exec_01JH..."},
      {"source", "worker"},
      {"entity_type", "result"},
      {"entity_id", "task:fetch_page:attempt:3"},
      {"parent_id", "task:fetch_page:run:1"},
      {"status", "success"},
      {"payload",
       Object{{"result_ref", Object{{"kind", "result_ref"},
                                    {"store", "nats_object"},
                                    {"ref", "noetl://execution/..../page_001.json.gz"},
                                    {"meta", Object{{"bytes", 52480}, {"sha256", "..."}}}}},
              {"extracted", Object{{"has_more", true}, {"page", 1}}}}},
  };
  for (const Value& example : {attempt_failed, policy_evaluated, result_stored}) {
    EXPECT_EQ(accepted(example, read_options), example);
  }
}

TEST(Envelope, TakesTheExampleOfTheServerOfSeed001AsItStands) {
  const ReadOptions read_options{.execution_id = "exec_01JH..."};
  const Value next_evaluated = Object{
      {"event_id", "01JH..."},
      {"event_type", "next.evaluated"},
      {"event_alias", "NextEvaluated"},
      {"timestamp", "2026-02-05T23:12:10Z"},
      {"execution_id", "exec_01JH..."},
      {"source", "server"},
      {"entity_type", "next"},
      {"entity_id", "step:fetch_all_endpoints"},
      {"parent_id", "step:fetch_all_endpoints:run:7"},
      {"status", "success"},
      {"payload",
       Object{{"mode", "exclusive"},
              {"matched",
               List{Object{{"step", "validate_results"}, {"when", "event.name == 'loop.done'"}}}},
              {"selected", List{Object{{"step", "validate_results"},
                                       {"args", Object{{"execution_id", "exec_01JH..."}}}}}}}},
  };
  EXPECT_EQ(accepted(next_evaluated, read_options), next_evaluated);
}

TEST(Envelope, TakesEveryTypeOfTheTaxonomyWithItsAliasFromEitherPlane) {
  for (const EventType& type : taxonomy()) {
    for (const std::string_view source : {"server", "worker"}) {
      const Value body = accepted(
          event({{"event_type", type.name}, {"event_alias", type.alias}, {"source", source}}));
      EXPECT_EQ(body.string_at("event_type"), type.name);
      EXPECT_EQ(body.string_at("event_alias"), type.alias);
    }
  }
}

TEST(Envelope, IsAnObject) {
  for (const Value& body : {Value(), Value(1), Value("event"), Value(List{}), Value(true)}) {
    expect_refused(body, "", "INVALID_FIELD");
  }
}

TEST(Envelope, RequiresIdTypeAndTimestamp) {
  for (const std::string field : {"event_id", "event_type", "timestamp"}) {
    Value without = event();
    without.as_object().erase(field);
    expect_refused(without, "/" + field, "MISSING_FIELD");
    expect_refused(event({{field, nullptr}}), "/" + field, "MISSING_FIELD");
    for (const Value& value : {Value(1), Value(true), Value(List{}), Value(Object{}), Value("")}) {
      expect_refused(event({{field, value}}), "/" + field, "INVALID_FIELD");
    }
  }
}

TEST(Envelope, RefusesNamesThatBreakTheRulesAndKeepsUnknownOnes) {
  expect_refused(event({{"event_type", "Step.Done"}}), "/event_type", "INVALID_FIELD");
  expect_refused(event({{"event_type", "done"}}), "/event_type", "INVALID_FIELD");
  expect_refused(event({{"event_type", "a.b.c.d"}}), "/event_type", "INVALID_FIELD");
  EXPECT_EQ(accepted(event({{"event_type", "playbook.metrics.reported"}})).string_at("event_type"),
            "playbook.metrics.reported");
}

TEST(Envelope, FillsTheExecutionIdInAndRefusesAnother) {
  EXPECT_EQ(accepted(event()).string_at("execution_id"), "run-1");
  EXPECT_EQ(accepted(event({{"execution_id", "run-1"}})).string_at("execution_id"), "run-1");
  EXPECT_EQ(accepted(event({{"execution_id", nullptr}})).string_at("execution_id"), "run-1");
  for (const Value& other :
       {Value("run-2"), Value("RUN-1"), Value(""), Value(1), Value(Object{})}) {
    expect_refused(event({{"execution_id", other}}), "/execution_id", "INVALID_FIELD");
  }
}

TEST(Envelope, KeepsTheTimestampInUtc) {
  EXPECT_EQ(accepted(event({{"timestamp", "2026-02-06T00:11:22.50+01:00"}})).string_at("timestamp"),
            "2026-02-05T23:11:22.50Z");
  expect_refused(event({{"timestamp", "2026-02-05T23:11:22"}}), "/timestamp", "INVALID_FIELD");
}

TEST(Envelope, IgnoresTheClientsSeqWhateverItIs) {
  for (const Value& seq : {Value(7), Value(-1), Value("x"), Value(nullptr), Value(List{})}) {
    EXPECT_EQ(accepted(event({{"seq", seq}})).find("seq"), nullptr);
  }
}

TEST(Envelope, DropsOptionalFieldsThatAreNull) {
  const Object nulls = {
      {"source", nullptr},      {"entity_type", nullptr}, {"entity_id", nullptr},
      {"parent_id", nullptr},   {"event_alias", nullptr}, {"workflow_run_id", nullptr},
      {"step_run_id", nullptr}, {"task_run_id", nullptr}, {"command_id", nullptr},
      {"node_name", nullptr},   {"iteration", nullptr},   {"iteration_id", nullptr},
      {"attempt", nullptr},     {"status", nullptr},      {"duration_ms", nullptr},
      {"payload", nullptr}};
  EXPECT_EQ(accepted(event(nulls)), event({{"execution_id", "run-1"}}));
}

TEST(Envelope, KeepsMembersThatTheSpecificationsDoNotName) {
  EXPECT_EQ(
      accepted(event({{"trace", Object{{"id", nullptr}}}, {"note", nullptr}})),
      event({{"execution_id", "run-1"}, {"trace", Object{{"id", nullptr}}}, {"note", nullptr}}));
}

TEST(Envelope, TakesTheSpecificationsWordsAsWritten) {
  for (const std::string_view source : {"server", "worker"}) accepted(event({{"source", source}}));
  for (const Value& source : {Value("Server"), Value("client"), Value(""), Value(1)}) {
    expect_refused(event({{"source", source}}), "/source", "INVALID_FIELD");
  }
  for (const std::string_view word :
       {"playbook", "workflow", "step", "task", "loop", "next", "policy", "result"}) {
    accepted(event({{"entity_type", word}}));
  }
  for (const Value& word : {Value("command"), Value("Step"), Value("case"), Value(true)}) {
    expect_refused(event({{"entity_type", word}}), "/entity_type", "INVALID_FIELD");
  }
}

TEST(Envelope, TakesStepAndCommandWordsAsStatusInAnyCase) {
  for (const std::string_view word :
       {"in_progress", "success", "error", "skipped", "paused", "COMPLETED", "completed",
        "Completed", "FAILED", "failed", "CASE_HANDLED", "case_handled", "PENDING", "running",
        "Issued", "CLAIMED", "cancelled"}) {
    EXPECT_EQ(accepted(event({{"status", word}})).string_at("status"), word);
  }
  for (const Value& word : {Value("Success"), Value("ERROR"), Value("IN_PROGRESS"), Value("done"),
                            Value("CANCELED"), Value(" COMPLETED"), Value(""), Value(200)}) {
    expect_refused(event({{"status", word}}), "/status", "INVALID_FIELD");
  }
}

TEST(Envelope, TakesNumbersFromTheirFirstValueOn) {
  for (const std::string_view field : {"iteration", "duration_ms"}) {
    const std::string pointer = "/" + std::string(field);
    for (const Value& number : {Value(0), Value(1), Value(2.0), Value(std::uint64_t{1} << 63)}) {
      EXPECT_EQ(*accepted(event({{std::string(field), number}})).find(field), number);
    }
    for (const Value& number : {Value(-1), Value(0.5), Value("1"), Value(true), Value(1e300)}) {
      expect_refused(event({{std::string(field), number}}), pointer, "INVALID_FIELD");
    }
  }
  accepted(event({{"attempt", 1}}));
  for (const Value& number : {Value(0), Value(-1), Value(1.5), Value("1")}) {
    expect_refused(event({{"attempt", number}}), "/attempt", "INVALID_FIELD");
  }
}

TEST(Envelope, TakesOnlyAnObjectAsPayload) {
  accepted(event({{"payload", Object{}}}));
  for (const Value& payload : {Value("{}"), Value(List{}), Value(1), Value(false)}) {
    expect_refused(event({{"payload", payload}}), "/payload", "INVALID_FIELD");
  }
}

TEST(Envelope, HoldsEveryIdToTheSameRule) {
  for (const std::string field :
       {"event_id", "entity_id", "parent_id", "workflow_run_id", "step_run_id", "task_run_id",
        "command_id", "node_name", "iteration_id"}) {
    EXPECT_EQ(accepted(event({{field, std::string(256, 'x')}})).string_at(field),
              std::string(256, 'x'));
    for (const Value& id : {Value(std::string(257, 'x')), Value(""), Value("a\nb"), Value(1)}) {
      expect_refused(event({{field, id}}), "/" + field, "INVALID_FIELD");
    }
  }
}

TEST(Envelope, RefusesAnotherTypesAlias) {
  expect_refused(event({{"event_alias", "StepFailed"}}), "/event_alias", "INVALID_FIELD");
  expect_refused(event({{"event_alias", "step.done"}}), "/event_alias", "INVALID_FIELD");
  expect_refused(event({{"event_alias", 1}}), "/event_alias", "INVALID_FIELD");
  accepted(event({{"event_type", "my_own.thing"}, {"event_alias", "MyOwnThing"}}));
  expect_refused(event({{"event_type", "my_own.thing"}, {"event_alias", "My_ownThing"}}),
                 "/event_alias", "INVALID_FIELD");
}

TEST(Envelope, CapsInputsAndOutcomeAsCompactJson) {
  const std::string fits(65'534, 'x');  // and two quotes
  for (const std::string field : {"inputs", "outcome"}) {
    accepted(event({{"payload", Object{{field, fits}}}}));
    const Value body = event({{"payload", Object{{field, fits + "x"}}}});
    expect_refused(body, "/payload/" + field, "EXTERNALISE_RESULT");
    const auto result = read_event(body, options);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind, EventError::Kind::too_large);
  }
  accepted(event({{"payload", Object{{"error", fits + fits}}}}));
}

TEST(Envelope, StoresLegacyNamesUnderTheirStandardOne) {
  const Value body = accepted(event({{"event_type", "tool.processed"}, {"status", "error"}}));
  EXPECT_EQ(body,
            event({{"event_type", "task.failed"},
                   {"status", "error"},
                   {"execution_id", "run-1"},
                   {"payload", Object{{"meta", Object{{"legacy_type", "tool.processed"}}}}}}));
  accepted(event({{"event_type", "tool.started"}, {"event_alias", "ToolStarted"}}));
  accepted(event({{"event_type", "tool.started"}, {"event_alias", "TaskStarted"}}));
  expect_refused(event({{"event_type", "tool.started"}, {"event_alias", "TaskDone"}}),
                 "/event_alias", "INVALID_FIELD");
}

TEST(Envelope, RefusesLegacyNamesWhereAskedTo) {
  const ReadOptions rejecting{.execution_id = "run-1", .reject_legacy = true};
  for (const std::string_view type :
       {"tool.started", "retry.processed", "sink.done", "case.evaluated"}) {
    expect_refused(event({{"event_type", type}}), "/event_type", "LEGACY_EVENT", rejecting);
  }
  const auto result = read_event(event({{"event_type", "tool.started"}}), rejecting);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, EventError::Kind::legacy);
  accepted(event(), rejecting);
}

TEST(SameContent, IsEqualityAsJsonWithTimesAsInstants) {
  const Value base = event({{"attempt", 1}});
  EXPECT_TRUE(same_content(base, base));
  EXPECT_TRUE(same_content(base, event({{"attempt", 1.0}})));
  EXPECT_TRUE(same_content(base, event({{"attempt", 1}, {"seq", 9}})));
  EXPECT_TRUE(same_content(event({{"attempt", 1}, {"seq", 9}}), base));
  EXPECT_TRUE(
      same_content(base, event({{"attempt", 1}, {"timestamp", "2026-02-05T23:11:22.000Z"}})));
  EXPECT_TRUE(
      same_content(base, event({{"attempt", 1}, {"timestamp", "2026-02-06T00:11:22+01:00"}})));
}

TEST(SameContent, SeesEveryOtherDifference) {
  const Value base = event({{"attempt", 1}});
  EXPECT_FALSE(same_content(base, event()));
  EXPECT_FALSE(same_content(event(), base));
  EXPECT_FALSE(same_content(base, event({{"attempt", 2}})));
  EXPECT_FALSE(same_content(base, event({{"attempt", true}})));
  EXPECT_FALSE(same_content(base, event({{"attempt", 1}, {"zone", "x"}})));
  EXPECT_FALSE(same_content(base, event({{"attempt", 1}, {"event_type", "step.failed"}})));
  EXPECT_FALSE(
      same_content(base, event({{"attempt", 1}, {"timestamp", "2026-02-05T23:11:22.001Z"}})));
}

TEST(Id, IsUtf8WithoutControlCharacters) {
  for (const std::string_view id :
       {"a", " ", "a/b%2F#?", "\xC3\xA9", "\xF0\x9F\x98\x80", "9007199254740993", "\xC2\xA0"}) {
    EXPECT_TRUE(is_valid_id(id)) << id;
  }
  using std::string_view_literals::operator""sv;
  for (const std::string_view id :
       {""sv, "a\0b"sv, "\n"sv, "\x1F"sv, "\x7F"sv, "\xC2\x80"sv, "\xC2\x9F"sv, "\xFF"sv, "\x80"sv,
        "\xC0\xAF"sv, "\xC3"sv, "\xE0\x80\x80"sv, "\xED\xA0\x80"sv, "\xF4\x90\x80\x80"sv,
        "\xE2\x82"sv, "\xF0\x80\x80\x80"sv, "\xF5\x80\x80\x80"sv, "\xE2\x82z"sv}) {
    EXPECT_FALSE(is_valid_id(id)) << id;
  }
}

TEST(Id, IsAtMost256BytesLong) {
  std::string longest;
  while (longest.size() < 256) longest += "\xF0\x9F\x98\x80";
  EXPECT_TRUE(is_valid_id(longest));
  EXPECT_FALSE(is_valid_id(longest + "x"));
}

TEST(CompactJsonSize, CountsWhatCompactJsonHas) {
  struct Case {
    Value value;
    std::size_t size;
  };
  const Case cases[] = {
      {nullptr, 4},
      {true, 4},
      {false, 5},
      {0, 1},
      {-17, 3},
      {std::numeric_limits<std::uint64_t>::max(), 20},
      {2.5, 3},
      {"", 2},
      {"a\"b\\c", 9},      // "a\"b\\c"
      {"\b\t\n\f\r", 12},  // each is two characters
      {"\x01\x0B", 14},    // \u0001\u000b
      {"\xC3\xA9", 4},     // unescaped
      {List{}, 2},
      {List{1, 2, 3}, 7},  // [1,2,3]
      {Object{}, 2},
      {Object{{"a", 1}}, 7},                     // {"a":1}
      {Object{{"a", 1}, {"b", List{"x"}}}, 17},  // {"a":1,"b":["x"]}
  };
  for (const auto& [value, size] : cases) EXPECT_EQ(compact_json_size(value), size);
}

TEST(CompactJsonSize, StopsSoonAfterItsLimit) {
  const Value value = List{std::string(98, 'x'), std::string(98, 'x'), std::string(98, 'x')};
  EXPECT_EQ(compact_json_size(value), 304U);
  EXPECT_EQ(compact_json_size(value, 304), 304U);
  EXPECT_GT(compact_json_size(value, 50), 50U);
  EXPECT_LT(compact_json_size(value, 50), 304U);
}

}  // namespace
}  // namespace assay::events
