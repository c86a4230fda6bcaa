#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/report.h"

namespace assay::reports {

/// How a renderer lays a report out.
struct Style {
  /// Colours of a terminal, in text alone.
  bool colour = false;
  /// Everything that text would otherwise sum up in a line.
  bool verbose = false;
  /// Of the statement: a page instead of Markdown.
  bool page = false;
};

/// Whether a file of that name is to hold a page: it ends in .html or .htm.
[[nodiscard]] bool is_page(std::string_view file);

/// Renderers: a report goes in, the text of one file comes out. They read no clock, file or
/// environment, and the same report always gives the same bytes. A record without a footer is shown
/// as cut short in each of them.

/// For people: the conclusion and what was not proven, then each failure with the way to see it
/// again.
[[nodiscard]] std::string render_text(const Report& report, const Style& style);
/// For programs: summary, clauses, cases, coverage, target, exit_code.
[[nodiscard]] std::string render_json(const Report& report, const Style& style);
/// JUnit XML: a test suite for each group of scenarios and each family, as CI servers read it.
[[nodiscard]] std::string render_junit(const Report& report, const Style& style);
/// GitHub-flavoured Markdown, for the summary of a CI step.
[[nodiscard]] std::string render_markdown(const Report& report, const Style& style);
/// The compliance statement: one or two pages of what was judged, by what, when, with what result,
/// what was not shown, which deviations are accepted, and how to do it again.
[[nodiscard]] std::string render_statement(const Report& report, const Style& style);
/// One page that needs no network.
[[nodiscard]] std::string render_html(const Report& report, const Style& style);
/// Common Test Report Format.
[[nodiscard]] std::string render_ctrf(const Report& report, const Style& style);
/// SARIF 2.1.0: clauses are rules, findings point at the scenario's line.
[[nodiscard]] std::string render_sarif(const Report& report, const Style& style);
/// Workflow commands of GitHub Actions: an annotation for each thing that is wrong.
[[nodiscard]] std::string render_github(const Report& report, const Style& style);
/// GitLab's code quality: an issue for each finding.
[[nodiscard]] std::string render_gitlab(const Report& report, const Style& style);
/// Test Anything Protocol 14: a test for each case.
[[nodiscard]] std::string render_tap(const Report& report, const Style& style);
/// W3C EARL 1.0 as JSON-LD: an assertion for each clause.
[[nodiscard]] std::string render_earl(const Report& report, const Style& style);
/// A small SVG for a README.
[[nodiscard]] std::string render_badge(const Report& report, const Style& style);

/// A report format by its name.
struct Format {
  using Renderer = std::string (*)(const Report&, const Style&);

  std::string_view name;
  std::string_view what;
  Renderer render;
  /// Whether it shows the steps of cases that passed (Limits::steps_of_passes).
  bool shows_passes = false;
};

/// All formats, the common ones first.
[[nodiscard]] const std::vector<Format>& formats();

/// The format of that name, or nullptr.
[[nodiscard]] const Format* find_format(std::string_view name);

}  // namespace assay::reports
