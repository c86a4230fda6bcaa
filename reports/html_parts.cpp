#include "reports/html_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "base/encoding.h"
#include "base/visible.h"
#include "reports/diagram.h"
#include "reports/wording.h"

namespace assay::reports {
namespace {

std::size_t index_of(const Report& report, const ClauseReport& clause) {
  return static_cast<std::size_t>(&clause - report.clauses.data());
}

Outcome outcome_of(core::Verdict verdict) {
  switch (verdict) {
    case core::Verdict::pass:
      return Outcome::pass;
    case core::Verdict::fail:
      return Outcome::fail;
    case core::Verdict::error:
      return Outcome::error;
    case core::Verdict::inconclusive:
      return Outcome::inconclusive;
    case core::Verdict::not_applicable:
      break;
  }
  return Outcome::not_applicable;
}

std::string tag(std::string_view style, std::string_view sign, std::string_view word) {
  return fmt::format("<span class=\"outcome {}\">{} {}</span>", style, sign, word);
}

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

/// "2 fail · 30 pass · 8 not judged", and whether a person should see the group at once.
struct GroupCounts {
  std::string text;
  bool needs_look = false;
};

GroupCounts count_group(const Report& report, std::string_view specification) {
  std::array<std::size_t, 5> verdicts = {};
  std::size_t not_judged = 0;
  for (const ClauseReport& each : report.clauses) {
    if (specification_of(each.clause) != specification) continue;
    if (each.cases == 0) {
      ++not_judged;
    } else {
      ++verdicts.at(static_cast<std::size_t>(each.verdict));
    }
  }
  std::vector<std::string> parts;
  for (const core::Verdict verdict :
       {core::Verdict::fail, core::Verdict::error, core::Verdict::inconclusive, core::Verdict::pass,
        core::Verdict::not_applicable}) {
    const std::size_t count = verdicts.at(static_cast<std::size_t>(verdict));
    if (count > 0)
      parts.push_back(fmt::format("{} {}", count, outcome_phrase(outcome_of(verdict))));
  }
  if (not_judged > 0) parts.push_back(fmt::format("{} not judged", not_judged));
  return {fmt::format("{}", fmt::join(parts, " · ")),
          verdicts.at(static_cast<std::size_t>(core::Verdict::fail)) > 0};
}

std::string evidence_text(const ClauseReport& each) {
  if (each.cases == 0) return "";
  std::string text =
      fmt::format("{} in {}", counted(each.checks, "check"), counted(each.cases, "case"));
  if (each.looked_ms > 0) text += fmt::format(", absence held {} ms", each.looked_ms);
  return text;
}

std::string troubled_links(const Report& report, const ClauseReport& each) {
  constexpr std::size_t limit_links = 4;
  std::string out;
  std::size_t shown = 0;
  for (std::size_t index = 0; index < report.cases.size() && shown < limit_links; ++index) {
    const std::string& id = report.cases[index].id;
    if (std::find(each.troubled.begin(), each.troubled.end(), id) == each.troubled.end()) continue;
    out += fmt::format("<br><a class=\"id\" href=\"#case-{}\">{}</a>", index, escape_markup(id));
    ++shown;
  }
  if (each.troubled.size() > shown) {
    out += fmt::format("<br>and {} more", each.troubled.size() - shown);
  }
  return out;
}

std::string exercised_list(const std::vector<std::string>& defined,
                           const std::vector<std::string>& seen) {
  std::string out = "<ul class=\"transitions\">\n";
  for (const std::string& name : defined) {
    const bool is_seen = std::find(seen.begin(), seen.end(), name) != seen.end();
    out += fmt::format("<li class=\"{}\"><code>{}</code></li>\n", is_seen ? "seen" : "unseen",
                       escape_markup(name));
  }
  return out + "</ul>";
}

/// What each trigger does in each state, folded away: there are many.
std::string attempts_html(const core::LayerCoverage& layer) {
  if (layer.attempts.empty()) return "";
  return fmt::format("<details><summary>{} of {} attempts</summary>\n{}</details>\n",
                     layer.attempts_seen.size(), layer.attempts.size(),
                     exercised_list(layer.attempts, layer.attempts_seen));
}

std::string layer_html(const core::LayerCoverage& layer) {
  // More states in a row than half of the page has room for.
  constexpr std::size_t limit_narrow_states = 8;
  const std::string_view breadth =
      layer.states.size() > limit_narrow_states ? " class=\"broad\"" : "";
  // What has no transitions is no machine to draw.
  if (layer.transitions.empty()) {
    return fmt::format("<figure{}><figcaption>{}<span>{} of {}</span></figcaption>\n{}</figure>\n",
                       breadth, escape_markup(layer.layer), layer.states_seen.size(),
                       layer.states.size(), exercised_list(layer.states, layer.states_seen));
  }
  return fmt::format(
      "<figure{}><figcaption>{}<span>{} of {} states · {} of {} transitions</span>"
      "</figcaption>\n<div class=\"wide\">{}</div>{}{}</figure>\n",
      breadth, escape_markup(layer.layer), layer.states_seen.size(), layer.states.size(),
      layer.transitions_seen.size(), layer.transitions.size(), state_diagram(layer),
      exercised_list(layer.transitions, layer.transitions_seen), attempts_html(layer));
}

}  // namespace

std::string outcome_tag(Outcome outcome) {
  constexpr std::array<std::string_view, all_outcomes.size()> signs = {"✓", "✕", "?", "!",
                                                                       "–", "✕", "!"};
  return tag(outcome_word(outcome), signs.at(static_cast<std::size_t>(outcome)),
             outcome_phrase(outcome));
}

std::string verdict_tag(const ClauseReport& clause) {
  if (clause.cases == 0) return tag("not_applicable", "·", "not judged");
  return outcome_tag(outcome_of(clause.verdict));
}

std::string clause_link(const Report& report, std::string_view id) {
  const ClauseReport* clause = report.find_clause(id);
  if (clause == nullptr) return fmt::format("<span>{}</span>", escape_markup(id));
  return fmt::format("<a class=\"id\" href=\"#clause-{}\">{}</a>", index_of(report, *clause),
                     escape_markup(id));
}

std::string clause_links(const Report& report, const std::vector<std::string>& ids) {
  std::string out;
  for (const std::string& name : clause_names(ids, report)) out += clause_link(report, name) + " ";
  return out;
}

std::string clauses_html(const Report& report) {
  std::string out;
  const auto put = std::back_inserter(out);
  for (const std::string_view specification : specifications(report)) {
    const GroupCounts counts = count_group(report, specification);
    fmt::format_to(put,
                   "<details class=\"group\"{}><summary><b>{}</b><span class=\"quiet\">{}</span>"
                   "</summary>\n<div class=\"wide\"><table class=\"clauses\"><thead><tr>"
                   "<th scope=\"col\">Verdict</th><th scope=\"col\">Clause</th><th scope=\"col\">"
                   "Level</th><th scope=\"col\">Statement</th><th scope=\"col\">Evidence</th>"
                   "</tr></thead><tbody>\n",
                   counts.needs_look ? " open" : "",
                   escape_markup(specification_title(specification)), counts.text);
    for (const ClauseReport& each : report.clauses) {
      if (specification_of(each.clause) != specification) continue;
      fmt::format_to(put,
                     "<tr data-item id=\"clause-{}\"><td>{}</td><td><span class=\"id\">{}</span>"
                     "</td><td>{}</td><td>{} <span class=\"quiet\">({})</span></td>"
                     "<td>{}{}</td></tr>\n",
                     index_of(report, each), verdict_tag(each), escape_markup(each.clause.id),
                     core::level_word(each.clause.level), escape_markup(each.clause.statement),
                     escape_markup(each.clause.source), evidence_text(each),
                     troubled_links(report, each));
    }
    out += "</tbody></table></div></details>\n";
  }
  return out;
}

std::string coverage_html(const Report& report) {
  std::string out = fmt::format("<p>{}</p>\n<div class=\"layers\">\n",
                                escape_markup(coverage_text(*report.footer)));
  for (const core::LayerCoverage& layer : report.footer->coverage) out += layer_html(layer);
  return out + "</div>\n";
}

}  // namespace assay::reports
