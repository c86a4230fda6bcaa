#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <string>

#include "reports/render.h"
#include "reports/wording.h"

namespace assay::reports {
namespace {

/// A description or reason: # begins a directive, \ escapes it.
std::string tap_text(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    if (letter == '#' || letter == '\\') out += '\\';
    out += letter == '\n' || letter == '\r' ? ' ' : letter;
  }
  return out;
}

/// A YAML block of diagnostics; JSON strings are YAML.
std::string diagnostics(const CaseReport& each) {
  const auto quoted = [](const std::string& text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  };
  std::string out = "  ---\n";
  out += fmt::format("  outcome: {}\n", outcome_words[each.outcome]);
  if (!each.findings.empty()) out += "  findings:\n";
  for (const Finding& finding : each.findings) {
    out +=
        fmt::format("    - clauses: [{}]\n      expected: {}\n      actual: {}\n      reason: {}\n",
                    fmt::join(finding.clauses, ", "), quoted(finding.expected),
                    quoted(finding.actual), quoted(finding.reason));
  }
  if (!each.retries.empty()) out += fmt::format("  retries: {}\n", quoted(retries_text(each)));
  if (!each.repro.empty()) out += fmt::format("  again: {}\n", quoted(each.repro));
  return out + "  ...\n";
}

std::string test_line(const CaseReport& each, std::size_t number) {
  const std::string name = fmt::format("{} - {}", number, tap_text(each.id));
  switch (each.outcome) {
    case Outcome::pass:
      return fmt::format("ok {}\n", name);
    case Outcome::not_applicable:
      return fmt::format("ok {} # SKIP {}\n", name, tap_text(each.reason));
    case Outcome::expected_fail:
      return fmt::format("not ok {} # TODO {}\n", name,
                         tap_text(fmt::format("{}", fmt::join(each.baseline_reasons, "; "))));
    case Outcome::flaky:
      if (each.is_let_through) {
        return fmt::format("not ok {} # TODO flaky: {}\n", name, tap_text(retries_text(each)));
      }
      break;
    default:
      break;
  }
  return fmt::format("not ok {}\n{}", name, diagnostics(each));
}

}  // namespace

std::string render_tap(const Report& report, const Style&) {
  std::string out = "TAP version 14\n";
  const bool is_stale = report.footer && !report.footer->baseline_findings.empty();
  if (report.footer) out += fmt::format("1..{}\n", report.cases.size() + (is_stale ? 1 : 0));
  std::size_t number = 0;
  for (const CaseReport& each : report.cases) out += test_line(each, ++number);
  if (is_stale) {
    out += fmt::format("not ok {} - baseline\n", ++number);
    for (const std::string& finding : report.footer->baseline_findings) {
      out += fmt::format("# {}\n", tap_text(finding));
    }
  }
  if (!report.footer) out += fmt::format("Bail out! {}\n", tap_text(report.headline));
  return out + fmt::format("# {}: {}\n", report.headline, tap_text(report.explanation));
}

}  // namespace assay::reports
