#include "cli/baseline_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "cli/baseline_file.h"
#include "harness/check/flakiness.h"
#include "harness/core/case_name.h"
#include "harness/core/failure.h"
#include "harness/wire/json.h"

namespace assay::cli {
namespace {

using core::BaselineEntry;
using core::CaseResult;
using core::Failure;

constexpr std::string_view generated_prefix = "properties/";

bool matches(std::string_view glob, std::string_view text) {
  return glob == text || core::matches_glob(glob, text);
}

bool excuses(const BaselineEntry& entry, std::string_view case_id, const Failure& failure) {
  if (entry.clause != failure.clause || !matches(entry.case_glob, case_id)) return false;
  if (entry.verdict && entry.verdict != failure.verdict) return false;
  return entry.seen.empty() || std::any_of(entry.seen.begin(), entry.seen.end(), [&](auto& glob) {
           return matches(glob, failure.signature) || matches(glob, whole_signature(failure));
         });
}

/// The glob over a case and those of its kind: the rows of its matrix, the cases of its family.
std::string kin_glob(const std::string& case_id) {
  if (case_id.starts_with(generated_prefix)) {
    return case_id.substr(0, case_id.rfind('-')) + "-*";
  }
  const std::string scenario(core::scenario_of_id(case_id));
  return scenario.size() == case_id.size() ? case_id : scenario + "[*]";
}

/// What fails under one clause: signatures by case.
struct Group {
  std::map<std::string, std::set<std::string>> seen_by_case;
  /// The same for each run in which the case fails.
  std::map<std::string, std::vector<std::set<std::string>>> seen_by_run;
  /// Those of the cases that passed when they were run again, or that another run judges
  /// otherwise: they fail so only sometimes.
  std::set<std::string> flaky;
};

bool is_judged(const CaseResult& result) {
  return result.verdict == core::Verdict::pass || result.verdict == core::Verdict::fail ||
         result.verdict == core::Verdict::inconclusive;
}

/// How often cases were judged, over all runs.
struct Judged {
  std::map<std::string, std::size_t> by_case;
  std::map<std::string, std::size_t> by_kin;
};

Judged judged_of(std::span<const core::RunRecord> records) {
  Judged judged;
  for (const core::RunRecord& record : records) {
    for (const CaseResult& result : record.cases) {
      if (!is_judged(result)) continue;
      ++judged.by_case[result.id];
      ++judged.by_kin[kin_glob(result.id)];
    }
  }
  return judged;
}

/// Notes the cases that one run judges otherwise than another. A generated case is another one by
/// another seed: its family takes all ways together.
void note_races(const Judged& judged, Group& group) {
  for (const auto& [id, runs] : group.seen_by_run) {
    if (id.starts_with(generated_prefix)) continue;
    const bool is_same = std::all_of(runs.begin(), runs.end(),
                                     [&runs](const auto& each) { return each == runs.front(); });
    if (!is_same || runs.size() != judged.by_case.at(id)) group.flaky.insert(id);
  }
}

BaselineEntry entry_of(std::string glob, const std::string& clause,
                       const std::set<std::string>& seen, const EntryDefaults& defaults) {
  BaselineEntry entry;
  entry.case_glob = std::move(glob);
  entry.clause = clause;
  entry.seen.assign(seen.begin(), seen.end());
  std::erase(entry.seen, "");
  entry.reason = defaults.reason;
  entry.owner = defaults.owner;
  entry.expires = defaults.expires;
  return entry;
}

void add_entries(const std::string& kin, const std::string& clause, const Group& group,
                 std::size_t judged, const EntryDefaults& defaults,
                 std::vector<BaselineEntry>& entries) {
  const auto& by_case = group.seen_by_case;
  const std::set<std::string>& first = by_case.begin()->second;
  std::size_t failed = 0;
  for (const auto& [id, runs] : group.seen_by_run) failed += runs.size();
  const bool is_whole = failed == judged;
  if (kin.starts_with(generated_prefix)) {
    std::set<std::string> all;
    for (const auto& [id, seen] : by_case) all.insert(seen.begin(), seen.end());
    entries.push_back(entry_of(kin, clause, all, defaults));
    entries.back().sometimes = !is_whole || !group.flaky.empty();
    return;
  }
  const bool is_one_way = std::all_of(by_case.begin(), by_case.end(),
                                      [&first](const auto& each) { return each.second == first; });
  if (is_whole && is_one_way && by_case.size() > 1 && group.flaky.empty()) {
    entries.push_back(entry_of(kin, clause, first, defaults));
    return;
  }
  for (const auto& [id, seen] : by_case) {
    entries.push_back(entry_of(id, clause, seen, defaults));
    entries.back().sometimes = group.flaky.contains(id);
  }
}

std::string scalar(const std::string& text) {
  constexpr std::string_view safe =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/-._[]*=(){},+";
  const bool is_plain =
      !text.empty() && text.find_first_not_of(safe) == std::string::npos &&
      text.find_first_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == 0;
  return is_plain ? text : wire::to_json(Value(text));
}

std::string seen_lines(const BaselineEntry& entry, const std::string& indent) {
  if (entry.seen.empty()) return "";
  if (entry.seen.size() == 1) {
    return fmt::format("{}seen: {}\n", indent, wire::to_json(Value(entry.seen.front())));
  }
  std::string text = indent + "seen:\n";
  for (const std::string& each : entry.seen) {
    text += fmt::format("{}  - {}\n", indent, wire::to_json(Value(each)));
  }
  return text;
}

std::string entry_text(const BaselineEntry& entry, std::size_t dash_column) {
  const std::string indent(dash_column + 2, ' ');
  std::string text = fmt::format("{}- case: {}\n{}clause: {}\n", std::string(dash_column, ' '),
                                 scalar(entry.case_glob), indent, scalar(entry.clause));
  text += seen_lines(entry, indent);
  text += fmt::format("{}reason: {}\n", indent, wire::to_json(Value(entry.reason)));
  const auto add = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) text += fmt::format("{}{}: {}\n", indent, name, scalar(value));
  };
  add("reference", entry.reference);
  add("owner", entry.owner);
  if (!entry.expires.empty()) text += fmt::format("{}expires: {}\n", indent, entry.expires);
  if (!entry.profile.empty() || !entry.target.empty()) {
    text += indent + "when:\n";
    if (!entry.profile.empty())
      text += fmt::format("{}  profile: {}\n", indent, scalar(entry.profile));
    if (!entry.target.empty())
      text += fmt::format("{}  target: {}\n", indent, scalar(entry.target));
  }
  if (entry.sometimes) text += indent + "sometimes: true\n";
  return text;
}

