#include "cli/choice_trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <set>

#include "cli/acquittal.h"
#include "cli/generated.h"
#include "cli/in_process_run.h"
#include "cli/reference.h"
#include "cli/specification.h"
#include "cli/suite.h"
#include "harness/run/plan.h"
#include "harness/wire/interpretations.h"
#include "reference_impl/service/reference.h"

namespace assay::cli {
namespace {

const wire::Interpretation& interpretation_of(const liberties::OtherChoice& other) {
  const std::vector<wire::Interpretation>& all = wire::interpretations();
  return *std::find_if(all.begin(), all.end(),
                       [&other](const auto& entry) { return entry.key == other.key; });
}

/// Read once: all trials are by the same suite.
const Suite& written_suite() {
  static const Suite suite = load_suite("");
  return suite;
}

/// All cases where no clause is named.
std::vector<core::Case> cases_about(const std::vector<std::string>& clauses) {
  return run::make_plan(written_suite().scenarios, {.clauses = clauses}, clause_table()).cases;
}

std::unique_ptr<service::Service> declared_server(const core::Profile& profile) {
  return service::make_reference(reference_options(in_process_seed, profile));
}

std::vector<std::string> accusations_by(const std::vector<core::Case>& cases,
                                        const core::Profile& declared) {
  std::vector<std::string> accusing;
  for (const core::CaseResult& result :
       run_in_process(*declared_server(declared), declared, cases).cases) {
    if (result.verdict == core::Verdict::pass || result.verdict == core::Verdict::not_applicable) {
      continue;
    }
    accusing.push_back(accusation_of(result));
  }
  return accusing;
}

/// The cases of a run that fail a check under one of the clauses.
std::vector<std::string> accusing_under(const core::RunRecord& record,
                                        const std::vector<std::string>& clauses) {
  const auto is_about = [&clauses](const core::Check& check) {
    return check.verdict == core::Verdict::fail &&
           std::find_first_of(clauses.begin(), clauses.end(), check.clauses.begin(),
                              check.clauses.end()) != clauses.end();
  };
  std::vector<std::string> ids;
  for (const core::CaseResult& result : record.cases) {
    if (std::any_of(result.checks.begin(), result.checks.end(), is_about)) ids.push_back(result.id);
  }
  return ids;
}

std::string trial_verdict(const ChoiceTrial& trial) {
  if (trial.is_respected()) return "respected";
  if (!trial.accusing.empty() || !trial.causes.empty()) return "accused though declared";
  return trial.notice_choice.empty() ? "not noticed where it is not declared"
                                     : "the reference passes where it is declared";
}

}  // namespace

std::string ChoiceTrial::name() const { return fmt::format("{}={}", other->key, other->choice); }

core::Profile declaring(std::span<const liberties::OtherChoice* const> others) {
  core::Profile profile = reference_profile();
  for (const liberties::OtherChoice* other : others) {
    profile.interpretations.insert_or_assign(std::string(other->key), other->choice);
  }
  return profile;
}

std::vector<std::string> accusations(const core::Profile& declared) {
  return accusations_by(cases_about({}), declared);
}

ChoiceTrial try_choice(const liberties::OtherChoice& other, TrialScope scope,
                       std::uint64_t property_commands, const std::stop_token& stop) {
  const core::Profile& plain = reference_profile();
  const core::Profile declared = declaring(std::array{&other});
  const std::vector<std::string>& clauses = interpretation_of(other).clauses;
  const std::vector<core::Case> own = cases_about(clauses);
  const std::vector<core::Case> judging = scope == TrialScope::whole_suite ? cases_about({}) : own;
  ChoiceTrial trial;
  trial.other = &other;
  trial.cases = judging.size();
  trial.accusing = accusations_by(judging, declared);
  trial.notice_choice =
      accusing_under(run_in_process(*declared_server(declared), plain, own), clauses);
  trial.notice_reference =
      accusing_under(run_in_process(*declared_server(plain), declared, own), clauses);
  if (property_commands > 0) {
    GeneratedOutcome explored =
        explore_sound(*declared_server(declared), declared, property_commands, stop);
    trial.commands = explored.commands;
    trial.causes = std::move(explored.causes);
  }
  return trial;
}

std::string trials_text(std::span<const ChoiceTrial> trials) {
  std::string text = fmt::format("{:<40} {:>6} {:>9} {:>8} {:>10}  {}\n", "choice", "cases",
                                 "commands", "noticed", "reference", "verdict");
  std::size_t respected = 0;
  for (const ChoiceTrial& trial : trials) {
    if (trial.is_respected()) ++respected;
    text += fmt::format("{:<40} {:>6} {:>9} {:>8} {:>10}  {}\n", trial.name(), trial.cases,
                        trial.commands, trial.notice_choice.size(), trial.notice_reference.size(),
                        trial_verdict(trial));
    for (const std::string& accusation : trial.accusing) text += "    " + accusation + "\n";
    for (const std::string& cause : trial.causes) text += "    generated: " + cause + "\n";
  }
  return text + fmt::format("{} of {} choices respected\n", respected, trials.size());
}

Value trials_json(std::span<const ChoiceTrial> trials) {
  const auto list = [](const std::vector<std::string>& texts) {
    return List(texts.begin(), texts.end());
  };
  List items;
  for (const ChoiceTrial& trial : trials) {
    items.emplace_back(Object{{"choice", trial.name()},
                              {"cases", static_cast<std::uint64_t>(trial.cases)},
                              {"accused_by", list(trial.accusing)},
                              {"commands", trial.commands},
                              {"causes", list(trial.causes)},
                              {"noticed_undeclared_by", list(trial.notice_choice)},
                              {"reference_noticed_by", list(trial.notice_reference)}});
  }
  return items;
}

}  // namespace assay::cli
