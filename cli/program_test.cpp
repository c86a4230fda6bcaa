#include "cli/testing/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "base/encoding.h"

namespace assay::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(Program, EveryVerbHasHelpWithAnExample) {
  const ProgramResult help = run_program({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  for (const char* verb : {"run", "serve", "report", "replay", "list", "explain", "lint", "schema",
                           "probe", "completion", "version"}) {
    EXPECT_THAT(help.out, HasSubstr(std::string("\n  ") + verb)) << verb;
    const ProgramResult of_verb = run_program({verb, "--help"});
    EXPECT_EQ(of_verb.exit_code, 0) << verb;
    EXPECT_THAT(of_verb.out, HasSubstr("Example")) << verb;
    EXPECT_THAT(of_verb.out, HasSubstr(std::string("assay ") + verb)) << verb;
    EXPECT_EQ(of_verb.err, "") << verb;
  }
}

TEST(Program, WithoutArgumentsSaysHowItIsUsed) {
  const ProgramResult result = run_program({});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr("Examples:"));
}

TEST(Program, AnUnknownVerbSuggestsTheNearest) {
  const ProgramResult result = run_program({"explian"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err, "assay: unknown verb \"explian\"; did you mean \"explain\"?\n");
}

TEST(Program, AnUnknownOptionSuggestsTheNearest) {
  const ProgramResult result = run_program({"list", "--jsn"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("unknown option \"--jsn\"; did you mean \"--json\"?"));
  EXPECT_THAT(result.err, HasSubstr("See assay list --help."));
}

TEST(Program, SaysItsVersion) {
  EXPECT_THAT(run_program({"version"}).out, StartsWith("assay 0."));
  EXPECT_THAT(run_program({"version", "--json"}).out, StartsWith("{\"name\":\"assay\""));
  for (const char* option : {"--version", "-V"}) {
    EXPECT_EQ(run_program({option}).out, run_program({"version"}).out);
    EXPECT_EQ(run_program({option}).exit_code, 0);
  }
}

TEST(Program, HelpOfAVerbIsThatOfItsOptionAndAManPage) {
  EXPECT_EQ(run_program({"help"}).out, run_program({"--help"}).out);
  EXPECT_EQ(run_program({"help", "run"}).out, run_program({"run", "--help"}).out);
  EXPECT_THAT(run_program({"help", "rnu"}).err, HasSubstr("did you mean \"run\"?"));
  const ProgramResult page = run_program({"help", "run", "--man"});
  EXPECT_EQ(page.exit_code, 0);
  EXPECT_THAT(page.out, StartsWith(".TH assay\\-run 1"));
  EXPECT_THAT(page.out, HasSubstr(".TP\n.B \\-\\-clause"));
}

TEST(Program, RefusesNumbersThatAreNone) {
  EXPECT_THAT(run_program({"run", "--seed", "abc"}).err,
              StartsWith("assay: --seed: \"abc\" is not a whole number\n"));
  EXPECT_THAT(run_program({"run", "--seed=-1"}).err,
              StartsWith("assay: --seed: \"-1\" is not a whole number\n"));
  EXPECT_THAT(run_program({"explore", "--seed", "99999999999999999999999"}).err,
              HasSubstr("is too large (at most 18446744073709551615)"));
  EXPECT_THAT(run_program({"explore", "--time=-1"}).err,
              StartsWith("assay: --time: expected 0 or more, got -1\n"));
  EXPECT_THAT(run_program({"run", "--jobs", "0"}).err,
              StartsWith("assay: --jobs: expected 1 to 4096, got 0\n"));
}

TEST(List, GivesProgramsWhatTheyAskOfAClause) {
  const ProgramResult result = run_program({"list", "clauses", "--json"});
  EXPECT_EQ(result.exit_code, 0);
  for (const char* part : {"\"id\": \"STM-INF-BATCH\"", "\"level\": \"MUST\"",
                           "\"source\": \"000 Ownership\"", "\"cases\": [", "\"faults\": ["}) {
    EXPECT_THAT(result.out, HasSubstr(part));
  }
}

TEST(Explain, SaysWhatAClauseDemandsAndWhatChecksIt) {
  const ProgramResult result = run_program({"explain", "STM-INF-BATCH"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, StartsWith("STM-INF-BATCH  MUST, 000 Ownership\n"));
  EXPECT_THAT(result.out, HasSubstr("Checked by\n  "));
  EXPECT_THAT(result.out, HasSubstr("assay run --clause STM-INF-BATCH"));
}

TEST(Explain, SaysWhatChecksAClauseAndWhatBreaksIt) {
  const ProgramResult result = run_program({"explain", "evt-pub-topic"});
  EXPECT_THAT(result.out, HasSubstr("Checked by\n  events/published-by-its-type\n"));
  EXPECT_THAT(result.out, HasSubstr("\n  duplicates-are-published\n"));
}

TEST(Explain, PassesOverSpecificationsOfWhichAProfileHasNothing) {
  const ProgramResult result = run_program({"explain", "--profile", "mlflow"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("\nNot in reach, and what would bring them\n"));
  EXPECT_THAT(result.out, HasSubstr("RUN-"));
  EXPECT_THAT(result.out, Not(HasSubstr("WFX-")));
  EXPECT_THAT(result.out, HasSubstr("Of these specifications nothing is declared (--all says what "
                                    "it would take)\n"));
  EXPECT_THAT(result.out, HasSubstr("\n  002 Workflow execution lifecycle: "));
  const ProgramResult all = run_program({"explain", "--profile", "mlflow", "--all"});
  EXPECT_THAT(all.out, HasSubstr("WFX-"));
  EXPECT_THAT(all.out, Not(HasSubstr(" \n")));
  EXPECT_THAT(all.out, Not(HasSubstr("nothing is declared")));
}

TEST(Explain, HasNothingInReachThatEachCaseAsksOfWhatTheTargetLacks) {
  const ProgramResult result = run_program({"explain", "--profile", "prefect"});
  EXPECT_THAT(result.out,
              HasSubstr("\nNot in reach, because each case asks for what the target lacks\n"));
  EXPECT_THAT(result.out, HasSubstr("\n  the target's runs.create takes no run_kind\n"
                                    "    RUN-KINDS"));
}

TEST(Explain, NamesTheGapsThatAClauseIsPartOf) {
  EXPECT_THAT(run_program({"explain", "RTE-ADMIT-PENDING"}).out, HasSubstr("Gap: closed_gate"));
}

TEST(Explain, AnUnknownClauseSuggestsTheNearest) {
  const ProgramResult result = run_program({"explain", "STM-INF-BACH"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err,
            "assay: unknown clause \"STM-INF-BACH\"; did you mean \"STM-INF-BATCH\"?\n");
}

TEST(List, HasTheCasesThatARunHas) {
  const auto count = [](const std::string& text) {
    return std::count(text.begin(), text.end(), '\n');
  };
  const ProgramResult listed = run_program({"list", "cases"});
  EXPECT_EQ(count(listed.out), count(run_program({"run", "--list"}).out));
  EXPECT_THAT(listed.out, HasSubstr("\nproperties/run-walks-0 "));
}

TEST(List, ListsEachKindOfThing) {
  for (const char* what : {"scenarios", "cases", "clauses", "tags", "profiles", "capabilities",
                           "formats", "interpretations"}) {
    const ProgramResult result = run_program({"list", what});
    EXPECT_EQ(result.exit_code, 0) << what;
    EXPECT_NE(result.out, "") << what;
    EXPECT_THAT(result.out, Not(HasSubstr("\x1b"))) << what;
  }
  EXPECT_EQ(run_program({"list", "clause"}).err,
            "assay: unknown list \"clause\"; did you mean \"clauses\"?\n");
}

TEST(Lint, FindsNothingWrongWithWhatIsBuiltIn) {
  const ProgramResult result = run_program({"lint"});
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out,
              ::testing::MatchesRegex(
                  "[0-9]+ scenarios .[0-9],[0-9]{3} cases., [0-9]+ profiles: nothing wrong\n"));
}

TEST(Lint, SaysWhatAProfileLosesByWhatItLacks) {
  const ScratchFolder scratch;
  const auto linted = [&scratch](const std::string& lacks) {
    const std::string file = scratch.write("mine.yaml", R"(name: mine
capabilities: [runs.create, runs.get, runs.transition]
operations:
  runs.create:
    request: POST /runs
    read: {object: {run_id: /id, status: /status}}
  runs.get:
    request: GET /runs/${run_id}
    read: {object: {run_id: /id, status: /status}}
  runs.transition:
    request: POST /runs/${run_id}/${to}
)" + lacks);
    return run_program({"lint", file});
  };
  const ProgramResult without = linted("");
  EXPECT_EQ(without.err, "");
  EXPECT_EQ(without.out, "1 profile: nothing wrong\n");
  const ProgramResult with = linted("    lacks: [diagnostic]\n");
  EXPECT_EQ(with.exit_code, 0);
  EXPECT_EQ(with.out, "1 profile: nothing wrong\n");
  EXPECT_THAT(with.err,
              ::testing::MatchesRegex(
                  ".*mine.yaml:11:5: note: runs.transition lacks diagnostic, so [0-9]+ of [0-9]+ "
                  "cases do not apply; where they mean the same without it, leave it out of the "
                  "request instead\n"));
}

TEST(Lint, SaysWhereAScenarioIsWrong) {
  const ScratchFolder scratch;
  const std::string file = scratch.write("broken.yaml",
                                         "id: a/b\n"
                                         "title: T\n"
                                         "clauses: [STM-CORE-9]\n"
                                         "steps:\n"
                                         "  - stat: {}\n");
  const ProgramResult result = run_program({"lint", file});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr(file + ":3:11: "));
  EXPECT_THAT(result.err, HasSubstr(file + ":5:5: "));
  EXPECT_THAT(result.err, HasSubstr("\"start\""));
}

TEST(Lint, AnIdThatTwoScenariosHaveIsAFaultWithBothPlaces) {
  const ScratchFolder scratch;
  const std::string steps =
      "title: T\nclauses: [STM-CORE-1]\nsteps:\n  - expect: {status: {state: PENDING}}\n";
  const std::string first = scratch.write("one.yaml", "id: a/b\n" + steps);
  const std::string second = scratch.write("two.yaml", "# a comment\nid: a/b\n" + steps);
  const ProgramResult linted = run_program({"lint", first, second});
  EXPECT_EQ(linted.exit_code, 2);
  EXPECT_EQ(linted.err, second + ":2:1: the id a/b is that of " + first + ":1 too\n");
  const std::string folder = first.substr(0, first.rfind('/'));
  const ProgramResult ran = run_program({"run", "--scenarios", folder});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("the id a/b is that of " + first + ":1 too"));
}

TEST(Lint, AScenarioWhoseOnlyEvidenceIsAnAbsenceIsRefused) {
  const ScratchFolder scratch;
  const std::string head = "id: a/b\ntitle: T\nclauses: [EVT-LOG-1]\nsteps:\n  - start: {}\n";
  const std::string file = scratch.write("a.yaml", head + "  - expect: {events: {count: 0}}\n");
  const ProgramResult result = run_program({"lint", file});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr(file + ":1:1: a/b expects absences alone"));
  (void)scratch.write("a.yaml",
                      head + "  - post: {type: step.enter}\n  - expect: {events: {count: 1}}\n");
  EXPECT_EQ(run_program({"lint", file}).exit_code, 0);
}

TEST(Lint, KnowsProfilesAndBaselinesByTheirMembers) {
  const ScratchFolder scratch;
  const std::string profile = scratch.write("profile.yaml", "name: x\nbase_url: ftp://x\n");
  const std::string baseline =
      scratch.write("baseline.yaml", "expected_failures:\n  - {case: a}\n");
  const ProgramResult result = run_program({"lint", profile, baseline});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr(profile + ":2:11: "));
  EXPECT_THAT(result.err, HasSubstr(baseline + ":2:5: "));
  EXPECT_THAT(result.out, HasSubstr("1 profile, 1 baseline"));
}

TEST(Lint, KnowsTheSmallestProfileForOne) {
  const ScratchFolder scratch;
  const std::string profile = scratch.write("p.yaml", "name: x\nextends: reference\n");
  const ProgramResult result = run_program({"lint", profile});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("1 profile:"));
}

