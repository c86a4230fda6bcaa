#include "reports/render.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "base/visible.h"
#include "reports/matrix_report.h"
#include "reports/sample_record.h"

namespace assay::reports {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string rendered(std::string_view format, const core::RunRecord& record) {
  return find_format(format)->render(
      make_report(record, sample_clauses(), {.limit_bytes = 600, .steps_of_passes = true}), {});
}

core::RunRecord cut_short() {
  core::RunRecord record = sample_record();
  record.cases.resize(1);
  record.footer.reset();
  return record;
}

std::string golden_path(const std::string& name) {
  return std::string(ASSAY_SOURCE_DIR) + "/reports/golden/" + name;
}

/// Compares with the stored file; UPDATE_GOLDEN=1 stores it anew.
void expect_golden(const std::string& name, const std::string& text) {
  if (std::getenv("UPDATE_GOLDEN") != nullptr) {
    std::ofstream(golden_path(name), std::ios::binary) << text;
    return;
  }
  const std::ifstream file(golden_path(name), std::ios::binary);
  ASSERT_TRUE(file) << name << " is missing: run the test with UPDATE_GOLDEN=1";
  std::ostringstream stored;
  stored << file.rdbuf();
  EXPECT_EQ(text, stored.str()) << "if this is meant, run the test with UPDATE_GOLDEN=1";
}

class EachFormat : public ::testing::TestWithParam<Format> {};

INSTANTIATE_TEST_SUITE_P(Render, EachFormat, ::testing::ValuesIn(formats()),
                         [](const auto& format) { return std::string(format.param.name); });

TEST_P(EachFormat, MatchesItsGoldenFile) {
  expect_golden("sample." + std::string(GetParam().name),
                rendered(GetParam().name, sample_record()));
}

TEST_P(EachFormat, SaysThatARecordWithoutFooterWasCutShort) {
  const std::string text = rendered(GetParam().name, cut_short());
  EXPECT_THAT(text, HasSubstr("Cut short"));
  EXPECT_THAT(text, Not(HasSubstr("Conforms")));
}

TEST_P(EachFormat, ShowsNoSecretAndNoRawControlCharacter) {
  const std::string text = rendered(GetParam().name, sample_record());
  EXPECT_THAT(text, Not(HasSubstr(sample_secret)));
  EXPECT_TRUE(is_plain(text));
}

TEST_P(EachFormat, GivesTheSameBytesForTheSameRecord) {
  EXPECT_EQ(rendered(GetParam().name, sample_record()), rendered(GetParam().name, sample_record()));
}

TEST_P(EachFormat, RendersARecordWithNothingInIt) {
  EXPECT_FALSE(rendered(GetParam().name, {}).empty());
}

/// A failing case whose exchanges have these operations and times.
core::RunRecord record_of_exchanges(
    const std::vector<std::tuple<std::string, double, double>>& exchanges) {
  core::RunRecord record = sample_record();
  core::CaseResult& broken = record.cases.at(1);
  const core::Exchange sample = broken.exchanges.front();
  broken.exchanges.clear();
  for (const auto& [operation, called_ms, returned_ms] : exchanges) {
    broken.exchanges.push_back(sample);
    broken.exchanges.back().operation = operation;
    broken.exchanges.back().called_ms = called_ms;
    broken.exchanges.back().returned_ms = returned_ms;
  }
  record.cases = {broken};
  return record;
}

/// All cases of it pass; half of its model was exercised.
core::RunRecord half_covered() {
  core::RunRecord record = sample_record();
  std::erase_if(record.cases,
                [](const core::CaseResult& each) { return each.verdict != core::Verdict::pass; });
  for (core::CaseResult& each : record.cases) each.unexpected_pass = false;
  record.footer->baseline_findings.clear();
  record.footer->coverage = {
      {"run", {"created", "running"}, {"created"}, {"created -> running: RUN-T1"}, {}, {}, {}},
      {"events", {"step.<done>"}, {"step.<done>"}, {}, {}, {}, {}}};
  return record;
}

TEST(ModelCoverage, IsOneLineOfTheTextReport) {
  EXPECT_THAT(rendered("text", half_covered()),
              HasSubstr("model coverage: 2 of 4 states and transitions of the model (50 %)\n"));
}

TEST(ModelCoverage, ThatIsTooLittleIsTheConclusionAndNamesWhatIsMissing) {
  core::RunRecord record = half_covered();
  record.footer->required_coverage = 50.1;
  const std::string text = rendered("text", record);
  EXPECT_THAT(text, StartsWith("Not exercised enough  2 of 4 states and transitions of the model "
                               "(50 %), 50.1 % required."));
  EXPECT_THAT(text, HasSubstr("  never exercised:\n    run: running\n"
                              "    run: created -> running: RUN-T1\n"));
  EXPECT_THAT(text, HasSubstr("exit code 1\n"));
  const json report = json::parse(rendered("json", record));
  EXPECT_EQ(report["model_coverage"],
            json::parse(R"({"seen": 2, "defined": 4, "percent": 50.0, "required_percent": 50.1,
                            "never": ["run: running", "run: created -> running: RUN-T1"]})"));
  record.footer->required_coverage = 50;
  EXPECT_THAT(rendered("text", record), HasSubstr("exit code 0\n"));
}

TEST(ModelCoverage, ListsInHtmlWhatHasNoTransitionsToDraw) {
  const std::string page = rendered("html", half_covered());
  EXPECT_THAT(page,
              HasSubstr("<figcaption>events<span>1 of 1</span></figcaption>\n"
                        "<ul class=\"transitions\">\n<li class=\"seen\"><code>step.&lt;done"));
  EXPECT_THAT(page, HasSubstr("States and transitions of run"));
  EXPECT_THAT(page, Not(HasSubstr("States and transitions of events")));
}

constexpr std::string_view timeline = "<figure class=\"timeline\">";

TEST(RenderHtml, DrawsWhatWasUnderWayAtTheSameTime) {
  const std::string page = rendered("html", record_of_exchanges({{"executions.start", 0, 1},
                                                                 {"events.<post>", 2, 6},
                                                                 {"executions.cancel", 4, 12},
                                                                 {"executions.status", 7, 9},
                                                                 {"executions.detail", 20, 21}}));
  ASSERT_THAT(page, HasSubstr(timeline));
  const std::string drawn =
      page.substr(page.find(timeline), page.find("</figure>") - page.find(timeline));
  // From 2 to 12 ms in 708 units: the cancel has a lane of its own, the read follows the post.
  EXPECT_THAT(drawn, HasSubstr("<g class=\"bar\"><title>1. events.&lt;post&gt;, 2.00 to 6.00 ms"
                               "</title><rect x=\"6.0\" y=\"2.0\" width=\"283.2\""));
  EXPECT_THAT(drawn, HasSubstr("<g class=\"bar evidence\"><title>2. executions.cancel, 4.00 to "
                               "12.00 ms</title><rect x=\"147.6\" y=\"26.0\" width=\"566.4\""));
  EXPECT_THAT(drawn, HasSubstr("<title>3. executions.status, 7.00 to 9.00 ms</title>"
                               "<rect x=\"360.0\" y=\"2.0\" width=\"141.6\""));
  EXPECT_THAT(drawn,
              HasSubstr("<li class=\"evidence\">executions.cancel <span class=\"quiet\">201"));
  EXPECT_THAT(drawn, Not(HasSubstr("executions.start")));
  EXPECT_THAT(drawn, Not(HasSubstr("executions.detail")));
}

TEST(RenderHtml, DrawsNoTimelineWhereOneCallFollowedTheOther) {
  const std::string page =
      rendered("html", record_of_exchanges({{"a", 0, 1}, {"b", 1, 2}, {"c", 2, 2}, {"d", 5, 4}}));
  EXPECT_THAT(page, Not(HasSubstr(timeline)));
}

TEST(RenderText, ColoursOnlyWhenAsked) {
  EXPECT_THAT(render_text(make_report(sample_record(), sample_clauses()), {}),
              Not(HasSubstr("\x1b[")));
  EXPECT_THAT(render_text(make_report(sample_record(), sample_clauses()), {.colour = true}),
              HasSubstr("\x1b[1;31mDoes not conform"));
}

TEST(RenderText, SaysTheVerdictFirstAndLastAndFailuresBeforeWhatWasNotProven) {
  const std::string text = rendered("text", sample_record());
  EXPECT_EQ(text.find("Does not conform"), 0U);
  EXPECT_LT(text.find("status/batch-completed-zero-pending"), text.find("Not proven"));
  EXPECT_LT(text.find("Not proven"), text.rfind("Does not conform"));
  EXPECT_THAT(text, HasSubstr("\nselection: status/* api/*\n"));
}

/// A record in which `count` cases fail for one cause each, or all for the same.
core::RunRecord failing_cases(std::size_t count, bool alike) {
  core::RunRecord record = sample_record();
  const core::CaseResult sample = record.cases.at(1);
  record.cases.assign(count, sample);
  for (std::size_t index = 0; index < count; ++index) {
    core::CaseResult& each = record.cases[index];
    each.id = fmt::format("status/row[{}]", index);
    each.checks.front().expected = "executions.status /state: \"RUNNING\"";
    each.checks.front().actual = fmt::format("\"S{}\"", alike ? 0 : index);
  }
  return record;
}

TEST(RenderText, ShowsOneCaseOfACauseAndNamesTheOthers) {
  const std::string text = rendered("text", failing_cases(300, true));
  EXPECT_THAT(text,
              HasSubstr("fail  STM-INF-BATCH: executions.status /state is \"S0\"  300 cases\n"));
  EXPECT_THAT(text, HasSubstr("\n    POST /executions/it%27s%201/events  batch.completed, event_id "
                              "e1 → 201 seq 1\n    GET /executions/it%27s%201/status → 200 state "
                              "COMPLETED\n    expected  executions.status /state: \"RUNNING\"\n"));
  EXPECT_THAT(text, HasSubstr("others    status/row[1], status/row[2]"));
  EXPECT_THAT(text, HasSubstr("and 291 more\n"));
  EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 40);
}

