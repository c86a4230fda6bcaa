#include <fmt/format.h>

#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/encoding.h"
#include "base/visible.h"
#include "reports/render.h"
#include "reports/wording.h"

namespace assay::reports {
namespace {

/// How a case counts for a reader of JUnit XML, who knows only these.
struct Counts {
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t errors = 0;
  std::size_t skipped = 0;
  double duration_ms = 0;
};

struct Suite {
  std::string name;
  Counts counts;
  std::string cases;
};

std::string details(const CaseReport& each) {
  std::string text;
  const auto out = std::back_inserter(text);
  for (const Finding& finding : each.findings) {
    fmt::format_to(out, "{} {}\n", core::verdict_words[finding.verdict],
                   fmt::join(finding.clauses, ", "));
    if (!finding.at.empty()) fmt::format_to(out, "at: {}\n", finding.at);
    if (!finding.expected.empty()) fmt::format_to(out, "expected: {}\n", finding.expected);
    if (!finding.actual.empty()) fmt::format_to(out, "actual: {}\n", finding.actual);
    if (!finding.reason.empty()) fmt::format_to(out, "why: {}\n", finding.reason);
    for (const std::size_t index : finding.evidence) {
      const ExchangeReport& exchange = each.exchanges[index];
      fmt::format_to(out, "$ {}\n< {} {}\n", exchange.curl, exchange.answer, exchange.body);
    }
  }
  if (!each.repro.empty()) fmt::format_to(out, "again: {}\n", each.repro);
  return text;
}

/// The message that a CI server shows next to the test's name.
std::string message(const CaseReport& each) {
  if (!each.reason.empty()) return each.reason;
  for (const Finding& finding : each.findings) {
    if (finding.verdict != each.verdict) continue;
    if (!finding.reason.empty()) return finding.reason;
    return fmt::format("{}: expected {}, got {}", fmt::join(finding.clauses, ", "),
                       finding.expected, finding.actual);
  }
  return outcome_phrase(each.outcome);
}

std::string element(std::string_view name, std::string_view type, std::string_view message,
                    std::string_view text) {
  return fmt::format("      <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n", name,
                     escape_markup(type), escape_markup(message), escape_markup(text));
}

std::string skipped(std::string_view message) {
  return fmt::format("      <skipped message=\"{}\"/>\n", escape_markup(message));
}

/// A failure where the target failed; an error where nothing was decided.
std::string trouble_element(const CaseReport& each, std::string_view type,
                            const std::string& message, Counts& counts) {
  const bool is_fail = each.verdict == core::Verdict::fail;
  ++(is_fail ? counts.failures : counts.errors);
  return element(is_fail ? "failure" : "error", type, message, details(each));
}

/// The element that says how the case came out; none for a pass.
std::string outcome_element(const CaseReport& each, Counts& counts) {
  switch (each.outcome) {
    case Outcome::pass:
      return "";
    case Outcome::fail:
      ++counts.failures;
      return element("failure", "fail", message(each), details(each));
    case Outcome::unexpected_pass:
      ++counts.failures;
      return element("failure", "unexpected_pass", "passed, though the baseline expects a failure",
                     details(each));
    case Outcome::flaky:
      if (each.is_let_through) {
        ++counts.skipped;
        return skipped(fmt::format("flaky: {}; {}", retries_text(each), message(each)));
      }
      return trouble_element(
          each, "flaky", fmt::format("flaky: {}; {}", retries_text(each), message(each)), counts);
    // Neither a pass nor a failure of the target, and not to be passed over: an error.
    case Outcome::inconclusive:
    case Outcome::error:
      ++counts.errors;
      return element("error", outcome_words[each.outcome], message(each), details(each));
    case Outcome::not_applicable:
      ++counts.skipped;
      return skipped(message(each));
    case Outcome::expected_fail:
      ++counts.skipped;
      return skipped("fails as the baseline expects: " +
                     (each.baseline_reasons.empty()
                          ? message(each)
                          : fmt::format("{}", fmt::join(each.baseline_reasons, "; "))));
  }
  return "";
}

void add_case(Suite& suite, const CaseReport& each) {
  ++suite.counts.tests;
  suite.counts.duration_ms += each.duration_ms;
  const std::string inner = outcome_element(each, suite.counts);
  const std::string head =
      fmt::format("    <testcase classname=\"assay.{}\" name=\"{}\" time=\"{:.3f}\"",
                  escape_markup(each.family), escape_markup(each.id), each.duration_ms / 1'000);
  suite.cases += inner.empty() ? head + "/>\n" : head + ">\n" + inner + "    </testcase>\n";
}

Suite cut_short_suite(const Report& report) {
  Suite suite{.name = "assay", .counts = {.tests = 1, .errors = 1}, .cases = {}};
  suite.cases = "    <testcase classname=\"assay\" name=\"run record\" time=\"0.000\">\n" +
                element("error", "cut_short", report.headline, report.explanation) +
                "    </testcase>\n";
  return suite;
}

/// Entries that fit no longer are a test of their own: they need not be about a case of the run.
Suite baseline_suite(const std::vector<std::string>& findings) {
  Suite suite{.name = "baseline", .counts = {.tests = 1, .failures = 1}, .cases = {}};
  suite.cases = "    <testcase classname=\"assay\" name=\"baseline\" time=\"0.000\">\n" +
                element("failure", "baseline_stale", findings.front(),
                        fmt::format("{}\n", fmt::join(findings, "\n"))) +
                "    </testcase>\n";
  return suite;
}

std::vector<Suite> suites_of(const Report& report) {
  std::vector<Suite> suites;
  std::map<std::string, std::size_t> index;
  for (const CaseReport& each : report.cases) {
    // The same in each run, so that a CI server knows a test from its history.
    const auto [at, added] = index.try_emplace(each.family, suites.size());
    if (added) suites.push_back({each.family, {}, {}});
    add_case(suites[at->second], each);
  }
  if (!report.footer) {
    suites.push_back(cut_short_suite(report));
  } else if (!report.footer->baseline_findings.empty()) {
    suites.push_back(baseline_suite(report.footer->baseline_findings));
  }
  return suites;
}

std::string counts_attributes(const Counts& counts) {
  return fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{:.3f}\"", counts.tests,
                     counts.failures, counts.errors, counts.duration_ms / 1'000);
}

/// What the run comes to and what it says of the clauses: a reader of one suite must not take it
/// for the run.
std::string properties(const Report& report) {
  std::size_t holding = 0;
  std::size_t broken = 0;
  std::vector<std::string> not_shown;
  bool is_measured = false;
  for (const ClauseReport& each : report.clauses) {
    is_measured |= each.sensitivity.has_value();
    if (each.holds()) ++holding;
    if (each.verdict == core::Verdict::fail) ++broken;
    if (each.is_not_shown()) not_shown.push_back(each.clause.id);
  }
  const auto property = [](std::string_view name, std::string_view value) {
    return fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", name, escape_markup(value));
  };
  std::string text = "    <properties>\n" + property("conclusion", report.headline) +
                     property("explanation", report.explanation);
  for (const std::string& note : notes_of(report)) text += property("note", note);
  if (is_measured) {
    text += property("assay.clauses.hold", std::to_string(holding)) +
            property("assay.clauses.broken", std::to_string(broken)) +
            property("assay.clauses.not_shown", fmt::format("{}", fmt::join(not_shown, " "))) +
            property("assay.clauses.sensitivity", sensitivity_text(report));
  }
  return text + "    </properties>\n";
}

}  // namespace

std::string render_junit(const Report& report, const Style& /*style*/) {
  const std::vector<Suite> suites = suites_of(report);
  Counts total;
  for (const Suite& suite : suites) {
    total.tests += suite.counts.tests;
    total.failures += suite.counts.failures;
    total.errors += suite.counts.errors;
    total.duration_ms += suite.counts.duration_ms;
  }
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  out += fmt::format("<testsuites name=\"assay\" {}>\n", counts_attributes(total));
  for (const Suite& suite : suites) {
    out += fmt::format(
        "  <testsuite name=\"{}\" {} skipped=\"{}\" timestamp=\"{}\" hostname=\"{}\">\n",
        escape_markup(suite.name), counts_attributes(suite.counts), suite.counts.skipped,
        escape_markup(report.header.started_at), escape_markup(report.header.target));
    out += properties(report) + suite.cases + "  </testsuite>\n";
  }
  return out + "</testsuites>\n";
}

}  // namespace assay::reports
