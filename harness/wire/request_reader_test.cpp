#include "harness/wire/request_reader.h"

#include <gtest/gtest.h>

#include <variant>

#include "harness/wire/exchange.h"
#include "harness/wire/profile_reader.h"

namespace assay::wire {
namespace {

core::Profile profile_named(std::string_view name) {
  auto read = read_profile(*embedded_profile(name), std::string(name),
                           [](std::string_view) { return std::optional<std::string>(); });
  return std::get<core::Profile>(std::move(read));
}

Object written_and_read(const core::Profile& profile, const core::Operation& operation) {
  const auto request = render_request(profile, operation);
  return request_parameters(profile, operation.name, std::get<core::HttpRequest>(request));
}

TEST(RequestReader, ReadsBackWhatTheReferenceIsSent) {
  const core::Profile profile = profile_named("reference");
  const std::vector<core::Operation> operations = {
      {"executions.start", {{"execution_id", "a"}, {"workload", Object{{"n", 1}}}}},
      {"events.post", {{"execution_id", "a/b %\u00E9"}, {"event", Object{{"event_id", "e"}}}}},
      {"events.post_batch",
       {{"execution_id", "a"}, {"events", List{Object{{"event_id", "e"}}, Object{}}}}},
      {"runs.transition", {{"run_id", "r"}, {"to", "running"}}},
      {"workflow.abort", {{"uuid", "u"}}}};
  for (const core::Operation& operation : operations) {
    EXPECT_EQ(Value(written_and_read(profile, operation)), Value(operation.parameters))
        << operation.name;
  }
}

TEST(RequestReader, ReadsBackWhatAForeignServerIsSentAsFarAsItsTemplateTells) {
  const core::Profile profile = profile_named("noetl-py");
  const Object event = {
      {"event_id", "e"}, {"event_type", "step.exit"}, {"node_name", "n"}, {"status", "FAILED"}};
  Object sent = {{"execution_id", "7"}, {"event", event}, {"mark", "m"}};
  Object expected = {{"event_id", "e"}, {"event_type", "step.exit"}, {"status", "FAILED"}};
  EXPECT_EQ(Value(written_and_read(profile, {"events.post", sent})),
            Value(Object{{"execution_id", "7"}, {"event", expected}, {"mark", "m"}}));
  sent = {{"execution_id", "7"}, {"events", List{event}}, {"mark", "m"}};
  EXPECT_EQ(Value(written_and_read(profile, {"events.post_batch", sent})),
            Value(Object{{"execution_id", "7"}, {"events", List{expected}}, {"mark", "m"}}));
}

TEST(RequestReader, GivesStatesInOurSpelling) {
  const Object read = written_and_read(profile_named("prefect"),
                                       {"runs.transition", {{"run_id", "r"}, {"to", "waiting"}}});
  EXPECT_EQ(Value(read), Value(Object{{"run_id", "r"}, {"to", "waiting"}}));
}

TEST(RequestReader, KnowsTheOperationOfARequestByMethodAndPath) {
  const core::Profile profile = profile_named("reference");
  const auto operation_of = [&profile](const char* method, const char* target) {
    return operation_of_request(profile, {method, target, {}, std::nullopt}).value_or("none");
  };
  EXPECT_EQ(operation_of("POST", "/executions/a%2Fb/events"), "events.post");
  EXPECT_EQ(operation_of("GET", "/executions/a/events?limit=1"), "events.list");
  EXPECT_EQ(operation_of("PUT", "/executions"), "none");
  EXPECT_EQ(operation_of("GET", "/executions/a/events/x"), "none");
  EXPECT_EQ(operation_of("GET", "/executions//events"), "none");
}

TEST(RequestReader, LeavesOutABodyThatIsNoJson) {
  const core::Profile profile = profile_named("reference");
  const core::HttpRequest request{"POST", "/executions/a/events", {}, "{"};
  EXPECT_EQ(Value(request_parameters(profile, "events.post", request)),
            Value(Object{{"execution_id", "a"}}));
  EXPECT_TRUE(request_parameters(profile, "no.such", request).empty());
}

}  // namespace
}  // namespace assay::wire
