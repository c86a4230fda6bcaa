#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>

#include "cli/testing/program.h"
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

/// Whether the run asks before its first case whether it speaks to the right server at all: who is
/// refused there is judged by nothing.
bool is_first_look(const std::string& request) {
  return request.starts_with("GET /executions?limit=1 ");
}

bool welcome(Peer& peer) { return peer.send(answer("{\"executions\":[],\"next\":null}")); }

/// A server that answers every request of a connection with the same bytes, and then goes on or
/// closes.
RawServer::Script always(std::string bytes, bool closes = false) {
  return [bytes = std::move(bytes), closes](Peer& peer, int) {
    for (std::string request = peer.read_request(); !request.empty();
         request = peer.read_request()) {
      if (is_first_look(request)) {
        if (!welcome(peer)) break;
      } else if (!peer.send(bytes) || closes) {
        break;
      }
    }
  };
}

RawServer::Script never_answers() {
  return [](Peer& peer, int) {
    while (is_first_look(peer.read_request())) welcome(peer);
    peer.wait_for_close();
  };
}
RawServer::Script sends_too_much() {
  return always(answer(std::string(20U << 20U, 'x'), "201 Created"), true);
}
RawServer::Script sends_html() {
  return always(
      "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 26\r\n\r\n"
      "<html><h1>Hello</h1></html");
}
RawServer::Script speaks_no_http() { return always("SSH-2.0-OpenSSH_9.2\r\n", true); }

TEST(HostileTarget, ThatAcceptsAndNeverAnswersIsInconclusive) {
  const RawServer server(never_answers());
  expect_undecided(judge(server), 1, "\"inconclusive\": 6,",
                   "timeout: no complete response within the request limit");
}

TEST(HostileTarget, ThatClosesInTheMiddleOfABodyIsInconclusive) {
  const RawServer server(
      always("HTTP/1.1 201 Created\r\nContent-Length: 100\r\n\r\n{\"execution_id\":", true));
  expect_undecided(judge(server), 1, "\"inconclusive\": 6,", "closed");
}

TEST(HostileTarget, ThatSendsTwentyMebibytesIsInconclusive) {
  const RawServer server(sends_too_much());
  expect_undecided(judge(server), 1, "\"inconclusive\": 6,", "body");
}

TEST(HostileTarget, ThatSendsInvalidUtf8IsInconclusive) {
  const RawServer server(always(answer("{\"execution_id\":\"\xff\xfe\"}", "201 Created")));
  expect_undecided(judge(server), 1, "\"inconclusive\": 6,", "not JSON");
}

TEST(HostileTarget, ThatSendsHtmlIsInconclusive) {
  const RawServer server(sends_html());
  expect_undecided(judge(server), 1, "\"inconclusive\": 6,", "the body is not JSON");
}

/// More than is read where it comes.
TEST(HostileTarget, ThatAnswersWithMuchJsonIsInconclusive) {
  const std::string text(100'000, 'x');
  const RawServer server(always(answer("{\"text\":\"" + text + "\"}", "201 Created")));
  expect_undecided(judge(server), 1, "\"inconclusive\": 6,", "does not say what status 201 means");
}

TEST(HostileTarget, ThatRedirectsInALoopIsInconclusive) {
  const RawServer server(
      always("HTTP/1.1 302 Found\r\nLocation: /executions\r\nContent-Length: 0\r\n\r\n"));
  expect_undecided(judge(server), 1, "\"inconclusive\": 6,", "302");
}

TEST(HostileTarget, ThatSpeaksNoHttpIsInconclusive) {
  const RawServer server(speaks_no_http());
  expect_undecided(judge(server), 1, "\"inconclusive\": 6,", "HTTP");
}

struct Hostility {
  std::string_view name;
  RawServer::Script (*script)();
};

std::ostream& operator<<(std::ostream& out, const Hostility& one) { return out << one.name; }

/// Explores such a server for a second, by properties.
class HostileExploration : public ::testing::TestWithParam<Hostility> {};

TEST_P(HostileExploration, EndsInTimeAndInLittleMemory) {
  constexpr double budget_s = 1;
  constexpr double deadline_s = 0.3;
  // To start, to end, and to be late on a busy machine.
  constexpr double slack_s = 2;
  const RawServer server(GetParam().script());
  const ScratchFolder scratch;
  const std::string profile = scratch.write(
      "p.yaml", "name: hostile\nextends: reference\nlimits: {connect_ms: 1000, request_ms: 300}\n");
  const auto begin = std::chrono::steady_clock::now();
  // Families without bodies of a mebibyte, many of which a case may have: those are not the
  // target's doing.
  const ProgramResult result = run_program({"explore", "terminal-is-for-ever", "reads-agree",
                                            "event-taxonomy", "locks-never-overlap", "--profile",
                                            profile, "--target", server.url(), "--time", "1"});
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  EXPECT_NE(result.exit_code, 0) << result.out;
  EXPECT_LT(took.count(), budget_s + deadline_s + slack_s) << result.out;
#ifndef ASSAY_SANITIZED  // Sanitizers keep what is freed.
  const std::int64_t idle = run_program({"--version"}).peak_kibibytes;
  EXPECT_LT(result.peak_kibibytes - idle, 64 * 1024);
#endif
}

INSTANTIATE_TEST_SUITE_P(Servers, HostileExploration,
                         ::testing::Values(Hostility{"NeverAnswers", never_answers},
                                           Hostility{"SendsTwentyMebibytes", sends_too_much},
                                           Hostility{"SendsHtml", sends_html},
                                           Hostility{"SpeaksNoHttp", speaks_no_http}),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace assay::cli