TEST(Lint, AnInterpretationIsOneOfTheKnownGapsAndChoices) {
  const ScratchFolder scratch;
  const std::string profile = scratch.write(
      "profile.yaml", "name: x\nbase_url: http://x\ninterpretations: {closed_gat: holds}\n");
  EXPECT_THAT(run_program({"lint", profile}).err, HasSubstr("did you mean \"closed_gate\"?"));
}

TEST(Schema, PrintsEachSchema) {
  for (const char* name : {"scenario", "profile", "baseline", "record", "report"}) {
    const ProgramResult result = run_program({"schema", name});
    EXPECT_EQ(result.exit_code, 0) << name;
    EXPECT_THAT(result.out, HasSubstr("\"$schema\"")) << name;
  }
  EXPECT_EQ(run_program({"schema", "scenarios"}).exit_code, 2);
}

/// What bash offers after these words, the last of which is being typed.
std::string completed(const std::string& words) {
  const ScratchFolder scratch;
  const std::string script = scratch.write(
      "complete.sh",
      "export PATH=$(dirname \"$ASSAY\"):$PATH\nsource <(\"$ASSAY\" completion "
      "bash)\nCOMP_WORDS=(" +
          words + ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_assay\necho \"${COMPREPLY[*]}\" > " +
          scratch.path("out") + "\n");
  const std::string command = "ASSAY=" + shell_word(ASSAY_PROGRAM) + " bash " + script;
  EXPECT_EQ(std::system(command.c_str()), 0) << words;
  return scratch.read("out");
}

