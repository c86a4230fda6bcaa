// The zoo through the program: what selftest says and with which code, and one fault over HTTP.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/testing/program.h"
#include "harness/target/running_server.h"

namespace assay::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// `assay serve` with these further arguments, which listens until the profile's server ends.
core::Profile serving(const std::vector<std::string>& arguments) {
  core::Profile profile;
  profile.base_url = "http://127.0.0.1:1";
  profile.launch.emplace();
  profile.launch->command = {ASSAY_PROGRAM, "serve"};
  profile.launch->command.insert(profile.launch->command.end(), arguments.begin(), arguments.end());
  profile.launch->ready_line = "listening on ";
  return profile;
}

TEST(SelfTest, ACaughtFaultAndASoundReferenceAreSuccess) {
  const ProgramResult result = run_program(
      {"selftest", "--fault", "seq-counts-from-zero", "--own-clause", "--property-commands", "0"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("seq-counts-from-zero"));
  EXPECT_THAT(result.out, HasSubstr("API-SEQ"));
  EXPECT_THAT(result.out, HasSubstr("1 of 1 faults caught\n"));
}

TEST(SelfTest, JudgesByTheCasesOfTheFaultsOwnClauseWhereThatIsAsked) {
  const auto table = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"selftest", "--json", "--property-commands", "0",
                                         "--fault", "page-skips-one"});
    return run_program(arguments).out;
  };
  // What pages lack shows elsewhere too, which nobody looked at.
  EXPECT_THAT(table({}), AllOf(HasSubstr("API-PAGING"), HasSubstr("RTE-ROUTE-WHEN")));
  EXPECT_THAT(table({"--own-clause"}), AllOf(HasSubstr("\"first_case\": \"api/filtered-pages\""),
                                             Not(HasSubstr("RTE-ROUTE-WHEN"))));
}

TEST(SelfTest, ASoundServerThatTakesALibertyIsAcquitted) {
  const ScratchFolder scratch;
  const ProgramResult result =
      run_program({"selftest", "--liberty", "own-words", "--property-commands", "0",
                   "--liberties-markdown", scratch.path("liberties.md")});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("1 of 1 sound servers acquitted\n"));
  EXPECT_THAT(result.out, Not(HasSubstr("faults caught")));
  EXPECT_THAT(scratch.read("liberties.md"), StartsWith("# The liberties of a sound server\n"));
  EXPECT_THAT(scratch.read("liberties.md"), HasSubstr("| own-words |"));
}

TEST(SelfTest, AnUnknownLibertyIsAnErrorWithASuggestion) {
  const ProgramResult result = run_program({"selftest", "--liberty", "own-wrods"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("own-words"));
}

TEST(SelfTest, TheTableIsJsonAndAPageToo) {
  const ScratchFolder scratch;
  const ProgramResult result =
      run_program({"selftest", "--fault", "unknown-is-gone", "--property-commands", "0", "--json",
                   "--markdown", scratch.path("zoo.md")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("\"fault\": \"unknown-is-gone\""));
  EXPECT_THAT(result.out, HasSubstr("\"sound_accused_by\": []"));
  EXPECT_THAT(scratch.read("zoo.md"), StartsWith("# The zoo of broken servers\n"));
  EXPECT_THAT(scratch.read("zoo.md"), HasSubstr("| unknown-is-gone | API-UNKNOWN |"));
}

TEST(SelfTest, AGlobThatMatchesNoFaultIsAUsageErrorWithTheNearest) {
  const ProgramResult result = run_program({"selftest", "--fault", "seq-counts-from-zeros"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err,
            "assay: unknown fault \"seq-counts-from-zeros\"; did you mean "
            "\"seq-counts-from-zero\"?\n");
}

TEST(SelfTest, APageThatCannotBeWrittenIsAUsageError) {
  EXPECT_EQ(run_program({"selftest", "--fault", "unknown-is-gone", "--property-commands", "0",
                         "--markdown", "/nowhere/at/all.md"})
                .exit_code,
            2);
}

TEST(SelfTest, ListsTheFaultsOfTheZoo) {
  const ProgramResult result = run_program({"list", "faults"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("seq-counts-from-zero"));
  EXPECT_THAT(result.out, HasSubstr("API-SEQ"));
}

TEST(ServeFault, TheServerIsReallyBrokenOverHttp) {
  const target::RunningServer broken(serving({"--fault", "unknown-is-gone"}));
  const ProgramResult result =
      run_program({"run", "--target", broken.base_url(), "api/unknown-execution"});
  EXPECT_EQ(result.exit_code, 1) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("API-UNKNOWN"));
  EXPECT_THAT(result.out, HasSubstr("410"));
}

TEST(ServeFault, WithoutAFaultTheSameCaseConforms) {
  const target::RunningServer sound(serving({}));
  EXPECT_EQ(run_program({"run", "--target", sound.base_url(), "api/unknown-execution"}).exit_code,
            0);
}

TEST(ServeFault, ATakenPortIsAMistakeOfTheUser) {
  const target::RunningServer first(serving({}));
  const std::string address = first.base_url().substr(std::string_view("http://").size());
  const ProgramResult result =
      run_program({"serve", "--port", address.substr(address.find(':') + 1)});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err, "assay: cannot listen on " + address + ": Address already in use\n");
}

TEST(ServeFault, AnUnknownFaultSuggestsTheNearest) {
  const ProgramResult result = run_program({"serve", "--fault", "unknown-is-gon"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err,
            "assay: unknown fault \"unknown-is-gon\"; did you mean \"unknown-is-gone\"?\n");
}

}  // namespace
}  // namespace assay::cli
