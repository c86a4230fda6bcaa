#include "harness/target/running_server.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <string>

#include "harness/target/configuration_error.h"
#include "harness/target/testing/perform.h"
#include "harness/target/testing/raw_server.h"

namespace assay::target {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::Peer;
using testing::RawServer;

core::Profile launching(const std::string& script) {
  core::Profile profile;
  profile.base_url = "http://127.0.0.1:1";
  profile.limits = testing::patient_limits();
  profile.launch.emplace();
  profile.launch->command = {"sh", "-c", script};
  profile.launch->ready_line = "listening on ";
  return profile;
}

core::Profile healthy_at(const std::string& url, const std::string& script) {
  core::Profile profile = launching(script);
  profile.base_url = url;
  profile.launch->ready_line.clear();
  profile.launch->health_path = "/healthz";
  return profile;
}

/// What a server that does not start says.
std::string start_error(const core::Profile& profile) {
  try {
    const RunningServer server(profile);
    return "it started";
  } catch (const StartError& error) {
    return error.what();
  }
}

TEST(RunningServer, TakesItsBaseUrlFromTheReadyLine) {
  RunningServer server(
      launching("echo starting; echo 'listening on http://127.0.0.1:4711 (2 threads)'; exec cat "
                "/dev/zero > /dev/null"));
  EXPECT_EQ(server.base_url(), "http://127.0.0.1:4711");
  EXPECT_FALSE(server.end().has_value());
  EXPECT_EQ(server.stop().signal, SIGTERM);
  EXPECT_TRUE(server.end().has_value());
  EXPECT_THAT(server.output(), HasSubstr("starting\nlistening on"));
}

TEST(RunningServer, KeepsTheProfilesBaseUrlWhereTheReadyLineHasNone) {
  const RunningServer server(launching("echo 'listening on '; exec sleep 1000"));
  EXPECT_EQ(server.base_url(), "http://127.0.0.1:1");
}

TEST(RunningServer, StopsWithTheProfilesSignal) {
  core::Profile profile =
      launching("trap 'exit 5' INT; echo listening on x; while :; do sleep 0.01; done");
  profile.launch->stop_signal = "INT";
  RunningServer server(profile);
  EXPECT_EQ(server.stop().exit_status, 5);
}

TEST(RunningServer, ShowsTheOutputOfAServerThatDies) {
  EXPECT_THAT(start_error(launching("echo 'port 80: permission denied' >&2; exit 3")),
              AllOf(HasSubstr("status 3"), HasSubstr("port 80: permission denied")));
}

TEST(RunningServer, ShowsTheOutputOfAServerThatIsNeverReady) {
  core::Profile profile = launching("echo waiting for the database; exec sleep 1000");
  profile.launch->ready_within_ms = 200;
  EXPECT_THAT(start_error(profile),
              AllOf(HasSubstr("within 200 ms"), HasSubstr("waiting for the database")));
}

TEST(RunningServer, SeesAReadyLineFollowedByAQuickEnd) {
  const RunningServer server(launching("echo listening on http://h; exit 0"));
  EXPECT_EQ(server.base_url(), "http://h");
}

TEST(RunningServer, AsksForItsHealthUntilItIsWell) {
  std::atomic<int> asked = 0;
  RawServer health([&asked](Peer& peer, int) {
    while (peer.read_request().starts_with("GET /healthz ")) {
      peer.send(testing::answer("", ++asked < 3 ? "503 Service Unavailable" : "200 OK"));
    }
  });
  const RunningServer server(healthy_at(health.url(), "exec sleep 1000"));
  EXPECT_EQ(asked, 3);
  EXPECT_EQ(server.base_url(), health.url());
}

TEST(RunningServer, SaysHowItsHealthWas) {
  core::Profile profile =
      healthy_at(fmt::format("http://127.0.0.1:{}", testing::dead_port()), "exec sleep 1000");
  profile.launch->ready_within_ms = 100;
  EXPECT_THAT(start_error(profile), AllOf(HasSubstr("/healthz"), HasSubstr("refused")));
}

TEST(RunningServer, GivesUpOnAHealthThatIsNeverAnswered) {
  RawServer silent([](Peer& peer, int) { peer.wait_for_close(); });
  core::Profile profile = healthy_at(silent.url(), "exec sleep 1000");
  profile.launch->ready_within_ms = 100;
  EXPECT_THAT(start_error(profile), HasSubstr("within 100 ms"));
}

TEST(RunningServer, DoesNotTakeAnotherServersHealthForItsOwn) {
  RawServer health([](Peer& peer, int) {
    // Answers only when the process that was started has long ended.
    peer.read_request();
    (void)peer.is_closed_after(300);
    peer.send(testing::answer(""));
  });
  EXPECT_THAT(start_error(healthy_at(health.url(), "echo the port is taken; exit 1")),
              AllOf(HasSubstr("status 1"), HasSubstr("the port is taken")));
}

TEST(RunningServer, RefusesALaunchThatCannotWork) {
  core::Profile no_sign = launching("exec sleep 1000");
  no_sign.launch->ready_line.clear();
  EXPECT_THROW(RunningServer{no_sign}, ConfigurationError);
  core::Profile no_signal = launching("exec sleep 1000");
  no_signal.launch->stop_signal = "STOPPED";
  EXPECT_THROW(RunningServer{no_signal}, ConfigurationError);
  core::Profile no_program = launching("");
  no_program.launch->command = {"/nowhere/server"};
  EXPECT_THROW(RunningServer{no_program}, ConfigurationError);
}

}  // namespace
}  // namespace assay::target
