#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "harness/cli/testing/program.h"
#include "harness/target/testing/raw_server.h"

namespace assay::cli {
namespace {

using target::testing::answer;
using target::testing::Peer;
using target::testing::RawServer;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* chosen = "status/premature-batch-completed*";
constexpr const char* chosen_cases = "\"cases\": 6,";

/// What a server that answers every request so comes to, as the JSON report.
struct Judged {
  ProgramResult program;
  std::string report;
};

Judged judge(const RawServer& server) {
  const ScratchFolder scratch;
  const std::string profile =
      scratch.write("p.yaml",
                    "name: hostile\nextends: reference\n"
                    "limits: {connect_ms: 1000, request_ms: 300, within_ms: 100}\n");
  Judged judged;
  judged.program = run_program({"run", "--profile", profile, "--target", server.url(), chosen,
                                "--report", "json=" + scratch.path("report.json")});
  judged.report = scratch.read("report.json");
  return judged;
}

/// Nothing passes or fails, each case is judged, and a person is told why.
void expect_undecided(const Judged& judged, int exit_code, const std::string& counted,
                      const std::string& why) {
  EXPECT_EQ(judged.program.exit_code, exit_code) << judged.program.out << judged.program.err;
  EXPECT_THAT(judged.report, HasSubstr("\"pass\": 0,"));
  EXPECT_THAT(judged.report, HasSubstr("\"fail\": 0,"));
  EXPECT_THAT(judged.report, HasSubstr(chosen_cases));
  EXPECT_THAT(judged.report, HasSubstr(counted));
  EXPECT_THAT(judged.program.out, HasSubstr(why));
  EXPECT_THAT(judged.program.out, Not(HasSubstr("Conforms")));
}

/// A server that answers every request of a connection with the same bytes, and then goes on or
/// closes.
RawServer::Script always(std::string bytes, bool closes = false) {
  return [bytes = std::move(bytes), closes](Peer& peer, int) {
    while (!peer.read_request().empty()) {
      if (!peer.send(bytes) || closes) break;
    }
  };
}

TEST(HostileTarget, ThatAcceptsAndNeverAnswersIsInconclusive) {
  const RawServer server([](Peer& peer, int) { peer.wait_for_close(); });
  expect_undecided(judge(server), 1, "\"inconclusive\": 6,",
                   "no whole answer within the request limit");
}

TEST(HostileTarget, ThatClosesInTheMiddleOfABodyIsAnError) {
  const RawServer server(
      always("HTTP/1.1 201 Created\r\nContent-Length: 100\r\n\r\n{\"execution_id\":", true));
  expect_undecided(judge(server), 6, "\"error\": 6,", "closed");
}

TEST(HostileTarget, ThatSendsTwentyMebibytesIsInconclusive) {
  const RawServer server(always(answer(std::string(20U << 20U, 'x'), "201 Created"), true));
  expect_undecided(judge(server), 1, "\"inconclusive\": 6,", "body");
}

TEST(HostileTarget, ThatSendsInvalidUtf8IsInconclusive) {
  const RawServer server(always(answer("{\"execution_id\":\"\xff\xfe\"}", "201 Created")));
  expect_undecided(judge(server), 1, "\"inconclusive\": 6,", "no JSON");
}

TEST(HostileTarget, ThatSendsHtmlIsInconclusive) {
  const RawServer server(
      always("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 26\r\n\r\n"
             "<html><h1>Hello</h1></html"));
  expect_undecided(judge(server), 1, "\"inconclusive\": 6,", "does not say what status 200 means");
}

TEST(HostileTarget, ThatRedirectsInALoopIsInconclusive) {
  const RawServer server(
      always("HTTP/1.1 302 Found\r\nLocation: /executions\r\nContent-Length: 0\r\n\r\n"));
  expect_undecided(judge(server), 1, "\"inconclusive\": 6,", "302");
}

TEST(HostileTarget, ThatSpeaksNoHttpIsInconclusive) {
  const RawServer server(always("SSH-2.0-OpenSSH_9.2\r\n", true));
  expect_undecided(judge(server), 1, "\"inconclusive\": 6,", "HTTP");
}

}  // namespace
}  // namespace assay::cli
