#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.h"
#include "reports/report.h"

namespace assay::reports {

/// "204", "1,337".
[[nodiscard]] std::string count_text(std::size_t count);

/// "1 case", "1,337 cases".
[[nodiscard]] std::string counted(std::size_t count, std::string_view noun);

/// "12 ms", "1.83 s", "4 min 10 s".
[[nodiscard]] std::string duration_text(double duration_ms);

/// "reference, sha256:c1b1…"; the name alone where there is no digest.
[[nodiscard]] std::string with_digest(const std::string& name, const std::string& digest);

/// The specification that a clause comes from, by its source: "000", … "004", "CONTRACT".
[[nodiscard]] std::string_view specification_of(const core::Clause& clause);

/// "000 Status transition matrix".
[[nodiscard]] std::string specification_title(std::string_view specification);

/// "fail 2 · pass 190 · not applicable 8", the worst first, nothing that is 0.
[[nodiscard]] std::string summary_text(const Summary& summary);

/// What the run says of a clause, for people.
enum class Standing { holds, not_shown, broken, undecided, not_applicable, not_tested };

[[nodiscard]] Standing standing_of(const ClauseReport& clause);

/// "not_shown", for style sheets and filters; "not shown", for people.
inline constexpr Words<Standing::not_tested> standing_words = {
    "holds", "not_shown", "broken", "undecided", "not_applicable", "not_tested"};
[[nodiscard]] std::string standing_phrase(Standing standing);

/// How many clauses have each standing.
using StandingCounts = EnumTable<Standing::not_tested, std::size_t>;
[[nodiscard]] StandingCounts count_standings(const Report& report, core::Level level);

/// Clause ids for people: where all of a specification's are among them, its name stands for them.
[[nodiscard]] std::vector<std::string> clause_names(const std::vector<std::string>& ids,
                                                    const Report& report);

/// "187 of 214 states and transitions of the model (87.3 %)", and what is required where something
/// is: ", 90 % required".
[[nodiscard]] std::string coverage_text(const core::RecordFooter& footer);

/// The notes of the run (core::RecordFooter::notes); none where it was cut short.
[[nodiscard]] std::vector<std::string> notes_of(const Report& report);

/// "(asked 3 times, same answer)" of a step that was repeated.
[[nodiscard]] std::string repeated_text(const StepReport& step);

/// "STM-EXEC-R1: executions.status /state is "RUNNING"": the clause that a cause is about and what
/// it is, cut where a target sent much; whole it stands with the finding.
[[nodiscard]] std::string title_of(const CauseReport& cause);

/// "New, not in the baseline: 2 causes" over the findings that fail a run in spite of what is known
/// (a baseline, or a record that it is held against); empty where nothing is known or new.
[[nodiscard]] std::string news_heading(const Report& report);

/// The same as lines for whoever asked for little: a cause each with its first case, and the
/// entries of the baseline that no longer match. Of many the first.
[[nodiscard]] std::vector<std::string> news_of(const Report& report);

/// What follows from the clause that a cause is about: what else the deciding checks accuse of, and
/// what broke with it.
[[nodiscard]] std::vector<std::string> following_of(const CauseReport& cause);

/// The broken clauses, those on their own first, then those that follow from another.
[[nodiscard]] std::vector<const ClauseReport*> broken_clauses(const Report& report);

/// "2 clauses, and 3 that follow from them".
[[nodiscard]] std::string broken_count_text(const std::vector<const ClauseReport*>& broken);

/// A broken clause's text, and the one that it follows from: "… (follows from STM-EXEC-R1)".
[[nodiscard]] std::string broken_text(const ClauseReport& clause);

/// "held for 100 ms in 5 looks", empty where a check was a single look.
[[nodiscard]] std::string looking_text(const Finding& finding);

/// "run again 3 times, passed 2: does not pass in 50 % (95 % interval 15 to 85 %)"; empty where it
/// was not run again.
[[nodiscard]] std::string retries_text(const CaseReport& each);

/// Cases that a person must look at, failures first, in the record's order otherwise.
[[nodiscard]] std::vector<const CaseReport*> troubled_cases(const Report& report);

/// Expected failures for one reason: the ids of their cases.
struct ExpectedFailures {
  std::string reason;
  std::vector<std::string> cases;
};

/// The expected failures of a report by the baseline's reasons, in the order of the cases; one that
/// has two reasons stands under both.
[[nodiscard]] std::vector<ExpectedFailures> expected_failures(const Report& report);

/// "pass", "not_shown" …: a clause's outcome, as machines read it.
[[nodiscard]] std::string_view clause_word(const ClauseReport& clause);

/// "not shown: `commands` is unobserved in executions.detail; …", cut to the first few reasons.
[[nodiscard]] std::string not_shown_text(const core::Sensitivity& sensitivity);

/// "would have caught 3 of 4 known ways to break it"; empty where it was not measured.
[[nodiscard]] std::string sensitivity_text(const ClauseReport& clause);

/// "the cases that passed would have caught 440 of 446 known ways to break the 205 clauses that
/// hold; 3 clauses are not shown"; empty where it was not measured.
[[nodiscard]] std::string sensitivity_text(const Report& report);

}  // namespace assay::reports