std::string cause_of(const BaselineEntry& entry) {
  return entry.seen.empty() ? std::string("nothing was compared") : entry.seen.front();
}

/// Gives each entry the reason of its clause; where that has none, of another clause that broke for
/// the same cause.
void give_reasons(std::vector<BaselineEntry>& entries,
                  const std::map<std::string, std::string>& reasons) {
  std::map<std::string, std::string> by_cause;
  for (const BaselineEntry& entry : entries) {
    const auto own = reasons.find(entry.clause);
    if (own != reasons.end() && !entry.seen.empty()) by_cause.emplace(cause_of(entry), own->second);
  }
  for (BaselineEntry& entry : entries) {
    const auto own = reasons.find(entry.clause);
    const auto of_cause = by_cause.find(cause_of(entry));
    if (own != reasons.end()) {
      entry.reason = own->second;
    } else if (of_cause != by_cause.end()) {
      entry.reason = of_cause->second;
    }
  }
}

/// Entries with a comment before each cause.
std::string entries_text(const std::vector<BaselineEntry>& entries, std::size_t dash_column) {
  std::string text;
  std::string cause;
  for (const BaselineEntry& entry : entries) {
    if (cause_of(entry) != cause) {
      cause = cause_of(entry);
      text += fmt::format("{}# {}\n", std::string(dash_column, ' '), cause);
    }
    text += entry_text(entry, dash_column);
  }
  return text;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

bool has_finding(const std::vector<core::Diagnostic>& findings, const BaselineEntry& entry) {
  return std::any_of(findings.begin(), findings.end(), [&entry](const core::Diagnostic& each) {
    return each.at.line == entry.at.line && each.at.column == entry.at.column;
  });
}

/// Whether the entry's members stand on lines of their own, so that one can be added.
bool is_block(const BaselineEntry& entry, const std::vector<std::string>& lines) {
  const std::string& line = lines.at(static_cast<std::size_t>(entry.at.line) - 1);
  const auto column = static_cast<std::size_t>(entry.at.column) - 1;
  return column < line.size() && line[column] != '{';
}

std::set<std::string> signatures_of(const BaselineEntry& entry, const core::RunRecord& record) {
  std::set<std::string> seen;
  for (const CaseResult& result : record.cases) {
    for (const Failure& failure : core::failures_of(result)) {
      if (excuses(entry, result.id, failure)) seen.insert(whole_signature(failure));
    }
  }
  seen.erase("");
  return seen;
}

/// What one entry becomes: gone, as it is, or with lines after its last one.
struct Fate {
  bool is_deleted = false;
  std::string added;
};

Fate fate_of(const BaselineEntry& entry, const core::BaselineFindings& findings,
             const core::RunRecord& record, const std::vector<std::string>& lines,
             const EntryDefaults& defaults) {
  if (has_finding(findings.expired, entry)) return {};
  for (const auto* each : {&findings.stale, &findings.unmatched, &findings.overlapping}) {
    if (has_finding(*each, entry)) return {.is_deleted = true, .added = ""};
  }
  const bool is_wide = has_finding(findings.too_wide, entry);
  if (is_wide && (!entry.expires.empty() || !is_block(entry, lines))) {
    return {.is_deleted = true, .added = ""};
  }
  if (entry.case_glob.starts_with(generated_prefix) && entry.seen.empty()) {
    return {.is_deleted = true, .added = ""};
  }
  Fate fate;
  if (!is_block(entry, lines)) return fate;
  const std::string indent(static_cast<std::size_t>(entry.at.column) - 1, ' ');
  if (is_wide) fate.added = fmt::format("{}expires: {}\n", indent, defaults.expires);
  // By chance other rows, and other ways, are seen in other runs.
  if (entry.seen.empty() && !entry.sometimes) {
    BaselineEntry seen;
    for (const std::string& each : signatures_of(entry, record)) seen.seen.push_back(each);
    fate.added += seen_lines(seen, indent);
  }
  return fate;
}

/// An entry that is gone, or that stays and is about a race.
struct Forerunner {
  const BaselineEntry* entry = nullptr;
  /// Gone because the failure does not show as it says.
  bool is_stale = false;
};

bool is_about_one_of(const BaselineEntry& entry, const std::set<std::string>& case_ids) {
  return std::any_of(case_ids.begin(), case_ids.end(),
                     [&entry](const std::string& id) { return matches(entry.case_glob, id); });
}

/// What a person wrote about a failure stays with it; where it is a race, its other ways too.
void inherit(BaselineEntry& entry, const std::vector<Forerunner>& forerunners,
             const std::set<std::string>& at_one_moment) {
  for (const auto& [old, is_stale] : forerunners) {
    if (old->clause != entry.clause) continue;
    if (!matches(old->case_glob, entry.case_glob) && !matches(entry.case_glob, old->case_glob)) {
      continue;
    }
    const bool is_race = !old->seen.empty() && is_about_one_of(entry, at_one_moment);
    entry.sometimes |= is_race;
    if (is_race && is_stale) {
      std::set<std::string> ways(entry.seen.begin(), entry.seen.end());
      ways.insert(old->seen.begin(), old->seen.end());
      entry.seen.assign(ways.begin(), ways.end());
    }
    entry.reason = old->reason;
    entry.reference = old->reference;
    entry.profile = old->profile;
    entry.target = old->target;
    entry.sometimes |= old->sometimes;
    if (!old->owner.empty()) entry.owner = old->owner;
    if (!old->expires.empty()) entry.expires = old->expires;
    return;
  }
}

/// By the cases' kin and the clause.
using Groups = std::map<std::pair<std::string, std::string>, Group>;

void add_failures(const CaseResult& result, const core::Baseline& known, Groups& groups) {
  std::map<std::string, std::set<std::string>> seen_by_clause;
  for (const Failure& failure : core::failures_of(result)) {
    const bool is_known =
        std::any_of(known.entries.begin(), known.entries.end(),
                    [&](const BaselineEntry& entry) { return excuses(entry, result.id, failure); });
    if (!is_known) seen_by_clause[failure.clause].insert(whole_signature(failure));
  }
  for (const auto& [clause, seen] : seen_by_clause) {
    Group& group = groups[{kin_glob(result.id), clause}];
    group.seen_by_case[result.id].insert(seen.begin(), seen.end());
    group.seen_by_run[result.id].push_back(seen);
    if (check::is_flaky(result)) group.flaky.insert(result.id);
  }
}

}  // namespace

