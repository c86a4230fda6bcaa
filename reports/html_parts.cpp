#include "reports/html_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <utility>

#include "base/encoding.h"
#include "base/visible.h"
#include "base/words.h"
#include "reports/diagram.h"
#include "reports/wording.h"

namespace assay::reports {
namespace {

std::string tag(std::string_view style, std::string_view sign, std::string_view word) {
  return fmt::format("<span class=\"outcome {}\">{} {}</span>", style, sign, word);
}

/// `id` with "_" for what an address cannot show as it is.
std::string plain_anchor(std::string_view id) {
  std::string anchor;
  for (const char letter : id) {
    const bool is_plain =
        std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '-' || letter == '.';
    if (is_plain || anchor.empty() || anchor.back() != '_') anchor += is_plain ? letter : '_';
  }
  while (!anchor.empty() && anchor.back() == '_') anchor.pop_back();
  return anchor;
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
  return fmt::format(
      "<details class=\"attempts\"><summary>{} of {} attempts</summary>\n{}</details>\n",
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
      "</figcaption>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Diagram of "
      "{}\">{}</div>{}{}</figure>\n",
      breadth, escape_markup(layer.layer), layer.states_seen.size(), layer.states.size(),
      layer.transitions_seen.size(), layer.transitions.size(), escape_markup(layer.layer),
      state_diagram(layer), exercised_list(layer.transitions, layer.transitions_seen),
      attempts_html(layer));
}

}  // namespace

std::string outcome_tag(Outcome outcome) {
  constexpr EnumTable<Outcome::flaky, std::string_view> signs = {"✓", "✕", "?", "!",
                                                                 "–", "✕", "!", "~"};
  return tag(outcome_words[outcome], signs[outcome], outcome_phrase(outcome));
}

std::string standing_tag(Standing standing) {
  constexpr EnumTable<Standing::not_tested, std::string_view> signs = {"✓", "○", "✕",
                                                                       "?", "–", "·"};
  return tag(standing_words[standing], signs[standing], standing_phrase(standing));
}

std::string_view conclusion_style(Conclusion conclusion) {
  constexpr EnumTable<Conclusion::flaky, std::string_view> styles = {
      "conforms",  "broken",     "not-proven",    "baseline-stale",
      "cut-short", "not-proven", "baseline-stale"};
  return styles[conclusion];
}

std::string clause_anchor(std::string_view id) { return "clause-" + plain_anchor(id); }

std::string case_anchor(std::string_view id) { return "case-" + plain_anchor(id); }

std::string self_link(std::string_view anchor, std::string_view what) {
  return fmt::format("<a class=\"self\" href=\"#{}\" aria-label=\"Link to {}\">#</a>", anchor,
                     escape_markup(what));
}

std::string clause_link(const Report& report, std::string_view id) {
  if (report.find_clause(id) == nullptr) return fmt::format("<span>{}</span>", escape_markup(id));
  return fmt::format("<a class=\"id\" href=\"#{}\">{}</a>", clause_anchor(id), escape_markup(id));
}

std::string clause_links(const Report& report, const std::vector<std::string>& ids) {
  std::string out;
  for (const std::string& name : clause_names(ids, report)) out += clause_link(report, name) + " ";
  return out;
}

std::string coverage_html(const Report& report) {
  std::string out = fmt::format("<p>{}</p>\n<div class=\"layers\">\n",
                                escape_markup(coverage_text(*report.footer)));
  for (const core::LayerCoverage& layer : report.footer->coverage) out += layer_html(layer);
  return out + "</div>\n";
}

}  // namespace assay::reports
