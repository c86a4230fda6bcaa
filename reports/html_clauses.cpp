#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "base/encoding.h"
#include "reports/html_parts.h"
#include "reports/wording.h"

namespace assay::reports {
namespace {

/// The specifications of the report's clauses, in their order.
std::vector<std::string_view> specifications(const Report& report) {
  std::vector<std::string_view> found;
  for (const ClauseReport& each : report.clauses) {
    const std::string_view specification = specification_of(each.clause);
    if (std::find(found.begin(), found.end(), specification) == found.end()) {
      found.push_back(specification);
    }
  }
  return found;
}

/// "2 broken · 30 hold · 8 not tested".
std::string counts_text(const Report& report, std::string_view specification) {
  StandingCounts counts;
  for (const ClauseReport& each : report.clauses) {
    if (specification_of(each.clause) != specification) continue;
    ++counts[standing_of(each)];
  }
  std::vector<std::string> parts;
  for (const Standing standing : standing_words.values()) {
    const std::size_t count = counts[standing];
    if (count > 0) parts.push_back(fmt::format("{} {}", count, standing_phrase(standing)));
  }
  return fmt::format("{}", fmt::join(parts, " · "));
}

/// How a clause was judged: "12 checks in 8 cases, absence watched for 100 ms".
std::string evidence_text(const ClauseReport& each) {
  if (each.cases == 0) return "Not tested in this run.";
  std::string text =
      fmt::format("{} in {}", counted(each.checks, "check"), counted(each.cases, "case"));
  if (each.looked_ms > 0) text += fmt::format(", absence watched for {} ms", each.looked_ms);
  if (!each.follows.empty()) {
    text += fmt::format("; every failure follows from one of {}", escape_markup(each.follows));
  }
  if (each.holds() && each.sensitivity) text += "; " + sensitivity_text(each);
  if (each.is_not_shown()) text += "; " + escape_markup(not_shown_text(*each.sensitivity));
  return text + ".";
}

std::string clause_html(const ClauseReport& each) {
  const Standing standing = standing_of(each);
  const std::string anchor = clause_anchor(each.clause.id);
  return fmt::format(
      "<details class=\"clause\" id=\"{0}\" data-item data-outcome=\"{1}\" data-level=\"{2}\" "
      "data-clause=\"{3}\"><summary>{4}<span class=\"id\">{3}</span><span "
      "class=\"level\">{2}</span>"
      "<span class=\"statement\">{5}</span><span class=\"quiet how\">{6} {7}</span></summary>\n"
      "<div class=\"evidence\">{8}</div></details>\n",
      anchor, standing_words[standing], core::level_words[each.clause.level],
      escape_markup(each.clause.id), standing_tag(standing), escape_markup(each.clause.statement),
      escape_markup(each.clause.source.empty() ? "" : each.clause.source + "."),
      evidence_text(each), self_link(anchor, each.clause.id));
}

}  // namespace

std::string counts_html(const Report& report) {
  std::string out =
      "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Clauses by level\">"
      "<table class=\"counts\"><thead><tr><th scope=\"col\">Clauses</th>";
  for (const Standing standing : standing_words.values()) {
    out += fmt::format("<th scope=\"col\" class=\"number\">{}</th>", standing_tag(standing));
  }
  out += "</tr></thead><tbody>\n";
  for (const core::Level level : core::level_words.values()) {
    out += fmt::format("<tr><th scope=\"row\">{}</th>", core::level_words[level]);
    const auto counts = count_standings(report, level);
    for (const Standing standing : standing_words.values()) {
      const std::size_t count = counts[standing];
      out += count == 0 ? std::string("<td class=\"number quiet\">0</td>")
                        : fmt::format(
                              "<td class=\"number\"><a href=\"#outcome={}&amp;level={}\">{}"
                              "</a></td>",
                              standing_words[standing], core::level_words[level], count);
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string clauses_html(const Report& report) {
  std::string out;
  for (const std::string_view specification : specifications(report)) {
    const std::string title = specification_title(specification);
    const std::string anchor = fmt::format("specification-{}", specification);
    out += fmt::format(
        "<section class=\"group\" aria-labelledby=\"{0}\">\n<h3 id=\"{0}\">{1}<span "
        "class=\"quiet\">{2}</span>{3}</h3>\n",
        anchor, escape_markup(title), counts_text(report, specification), self_link(anchor, title));
    for (const ClauseReport& each : report.clauses) {
      if (specification_of(each.clause) == specification) out += clause_html(each);
    }
    out += "</section>\n";
  }
  return out;
}

}  // namespace assay::reports