TEST(RenderText, SumsUpManyCausesUnlessAllIsAskedFor) {
  const Report report = make_report(failing_cases(30, false), sample_clauses());
  const std::string text = render_text(report, {});
  EXPECT_THAT(text, HasSubstr("Further causes\n  fail  STM-INF-BATCH: executions.status /state is "
                              "\"S20\" (1 case)\n"));
  EXPECT_THAT(text, Not(HasSubstr("curl")));
  const std::string all = render_text(report, {.verbose = true});
  EXPECT_THAT(all, Not(HasSubstr("Further causes")));
  EXPECT_THAT(all, HasSubstr("$         curl -i"));
  EXPECT_THAT(all, HasSubstr("Slowest cases"));
}

TEST(RenderText, ShowsTheLastOfManyStepsAndSaysHowManyCameBefore) {
  core::RunRecord record = failing_cases(1, true);
  core::CaseResult& result = record.cases.front();
  const core::Exchange post = result.exchanges.at(1);
  for (int number = 0; number < 50; ++number) {
    result.exchanges.push_back(post);
    result.exchanges.back().response->body = fmt::format("{{\"seq\":{}}}", 10 + number / 2);
  }
  result.checks.front().evidence = {result.exchanges.size() - 1};
  const std::string text = rendered("text", record);
  EXPECT_THAT(text, HasSubstr("    … 17 steps before\n"));
  EXPECT_THAT(text, HasSubstr("→ 201 seq 34  (sent 2 times, same answer)\n    expected"));
}