TEST(Completion, OfBashKnowsClausesFormatsAndVerbs) {
  EXPECT_EQ(completed("assay expla"), "explain\n");
  EXPECT_EQ(completed("assay explain STM-INF-BA"), "STM-INF-BATCH\n");
  EXPECT_EQ(completed("assay run --clause STM-INF-BA"), "STM-INF-BATCH\n");
  EXPECT_EQ(completed("assay report r --format mark"), "markdown\n");
  EXPECT_EQ(completed("assay run --requi"), "--require-coverage --require-shown\n");
  EXPECT_EQ(completed("assay help sel"), "selftest\n");
}

TEST(Completion, GivesEachShellAScript) {
  EXPECT_THAT(run_program({"completion", "bash"}).out, HasSubstr("-F _assay assay"));
  EXPECT_THAT(run_program({"completion", "zsh"}).out, StartsWith("#compdef assay\nautoload"));
  EXPECT_THAT(run_program({"completion", "fish"}).out, HasSubstr("-a explain"));
  EXPECT_EQ(run_program({"completion", "tcsh"}).exit_code, 2);
}

constexpr const char* record_header =
    R"({"type":"header","format":1,"assay_version":"0","profile":"reference","seed":1,"target":"http://x"})"
    "\n";
constexpr const char* record_case =
    R"({"type":"case","id":"a/b","clauses":["STM-CORE-1"],"verdict":"pass",)"
    R"("checks":[{"clauses":["STM-CORE-1"],"verdict":"pass"}]})"
    "\n";
