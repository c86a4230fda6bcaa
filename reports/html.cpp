#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/encoding.h"
#include "base/visible.h"
#include "reports/html_parts.h"
#include "reports/render.h"
#include "reports/sheet.h"
#include "reports/wording.h"

namespace assay::reports {
namespace {

/// The template with each {{name}} replaced once; what is filled in is not looked at again.
std::string filled(std::string_view text,
                   std::initializer_list<std::pair<std::string_view, std::string>> parts) {
  std::size_t bytes = text.size();
  for (const auto& [name, value] : parts) bytes += value.size();
  std::string out;
  out.reserve(bytes);
  for (const auto& [name, value] : parts) {
    const std::string mark = fmt::format("{{{{{}}}}}", name);
    const std::size_t at = text.find(mark);
    if (at == std::string_view::npos) throw std::logic_error("the page lacks " + mark);
    out.append(text.substr(0, at)).append(value);
    text.remove_prefix(at + mark.size());
  }
  return out.append(text);
}

std::string header_html(const Report& report) {
  const core::RecordHeader& header = report.header;
  std::string out = fmt::format(
      "<header class=\"verdict {}\">\n<div class=\"page\">\n<p class=\"product\">assay conformance "
      "report</p>\n<h1>{}</h1>\n<p class=\"lead\">{}</p>\n<dl class=\"facts\">\n",
      conclusion_style(report.conclusion), escape_markup(report.headline),
      escape_markup(report.explanation));
  const auto fact = [&out](std::string_view name, std::string_view value) {
    if (value.empty()) return;
    out += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", name, escape_markup(value));
  };
  fact("Server", header.target);
  fact("Identifies itself as", header.target_identity);
  fact("Started", header.started_at);
  if (report.footer) fact("Duration", duration_text(report.footer->duration_ms));
  fact("Profile", with_digest(header.profile, header.profile_digest));
  fact("Suite", with_digest("assay " + header.assay_version, header.suite_digest));
  fact("Baseline", with_digest(header.baseline, header.baseline_digest));
  fact("Selection", fmt::format("{}", fmt::join(header.selection, " ")));
  fact("Seed", std::to_string(header.seed));
  fact("Run id", header.run_id);
  fact("Run by", header.label);
  for (const std::string& note : notes_of(report)) fact("Note", note);
  fact("Exit code", std::to_string(static_cast<int>(report.exit_code)));
  return out + "</dl>\n</div>\n</header>";
}

std::string unproven_html(const Report& report) {
  std::string out = "<dl class=\"unproven\">\n";
  for (const Unproven& group : report.unproven) {
    out += fmt::format("<div><dt><b>{}</b> {}</dt><dd>{}</dd></div>\n", group.clauses.size(),
                       escape_markup(group.why), clause_links(report, group.clauses));
  }
  return out + "</dl>\n";
}

std::string proportion_html(const Summary& summary) {
  std::string bar = "<div class=\"proportion\" aria-hidden=\"true\">";
  std::string legend = "<ul class=\"legend\">\n";
  for (const Outcome outcome : outcome_words.values()) {
    const std::size_t count = summary.count(outcome);
    if (count == 0) continue;
    bar +=
        fmt::format("<span class=\"{}\" style=\"flex:{}\"></span>", outcome_words[outcome], count);
    legend += fmt::format("<li><b>{}</b> {}</li>\n", count_text(count), outcome_tag(outcome));
  }
  return bar + "</div>\n" + legend + "</ul>\n";
}

std::string interpretations_html(const core::RecordHeader& header) {
  std::string out =
      "<div class=\"group wide\" tabindex=\"0\" role=\"region\" aria-label=\"Interpretations\">"
      "<table><thead><tr><th scope=\"col\">Gap in the specifications</th><th scope=\"col\">Choice"
      "</th></tr></thead><tbody>\n";
  for (const auto& [key, choice] : header.interpretations) {
    out += fmt::format("<tr><td><code>{}</code></td><td>{}</td></tr>\n", escape_markup(key),
                       escape_markup(choice));
  }
  return out + "</tbody></table></div>\n";
}

std::string baseline_html(const std::vector<std::string>& findings) {
  std::string out = "<ul>\n";
  for (const std::string& each : findings) {
    out += fmt::format("<li>{}</li>\n", escape_markup(each));
  }
  return out + "</ul>\n";
}

/// The sections that the record has something for, and the links to them.
class Sections {
 public:
  void add(std::string_view id, std::string_view title, std::size_t count, std::string_view inner) {
    add_counted(id, title, count_text(count), inner);
  }
  /// A section whose count is of what its heading does not say.
  void add_counted(std::string_view id, std::string_view title, std::string_view count,
                   std::string_view inner) {
    navigation_ += fmt::format("<a href=\"#{}\">{} <b>{}</b></a>\n", id, title, count);
    body_ += fmt::format(
        "<section id=\"{0}\" aria-labelledby=\"{0}-title\">\n<h2 id=\"{0}-title\">{1} <span "
        "class=\"count\">{2}</span>{3}</h2>\n{4}</section>\n",
        id, title, count, self_link(id, title), inner);
  }
  void add_plain(std::string_view inner) { body_ += inner; }

