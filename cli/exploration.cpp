#include "cli/exploration.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/encoding.h"
#include "base/rfc3339.h"
#include "cli/report_files.h"
#include "cli/specification.h"
#include "cli/usage_error.h"
#include "cli/version_text.h"
#include "harness/check/coverage.h"
#include "harness/check/judge.h"
#include "harness/run/scheduler.h"
#include "harness/wire/scenario_writer.h"
#include "harness/wire/yaml.h"
#include "properties/family.h"
#include "reports/curl.h"
#include "reports/wording.h"

namespace assay::cli {
namespace {

using core::Verdict;
using properties::FamilyTally;
using properties::Finding;

/// "properties/run-walks-17" becomes "counterexamples/run-walks-17-seed-7": two campaigns' cases
/// can lie in one folder.
std::string saved_id(const Finding& finding, std::uint64_t seed) {
  const std::string& id = finding.scenario.id;
  return fmt::format("counterexamples/{}-seed-{}", id.substr(id.find('/') + 1), seed);
}

std::string word_of(Verdict verdict) {
  if (verdict == Verdict::pass) return "FIXED";
  return verdict == Verdict::fail ? "FAILED" : "ERROR";
}

const core::Check* failed_check(const core::CaseResult& result) {
  const auto found =
      std::find_if(result.checks.begin(), result.checks.end(),
                   [](const core::Check& check) { return check.verdict == Verdict::fail; });
  return found == result.checks.end() ? nullptr : &*found;
}

std::string finding_text(const Finding& finding) {
  std::string text = fmt::format("\nFAIL  {}\n", finding.cause);
  if (const core::Check* check = failed_check(finding.result)) {
    text += fmt::format("  clauses   {}\n  expected  {}\n  actual    {}\n",
                        fmt::join(check->clauses, ", "), check->expected, check->actual);
  }
  text += fmt::format("  {} case{} of this cause; reproduced {} of 3 times{}\n", finding.count,
                      finding.count == 1 ? "" : "s", finding.reproduced,
                      finding.is_flaky() ? ": flaky, not made smaller" : "");
  if (!finding.is_flaky()) {
    text += fmt::format("  {} commands as found, {} in the smallest ({} runs, {} requests)\n",
                        finding.moves_found, finding.moves_left, finding.shrink_runs,
                        finding.shrink_requests);
  }
  return text;
}

std::uint64_t sum(const std::vector<FamilyTally>& families, std::uint64_t FamilyTally::* what) {
  std::uint64_t total = 0;
  for (const FamilyTally& tally : families) total += tally.*what;
  return total;
}

}  // namespace

void Exploration::begin(const LoadedProfile& profile, const ReadyTarget& ready,
                        const target::Clock& clock, std::uint64_t seed) {
  header_.assay_version = version_text;
  header_.suite_digest = "properties";
  header_.profile = profile.profile.name;
  header_.profile_digest = profile.digest;
  header_.target = core::Secrets(profile.profile).masked(profile.profile.base_url);
  header_.target_source = ready.source();
  // Generated cases are no whole suite, however many they are.
  header_.selection = {"generated cases"};
  header_.selection.insert(header_.selection.end(), selection.begin(), selection.end());
  header_.seed = seed;
  header_.started_at = rfc3339(clock.wall_time());
  coverage_.emplace(profile.profile, wire::value_of_yaml);
}

void Exploration::run_corpus(boost::asio::io_context& io, const run::RunContext& context,
                             const std::string& folder, const std::stop_token& stop) {
  const Suite suite = load_suite(folder);
  std::vector<core::Case> cases;
  for (const core::Scenario& scenario : suite.scenarios) {
    for (core::Case& each : core::cases_of(scenario)) cases.push_back(std::move(each));
  }
  run::RunOptions options;
  options.stop = stop;
  for (core::CaseResult& result : run::run_cases(io, context, cases, options).record.cases) {
    result.repro = fmt::format("{} --scenarios {} --case {}", command, shell_word(folder),
                               shell_word(result.id));
    corpus_.push_back({result.id, word_of(result.verdict), std::move(result)});
  }
}

void Exploration::add(const core::CaseResult& result) {
  if (coverage_) coverage_->add(result.history);
  const std::string family = result.id.substr(0, result.id.rfind('-'));
  for (const core::Check& check : result.checks) {
    if (check.verdict != Verdict::pass) continue;
    for (const std::string& clause : check.clauses) ++passed_[family][clause];
  }
}

void Exploration::save(const std::string& folder) {
  std::error_code trouble;
  std::filesystem::create_directories(folder, trouble);
  if (trouble) throw UsageError(fmt::format("{}: {}", folder, trouble.message()));
  for (Finding& finding : outcome_.findings) {
    core::Scenario scenario = finding.scenario;
    scenario.id = saved_id(finding, header_.seed);
    const std::string comment = fmt::format(
        "cause: {}\nseed {}, assay {}, profile {} ({})\nfound {} times, reproduced {} of 3 times",
        finding.cause, header_.seed, header_.assay_version, header_.profile, header_.profile_digest,
        finding.count, finding.reproduced);
    const std::string name = scenario.id.substr(scenario.id.find('/') + 1) + ".yaml";
    const std::string path = (std::filesystem::path(folder) / name).string();
    write_file(path, wire::write_scenario(scenario, comment));
    finding.result.repro = fmt::format("{} --scenarios {}", command, shell_word(path));
    files_.push_back(path);
  }
}

std::string Exploration::text() const {
  std::string text;
  for (const SavedCase& saved : corpus_) text += fmt::format("{:<7} {}\n", saved.word, saved.id);
  if (!corpus_.empty()) text += "\n";
  text += fmt::format("{:<44} {:>8} {:>9} {:>9} {:>7} {:>9}\n", "family", "cases", "commands",
                      "requests", "failed", "undecided");
  for (const FamilyTally& tally : outcome_.families) {
    text += fmt::format("{:<44} {:>8} {:>9} {:>9} {:>7} {:>9}\n", tally.family, tally.cases,
                        tally.commands, tally.requests, tally.failed, tally.undecided);
    if (tally.undecided > 0) text += fmt::format("  undecided: {}\n", tally.reason);
  }
  for (std::size_t index = 0; index < outcome_.findings.size(); ++index) {
    text += finding_text(outcome_.findings[index]);
    if (!files_.empty()) {
      text += fmt::format("  again     {}\n", outcome_.findings[index].result.repro);
    } else {
      text += fmt::format("  again     the same command with --seed {} --save DIR\n", header_.seed);
    }
  }
  text += fmt::format(
      "\n{} cases, {} commands, {} requests in {:.1f} s{}; seed {}; requests {:016x}\n",
      reports::count_text(sum(outcome_.families, &FamilyTally::cases)),
      reports::count_text(sum(outcome_.families, &FamilyTally::commands)),
      reports::count_text(sum(outcome_.families, &FamilyTally::requests)), duration_ms / 1'000,
      outcome_.was_cut_short ? " (stopped)" : "", header_.seed, outcome_.request_digest);
  text += fmt::format("model coverage: {}\n", reports::coverage_text(footer()));
  for (const std::string& note : notes) text += fmt::format("note: {}\n", note);
  if (!is_deterministic) text += "NOT DETERMINISTIC: the second run sent different requests\n";
  return text + fmt::format("{} cause{} of failure\n", outcome_.findings.size(),
                            outcome_.findings.size() == 1 ? "" : "s");
}

Value Exploration::json() const {
  List families;
  for (const FamilyTally& tally : outcome_.families) {
    families.emplace_back(Object{{"family", tally.family},
                                 {"cases", tally.cases},
                                 {"commands", tally.commands},
                                 {"requests", tally.requests},
                                 {"failed", tally.failed},
                                 {"undecided", tally.undecided},
                                 {"reason", tally.reason}});
  }
  List findings;
  for (std::size_t index = 0; index < outcome_.findings.size(); ++index) {
    const Finding& finding = outcome_.findings[index];
    const core::Check* check = failed_check(finding.result);
    findings.emplace_back(Object{
        {"cause", finding.cause},
        {"family", finding.family},
        {"count", finding.count},
        {"reproduced", finding.reproduced},
        {"commands_found", static_cast<std::uint64_t>(finding.moves_found)},
        {"commands_left", static_cast<std::uint64_t>(finding.moves_left)},
        {"shrink_runs", static_cast<std::uint64_t>(finding.shrink_runs)},
        {"shrink_requests", static_cast<std::uint64_t>(finding.shrink_requests)},
        {"clauses", check == nullptr ? List() : List(check->clauses.begin(), check->clauses.end())},
        {"expected", check == nullptr ? Value() : Value(check->expected)},
        {"actual", check == nullptr ? Value() : Value(check->actual)},
        {"file", files_.empty() ? Value() : Value(files_[index])},
        {"scenario", wire::write_scenario(finding.scenario)},
    });
  }
  List corpus;
  for (const SavedCase& saved : corpus_) {
    corpus.emplace_back(Object{{"case", saved.id}, {"verdict", saved.word}});
  }
  const core::RecordFooter counted = footer();
  const check::CoverageTotal total = check::coverage_total(counted.coverage);
  List never;
  for (std::string& name : check::never_exercised(counted.coverage)) {
    never.emplace_back(std::move(name));
  }
  return Object{{"seed", header_.seed},
                {"model_coverage", Object{{"seen", static_cast<std::uint64_t>(total.seen)},
                                          {"defined", static_cast<std::uint64_t>(total.defined)},
                                          {"percent", total.percent()},
                                          {"never", std::move(never)}}},
                {"request_digest", fmt::format("{:016x}", outcome_.request_digest)},
                {"deterministic", is_deterministic},
                {"cut_short", outcome_.was_cut_short},
                {"notes", List(notes.begin(), notes.end())},
                {"duration_ms", duration_ms},
                {"families", std::move(families)},
                {"findings", std::move(findings)},
                {"corpus", std::move(corpus)},
                {"exit_code", static_cast<int>(exit_code())}};
}

core::RunRecord Exploration::record() const {
  core::RunRecord record;
  record.header = header_;
  for (const SavedCase& saved : corpus_) record.cases.push_back(saved.result);
  for (const FamilyTally& tally : outcome_.families) {
    core::CaseResult result;
    result.id = tally.family;
    result.title = fmt::format("{} generated cases, {} failed, {} undecided", tally.cases,
                               tally.failed, tally.undecided);
    result.seed = fmt::format("{}", header_.seed);
    const auto passed = passed_.find(tally.family);
    result.verdict =
        passed == passed_.end() ? tally.worst : core::merge(Verdict::pass, tally.worst);
    result.reason = tally.cases == 0 ? "no case was run" : tally.reason;
    if (passed != passed_.end()) {
      for (const auto& [clause, times] : passed->second) {
        result.clauses.push_back(clause);
        core::Check check;
        check.clauses = {clause};
        check.verdict = Verdict::pass;
        check.looks = static_cast<std::int64_t>(times);
        result.checks.push_back(std::move(check));
      }
    }
    record.cases.push_back(std::move(result));
  }
  for (const Finding& finding : outcome_.findings) record.cases.push_back(finding.result);
  if (was_interrupted) return record;
  record.footer = footer();
  record.footer->cases = record.cases.size();
  return record;
}

core::RecordFooter Exploration::footer() const {
  core::RecordFooter footer;
  footer.duration_ms = duration_ms;
  footer.stopped = outcome_.unreachable;
  footer.notes = notes;
  if (coverage_) footer.coverage = coverage_->layers();
  return footer;
}

core::ExitCode Exploration::exit_code() const {
  if (!is_deterministic) return core::ExitCode::harness_fault;
  return check::exit_code_of(record(), &clause_table());
}

}  // namespace assay::cli