constexpr const char* record_footer = R"({"type":"footer","cases":1,"duration_ms":1})"
                                      "\n";

TEST(Report, ARecordWithoutFooterIsCutShort) {
  const ScratchFolder scratch;
  const std::string file = scratch.write("record.ndjson", std::string(record_header) + record_case);
  const ProgramResult result = run_program({"report", file});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.out, StartsWith("Cut short"));
  EXPECT_THAT(result.err, HasSubstr("is incomplete: the run was interrupted"));
}

TEST(Report, AWholeRecordGivesTheExitCodeOfItsRun) {
  const ScratchFolder scratch;
  const std::string file =
      scratch.write("record.ndjson", std::string(record_header) + record_case + record_footer);
  EXPECT_EQ(run_program({"report", file}).exit_code, 0);
  const ProgramResult html =
      run_program({"report", file, "--format", "html", "--output", scratch.path("x.html")});
  EXPECT_EQ(html.exit_code, 0);
  EXPECT_EQ(html.out, "");
  EXPECT_THAT(scratch.read("x.html"), StartsWith("<!doctype html>"));
}

TEST(Report, AVerdictThatTheChecksDoNotSupportIsRefused) {
  const ScratchFolder scratch;
  const std::string header = record_header;
  const auto refused = [&](const std::string& cases) {
    const std::string file = scratch.write("record.ndjson", header + cases);
    const ProgramResult result = run_program({"report", file});
    EXPECT_EQ(result.exit_code, 2) << cases << result.out;
    EXPECT_EQ(result.out, "");
    return result.err;
  };
  const auto one = [](const std::string& verdict, const std::string& checks) {
    return R"({"type":"case","id":"a/b","clauses":["STM-CORE-1"],"verdict":")" + verdict +
           R"(","checks":[)" + checks + "]}\n";
  };
  const std::string failing = R"({"clauses":["STM-CORE-1"],"verdict":"fail"})";
  EXPECT_THAT(refused(one("pass", failing)),
              HasSubstr(":2:1: a/b is said to be pass, and its checks come to fail"));
  EXPECT_THAT(refused(one("not_applicable", failing)), HasSubstr("come to fail"));
  EXPECT_THAT(refused(one("pass", "")), HasSubstr("its checks come to inconclusive"));
  const auto retried = [&](const std::string& verdict) {
    return R"({"type":"case","id":"a/b","clauses":["STM-CORE-1"],"verdict":"fail","checks":[)" +
           failing + R"(],"retries":[{"verdict":")" + verdict + R"(","duration_ms":1,"checks":[)" +
           failing + R"(],"exchanges":[]}]})" + "\n";
  };
  for (const char* verdict : {"pass", "not_applicable"}) {
    EXPECT_THAT(refused(retried(verdict)), HasSubstr(std::string("a retry of a/b is said to be ") +
                                                     verdict + ", and its checks come to fail"));
  }
  EXPECT_THAT(refused(std::string(record_case) + record_case),
              HasSubstr(":3:1: a/b is there twice, in line 2 too"));
}

