// Which server is judged, by which words, and what a run may say of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "cli/testing/program.h"
#include "harness/target/testing/raw_server.h"

namespace assay::cli {
namespace {

using target::testing::answer;
using target::testing::Peer;
using target::testing::RawServer;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* one_case = "status/premature-batch-completed[0]";

/// The exit code of a shell's command line; ${assay} is the program.
int shell(const std::string& command) {
  const int status = std::system(("assay='" ASSAY_PROGRAM "'; " + command).c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// The JSON of a record with one member of its header replaced.
void replace(const ScratchFolder& scratch, const std::string& name, const std::string& from,
             const std::string& to) {
  std::string text = scratch.read(name);
  const std::size_t at = text.find(from);
  ASSERT_NE(at, std::string::npos) << from;
  (void)scratch.write(name, text.replace(at, from.size(), to));
}

TEST(RightServer, IsThatOfTheProfilesOwnBaseUrlNotTheOneThatAnotherProfileStarts) {
  const ScratchFolder scratch;
  const std::string profile =
      scratch.write("p.yaml", "extends: reference\nname: mine\nbase_url: http://127.0.0.1:1\n");
  for (const std::vector<std::string>& verb :
       {std::vector<std::string>{"run", one_case}, {"probe"}, {"explore", "run-walks"}}) {
    std::vector<std::string> arguments = verb;
    arguments.insert(arguments.end(), {"--profile", profile});
    const ProgramResult result = run_program(arguments);
    EXPECT_EQ(result.exit_code, 3) << verb.front() << result.out;
    EXPECT_THAT(result.err, HasSubstr("127.0.0.1:1: the connection was refused")) << verb.front();
  }
}

TEST(RightServer, IsNeverMeantByAnEmptyValue) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"run", one_case, "--target", ""},
        {"run", one_case, "--target="},
        {"run", one_case, "--baseline", ""},
        {"run", one_case, "--record", ""},
        {"run", one_case, "--scenarios", ""},
        {"run", one_case, "--profile", ""},
        {"run", one_case, "--report", ""},
        {"run", ""},
        {"explore", "--target", ""},
        {"probe", "--target", ""},
        {"replay", "record.ndjson", "--target", ""},
        {"report", "record.ndjson", "--baseline", ""}}) {
    const ProgramResult result = run_program(arguments);
    EXPECT_EQ(result.exit_code, 2) << arguments.at(1);
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr("empty"));
  }
}

