#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "base/digest.h"
#include "cli/generated.h"
#include "cli/judging.h"
#include "cli/record_file.h"
#include "cli/recorded_run.h"
#include "cli/suite.h"
#include "cli/usage_error.h"
#include "cli/verbs.h"
#include "harness/check/judge.h"
#include "harness/check/merging.h"
#include "harness/run/control.h"
#include "harness/run/identity.h"
#include "harness/run/pairing.h"
#include "harness/run/rederivation.h"
#include "harness/run/rounds.h"
#include "harness/wire/profile_reader.h"

namespace assay::cli {
namespace {

struct VerifyOptions {
  std::string record;
  std::string scenarios;
  TargetChoice target;
  bool has_profile = false;
  /// How many cases are performed again.
  std::size_t replayed = 0;
};

/// A record with what it takes to come to its verdicts again.
struct Subject {
  /// Without what was asked and answered.
  core::RunRecord record;
  LoadedProfile profile;
  Suite suite;
};

/// What was found so far.
struct Findings {
  std::size_t agreed = 0;
  /// Cases whose verdicts rest on what is not recorded, by what that is.
  std::map<std::string_view, std::vector<std::string>> underivable;
  std::vector<std::string> faults;
};

constexpr std::string_view cut_answers = "what they were told is not recorded whole";
constexpr std::string_view lost_setup = "what the profile's setup was told is not recorded";
constexpr std::string_view doubted_answers = "what nobody had asked for is not recorded";

std::string without_numbers_before(std::string_view unit, std::string_view text) {
  std::string rest;
  while (true) {
    const std::size_t at = text.find(unit);
    if (at == std::string_view::npos) return rest.append(text);
    const std::size_t before = text.substr(0, at).find_last_not_of("0123456789.");
    rest.append(text.substr(0, before == std::string_view::npos ? 0 : before + 1)).append(unit);
    text.remove_prefix(at + unit.size());
  }
}

/// A text without what the record does not know exactly: when a call began, to within the time that
/// assay itself took ("12.50 ms"), and how often it looked in vain ("13 looks").
std::string timeless(std::string_view text) {
  return without_numbers_before(" looks)", without_numbers_before(" ms", text));
}

std::string quoted_difference(std::string_view what, std::string_view said,
                              std::string_view derived) {
  if (said == derived) return "";
  return fmt::format("{} is \"{}\", derived \"{}\"", what, said, derived);
}

std::string difference(const core::Check& said, const core::Check& derived) {
  for (std::string text :
       {quoted_difference("the verdict", core::verdict_words[said.verdict],
                          core::verdict_words[derived.verdict]),
        quoted_difference("the place", said.at, derived.at),
        quoted_difference("what was expected", timeless(said.expected), timeless(derived.expected)),
        quoted_difference("what came", timeless(said.actual), timeless(derived.actual)),
        quoted_difference("the reason", timeless(said.reason), timeless(derived.reason)),
        quoted_difference("the list of clauses", fmt::format("{}", fmt::join(said.clauses, ", ")),
                          fmt::format("{}", fmt::join(derived.clauses, ", ")))}) {
    if (!text.empty()) return text;
  }
  return "";
}

/// Of a case, or of a retry of it.
std::string difference(core::Verdict verdict, std::span<const core::Check> checks,
                       const run::Rederivation& derived) {
  const core::CaseResult& again = derived.result;
  // A positive control asks more than the case does, and nothing of it is recorded.
  if (!checks.empty() && run::is_missing_control(checks.back()) && run::needs_control(again)) {
    checks = checks.first(checks.size() - 1);
    verdict = check::case_verdict(checks);
  }
  if (verdict != again.verdict) {
    return quoted_difference("the verdict", core::verdict_words[verdict],
                             core::verdict_words[again.verdict]) +
           (derived.unrecorded.empty()
                ? ""
                : fmt::format(": nothing is recorded for {}", derived.unrecorded.front()));
  }
  if (checks.size() != again.checks.size()) {
    return fmt::format("the record has {} checks, derived {}", checks.size(), again.checks.size());
  }
  for (std::size_t index = 0; index < checks.size(); ++index) {
    const std::string text = difference(checks[index], again.checks[index]);
    if (!text.empty()) return fmt::format("check {}: {}", index + 1, text);
  }
  if (!derived.unrecorded.empty()) {
    return fmt::format("nothing is recorded for {}", derived.unrecorded.front());
  }
  if (!derived.unasked.empty()) {
    return fmt::format("the case never sends {}", derived.unasked.front());
  }
  return "";
}

std::string difference(const core::CaseResult& said, const run::Rederivation& derived) {
  const core::CaseResult& again = derived.result;
  for (std::string text :
       {quoted_difference("the title", said.title, again.title),
        quoted_difference("the seed", said.seed, again.seed),
        difference(said.verdict, said.checks, derived),
        quoted_difference("the reason", said.reason, again.reason),
        quoted_difference("the list of clauses", fmt::format("{}", fmt::join(said.clauses, ", ")),
                          fmt::format("{}", fmt::join(again.clauses, ", ")))}) {
    if (!text.empty()) return text;
  }
  return "";
}

/// Whether the record's text is as it was written.
void check_text(const std::string& path, const Subject& subject, Findings& findings) {
  const auto& footer = subject.record.footer;
  if (!footer || footer->digest.empty()) return;
  OwnDigest digest(footer->digest);
  read_pieces(path, most_record_bytes, [&digest](std::string_view piece) { digest.add(piece); });
  if (!digest.is_right()) {
    findings.faults.emplace_back("its text is not the one that its digest was made of");
  }
}

/// What the profile's setup captured in the run with that id; empty where the record has nothing.
Object setup_of(const core::RecordHeader& header, const std::string& run_id) {
  const auto found = header.setup.find(run_id);
  return found != header.setup.end() && found->second.is_object() ? found->second.as_object()
                                                                  : Object{};
}

/// What a case, or a retry of it, comes to in all of its rounds; nothing where these are not those
/// that the case would have.
std::optional<run::Rederivation> derive_rounds(const Subject& subject,
                                               const run::RecordedRun& first, const core::Case& one,
                                               const auto& said) {
  const auto rounds = run::separate_rounds(said.checks, said.exchanges, said.rounds);
  if (!rounds) return std::nullopt;
  const auto derive = [&rounds](run::RecordedRun round, const core::Case& each,
                                std::size_t number) {
    round.pairs_answers = !run::are_answers_doubted(rounds->at(number).checks);
    return run::derive_again(round, each, rounds->at(number).exchanges);
  };
  run::Rederivation whole = derive(first, one, 0);
  if (rounds->size() == 1) return whole;
  const run::NextRound next = rounds_of(one.id, subject.profile.profile);
  std::vector<core::CaseResult> results = {whole.result};
  for (std::size_t number = 1; number < rounds->size(); ++number) {
    const std::optional<core::Case> again = next ? next(results.back()) : std::nullopt;
    if (!again) return std::nullopt;
    run::RecordedRun round = first;
    round.prefix = run::prefix_of_round(first.prefix, number);
    const run::Rederivation derived = derive(round, *again, number);
    whole.unrecorded.insert(whole.unrecorded.end(), derived.unrecorded.begin(),
                            derived.unrecorded.end());
    whole.unasked.insert(whole.unasked.end(), derived.unasked.begin(), derived.unasked.end());
    whole.has_gaps |= derived.has_gaps;
    results.push_back(derived.result);
  }
  whole.result = run::joined_rounds(std::move(results), said.rounds.front().number != 0);
  return whole;
}

constexpr std::string_view other_rounds = "its rounds are not those that the case would have";

/// What a case, and its retries, come to under a run id; with it what is otherwise than the record
/// says, if anything.
std::pair<run::Rederivation, std::string> derive_case(const Subject& subject, const core::Case& one,
                                                      const core::CaseResult& said,
                                                      const std::string& run_id) {
  const core::RecordHeader& header = subject.record.header;
  const std::string prefix = run::prefix_of_run(run_id);
  run::RecordedRun recorded{.profile = subject.profile.profile,
                            .seed = header.seed,
                            .prefix = prefix,
                            .setup = setup_of(header, run_id),
                            .is_immediate = header.target_source == core::target_source::in_process,
                            .speaks_http = header.target_source != core::target_source::adapter};
  std::optional<run::Rederivation> derived = derive_rounds(subject, recorded, one, said);
  if (!derived) return {{}, std::string(other_rounds)};
  std::string text = difference(said, *derived);
  for (std::size_t index = 0; index < said.retries.size() && text.empty(); ++index) {
    const core::Retry& retry = said.retries[index];
    recorded.prefix = run::prefix_of_retry(prefix, index + 1);
    derived = derive_rounds(subject, recorded, one, retry);
    text = derived ? difference(retry.verdict, retry.checks, *derived) : std::string(other_rounds);
    if (!text.empty()) text = fmt::format("retry {}: {}", index + 1, text);
  }
  return {std::move(derived).value_or(run::Rederivation{}), std::move(text)};
}

/// Whether the case, or a retry of it, came to no verdict because of responses that nobody had
/// asked for: those are no exchanges, so that the record alone does not show them.
bool are_answers_doubted(const core::CaseResult& said) {
  return run::are_answers_doubted(said.checks) ||
         std::ranges::any_of(said.retries, [](const core::Retry& retry) {
           return run::are_answers_doubted(retry.checks);
         });
}

/// Under whichever run id of the record (a merged one has several) explains most of the requests.
void check_case(const Subject& subject, const core::Case& one, const core::CaseResult& said,
                Findings& findings) {
  std::optional<std::pair<run::Rederivation, std::string>> best;
  for (const std::string& run_id : check::run_ids_of(subject.record.header)) {
    auto derived = derive_case(subject, one, said, run_id);
    const bool is_better = !best || derived.second.empty() ||
                           derived.first.unrecorded.size() < best->first.unrecorded.size();
    if (is_better) best = std::move(derived);
    if (best->second.empty()) break;
  }
  const auto& [derived, text] = *best;
  if (text.empty() && are_answers_doubted(said)) {
    findings.underivable[doubted_answers].push_back(said.id);
  } else if (text.empty()) {
    ++findings.agreed;
  } else if (derived.has_gaps) {
    findings.underivable[cut_answers].push_back(said.id);
  } else {
    findings.faults.push_back(fmt::format("{}: {}", said.id, text));
  }
}

/// Whether the profile's requests name what its setup was told and the record has not.
bool lacks_setup(const Subject& subject) {
  const core::RecordHeader& header = subject.record.header;
  for (const std::string& run_id : check::run_ids_of(header)) {
    const Object setup = setup_of(header, run_id);
    for (const core::Hook& hook : subject.profile.profile.setup) {
      for (const auto& [name, pointer] : hook.captures) {
        if (!setup.contains(name)) return true;
      }
    }
  }
  return false;
}

/// Reads the record once more: no more than one case has its exchanges at a time.
void derive_all(const std::string& path, const Subject& subject, Findings& findings) {
  if (lacks_setup(subject)) {
    for (const core::CaseResult& each : subject.record.cases) {
      findings.underivable[lost_setup].push_back(each.id);
    }
    return;
  }
  std::set<std::string> ids;
  for (const core::CaseResult& each : subject.record.cases) ids.insert(each.id);
  std::map<std::string, core::Case> cases;
  for (core::Case& each : recorded_cases(subject.suite, ids)) cases.emplace(each.id, each);
  const auto derive = [&](const wire::ReadCase& each) {
    const auto found = cases.find(each.result.id);
    if (found == cases.end()) throw UsageError(fmt::format("{}: changes while it is read", path));
    check_case(subject, found->second, each.result, findings);
    forget_exchanges(each.result);
  };
  (void)load_record(path, nullptr, derive);
}

/// Some of the cases that asked something, spread over all: the same for the same record.
std::set<std::string> sample_of(const core::RunRecord& record, std::size_t most) {
  std::vector<std::pair<std::uint64_t, std::string>> drawn;
  for (const core::CaseResult& each : record.cases) {
    if (each.verdict == core::Verdict::not_applicable) continue;
    drawn.emplace_back(assay::digest_of(each.id + each.seed), each.id);
  }
  std::sort(drawn.begin(), drawn.end());
  if (drawn.size() > most) drawn.resize(most);
  std::set<std::string> sample;
  for (auto& [order, id] : drawn) sample.insert(std::move(id));
  return sample;
}

/// Performs a sample of the cases again; nothing where the target could be asked.
std::optional<core::ExitCode> replay_sample(const VerifyOptions& options, const Subject& subject,
                                            Findings& findings, Terminal& terminal) {
  std::map<std::string, core::Verdict> again;
  JudgingOptions judging;
  judging.target = options.target;
  judging.seed = subject.record.header.seed;
  judging.scenarios = options.scenarios;
  judging.quiet = true;
  judging.on_case = [&again](const core::CaseResult& each) {
    again.emplace(each.id, each.verdict);
  };
  choose_recorded_target(judging.target, subject.record.header, options.record);
  const std::set<std::string> sample = sample_of(subject.record, options.replayed);
  const std::unique_ptr<OutputFiles> outputs = open_outputs(judging, {options.record});
  std::ostringstream unread;
  Terminal silent{.out = unread, .err = terminal.err, .environment = terminal.environment};
  const core::ExitCode end = judge({subject.profile,
                                    recorded_cases(subject.suite, sample),
                                    subject.suite.digest,
                                    case_ids(subject.suite),
                                    {sample.begin(), sample.end()}},
                                   judging, *outputs, silent);
  if (end == core::ExitCode::target_unreachable) return end;
  for (const core::CaseResult& said : subject.record.cases) {
    if (!sample.contains(said.id)) continue;
    const auto found = again.find(said.id);
    if (found != again.end() && found->second == said.verdict) continue;
    findings.faults.push_back(fmt::format(
        "{}: the verdict is \"{}\", performed again {}", said.id, core::verdict_words[said.verdict],
        found == again.end() ? "it did not end"
                             : fmt::format("\"{}\"", core::verdict_words[found->second])));
  }
  terminal.out << fmt::format("{} cases performed again\n", sample.size());
  return std::nullopt;
}

core::ExitCode conclude(const Subject& subject, const Findings& findings, Terminal& terminal) {
  for (const std::string& fault : findings.faults) terminal.out << fault << "\n";
  terminal.out << fmt::format("{} of {} cases come to what the record says of them\n",
                              findings.agreed, subject.record.cases.size());
  for (const auto& [reason, cases] : findings.underivable) {
    terminal.out << fmt::format("{} cannot be derived: {} ({}{})\n", cases.size(), reason,
                                cases.front(), cases.size() > 1 ? ", …" : "");
  }
  if (!findings.faults.empty()) {
    terminal.out << "Not verified: the record was edited, or made by another version of assay\n";
    return core::ExitCode::unexpected_findings;
  }
  if (!subject.record.footer) {
    terminal.out << "Not verified: the record was cut short\n";
    return core::ExitCode::nothing_proven;
  }
  if (findings.agreed == 0) {
    terminal.out << "Not verified: nothing could be derived\n";
    return core::ExitCode::nothing_proven;
  }
  const bool has_digest = !subject.record.footer->digest.empty();
  if (!has_digest && !findings.underivable.empty()) {
    terminal.out
        << "Not verified: the record has no digest that vouches for what cannot be derived\n";
    return core::ExitCode::nothing_proven;
  }
  if (!has_digest) {
    terminal.out << "The record has no digest: what no verdict depends on may have been edited\n";
  }
  terminal.out << "Verified\n";
  return core::ExitCode::conforms;
}

core::ExitCode verify(VerifyOptions options, Terminal& terminal) {
  Subject subject;
  subject.record = load_verdicts(options.record);
  const core::RecordHeader& header = subject.record.header;
  check_has_requests(header, options.record);
  if (!options.has_profile) options.target.profile = header.profile;
  if (options.scenarios.empty()) options.scenarios = header.scenarios;
  if (!options.has_profile && !wire::embedded_profile(header.profile)) {
    throw UsageError(fmt::format(
        "{}: was made with the profile {}, which is not a built-in one: give its file by --profile",
        options.record, header.profile));
  }
  subject.profile = load_profile(options.target.profile, terminal);
  check_recorded_profile(subject.profile, header, options.record);
  subject.profile.profile.base_url = header.target;
  std::vector<std::string> ids;
  for (const core::CaseResult& each : subject.record.cases) ids.push_back(each.id);
  subject.suite = whole_suite(options.scenarios, subject.profile.profile, ids);
  if (subject.suite.digest != header.suite_digest) {
    throw UsageError(fmt::format(
        "{}: was made with another suite ({}) than this one ({}); give its scenarios "
        "by --scenarios, or verify it with assay {}",
        options.record, header.suite_digest, subject.suite.digest, header.assay_version));
  }
  Findings findings;
  check_text(options.record, subject, findings);
  derive_all(options.record, subject, findings);
  if (options.replayed > 0) {
    const auto end = replay_sample(options, subject, findings, terminal);
    if (end) return *end;
  }
  return conclude(subject, findings, terminal);
}

}  // namespace

void add_verify(CLI::App& application, Action& chosen) {
  CLI::App* verb = application.add_subcommand(
      "verify", "Derive every verdict of a record again from the exchanges in it");
  const auto options = std::make_shared<VerifyOptions>();
  verb->add_option("record", options->record, "A record that `assay run --record` wrote")
      ->required();
  verb->add_option("--profile", options->target.profile, "The run's profile, if it was a file");
  verb->add_option("--scenarios", options->scenarios,
                   "The scenarios of the run, if they have moved since");
  verb->add_option("--replay", options->replayed,
                   "Also run this many of its cases again, spread over all, and compare");
  verb->add_option("--target", options->target.url,
                   "Where to run them, if not at the record's target");
  verb->footer(
      "Ends with 0 where every verdict follows from what was recorded, 1 where one does not or "
      "the\n"
      "record was edited, 2 where another suite or profile made it, 4 where it was cut short.\n"
      "Example:\n  assay verify record.ndjson --replay 20");
  verb->callback([options, verb, &chosen] {
    options->has_profile = verb->count("--profile") > 0;
    chosen = [options](Terminal& terminal) { return verify(*options, terminal); };
  });
}

}  // namespace assay::cli