TEST(Report, WhatIsNoRecordOrNoFormatIsAUsageError) {
  const ScratchFolder scratch;
  const std::string file = scratch.write("record.ndjson", "{\n");
  EXPECT_EQ(run_program({"report", file + ".none"}).exit_code, 2);
  const ProgramResult broken = run_program({"report", file});
  EXPECT_EQ(broken.exit_code, 2);
  EXPECT_THAT(broken.err, HasSubstr(file + ":1:"));
  EXPECT_THAT(run_program({"report", file, "--format", "htm"}).err,
              HasSubstr("did you mean \"html\"?"));
}

TEST(Probe, ShowsWhatEachOperationOfTheReferenceReturns) {
  const ProgramResult result = run_program({"probe", "--in-process", "--control"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("executions.status      200 accepted"));
  EXPECT_THAT(result.out, HasSubstr("runs.transition        200 accepted"));
  EXPECT_THAT(result.out, Not(HasSubstr("not sent")));
}

TEST(Probe, ARequestThatTheTargetTakesForMalformedIsSaidThereAndInARun) {
  const ScratchFolder scratch;
  const std::string profile =
      scratch.write("wrong.yaml",
                    "name: wrong\nbase_url: http://127.0.0.1:1\n"
                    "capabilities: [runs.create, runs.get, runs.transition]\n"
                    "operations:\n"
                    "  runs.create: {request: POST /runs}\n"
                    "  runs.get: {request: 'GET /runs/${run_id}'}\n"
                    "  runs.transition:\n"
                    "    request: POST /runs/${run_id}/transitions\n"
                    "    body: {too: '${to}'}\n");
  const ProgramResult probed = run_program({"probe", "--in-process", "--profile", profile});
  EXPECT_EQ(probed.exit_code, 1) << probed.out;
  EXPECT_THAT(probed.out,
              HasSubstr("    ! the target refuses this request as malformed: /to: to is "
                        "required; in operations.runs.transition write"));
  const ProgramResult judged = run_program(
      {"run", "--in-process", "--profile", profile, "--quiet", "runs/*", "--seed", "7"});
  EXPECT_THAT(judged.out, HasSubstr("runs.transition requests as malformed (422: "));
}

TEST(Probe, ADeadPortIsNotReachable) {
  const ProgramResult result = run_program({"probe", "--target", "http://127.0.0.1:1"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.err, "assay: http://127.0.0.1:1: the connection was refused\n");
}

TEST(Init, WritesToStandardOutputWhereADashStandsForTheFile) {
  const ProgramResult result = run_program({"init", "--surface", "runs", "-o", "-"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("operations:"));
}

}  // namespace
}  // namespace assay::cli