  [[nodiscard]] const std::string& navigation() const { return navigation_; }
  [[nodiscard]] const std::string& body() const { return body_; }

 private:
  std::string navigation_;
  std::string body_;
};

/// Filled by the page's script from the page's data: thousands of rows would only slow the page.
constexpr std::string_view cases_html =
    "<noscript><p class=\"note\">The list of cases, and the requests behind each clause, need "
    "JavaScript. Failures are shown in full without it.</p></noscript>\n<div id=\"case-list\" "
    "class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Cases\"></div>\n";

void add_findings(Sections& sections, const Report& report) {
  const auto expected = static_cast<std::size_t>(std::count_if(
      report.causes.begin(), report.causes.end(),
      [](const CauseReport& each) { return each.outcome == Outcome::expected_fail; }));
  if (report.causes.size() > expected) {
    sections.add("findings", "Findings by cause", report.causes.size() - expected,
                 causes_html(report, false));
  }
  if (expected > 0) {
    sections.add("expected", "Expected by the baseline", expected, causes_html(report, true));
  }
}

Sections sections_of(const Report& report) {
  Sections sections;
  sections.add_plain("<div class=\"front\">\n" + counts_html(report) +
                     proportion_html(report.summary));
  if (report.footer && !report.footer->baseline_findings.empty()) {
    const auto& findings = report.footer->baseline_findings;
    sections.add("baseline", "Baseline entries that no longer match", findings.size(),
                 baseline_html(findings));
  }
  sections.add_plain("</div>\n");
  add_findings(sections, report);
  std::size_t unproven = 0;
  for (const Unproven& group : report.unproven) unproven += group.clauses.size();
  if (unproven > 0) sections.add("unproven", "Not proven", unproven, unproven_html(report));
  sections.add("clauses", "Clauses", report.clauses.size(), clauses_html(report));
  if (report.footer && !report.footer->coverage.empty()) {
    sections.add_counted("coverage", "Model coverage",
                         counted(report.footer->coverage.size(), "layer"), coverage_html(report));
  }
  if (!report.header.interpretations.empty()) {
    sections.add("interpretations", "Interpretations", report.header.interpretations.size(),
                 interpretations_html(report.header));
  }
  sections.add("cases", "Cases", report.cases.size(), cases_html);
  return sections;
}

/// A choice of one clause, by specification.
std::string clause_options(const Report& report) {
  std::string out;
  std::string_view last;
  for (const ClauseReport& each : report.clauses) {
    const std::string_view specification = specification_of(each.clause);
    if (out.empty() || specification != last) {
      out += fmt::format("{}<optgroup label=\"{}\">", out.empty() ? "" : "</optgroup>\n",
                         escape_markup(specification_title(specification)));
    }
    last = specification;
    out += fmt::format("<option>{}</option>", escape_markup(each.clause.id));
  }
  return out.empty() ? out : out + "</optgroup>\n";
}

}  // namespace

std::string render_html(const Report& report, const Style& /*style*/) {
  const Sections sections = sections_of(report);
  const core::RecordHeader& header = report.header;
  return filled(
      page_file("page.html"),
      {{"title", escape_markup(fmt::format("{}: {}", report.headline, header.target))},
       {"style", std::string(page_file("style.css"))},
       {"header", header_html(report)},
       {"navigation", sections.navigation()},
       {"options", clause_options(report)},
       {"body", sections.body()},
       {"footer", fmt::format("Made by assay {} from the record of run {}.",
                              escape_markup(header.assay_version), escape_markup(header.run_id))},
       {"data", page_data(report)},
       {"script", std::string(page_file("script.js"))}});
}

}  // namespace assay::reports
