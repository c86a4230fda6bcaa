#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "reports/places.h"
#include "reports/render.h"
#include "reports/wording.h"

namespace assay::reports {
namespace {

/// GitHub shows ten annotations of a kind for a step; the rest is in the summary.
constexpr std::size_t limit_annotations = 10;

/// Of a workflow command's message; its properties end at a comma and a colon too.
std::string command_text(std::string_view text, bool is_property) {
  std::string out;
  for (const char letter : text) {
    const bool ends = letter == '%' || letter == '\r' || letter == '\n' ||
                      (is_property && (letter == ':' || letter == ','));
    out += ends ? fmt::format("%{:02X}", static_cast<int>(letter)) : std::string(1, letter);
  }
  return out;
}

std::string annotation(std::string_view kind, std::string_view title, std::string_view message,
                       const Place& place) {
  std::string properties = fmt::format("title={}", command_text(title, true));
  if (!place.file.empty()) {
    properties += fmt::format(",file={}", command_text(place.file, true));
    if (place.line > 0) properties += fmt::format(",line={}", place.line);
    if (place.column > 0) properties += fmt::format(",col={}", place.column);
  }
  return fmt::format("::{} {}::{}\n", kind, properties, command_text(message, false));
}

/// The findings that say one thing: each with the cases that show it.
struct Annotated {
  const Finding* finding = nullptr;
  std::vector<std::string> cases;
  std::string repro;
  /// Whether every case that shows it is let through.
  bool is_let_through = true;
};

std::vector<Annotated> grouped_findings(const Report& report) {
  std::vector<Annotated> groups;
  std::map<std::tuple<std::vector<std::string>, std::string, std::string>, std::size_t> index;
  for (const CaseReport* each : troubled_cases(report)) {
    if (each->outcome == Outcome::expected_fail) continue;
    for (const Finding& finding : each->findings) {
      if (finding.verdict == core::Verdict::not_applicable) continue;
      const auto key =
          std::tuple(finding.clauses, finding.expected, finding.actual + finding.reason);
      const auto [at, is_new] = index.try_emplace(key, groups.size());
      if (is_new) groups.push_back({&finding, {}, each->repro});
      groups[at->second].is_let_through &= each->is_let_through;
      std::vector<std::string>& cases = groups[at->second].cases;
      if (cases.empty() || cases.back() != each->id) cases.push_back(each->id);
    }
  }
  return groups;
}

std::string message_of(const Annotated& group) {
  const Finding& finding = *group.finding;
  std::string text = finding.reason;
  if (!finding.expected.empty() || !finding.actual.empty()) {
    text = fmt::format("expected {}\nactual   {}", finding.expected, finding.actual);
  }
  text += fmt::format("\n{}", group.cases.front());
  if (group.cases.size() > 1) text += fmt::format(" and {} more", group.cases.size() - 1);
  return group.repro.empty() ? text : text + "\n" + group.repro;
}

/// How loudly the run's own line speaks.
std::string_view kind_of(const Report& report) {
  if (report.exit_code != core::ExitCode::conforms) return "error";
  const bool is_good = report.conclusion == Conclusion::conforms ||
                       report.conclusion == Conclusion::selection_passes;
  return is_good ? "notice" : "warning";
}

}  // namespace

std::string render_github(const Report& report, const Style&) {
  std::string out;
  std::size_t shown = 0;
  for (const Annotated& group : grouped_findings(report)) {
    if (shown++ >= limit_annotations) break;
    const bool is_fail = group.finding->verdict == core::Verdict::fail && !group.is_let_through;
    out += annotation(is_fail ? "error" : "warning",
                      fmt::format("{} {}", fmt::join(group.finding->clauses, ", "),
                                  core::verdict_words[group.finding->verdict]),
                      message_of(group), users_place(group.finding->at));
  }
  if (report.footer) {
    for (const std::string& finding : report.footer->baseline_findings) {
      const Place place = parsed_place(finding);
      out += annotation("error", "Baseline is stale", place.rest, place);
    }
  }
  return out + annotation(kind_of(report), fmt::format("assay: {}", report.headline),
                          report.explanation, {});
}

}  // namespace assay::reports