std::vector<BaselineEntry> missing_entries(std::span<const core::RunRecord> records,
                                           const core::Baseline& known,
                                           const EntryDefaults& defaults) {
  Groups groups;
  for (const core::RunRecord& record : records) {
    for (const CaseResult& result : record.cases) add_failures(result, known, groups);
  }
  const Judged judged = judged_of(records);
  std::vector<BaselineEntry> entries;
  for (auto& [key, group] : groups) {
    note_races(judged, group);
    add_entries(key.first, key.second, group, judged.by_kin.at(key.first), defaults, entries);
  }
  std::stable_sort(entries.begin(), entries.end(), [](const auto& left, const auto& right) {
    return std::tie(left.seen, left.case_glob, left.clause) <
           std::tie(right.seen, right.case_glob, right.clause);
  });
  give_reasons(entries, defaults.reasons);
  return entries;
}

std::vector<BaselineEntry> missing_entries(const core::RunRecord& record,
                                           const core::Baseline& known,
                                           const EntryDefaults& defaults) {
  return missing_entries(std::span(&record, 1), known, defaults);
}

EntryDefaults default_entry() {
  // A quarter of a year is time enough to mend a fault, and to look again.
  constexpr int days = 90;
  return {.reason = "not looked into yet", .owner = "", .expires = days_after(today(), days)};
}