TEST(RenderJson, HasTheFieldsThatProgramsRead) {
  const json report = json::parse(rendered("json", sample_record()));
  EXPECT_EQ(report["summary"], json({{"cases", 8},
                                     {"pass", 1},
                                     {"fail", 2},
                                     {"inconclusive", 1},
                                     {"error", 1},
                                     {"not_applicable", 1},
                                     {"expected_fail", 1},
                                     {"unexpected_pass", 1},
                                     {"flaky", 0}}));
  EXPECT_EQ(report["exit_code"], 1);
  EXPECT_EQ(report["clauses"].size(), sample_clauses().clauses().size());
  EXPECT_EQ(report["clauses"][1], json({{"id", "STM-INF-BATCH"},
                                        {"level", "MUST"},
                                        {"verdict", "fail"},
                                        {"checks", 1},
                                        {"cases", 1},
                                        {"follows", nullptr},
                                        {"sensitivity", nullptr}}));
  const json& finding = report["cases"][1]["findings"][0];
  EXPECT_EQ(finding["clause"], "STM-INF-BATCH");
  EXPECT_EQ(finding["evidence"][0]["answer"], "200");
  EXPECT_THAT(finding["repro"].get<std::string>(), HasSubstr("assay run"));
  EXPECT_EQ(report["coverage"][0]["layer"], "execution");
  EXPECT_EQ(report["cut_short"], false);
  EXPECT_EQ(json::parse(rendered("json", cut_short()))["exit_code"], 4);
}

