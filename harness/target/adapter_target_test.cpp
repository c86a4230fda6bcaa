#include "harness/target/adapter_target.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <csignal>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/core/adapter_line.h"
#include "harness/target/configuration_error.h"
#include "harness/target/running_server.h"
#include "harness/target/testing/perform.h"

namespace assay::target::adapter_target_test {
namespace {

using core::TransportFault;
using ::testing::HasSubstr;

/// A write to a program that has ended is told by SIGPIPE, which the program ignores.
class AdapterTargets : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { std::signal(SIGPIPE, SIG_IGN); }
};

/// Greets, then gives `id` the number of each line that it reads.
constexpr std::string_view greet =
    R"(read -r greeting
    echo '{"protocol":"assay-adapter","version":1,"capabilities":["runs.get","runs.create"],)"
    R"("target":{"name":"engine","version":"2.1"}}'
    next() { read -r line || exit 0; id=${line#*:}; id=${id%%,*}; }
    say() { printf '{"id":%s,"outcome":"accepted","answer":{"of":%s}}\n' "$1" "$1"; }
    )";

core::Profile profile_of(const std::string& script, const core::Limits& limits) {
  core::Profile profile;
  profile.name = "mine";
  profile.limits = limits;
  profile.adapter = core::Adapter{{"sh", "-c", script}, {}, 20'000};
  core::OperationTemplate form;
  form.method = core::adapter_method;
  profile.operations.emplace("runs.get", form);
  return profile;
}

core::HttpRequest question(std::string parameters = R"({"run_id":"1"})") {
  return {std::string(core::adapter_method), "runs.get", {}, std::move(parameters)};
}

/// An adapter whose script goes on behind the greeting.
struct Subject {
  explicit Subject(const std::string& script,
                   const core::Limits& limits = testing::patient_limits())
      : target(io, profile_of(std::string(greet) + script, limits), nullptr) {}

  core::HttpResult ask(core::HttpRequest request = question()) {
    return testing::run_to_end(io, target.perform(std::move(request)));
  }

  core::TransportError fault(core::HttpRequest request = question()) {
    core::HttpResult result = ask(std::move(request));
    if (result) {
      ADD_FAILURE() << "answered " << result->status << " " << result->body;
      return {};
    }
    return std::move(result).error();
  }

  boost::asio::io_context io{1};
  AdapterTarget target;
};

core::HttpResponse response(const core::HttpResult& result) {
  if (!result) {
    ADD_FAILURE() << core::transport_fault_texts[result.error().fault] << ": "
                  << result.error().detail;
    return {};
  }
  return result.value();
}

/// Why the adapter of this script, greeting included, can't be used.
template <typename Error>
std::string refusal(const std::string& script, std::int64_t ready_within_ms = 20'000) {
  boost::asio::io_context io(1);
  core::Profile profile = profile_of(script, testing::patient_limits());
  profile.adapter->ready_within_ms = ready_within_ms;
  try {
    const AdapterTarget target(io, profile, nullptr);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST_F(AdapterTargets, GivesTheAnswerAndKnowsWhoItIs) {
  Subject subject("while next; do say $id; done");
  EXPECT_EQ(subject.target.identity(), "engine 2.1");
  EXPECT_FALSE(subject.target.speaks_http());
  EXPECT_THAT(subject.target.location(), HasSubstr("adapter: sh -c "));
  const core::HttpResponse answer = response(subject.ask());
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, R"({"of":1})");
  EXPECT_EQ(response(subject.ask()).body, R"({"of":2})");
}

TEST_F(AdapterTargets, SendsTheOperationAndItsParameters) {
  Subject subject(R"(next; printf '{"id":1,"outcome":"accepted","answer":[%s]}\n' "$line"; next)");
  EXPECT_EQ(response(subject.ask()).body,
            R"([{"id":1,"operation":"runs.get","parameters":{"run_id":"1"}}])");
}

TEST_F(AdapterTargets, TakesAnswersInAnyOrder) {
  Subject subject("next; a=$id; next; say $id; say $a; next");
  std::vector<std::string> bodies(2);
  for (std::string& body : bodies) {
    boost::asio::co_spawn(
        subject.io,
        [&subject, &body]() -> boost::asio::awaitable<void> {
          body = response(co_await subject.target.perform(question())).body;
        },
        boost::asio::detached);
  }
  subject.io.run();
  EXPECT_EQ(bodies, (std::vector<std::string>{R"({"of":1})", R"({"of":2})"}));
}

TEST_F(AdapterTargets, GivesEachOutcomeItsStatus) {
  Subject subject(
      R"(for o in accepted duplicate refused unknown; do next
           printf '{"outcome":"%s","id":%s,"answer":null}\n' $o "$id"; done; next)");
  for (const int status : {200, 208, 409, 404}) EXPECT_EQ(response(subject.ask()).status, status);
}

TEST_F(AdapterTargets, AnErrorOfItsOwnIsNoAnswerAndEndsNothing) {
  Subject subject(
      R"(next; printf '{"id":1,"error":"no connection to the engine"}\n'
         next; printf '{"id":2,"outcome":"refusd"}\n'
         next; printf '{"id":3,"outcome":"accepted"}\n'; next; say 4; next)");
  core::TransportError error = subject.fault();
  EXPECT_EQ(error.fault, TransportFault::adapter);
  EXPECT_EQ(error.detail, "no connection to the engine");
  EXPECT_THAT(subject.fault().detail, HasSubstr("did you mean \"refused\"?"));
  EXPECT_THAT(subject.fault().detail, HasSubstr("without \"answer\""));
  EXPECT_EQ(response(subject.ask()).body, R"({"of":4})");
}

TEST_F(AdapterTargets, DropsAnAnswerThatComesTooLate) {
  Subject subject("next; next; say 1; say 2; next", testing::short_limits());
  EXPECT_EQ(subject.fault().fault, TransportFault::request_timeout);
  EXPECT_EQ(response(subject.ask()).body, R"({"of":2})");
}

TEST_F(AdapterTargets, GivesUpWhatIsUnderWayAndGoesOn) {
  Subject subject("next; next; say 1; say 2; next");
  testing::do_soon(subject.io, [&] { subject.target.give_up(std::chrono::steady_clock::now()); });
  EXPECT_EQ(subject.fault().fault, TransportFault::request_timeout);
  EXPECT_EQ(response(subject.ask()).body, R"({"of":2})");
}

TEST_F(AdapterTargets, BelievesNothingBehindALineThatIsNoAnswer) {
  const std::vector<std::pair<std::string, std::string>> lines = {
      {"echo connected", "a line that is not an answer: connected"},
      {"echo '[]'", "a line that is not an answer: []"},
      {R"(echo '{"outcome":"accepted","answer":{}}')", "the id null, which is not open"},
      {"say 7", "the id 7, which is not open"},
      {R"(echo '{"id":"1","outcome":"accepted","answer":{}}')", "the id \"1\", which is not open"},
      {R"(echo '{"id":1,"id":1,"outcome":"accepted","answer":{}}')", "the key \"id\" twice"},
      {"head -c 500000 /dev/zero | tr '\\0' '['; echo", "a line of more than"},
  };
  for (const auto& [line, trouble] : lines) {
    Subject subject("next; " + line + "; say 1; next; say 2; next");
    const core::TransportError first = subject.fault();
    EXPECT_EQ(first.fault, TransportFault::adapter) << line;
    EXPECT_THAT(first.detail, HasSubstr(trouble));
    EXPECT_THAT(subject.fault().detail, HasSubstr(trouble));
    EXPECT_THAT(subject.target.trouble(), HasSubstr(trouble));
  }
}

TEST_F(AdapterTargets, ASecondAnswerEndsTheConversation) {
  Subject subject("next; say 1; say 1; next; say 2; next");
  EXPECT_EQ(response(subject.ask()).body, R"({"of":1})");
  EXPECT_THAT(subject.fault().detail, HasSubstr("the id 1, which is not open"));
}

TEST_F(AdapterTargets, SaysHowItEndedAndWhatItWroteToStandardError) {
  Subject subject("next; echo 'no such engine' >&2; exit 3");
  EXPECT_EQ(subject.fault().detail, "it exited with status 3");
  EXPECT_EQ(subject.fault().fault, TransportFault::adapter);
  EXPECT_EQ(subject.target.output(), "no such engine\n");
}

TEST_F(AdapterTargets, WaitsForNobodyWhoReadsNothing) {
  Subject subject("exec sleep 1000", testing::short_limits());
  const std::string large = fmt::format(R"({{"a":"{}"}})", std::string(1'000'000, 'a'));
  EXPECT_EQ(subject.fault(question(large)).fault, TransportFault::request_timeout);
  EXPECT_EQ(subject.fault().detail, "it does not read its standard input");
}

TEST_F(AdapterTargets, HasNowhereToSendARequestWithoutHttp) {
  Subject subject("next");
  EXPECT_EQ(subject.fault({"GET", "/", {}, std::nullopt}).fault, TransportFault::unsendable);
}

TEST_F(AdapterTargets, RefusesAGreetingThatIsNone) {
  EXPECT_THAT(refusal<StartError>("echo 'engine is down' >&2; exit 4"),
              HasSubstr("it exited with status 4 before it greeted\nits standard error:\nengine is "
                        "down"));
  EXPECT_THAT(refusal<StartError>("exec sleep 1000", 50), HasSubstr("did not greet within 50 ms"));
  EXPECT_THAT(refusal<StartError>("echo hello; read x"), HasSubstr("it is not JSON: hello"));
  EXPECT_THAT(refusal<StartError>("echo '{}'; read x"), HasSubstr("\"protocol\" is not"));
  const std::string begin = R"(echo '{"protocol":"assay-adapter","version":)";
  EXPECT_THAT(refusal<StartError>(begin + "2}'; read x"), HasSubstr("\"version\" is not 1"));
  EXPECT_THAT(refusal<StartError>(begin + "1}'; read x"), HasSubstr("names no \"capabilities\""));
  EXPECT_THAT(refusal<StartError>(begin + "1,\"capabilities\":[\"runs.gett\"]}'; read x"),
              HasSubstr("did you mean \"runs.get\"?"));
  EXPECT_THAT(refusal<ConfigurationError>(begin + "1,\"capabilities\":[\"runs.list\"]}'; read x"),
              HasSubstr("does not have runs.get, which the profile mine says goes through it"));
}

}  // namespace
}  // namespace assay::target::adapter_target_test
