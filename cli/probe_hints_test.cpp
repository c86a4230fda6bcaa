#include "cli/probe_hints.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/wire/exchange.h"
#include "harness/wire/profile_reader.h"

namespace assay::cli::probe_hints_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

core::Profile profile() {
  auto read = wire::read_profile(R"(
name: p
capabilities: [executions.list, runs.create, runs.get, runs.list]
vocabulary: {states: {DONE: success, HELD: waiting}}
operations:
  runs.get:
    request: GET /runs/${run_id}
    read:
      object:
        run_id: /id
        status: {pointer: /phase, spelling: states}
        ended_at: /ended
        diagnostic: /why
        error_code: /zzz
    unobserved: [diagnostic]
  runs.create:
    request: POST /runs
    read:
      object:
        run_id: /id
        status: {pointer: /phase, spelling: states}
        ended_at: /ended
        parent_run_id: /before
  executions.list:
    request: GET /executions
    read:
      object:
        next: {constant: null}
        items: {entries: /all, each: {object: {execution_id: /key, state: /value/phase}}}
  runs.list:
    request: GET /runs
    read: {object: {items: {items: /runs, each: {object: {run_id: /id, status: /phase}}}, next: {constant: null}}}
)",
                                 "p.yaml", nullptr);
  if (!read) {
    ADD_FAILURE() << core::diagnostic_text(read.error().front());
    return {};
  }
  return std::move(read).value();
}

Reading reading(const std::string& operation, int status, const std::string& body) {
  const core::Profile mine = profile();
  return reading_of(mine, operation,
                    wire::read_answer(mine, operation, core::HttpResponse{status, {}, body}));
}

std::string malformed(const std::string& operation, int status, const std::string& body) {
  return malformed_request(
      operation, wire::read_answer(profile(), operation, core::HttpResponse{status, {}, body}));
}

TEST(ProbeHints, TellARequestThatIsRefusedAsMalformed) {
  EXPECT_EQ(
      malformed("runs.create", 422,
                R"({"detail":[{"loc":["body","state"],"msg":"not a dictionary","input":1}]})"),
      "the target refuses this request as malformed: body/state: not a dictionary; in "
      "operations.runs.create write path, query and body as the target asks for them");
  EXPECT_THAT(malformed("runs.create", 400, "{}"), HasSubstr("refuses this request as malformed;"));
  EXPECT_THAT(malformed("runs.create", 422, R"({"pointer":"/to","detail":"to is required"})"),
              HasSubstr("malformed: /to: to is required;"));
  EXPECT_THAT(malformed("runs.create", 400, R"({"path":"/runs","error":"Bad Request"})"),
              HasSubstr("malformed;"));
  EXPECT_EQ(malformed("runs.create", 409, R"({"detail":"no"})"), "");
  EXPECT_EQ(malformed("runs.create", 201, R"({"id":"1"})"), "");
  // What a target may decline in the state that it is in has to name a member of the request.
  core::Answer answer;
  answer.acceptance = core::Acceptance::refused;
  answer.status = 422;
  answer.body = Object{{"message", "a running run is not retried"}};
  EXPECT_EQ(malformed_request("runs.retry", answer), "");
  answer.body = Object{{"errors", List{Object{{"field", "to"}, {"message", "absent"}}}}};
  EXPECT_THAT(malformed_request("runs.retry", answer), HasSubstr("to: absent"));
}

TEST(ProbeHints, SayWhereEachMemberCameFromAndWhatToWrite) {
  const Reading read = reading(
      "runs.get", 200, R"({"id":"1","phase":"Running","times":{"finished_at":null},"more":1})");
  EXPECT_THAT(read.found, ElementsAre("run_id /id", "status /phase"));
  EXPECT_THAT(read.hints,
              ElementsAre("ended_at: nothing at /ended; is it /times/finished_at?",
                          "error_code: nothing at /zzz",
                          "status \"Running\" is not a known state; in vocabulary.states write: "
                          "Running: running",
                          "this one has not ended; where one that has shows them neither, write: "
                          "unobserved: [error_code]"));
  EXPECT_THAT(read.words, ElementsAre("Running"));
}

TEST(ProbeHints, AskForNothingToBeGivenUpThatTheEndMayBring) {
  const auto hints = [](const std::string& phase) {
    return reading("runs.create", 200, R"({"id":"1","phase":")" + phase + R"("})").hints;
  };
  EXPECT_THAT(hints("DONE"),
              ElementsAre("ended_at: nothing at /ended", "parent_run_id: nothing at /before",
                          "where the target does not show them, write: unobserved: [ended_at, "
                          "parent_run_id]"));
  EXPECT_THAT(hints("HELD"),
              ElementsAre("ended_at: nothing at /ended", "parent_run_id: nothing at /before",
                          "where the target does not show them, write: unobserved: [parent_run_id]",
                          "this one has not ended; where one that has shows them neither, write: "
                          "unobserved: [ended_at]"));
}

TEST(ProbeHints, AreNoneWhereAllIsWell) {
  const Reading read =
      reading("runs.get", 200, R"({"id":"1","phase":"DONE","ended":null,"why":null,"zzz":null})");
  EXPECT_THAT(read.hints, IsEmpty());
  EXPECT_THAT(read.words, ElementsAre("DONE"));
}

TEST(ProbeHints, LookAtTheFirstItemOfAListing) {
  EXPECT_THAT(reading("runs.list", 200, R"({"runs":[{"id":1,"phase":"QUEUED"}]})").hints,
              ElementsAre(HasSubstr("status \"QUEUED\" is not a known state; in vocabulary.states "
                                    "write: QUEUED: … (one of created, running,")));
  EXPECT_THAT(reading("runs.list", 200, R"({"runs":[]})").hints, IsEmpty());
  EXPECT_THAT(reading("runs.list", 200, "[]").hints, ElementsAre("no list at \"/runs\""));
}

TEST(ProbeHints, LookAtTheFirstEntryOfAMap) {
  EXPECT_THAT(reading("executions.list", 200, R"({"all":{"x":{"phase":"DONE"}}})").found,
              ElementsAre("execution_id /key", "state /value/phase"));
  EXPECT_THAT(reading("executions.list", 200, R"({"all":[]})").hints,
              ElementsAre("no object at \"/all\""));
}

TEST(ProbeHints, SayHowToNameAStatus) {
  EXPECT_THAT(reading("runs.get", 400, R"({"error":"x"})").hints,
              ElementsAre("in operations.runs.get write what 400 means: refused: [400]"));
}

}  // namespace
}  // namespace assay::cli::probe_hints_test
