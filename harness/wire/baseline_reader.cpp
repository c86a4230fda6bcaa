#include "harness/wire/baseline_reader.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "harness/wire/map_reader.h"
#include "harness/wire/yaml.h"

namespace assay::wire {
namespace {

std::optional<int> digits(std::string_view text) {
  int number = 0;
  for (const char character : text) {
    if (character < '0' || character > '9') return std::nullopt;
    number = number * 10 + (character - '0');
  }
  return number;
}

void check_clause(const YamlNode& node, const std::string& id, const core::ClauseTable& clauses,
                  Problems& problems) {
  if (clauses.find(id)) return;
  std::vector<std::string> ids;
  for (const core::Clause& clause : clauses.clauses()) ids.push_back(clause.id);
  problems.unknown_name(node, "clause", id, ids);
}

int last_line_of(const YamlNode& node) {
  int last = node.line;
  for (const YamlNode& item : node.items) last = std::max(last, last_line_of(item));
  for (const YamlMember& member : node.members) {
    last = std::max({last, last_line_of(member.key), last_line_of(member.value)});
  }
  return last;
}

/// One signature, or several.
void read_seen(MapReader& map, core::BaselineEntry& entry, Problems& problems) {
  const YamlNode* seen = map.optional("seen");
  if (!seen) return;
  constexpr std::string_view what = "what is seen (a text or a list of texts)";
  if (seen->kind == YamlNode::Kind::list) {
    for (const YamlNode& item : seen->items) {
      if (auto text = text_of(item, what, problems)) entry.seen.push_back(std::move(*text));
    }
    if (seen->items.empty()) problems.unexpected(*seen, what);
  } else if (auto text = text_of(*seen, what, problems)) {
    entry.seen.push_back(std::move(*text));
  }
}

void read_verdict(MapReader& map, core::BaselineEntry& entry, Problems& problems) {
  const YamlNode* node = map.optional("verdict");
  if (!node) return;
  const auto word = text_of(*node, "fail or inconclusive", problems);
  if (!word) return;
  entry.verdict = core::verdict_words.parse(*word);
  if (entry.verdict != core::Verdict::fail && entry.verdict != core::Verdict::inconclusive) {
    problems.unexpected(*node, "fail or inconclusive");
  }
}

void read_condition(MapReader& map, core::BaselineEntry& entry, Problems& problems) {
  const YamlNode* node = map.optional("when");
  if (!node) return;
  MapReader when(*node, "a condition", problems);
  when.text("profile", entry.profile);
  when.text("target", entry.target);
  when.finish();
}

core::BaselineEntry read_entry(const YamlNode& node, const core::ClauseTable& clauses,
                               Problems& problems) {
  MapReader map(node, "an expected failure", problems);
  core::BaselineEntry entry;
  entry.at = problems.position(node);
  entry.last_line = last_line_of(node);
  map.required_text("case", entry.case_glob);
  map.required_text("clause", entry.clause);
  if (const YamlNode* clause = node.find("clause"); clause && clause->is_text()) {
    check_clause(*clause, entry.clause, clauses, problems);
  }
  read_seen(map, entry, problems);
  read_verdict(map, entry, problems);
  map.required_text("reason", entry.reason);
  map.text("reference", entry.reference);
  map.text("owner", entry.owner);
  map.text("expires", entry.expires);
  if (const YamlNode* expires = node.find("expires"); expires && expires->is_text()) {
    if (!is_day(entry.expires)) problems.unexpected(*expires, "a day such as 2026-12-31");
  }
  read_condition(map, entry, problems);
  map.flag("sometimes", entry.sometimes);
  map.finish();
  return entry;
}

}  // namespace

bool is_day(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  const auto year = digits(text.substr(0, 4));
  const auto month = digits(text.substr(5, 2));
  const auto day = digits(text.substr(8, 2));
  if (!year || !month || !day) return false;
  return std::chrono::year_month_day(std::chrono::year(*year),
                                     std::chrono::month(static_cast<unsigned>(*month)),
                                     std::chrono::day(static_cast<unsigned>(*day)))
      .ok();
}

Result<core::Baseline, std::vector<core::Diagnostic>> read_baseline(
    std::string_view text, const std::string& file_name, const core::ClauseTable& clauses) {
  auto parsed = read_yaml(text, file_name);
  if (!parsed) return unexpected(std::vector{std::move(parsed).error()});
  const auto& root = *parsed;
  Problems problems(file_name);
  core::Baseline baseline;
  MapReader map(root, "a baseline", problems);
  if (const YamlNode* entries = map.required("expected_failures")) {
    for (const YamlNode& item : items_of(*entries, "a list of expected failures", problems)) {
      baseline.entries.push_back(read_entry(item, clauses, problems));
    }
  }
  map.finish();
  if (!problems.empty()) return unexpected(problems.take());
  return baseline;
}

}  // namespace assay::wire