TEST(RenderJunit, MapsOutcomesToWhatReadersKnow) {
  const std::string text = rendered("junit", sample_record());
  EXPECT_THAT(text, HasSubstr("<testsuites name=\"assay\" tests=\"9\" failures=\"4\" errors=\"2\" "
                              "time="));
  EXPECT_THAT(text, HasSubstr("<testsuite name=\"workflow\" tests=\"1\" failures=\"0\" "
                              "errors=\"0\" time=\"0.013\" skipped=\"1\""));
  EXPECT_THAT(text, HasSubstr("<failure type=\"unexpected_pass\""));
  EXPECT_THAT(text, HasSubstr("<failure type=\"baseline_stale\""));
  EXPECT_THAT(text, HasSubstr("<error type=\"inconclusive\""));
  EXPECT_THAT(text, HasSubstr("<skipped message=\"needs workflow.start\"/>"));
}

TEST(RenderJunit, NamesSuitesAlikeInEachRun) {
  core::RunRecord record = sample_record();
  for (core::CaseResult& each : record.cases) each.seed = "8731";
  EXPECT_THAT(rendered("junit", record), Not(HasSubstr("8731")));
  EXPECT_THAT(rendered("ctrf", record), Not(HasSubstr("8731")));
}

TEST(RenderJunit, ACutShortRecordIsAnError) {
  EXPECT_THAT(rendered("junit", cut_short()), HasSubstr("tests=\"2\" failures=\"0\" errors=\"1\""));
}

TEST(RenderMarkdown, TextOfATargetCannotEndItsFence) {
  const std::string text = rendered("markdown", sample_record());
  EXPECT_THAT(text, HasSubstr("\n````\nGET /healthz → 500\nexpected  a JSON body\n"));
  EXPECT_THAT(text, Not(HasSubstr("<b>markup</b>")));
}

TEST(RenderMarkdown, SaysTheVerdictThenTheBaselineThenWhatIsBrokenThenWhy) {
  const std::string text = rendered("markdown", sample_record());
  std::size_t last = 0;
  for (const char* part :
       {"Does not conform", "Baseline entries that no longer match", "**Broken: 3 clauses**",
        "| STM-INF-BATCH | MUST |", "<details><summary>❌", "<summary>Not proven"}) {
    const std::size_t at = text.find(part);
    ASSERT_NE(at, std::string::npos) << part;
    EXPECT_LT(last, at) << part;
    last = at;
  }
}