std::string baseline_text(const core::RunRecord& record,
                          const std::vector<BaselineEntry>& entries) {
  std::string text = fmt::format(
      "# What {} is known to break, as profile {} shows it.\n",
      record.header.target_identity.empty() ? "the target" : record.header.target_identity,
      record.header.profile);
  if (entries.empty()) return text + "expected_failures: []\n";
  return text + "expected_failures:\n" + entries_text(entries, 2);
}

std::string updated_baseline(std::string_view text, const core::Baseline& baseline,
                             const core::BaselineFindings& findings, const core::RunRecord& record,
                             const EntryDefaults& defaults,
                             const std::set<std::string>& at_one_moment) {
  const std::vector<std::string> lines = lines_of(text);
  core::Baseline kept;
  std::vector<Forerunner> forerunners;
  std::set<int> deleted_lines;
  std::map<int, std::string> added;
  for (const BaselineEntry& entry : baseline.entries) {
    const Fate fate = fate_of(entry, findings, record, lines, defaults);
    if (!fate.is_deleted) {
      kept.entries.push_back(entry);
      // What a generated family fails at besides is another fault.
      const bool is_race = entry.sometimes || is_about_one_of(entry, at_one_moment);
      if (is_race && !entry.case_glob.starts_with(generated_prefix))
        forerunners.push_back({&entry, false});
      if (!fate.added.empty()) added[entry.last_line] = fate.added;
      continue;
    }
    forerunners.push_back({&entry, has_finding(findings.stale, entry)});
    for (int line = entry.at.line; line <= entry.last_line; ++line) deleted_lines.insert(line);
  }
  std::vector<BaselineEntry> entries = missing_entries(record, kept, defaults);
  for (BaselineEntry& entry : entries) inherit(entry, forerunners, at_one_moment);
  std::string result;
  for (std::size_t index = 0; index < lines.size(); ++index) {
    const int number = static_cast<int>(index) + 1;
    const std::string& line = lines[index];
    if (line.starts_with("expected_failures:")) {
      const bool is_empty = kept.entries.empty() && entries.empty();
      result += is_empty ? "expected_failures: []\n" : "expected_failures:\n";
    } else if (!deleted_lines.contains(number)) {
      result += line + "\n";
    }
    const auto more = added.find(number);
    if (more != added.end()) result += more->second;
  }
  const std::size_t dash_column =
      baseline.entries.empty() ? 2
                               : static_cast<std::size_t>(baseline.entries.front().at.column) - 3;
  std::string news = entries_text(entries, dash_column);
  // The cause may head the list's end already, of entries that have just been deleted.
  const std::size_t heading = news.find('\n') + 1;
  if (!news.empty() && result.ends_with("\n" + news.substr(0, heading))) news.erase(0, heading);
  return result + news;
}

}  // namespace assay::cli