TEST(RightServer, IsNotWhatTheNextOptionIsCalled) {
  const ProgramResult result = run_program({"run", one_case, "--target", "--seed", "7"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("--target needs a value, and is followed by --seed"));
}

TEST(RightServer, OfAReplayIsThatOfTheRecord) {
  const ScratchFolder scratch;
  const std::string record = scratch.path("r.ndjson");
  ASSERT_EQ(run_program({"run", "--in-process", one_case, "--record", record}).exit_code, 0);
  EXPECT_EQ(run_program({"replay", record, "--all"}).exit_code, 0);
  replace(scratch, "r.ndjson", R"("target":"in-process")", R"("target":"http://127.0.0.1:1")");
  replace(scratch, "r.ndjson", R"("target_source":"in-process")", R"("target_source":"url")");
  const ProgramResult elsewhere = run_program({"replay", record, "--all"});
  EXPECT_EQ(elsewhere.exit_code, 3) << elsewhere.out;
  EXPECT_THAT(elsewhere.err, HasSubstr("http://127.0.0.1:1: the connection was refused"));
  replace(scratch, "r.ndjson", R"("target_source":"url")", R"("target_source":"")");
  const ProgramResult unknown = run_program({"replay", record, "--all"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("give --target URL or --in-process"));
}

TEST(RightServer, OfAReplayIsSpokenToByTheProfileOfTheRecord) {
  const ScratchFolder scratch;
  const std::string record = scratch.path("r.ndjson");
  const std::string profile = scratch.write("p.yaml", "extends: reference\nname: reference\n");
  ASSERT_EQ(run_program({"run", "--in-process", "--profile", profile, one_case, "--record", record})
                .exit_code,
            0);
  const ProgramResult result = run_program({"replay", record, "--all"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("another profile reference"));
  EXPECT_EQ(run_program({"replay", record, "--all", "--profile", profile}).exit_code, 0);
}

TEST(RightWords, ASelectionIsSaidToBeOne) {
  const ScratchFolder scratch;
  const ProgramResult result =
      run_program({"run", "--in-process", one_case, "--report", "badge=" + scratch.path("b.svg"),
                   "--report", "markdown=" + scratch.path("m.md")});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, StartsWith("Selected case passes  1 of 1 selected case passes; 1,"));
  EXPECT_THAT(result.out, HasSubstr(" not run."));
  EXPECT_THAT(scratch.read("b.svg"), HasSubstr("1/1 selected"));
  EXPECT_THAT(scratch.read("b.svg"), Not(HasSubstr("#1a7f37")));
  EXPECT_THAT(scratch.read("m.md"), Not(HasSubstr("Conforms")));
}

TEST(RightWords, NumbersThatAreNoneAreUsageErrors) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> refused = {
      {{"run", one_case, "--require-coverage", "nan"}, "expected 0 to 100, got nan"},
      {{"run", one_case, "--seed", "-1"}, "is not a whole number"},
      {{"run", one_case, "--seed", "12345678901234567890123"}, "is too large"},
      {{"explore", "run-walks", "--time", "nan"}, "expected 0 or more, got nan"},
      {{"explore", "run-walks", "--rate", "inf"}, "or more, got inf"},
      {{"explore", "run-walks", "--cases", "12345678901234567890123"}, "is too large"}};
  for (const auto& [arguments, message] : refused) {
    const ProgramResult result = run_program(arguments);
    EXPECT_EQ(result.exit_code, 2) << arguments[2] << " " << arguments[3];
    EXPECT_THAT(result.err, HasSubstr(message));
  }
}

TEST(RightWords, NothingExploredAndAnInterruptedExplorationProveNothing) {
  EXPECT_EQ(run_program({"explore", "run-walks", "--in-process", "--cases", "0"}).exit_code, 4);
  EXPECT_EQ(shell("timeout --foreground --preserve-status -s INT 4 \"$assay\" explore run-walks "
                  "--in-process "
                  "--cases 1000000 > /dev/null 2>&1"),
            4);
}

TEST(RightWords, OutputThatIsLostIsAFault) {
  EXPECT_EQ(shell("\"$assay\" list clauses > /dev/full 2> /dev/null"), 6);
  EXPECT_EQ(
      shell(std::string("\"$assay\" run --in-process '") + one_case + "' > /dev/full 2> /dev/null"),
      6);
  const ProgramResult lost =
      run_program({"run", "--in-process", one_case, "--report", "html=/dev/full"});
  EXPECT_EQ(lost.exit_code, 6);
  EXPECT_THAT(lost.err, HasSubstr("/dev/full: No space left on device"));
}

TEST(Outputs, AreOpenedBeforeAnythingIsJudged) {
  const ProgramResult result =
      run_program({"run", "--target", "http://127.0.0.1:1", "--report", "html=/no/such/folder/x"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err, "assay: /no/such/folder/x: No such file or directory\n");
}

TEST(Outputs, OfAnEarlierRunDoNotOutliveAUsageError) {
  const ScratchFolder scratch;
  for (const std::vector<std::string>& mistake :
       {std::vector<std::string>{"status/no-such-case"}, {"--jobs", "0"}, {"--target", ""}}) {
    const std::string report = scratch.write("r.xml", "an earlier run's");
    const std::string record = scratch.write("r.ndjson", "an earlier run's");
    std::vector<std::string> arguments = {"run", "--report", "junit=" + report, "--record", record};
    arguments.insert(arguments.end(), mistake.begin(), mistake.end());
    EXPECT_EQ(run_program(arguments).exit_code, 2);
    EXPECT_FALSE(std::filesystem::exists(report)) << mistake.front();
    EXPECT_FALSE(std::filesystem::exists(record)) << mistake.front();
  }
}

TEST(Outputs, NeverShareAPlace) {
  const ScratchFolder scratch;
  const std::string file = scratch.path("r");
  for (const auto& [one, other] :
       {std::pair<std::vector<std::string>, std::vector<std::string>>{
            {"--report", "json=" + file}, {"--report", "junit=" + file}},
        {{"--report", "json=-"}, {"--report", "junit=-"}},
        {{"--report", "json=" + file}, {"--record", scratch.path("./r")}}}) {
    std::vector<std::string> arguments = {"run", "--in-process", one_case};
    arguments.insert(arguments.end(), one.begin(), one.end());
    arguments.insert(arguments.end(), other.begin(), other.end());
    EXPECT_EQ(run_program(arguments).exit_code, 2) << one.back() << " " << other.back();
    EXPECT_FALSE(std::filesystem::exists(file));
  }
}

TEST(Outputs, AReportOnStandardOutputStandsAloneThere) {
  const ProgramResult result =
      run_program({"run", "--in-process", one_case, "--no-cache", "--report", "json=-"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(result.out.starts_with("{\n") && result.out.ends_with("}\n")) << result.out;
  EXPECT_FALSE(std::filesystem::exists("-"));
}

TEST(Outputs, OfAnExplorationThatFoundNothingAreNothingToJudge) {
  const ScratchFolder scratch;
  const std::string folder = scratch.path("found");
  ASSERT_EQ(run_program({"explore", "--in-process", "run-walks", "--cases", "1", "--save", folder})
                .exit_code,
            0);
  const ProgramResult again = run_program({"run", "--in-process", "--scenarios", folder});
  EXPECT_EQ(again.exit_code, 4) << again.err;
  EXPECT_EQ(run_program({"lint", folder}).exit_code, 2);
}

TEST(Outputs, AreNeverWhatIsRead) {
  const ScratchFolder scratch;
  const std::string record = scratch.path("r.ndjson");
  ASSERT_EQ(run_program({"run", "--in-process", one_case, "--record", record}).exit_code, 0);
  const std::string before = scratch.read("r.ndjson");
  EXPECT_EQ(run_program({"replay", record, "--all", "--record", record}).exit_code, 2);
  EXPECT_EQ(run_program({"report", record, "-o", record}).exit_code, 2);
  EXPECT_EQ(scratch.read("r.ndjson"), before);
}

/// A server that answers each request alike.
RawServer::Script answers_all(std::string bytes) {
  return [bytes = std::move(bytes)](Peer& peer, int) {
    while (!peer.read_request().empty()) {
      if (!peer.send(bytes)) break;
    }
  };
}

std::string html(std::string_view status) {
  std::string text = answer("<html>Hello</html>", status);
  return text.insert(text.find("\r\n") + 2, "Content-Type: text/html\r\n");
}

TEST(FirstLook, WhatIsNoServerOfTheProfileIsSaidInOneSentence) {
  for (const std::string& bytes : {html("404 Not Found"), html("200 OK"), answer("{}"),
                                   answer("null"), answer("[]"), answer("\"ok\"", "201 Created")}) {
    const RawServer server(answers_all(bytes));
    const ProgramResult result = run_program({"run", "--target", server.url()});
    EXPECT_EQ(result.exit_code, 3) << bytes << result.out;
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr("nothing here answers as the profile reference describes"));
    EXPECT_EQ(result.err.find('\n'), result.err.size() - 1);
  }
}

TEST(FirstLook, AProbeOfAServerOfAnotherKindNamesProfiles) {
  const RawServer server(answers_all(answer("{\"detail\":\"Not Found\"}", "404 Not Found")));
  const ProgramResult probed = run_program({"probe", "--target", server.url()});
  EXPECT_EQ(probed.exit_code, 1) << probed.out;
  EXPECT_THAT(probed.err, HasSubstr("every request was answered 404. Is the base URL right?"));
  EXPECT_THAT(probed.err, HasSubstr("try --profile NAME (assay list profiles)"));
  const ProgramResult judged = run_program({"run", "--target", server.url()});
  EXPECT_THAT(judged.err, HasSubstr("try --profile NAME (assay list profiles)"));
  const ProgramResult named =
      run_program({"probe", "--target", server.url(), "--profile", "run-contract"});
  EXPECT_THAT(named.err, HasSubstr("Is the base URL right?"));
  EXPECT_THAT(named.err, ::testing::Not(HasSubstr("--profile NAME")));
}

TEST(FirstLook, WhoIsLetInNowhereIsAskedForCredentials) {
  const RawServer server(answers_all(answer("{\"detail\":\"no\"}", "401 Unauthorized")));
  const ProgramResult result = run_program({"explore", "--target", server.url(), "--cases", "1"});
  EXPECT_EQ(result.exit_code, 3) << result.out;
  EXPECT_THAT(result.err, HasSubstr("credentials"));
}

TEST(FirstLook, ATemplateThatNamesWhatNoAnswerHasIsAMistakeInTheProfile) {
  const ScratchFolder scratch;
  const std::string profile = scratch.write(
      "p.yaml",
      "name: mine\nbase_url: http://127.0.0.1:1\n"
      "capabilities: [executions.replay, executions.start, executions.status, events.post]\n"
      "operations:\n"
      "  executions.start:\n"
      "    request: POST /executions\n"
      "    after:\n"
      "      - request: GET /executions/${answer.execution_idd}\n"
      "  executions.status: {request: 'GET /executions/${execution_id}/status'}\n"
      "  events.post: {request: 'POST /executions/${execution_id}/events', body: '${event}'}\n");
  const ProgramResult result =
      run_program({"run", "--in-process", "--profile", profile, "status/*"});
  EXPECT_EQ(result.exit_code, 2) << result.out;
  EXPECT_EQ(result.err, "assay: " + profile +
                            ":8:9: ${answer.execution_idd}: the answer has no \"execution_idd\"; "
                            "did you mean \"execution_id\"?\n");
}

}  // namespace
}  // namespace assay::cli
