#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "properties/campaign.h"
#include "properties/testing/laboratory.h"
#include "reference_impl/faults/catalogue.h"

namespace assay::properties {
namespace {

using testing::Laboratory;

/// A fault of the zoo, and the family that finds it.
struct Specimen {
  std::string_view fault;
  std::string_view family;
  /// A clause that says the same of what the fault does: it may be accused instead.
  std::string_view neighbour = {};
};

std::ostream& operator<<(std::ostream& out, const Specimen& specimen) {
  return out << specimen.fault;
}

class Zoo : public ::testing::TestWithParam<Specimen> {};

std::set<std::string> accused_by(const Finding& finding) {
  std::set<std::string> clauses;
  for (const core::Check& check : finding.result.checks) {
    if (check.verdict != core::Verdict::fail) continue;
    clauses.insert(check.clauses.begin(), check.clauses.end());
  }
  return clauses;
}

/// Within 200 cases. A fault can show in what other clauses say too, but not only there.
TEST_P(Zoo, IsFoundUnderTheClauseThatItBreaks) {
  const faults::Fault* fault = faults::find_fault(GetParam().fault);
  ASSERT_NE(fault, nullptr);
  const std::set broken{std::string(fault->clause)};
  const std::set beside{std::string(GetParam().neighbour)};
  Laboratory laboratory(GetParam().fault);
  constexpr std::uint64_t most_cases = 200;
  std::uint64_t first = 0;
  std::string others;
  for (std::uint64_t cases = 20; first < most_cases; first += cases) {
    const CampaignOutcome outcome = laboratory.run(
        {.seed = 7, .first_case = first, .cases = cases, .most_causes = 4, .shrink_runs = 5},
        "properties/" + std::string(GetParam().family));
    for (const Finding& finding : outcome.findings) {
      const std::set<std::string> accused = accused_by(finding);
      if (accused == broken || accused == beside) return;
      others += fmt::format("{}: {}\n", finding.cause, fmt::join(accused, " "));
    }
  }
  ADD_FAILURE() << "not found under " << fault->clause << ", but\n" << others;
}

std::string fault_name_of(const ::testing::TestParamInfo<Specimen>& specimen) {
  std::string name(specimen.param.fault);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

constexpr std::string_view envelopes = "event-envelopes";
constexpr std::string_view requests = "hostile-requests";
constexpr std::string_view routing = "routing-equals-the-net";
constexpr std::string_view quiescence = "quiescence-neither-early-nor-missed";
constexpr std::string_view admission = "admission-decides";
constexpr std::string_view endings = "settings-decide-the-end";
constexpr std::string_view loops = "loops-in-order";
constexpr std::string_view lifecycle = "lifecycle-and-purity";
constexpr std::string_view locks = "locks-never-overlap";
constexpr std::string_view undoing = "impure-failures-are-undone";
constexpr std::string_view taxonomy = "event-taxonomy";
constexpr std::string_view well_formed = "well-formed-playbooks";
constexpr std::string_view joins = "joins-wait-for-all";
constexpr std::string_view allowed = "allowed-requests";
constexpr std::string_view pages = "pages-skip-and-repeat-nothing";
constexpr std::string_view walks = "run-walks";
constexpr std::string_view owner = "one-owner-of-the-state";
constexpr std::string_view waiting = "waiting-before-the-run";
constexpr std::string_view published = "published-events";
constexpr std::string_view large = "large-args-are-references";
constexpr std::string_view final_summary = "the-final-step-gets-references";

constexpr std::string_view logs = "driven-logs-tell-what-happened";
constexpr std::string_view guards = "guards-say-what-they-mean";
constexpr std::string_view histories = "long-histories";
constexpr std::string_view reads = "reads-agree";
constexpr std::string_view words = "run-words";
constexpr std::string_view terminal = "terminal-is-for-ever";
constexpr std::string_view order = "first-lifecycle-event-decides";
constexpr std::string_view below = "lower-layers-never-close";

constexpr Specimen zoo[] = {Specimen{"takes-any-alias", envelopes},
                            Specimen{"takes-any-attempt", envelopes},
                            Specimen{"takes-any-payload", envelopes},
                            Specimen{"legacy-retry-is-a-task", envelopes},
                            Specimen{"entity-filter-is-ignored", envelopes},
                            Specimen{"lists-newest-first", envelopes},
                            Specimen{"payload-loses-its-meta", envelopes},
                            Specimen{"problem-status-differs", requests},
                            Specimen{"problems-lack-code", requests},
                            Specimen{"unknown-is-gone", requests},
                            Specimen{"wrong-type-is-400", requests},
                            Specimen{"fails-on-odd-input", requests},
                            Specimen{"exclusive-fires-all", routing},
                            Specimen{"last-match-wins", routing},
                            Specimen{"inclusive-fires-first-only", routing},
                            Specimen{"missing-guard-is-false", routing},
                            Specimen{"guards-do-not-see-workload", routing},
                            Specimen{"default-mode-is-inclusive", routing},
                            Specimen{"entry-is-the-last-step", routing},
                            Specimen{"entry-has-two-tokens", routing},
                            Specimen{"args-changed-downstream", routing},
                            Specimen{"args-are-not-bound", routing},
                            Specimen{"repeated-outcome-routes", routing},
                            Specimen{"no-match-hangs", routing},
                            Specimen{"next-evaluated-lacks-choice", routing},
                            Specimen{"next-evaluated-lacks-matches", routing},
                            Specimen{"hides-step-scheduled", routing},
                            Specimen{"hides-workflow-started", routing},
                            Specimen{"seq-has-gaps", routing},
                            Specimen{"stored-event-lacks-execution", routing},
                            Specimen{"quiescence-ignores-in-flight", quiescence},
                            Specimen{"pending-tokens-do-not-hold", quiescence},
                            Specimen{"server-does-not-finish", quiescence},
                            Specimen{"admission-rules-ignored", admission},
                            Specimen{"only-first-admission-rule", admission},
                            Specimen{"last-admission-rule-wins", admission},
                            Specimen{"denied-token-scheduled", admission},
                            Specimen{"denied-token-is-discarded", admission},
                            Specimen{"discard-policy-ignored", admission},
                            Specimen{"hides-admission", admission},
                            Specimen{"entry-step-ignored", endings},
                            Specimen{"final-step-ignored", endings},
                            Specimen{"final-step-twice", endings},
                            Specimen{"final-step-before-quiescence", endings},
                            Specimen{"final-failure-ignored", endings},
                            Specimen{"summary-lacks-counts", endings},
                            Specimen{"status-policy-ignored", endings},
                            Specimen{"partial-reads-success", endings},
                            Specimen{"no-next-is-error-ignored", endings},
                            Specimen{"empty-loop-hangs", loops},
                            Specimen{"loop-done-after-first-failure", loops},
                            Specimen{"rollback-is-not-read", undoing},
                            Specimen{"oldest-step-is-undone-first", undoing},
                            Specimen{"every-block-can-be-undone", undoing},
                            Specimen{"failed-undo-is-taken-for-done", undoing},
                            Specimen{"undone-is-called-unsafe", undoing},
                            Specimen{"acquire-jobs-missing", lifecycle},
                            Specimen{"discovery-ends-early", lifecycle},
                            Specimen{"failed-acquire-ignored", lifecycle},
                            Specimen{"step-failure-ignored", lifecycle},
                            Specimen{"completes-after-first-step", lifecycle},
                            Specimen{"impure-failure-called-safe", lifecycle},
                            Specimen{"pure-failure-called-unsafe", lifecycle},
                            Specimen{"skipped-step-taints", lifecycle},
                            Specimen{"abort-reopens-outcome", lifecycle},
                            Specimen{"late-result-changes-outcome", lifecycle},
                            Specimen{"acknowledgement-crosses", lifecycle},
                            Specimen{"stuck-job-never-fails", lifecycle},
                            Specimen{"stuck-a-second-early", lifecycle},
                            Specimen{"unknown-block-accepted", lifecycle},
                            Specimen{"total-counts-completed-only", lifecycle},
                            Specimen{"failed-safe-has-another-name", lifecycle},
                            Specimen{"omits-locking", lifecycle},
                            Specimen{"omits-error", lifecycle},
                            Specimen{"lock-given-to-two", locks},
                            Specimen{"lock-kept-after-completion", locks},
                            Specimen{"lock-kept-after-failure", locks},
                            Specimen{"lock-kept-after-abort", locks},
                            Specimen{"waiting-shown-as-blocked", locks},
                            Specimen{"workflow-finished-reads-done", taxonomy},
                            Specimen{"second-task-outcome-is-no-anomaly", taxonomy},
                            Specimen{"job-references-are-lost", taxonomy},
                            Specimen{"processed-reads-ended", taxonomy},
                            Specimen{"workbook-refused", well_formed},
                            Specimen{"noop-refused", well_formed},
                            Specimen{"entry-step-in-any-case", well_formed},
                            Specimen{"default-mode-takes-the-last", well_formed},
                            Specimen{"step-when-admits", well_formed},
                            Specimen{"noop-patches-nothing", well_formed},
                            Specimen{"workflow-outlives-its-playbook", endings},
                            Specimen{"ctx-decides-the-state", owner},
                            Specimen{"fan-in-ignored", joins},
                            Specimen{"batch-of-one-refused", allowed},
                            Specimen{"vocabulary-refused", allowed},
                            Specimen{"largest-limit-of-runs-refused", allowed},
                            Specimen{"later-audit-pages-lose-one", pages},
                            Specimen{"later-job-pages-repeat-one", pages},
                            Specimen{"waits-once-only", walks},
                            Specimen{"conditions-are-not-awaited", waiting},
                            Specimen{"first-condition-is-enough", waiting},
                            Specimen{"silence-of-the-lock-service-is-not-told", waiting},
                            Specimen{"silence-of-the-lock-service-is-told-by-nothing", waiting},
                            Specimen{"silence-of-the-lock-service-is-for-ever", waiting},
                            Specimen{"duplicates-are-published", published},
                            Specimen{"subject-is-the-family", published},
                            Specimen{"whole-payloads-are-published", published},
                            Specimen{"references-are-not-published", published},
                            Specimen{"args-of-any-size-are-bound", large},
                            Specimen{"large-rendered-args-are-bound", large},
                            Specimen{"large-literal-args-are-lost", large},
                            Specimen{"summary-lacks-references", final_summary},
                            Specimen{"summary-has-one-reference", final_summary},
                            Specimen{"lock-failure-ignored", lifecycle},
                            Specimen{"parameters-refused", lifecycle},
                            Specimen{"unscheduled-step-accepted", routing},
                            Specimen{"evict-loses-the-marking", quiescence},
                            Specimen{"accepts-retry-in-place", walks},
                            Specimen{"accepts-leaving-terminal", walks},
                            Specimen{"retry-reuses-id", walks},
                            Specimen{"retry-inherits-the-diagnostic", walks},
                            Specimen{"created-at-is-the-last-change", walks},
                            Specimen{"ended-at-moves-with-refusals", walks},
                            Specimen{"takes-a-ninth-status", words},
                            Specimen{"audit-shows-fifty", walks},
                            Specimen{"next-action-follows-the-code", walks},
                            Specimen{"ties-by-id", envelopes},
                            Specimen{"workflow-alias-is-listed", envelopes},
                            Specimen{"slashes-count-as-dots", envelopes},
                            Specimen{"payload-loses-its-error", envelopes},
                            Specimen{"found-by-type-without-a-time", envelopes},
                            Specimen{"lookup-without-case", envelopes},
                            Specimen{"legacy-retry-start-stays", envelopes},
                            Specimen{"extracted-fields-are-lost", envelopes},
                            Specimen{"retried-task-ends-twice", taxonomy},
                            Specimen{"task-policies-all-continue", taxonomy},
                            Specimen{"hides-pause", logs},
                            Specimen{"own-aliases-are-the-types", logs},
                            Specimen{"attempts-end-their-step", logs},
                            Specimen{"submitted-jobs-end-their-step", logs},
                            Specimen{"schedules-after-a-cancel", logs},
                            Specimen{"second-run-renames-the-first", logs},
                            Specimen{"cancel-leaves-no-event", logs},
                            Specimen{"driven-tools-are-hidden", logs},
                            Specimen{"task-done-behind-its-step", logs},
                            Specimen{"decisions-are-done", logs},
                            Specimen{"server-starts-steps", logs},
                            Specimen{"last-attempt-is-not-listed", logs},
                            Specimen{"forgets-what-was-scheduled", logs},
                            Specimen{"entity-id-is-the-parent", logs},
                            Specimen{"named-entry-has-two-tokens", logs},
                            Specimen{"guards-exclude-the-bound", guards},
                            Specimen{"guards-round-down", guards},
                            Specimen{"lock-failure-passes-locked", lifecycle},
                            Specimen{"ended-execution-is-unknown", lifecycle},
                            Specimen{"results-lose-their-data", lifecycle},
                            Specimen{"waits-without-a-condition", lifecycle},
                            Specimen{"acknowledged-has-another-name", lifecycle},
                            Specimen{"nothing-to-do-never-completes", lifecycle},
                            Specimen{"scheduled-is-not-active", locks},
                            Specimen{"rebuilds-from-the-first-page", histories},
                            Specimen{"detail-shows-a-hundred-commands", histories},
                            Specimen{"remembers-a-hundred-ids", histories},
                            Specimen{"claimed-command-completes", reads},
                            Specimen{"status-has-an-eighth-field", reads},
                            Specimen{"detail-state-in-lower-case", reads},
                            Specimen{"call-error-fails-its-step", reads},
                            Specimen{"workflow-completes-unstarted", reads},
                            Specimen{"cancelled-reads-failed", terminal},
                            Specimen{"refuses-after-the-end", terminal},
                            Specimen{"second-start-moves-start", order},
                            Specimen{"workload-decides-the-state", owner},
                            Specimen{"detail-has-an-outcome-early", owner},
                            Specimen{"tool-word-is-the-state", below},
                            Specimen{"playbook-cancelled-counts", below},
                            Specimen{"admission-says-allowed", admission},
                            Specimen{"discarded-token-is-a-failure", admission},
                            Specimen{"denied-token-holds-for-ever", admission},
                            Specimen{"playbook-ends-before-its-workflow", endings},
                            Specimen{"workflow-ends-well-whatever-the-playbook", endings},
                            Specimen{"leaf-is-an-error-where-no-match-is", endings},
                            Specimen{"no-next-is-error-by-name", endings},
                            Specimen{"inclusive-leads-to-each-step-once", endings},
                            Specimen{"retry-repeats-the-step", well_formed},
                            Specimen{"noop-leads-nowhere", well_formed},
                            Specimen{"start-step-is-required", well_formed},
                            Specimen{"longest-id-is-refused", allowed},
                            Specimen{"lock-service-as-it-is-refused", allowed},
                            Specimen{"variables-without-ctx", allowed},
                            Specimen{"encoded-ids-are-500", requests},
                            Specimen{"join-is-scheduled-again", joins},
                            Specimen{"loop-done-before-its-last-iteration", loops}};

/// All of them; where a sanitizer observations, the first of each family: the others do the same.
std::vector<Specimen> specimens() {
  std::vector<Specimen> all(std::begin(zoo), std::end(zoo));
#ifdef ASSAY_SANITIZED
  std::set<std::string_view> seen;
  std::erase_if(all, [&seen](const Specimen& each) { return !seen.insert(each.family).second; });
#endif
  return all;
}

INSTANTIATE_TEST_SUITE_P(Faults, Zoo, ::testing::ValuesIn(specimens()), fault_name_of);

/// What is said of all layers and once more of each is broken by one and the same fault.
class OverlappingZoo : public ::testing::TestWithParam<std::string_view> {};

TEST_P(OverlappingZoo, IsFoundUnderItsClauseAmongOthersThatSayTheSame) {
  const faults::Fault* fault = faults::find_fault(GetParam());
  ASSERT_NE(fault, nullptr);
  Laboratory laboratory(GetParam());
  const CampaignOutcome outcome =
      laboratory.run({.seed = 7, .cases = 60, .most_causes = 4, .shrink_runs = 5},
                     "properties/one-owner-of-the-state");
  std::set<std::string> accused;
  for (const Finding& finding : outcome.findings) accused.merge(accused_by(finding));
  EXPECT_TRUE(accused.contains(std::string(fault->clause)))
      << fmt::format("{}", fmt::join(accused, " "));
}

INSTANTIATE_TEST_SUITE_P(Faults, OverlappingZoo,
                         ::testing::Values("cancelled-command-cancels-it",
                                           "cancelled-commands-cancel-it",
                                           "exited-steps-complete-it", "four-kinds-of-end-close",
                                           "break-completes-it",
                                           "completion-waits-for-the-workflow"));

}  // namespace
}  // namespace assay::properties
