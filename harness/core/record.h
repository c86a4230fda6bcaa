#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/value.h"
#include "harness/core/history.h"
#include "harness/core/verdict.h"

namespace assay::core {

/// One comparison that a case made.
struct Check {
  std::vector<std::string> clauses;
  Verdict verdict = Verdict::inconclusive;
  /// "file:line:column" of the scenario, or the property's command.
  std::string at;
  /// Where it did not pass: what was due, what came, in a sentence or as JSON text.
  std::string expected;
  std::string actual;
  /// Why, where the verdict needs a reason: a timeout's length, a set-up that was refused.
  std::string reason;
  /// For hold and never: how long was looked, and how often.
  std::int64_t looked_ms = 0;
  std::int64_t looks = 0;
  /// Indices into the case's exchanges.
  std::vector<std::size_t> evidence;
};

/// One of the times that a generated case was made.
struct Round {
  /// Which of the times it was, from 0.
  std::size_t number = 0;
  std::size_t checks = 0;
  std::size_t exchanges = 0;
};

/// What a case that did not pass came to when it was run again, under new names.
struct Retry {
  Verdict verdict = Verdict::inconclusive;
  double duration_ms = 0;
  std::vector<Check> checks;
  std::vector<Exchange> exchanges;
  std::vector<Round> rounds = {};
};

/// One case as it went.
struct CaseResult {
  std::string id;
  std::string title;
  std::string seed;
  std::vector<std::string> clauses;
  Verdict verdict = Verdict::inconclusive;
  /// Set by a baseline: this verdict was expected (expected_fail), or an expected failure is gone.
  bool expected_fail = false;
  bool unexpected_pass = false;
  /// Of an expected failure: why it is accepted, each with the place that says more.
  std::vector<std::string> baseline_reasons;
  /// Why a case is not applicable: the capabilities that are not declared.
  std::string reason;
  double duration_ms = 0;
  std::vector<Check> checks;
  std::vector<Exchange> exchanges;
  /// Of a generated case that was made again without what it had failed at: how many of the checks
  /// and of the exchanges are of each time, in their order. Empty: it was made once.
  std::vector<Round> rounds = {};
  /// All that was asked and answered, whole and unmasked; not in records.
  History history = {};
  /// The one command that shows it again.
  std::string repro;
  /// What it came to when it was run again. All above is of the first time.
  std::vector<Retry> retries = {};
};

/// What was exercised of one layer of the model, out of all that it defines. What was seen is among
/// what is defined, in that order.
struct LayerCoverage {
  std::string layer;
  std::vector<std::string> states;
  std::vector<std::string> states_seen;
  /// "FROM -> TO: trigger".
  std::vector<std::string> transitions;
  std::vector<std::string> transitions_seen;
  /// "STATE + trigger: outcome": what the model makes of every trigger in every state.
  std::vector<std::string> attempts = {};
  std::vector<std::string> attempts_seen = {};
};

struct RecordHeader {
  std::string assay_version;
  std::string suite_digest;
  std::string profile;
  std::string profile_digest;
  std::string target;
  /// How the target was come by, a word of target_source; empty in records of before there was one.
  std::string target_source;
  /// What the target says of itself (name and version), where it does.
  std::string target_identity;
  std::uint64_t seed = 0;
  /// What tells the names that this run made from those of every other: they begin "assay-" and
  /// this. Empty in records of before there was one: the seed in hexadecimal.
  std::string run_id;
  /// Who ran it, as the command line says; empty: it does not.
  std::string label = {};
  std::string started_at;
  std::vector<std::string> selection;
  /// The file or folder of scenarios that took the place of the built-in ones; empty: none did.
  std::string scenarios;
  /// How many cases the whole suite has for this profile; 0 in records of before it was counted.
  std::size_t suite_cases = 0;
  std::map<std::string, std::string> interpretations;
  /// What the profile's setup captured, by run id (a merged run has several); secrets masked as in
  /// the exchanges. What is too long to be kept is missing.
  Object setup = {};
  /// The baseline's file and the digest of its text; empty: none was asked for.
  std::string baseline;
  std::string baseline_digest;
  /// What a flaky case does to the run, a word of flaky_policy; empty: nothing was run again.
  std::string flaky = {};
};

/// What the cases that passed would have seen of a clause that all of its checks say holds: of the
/// zoo's ways to break it, those that at least one of these cases notices when the reference breaks
/// it so and is seen with the limits of the target's profile.
struct Sensitivity {
  std::string clause;
  /// Ways to break the clause that the zoo knows.
  std::size_t known = 0;
  /// Ids of the faults that would have been noticed. Empty: the clause is not shown to hold.
  std::vector<std::string> caught;
  /// Of a clause that is not shown: what hides it, in sentences without their full stop.
  std::vector<std::string> hidden_by;
};

struct RecordFooter {
  std::size_t cases = 0;
  double duration_ms = 0;
  std::vector<LayerCoverage> coverage;
  /// What no longer fits between the baseline and the run, as "file:line:column: message".
  std::vector<std::string> baseline_findings;
  /// The percentage of states and transitions that the run had to exercise.
  std::optional<double> required_coverage = {};
  /// For each clause that the run says holds, sorted by clause. Nothing: it was not measured.
  std::optional<std::vector<Sensitivity>> sensitivity = {};
  /// The percentage of the MUST clauses that the run reached which it had to show.
  std::optional<double> required_shown = {};
  /// Why the run ended before its cases were over, or without any; empty: it did not. A sentence
  /// about the target: "http://127.0.0.1:1: the connection was refused".
  std::string stopped = {};
  /// What else a reader has to know of how the run went, in sentences without their full stop: "The
  /// target closed kept connections without saying so".
  std::vector<std::string> notes = {};
  /// "sha256:…" of the record's text with this member empty; empty in records of before there was
  /// one.
  std::string digest = {};
};

/// The words of RecordHeader::target_source: an address that the command line gave (url) or the
/// profile has (profile), a server that was started for the run by the profile (launch) or by this
/// program (embedded), the reference called without a socket (in-process), an adapter and no HTTP
/// (adapter).
namespace target_source {
inline constexpr std::string_view url = "url";
inline constexpr std::string_view profile = "profile";
inline constexpr std::string_view launch = "launch";
inline constexpr std::string_view embedded = "embedded";
inline constexpr std::string_view in_process = "in-process";
inline constexpr std::string_view adapter = "adapter";
}  // namespace target_source

/// The words of RecordHeader::flaky: a case that passes only when it is run again fails the run
/// (fail), or is only reported (warn).
namespace flaky_policy {
inline constexpr std::string_view fail = "fail";
inline constexpr std::string_view warn = "warn";
}  // namespace flaky_policy

/// A run, whole. Reports are made of this and nothing else. Without a footer it was cut short.
struct RunRecord {
  RecordHeader header;
  std::vector<CaseResult> cases;
  std::optional<RecordFooter> footer;
};

}  // namespace assay::core