TEST(RenderMarkdown, FitsIntoACommentHoweverMuchIsBroken) {
  core::RunRecord record = failing_cases(400, false);
  for (core::CaseResult& each : record.cases)
    each.checks.front().expected += std::string(3'000, 'x');
  const std::string text = rendered("markdown", record);
  EXPECT_LT(text.size(), 60'000U);
  EXPECT_THAT(text, HasSubstr("further causes in the full report."));
}

TEST(RenderHtml, LoadsNothingFromAnywhere) {
  const std::string text = rendered("html", sample_record());
  for (const char* reference : {"src=", "@import", "<link", "url(http", "<iframe"}) {
    EXPECT_THAT(text, Not(HasSubstr(reference)));
  }
}

TEST(RenderHtml, MarkupOfATargetIsText) {
  const std::string text = rendered("html", sample_record());
  EXPECT_THAT(text, HasSubstr("&lt;script&gt;alert(&#39;x&#39;)"));
  EXPECT_THAT(text, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(text, Not(HasSubstr("<b>markup")));
}

TEST(RenderHtml, SaysTheConclusionFirstThenTheFindingsThenWhatWasNotProven) {
  const std::string text = rendered("html", sample_record());
  const std::size_t conclusion = text.find("<h1>Does not conform</h1>");
  const std::size_t findings = text.find("id=\"findings\"");
  ASSERT_NE(conclusion, std::string::npos);
  EXPECT_LT(conclusion, findings);
  EXPECT_LT(findings, text.find("id=\"unproven\""));
  EXPECT_LT(text.find("href=\"#findings\""), text.find("href=\"#unproven\""));
}

TEST(RenderHtml, KeepsTheStepsOfEachCaseAsDataThatCannotEndItsElement) {
  const std::string text = rendered("html", sample_record());
  const std::string mark = "<script type=\"application/json\" id=\"data\">";
  const std::size_t begin = text.find(mark) + mark.size();
  const std::string inner = text.substr(begin, text.find("</script>", begin) - begin);
  EXPECT_THAT(inner, Not(HasSubstr("<")));
  const json data = json::parse(inner);
  ASSERT_EQ(data["cases"].size(), 8U);
  EXPECT_EQ(data["cases"][1][0], "status/batch-completed-zero-pending");
  EXPECT_EQ(data["cases"][1][6][0][1], 3) << "the third step decided";
  EXPECT_THAT(data["titles"][2].get<std::string>(), HasSubstr("<b>markup</b>"));
}

TEST(RenderHtml, NamesPlacesAlikeWhateverWasSelected) {
  core::RunRecord record = sample_record();
  record.cases.erase(record.cases.begin());
  for (const char* id :
       {"id=\"clause-STM-INF-BATCH\"", "id=\"case-status_batch-completed-zero-pending\""}) {
    EXPECT_THAT(rendered("html", sample_record()), HasSubstr(id));
    EXPECT_THAT(rendered("html", record), HasSubstr(id));
  }
}

TEST(RenderHtml, EachLinkHasItsPlace) {
  const std::string text = rendered("html", sample_record());
  std::size_t links = 0;
  const std::string mark = "href=\"#";
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1)) {
    const std::size_t begin = at + mark.size();
    const std::string id = text.substr(begin, text.find('"', begin) - begin);
    if (id.find('=') != std::string::npos) continue;  // It is a filter.
    EXPECT_THAT(text, HasSubstr(" id=\"" + id + "\"")) << id;
    ++links;
  }
  EXPECT_GT(links, 10U);
}

TEST(RenderHtml, EachHeadingOfASectionHasALinkToItself) {
  const std::string text = rendered("html", sample_record());
  std::size_t headings = 0;
  for (const char* mark : {"<h2", "<h3", "<h4"}) {
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1)) {
      const std::string heading = text.substr(at, text.find("</h", at) - at);
      EXPECT_THAT(heading, HasSubstr("<a class=\"self\" href=\"#")) << heading;
      ++headings;
    }
  }
  EXPECT_GT(headings, 6U);
}

TEST(RenderHtml, DrawsWhatWasExercisedApartFromWhatWasNot) {
  const std::string text = rendered("html", sample_record());
  EXPECT_THAT(text, HasSubstr("3 of 5 states · 2 of 4 transitions"));
  EXPECT_THAT(text, HasSubstr("<path class=\"seen\" marker-end=\"url(#arrow-execution-seen)\""));
  EXPECT_THAT(text, HasSubstr("<path class=\"unseen\""));
}

/// The results of the SARIF report of a record.
json sarif_results(const core::RunRecord& record) {
  return json::parse(rendered("sarif", record))["runs"][0]["results"];
}

TEST(RenderSarif, HasOneResultACauseWithTheSameFingerprintInEachRun) {
  const json results = sarif_results(failing_cases(300, true));
  ASSERT_EQ(results.size(), 1U);
  EXPECT_EQ(results[0]["ruleId"], "STM-INF-BATCH");
  EXPECT_EQ(results[0]["level"], "error");
  EXPECT_EQ(results[0]["occurrenceCount"], 300);
  EXPECT_EQ(results[0]["partialFingerprints"]["cause/v1"],
            "cause-STM-INF-BATCH-executions.status-state-is-S0");
}

TEST(RenderSarif, PointsAtTheReadersOwnScenarioOrBaselineAndNeverIntoTheProgram) {
  core::RunRecord record = failing_cases(1, true);
  record.cases.front().checks.front().at = "my scenarios/a%b.yaml:9:5";
  const auto place = [&record] {
    return sarif_results(record)[0]["locations"][0]["physicalLocation"];
  };
  EXPECT_EQ(place()["artifactLocation"]["uri"], "baseline.yaml");
  record.header.baseline.clear();
  EXPECT_TRUE(place().is_null());
  record.cases.front().repro += " --scenarios 'my scenarios'";
  EXPECT_EQ(place()["artifactLocation"]["uri"], "my%20scenarios/a%25b.yaml");
  EXPECT_EQ(place()["region"]["startLine"], 9);
}

TEST(RenderSarif, SaysThatARunWasCutShort) {
  EXPECT_EQ(json::parse(
                rendered("sarif", cut_short()))["runs"][0]["invocations"][0]["executionSuccessful"],
            false);
}

TEST(RenderCtrf, NeverCountsAnUndecidedCaseAsPassed) {
  const json summary = json::parse(rendered("ctrf", sample_record()))["results"]["summary"];
  EXPECT_EQ(summary["passed"], 1);
  EXPECT_EQ(summary["failed"], 3);
  EXPECT_EQ(summary["other"], 2);
  EXPECT_EQ(summary["start"], 1'767'323'045'000);
  EXPECT_EQ(summary["stop"], 1'767'323'046'834);
}

TEST(RenderEarl, AssertsEachClauseOnce) {
  const json graph = json::parse(rendered("earl", sample_record()))["@graph"];
  std::map<std::string, int> outcomes;
  for (const json& node : graph) {
    if (node["@type"] == "earl:Assertion") {
      ++outcomes[node["earl:result"]["earl:outcome"]["@id"].get<std::string>()];
    }
  }
  EXPECT_EQ(outcomes, (std::map<std::string, int>{{"earl:passed", 1},
                                                  {"earl:failed", 3},
                                                  {"earl:cantTell", 2},
                                                  {"earl:inapplicable", 1},
                                                  {"earl:untested", 1}}));
}

/// A run whose only clause passes, and which measured that with these faults.
core::RunRecord one_pass(std::vector<std::string> caught) {
  core::RunRecord record = sample_record();
  record.cases.resize(1);
  record.cases.front().clauses = {"STM-STATE-1"};
  for (core::Check& check : record.cases.front().checks) check.clauses = {"STM-STATE-1"};
  record.footer->cases = 1;
  record.footer->baseline_findings.clear();
  record.footer->sensitivity = {{.clause = "STM-STATE-1",
                                 .known = 3,
                                 .caught = std::move(caught),
                                 .hidden_by = {"`state` is unobserved in executions.<list>"}}};
  return record;
}

TEST(NotShown, IsNoConformance) {
  const core::RunRecord record = one_pass({});
  EXPECT_THAT(rendered("text", record), HasSubstr("Nothing shown"));
  EXPECT_THAT(rendered("text", record),
              HasSubstr("not shown: `state` is unobserved in executions.<list>"));
  EXPECT_THAT(rendered("badge", record), Not(HasSubstr("onforms")));
  EXPECT_THAT(rendered("markdown", record), Not(HasSubstr("Conforms")));
  EXPECT_THAT(rendered("html", record),
              HasSubstr("not shown: `state` is unobserved in executions.&lt;list&gt;"));
  EXPECT_THAT(rendered("junit", record),
              HasSubstr("name=\"assay.clauses.not_shown\" value=\"STM-STATE-1\""));
  EXPECT_THAT(rendered("earl", record), Not(HasSubstr("earl:passed")));
  const json clause = json::parse(rendered("json", record))["clauses"][2];
  EXPECT_EQ(clause["verdict"], "not_shown");
  EXPECT_EQ(clause["sensitivity"]["caught"], 0);
  EXPECT_EQ(clause["sensitivity"]["known"], 3);
}

TEST(NotShown, IsNotSaidToHoldInAMatrix) {
  const std::vector<MatrixColumn> columns = {
      {"hidden", make_report(one_pass({}), sample_clauses())},
      {"seen", make_report(one_pass({"a-fault"}), sample_clauses())}};
  EXPECT_THAT(matrix_text(columns), HasSubstr("0 hold, 0 broken, 1 not shown"));
  EXPECT_THAT(matrix_text(columns), HasSubstr("1 hold, 0 broken"));
  EXPECT_THAT(matrix_markdown(columns), HasSubstr("| **not shown** | **holds** |"));
  EXPECT_THAT(matrix_html(columns),
              HasSubstr("<td class=\"not_shown\">not shown</td><td class=\"holds\">holds</td>"));
}

TEST(NotShown, IsNotSaidOfWhatWouldHaveBeenNoticed) {
  const core::RunRecord record = one_pass({"a-fault", "another"});
  EXPECT_THAT(rendered("text", record), HasSubstr("Selected case passes"));
  EXPECT_THAT(rendered("html", record),
              HasSubstr("would have caught 2 of 3 known ways to break it"));
  const json clause = json::parse(rendered("json", record))["clauses"][2];
  EXPECT_EQ(clause["verdict"], "pass");
  EXPECT_EQ(clause["sensitivity"]["faults"], json({"a-fault", "another"}));
}

}  // namespace
}  // namespace assay::reports
