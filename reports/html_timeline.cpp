#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "base/encoding.h"
#include "base/visible.h"
#include "reports/html_parts.h"
#include "reports/wording.h"

namespace assay::reports {
namespace {

/// The drawing's measures, in its own units.
constexpr double width = 720;
constexpr double timeline_margin = 6;
constexpr double lane_height = 24;
constexpr double bar_height = 18;
constexpr double narrowest_bar = 3;
constexpr double axis_height = 20;

/// One exchange on the timeline.
struct Bar {
  std::size_t exchange = 0;
  double begin_ms = 0;
  double end_ms = 0;
  std::size_t lane = 0;
};

/// The bars of all exchanges, in the order of their calls.
std::vector<Bar> bars_of(const std::vector<ExchangeReport>& exchanges) {
  std::vector<Bar> bars;
  for (std::size_t index = 0; index < exchanges.size(); ++index) {
    const ExchangeReport& exchange = exchanges[index];
    bars.push_back(
        {index, exchange.called_ms, std::max(exchange.called_ms, exchange.returned_ms), 0});
  }
  std::stable_sort(bars.begin(), bars.end(), [](const Bar& left, const Bar& right) {
    return left.begin_ms < right.begin_ms;
  });
  return bars;
}

/// Each in the first lane that is free.
void assign_lanes(std::vector<Bar>& bars) {
  std::vector<double> busy_until_ms;
  for (Bar& bar : bars) {
    const auto free = std::find_if(busy_until_ms.begin(), busy_until_ms.end(),
                                   [&bar](double until_ms) { return until_ms <= bar.begin_ms; });
    bar.lane = static_cast<std::size_t>(free - busy_until_ms.begin());
    if (free == busy_until_ms.end()) busy_until_ms.push_back(0);
    busy_until_ms[bar.lane] = bar.end_ms;
  }
}

/// The bars between the first and the last that had company; none where none had. Exchanges that
/// only touch were not under way together.
std::vector<Bar> concurrent_part(const std::vector<Bar>& bars) {
  double from_ms = std::numeric_limits<double>::infinity();
  double to_ms = -from_ms;
  double busy_until_ms = -from_ms;
  double busy_from_ms = 0;
  for (const Bar& bar : bars) {
    if (bar.begin_ms < busy_until_ms) {
      from_ms = std::min(from_ms, busy_from_ms);
      to_ms = std::max({to_ms, busy_until_ms, bar.end_ms});
    }
    if (bar.end_ms > busy_until_ms) {
      busy_until_ms = bar.end_ms;
      busy_from_ms = bar.begin_ms;
    }
  }
  std::vector<Bar> part;
  std::copy_if(bars.begin(), bars.end(), std::back_inserter(part),
               [=](const Bar& bar) { return bar.begin_ms >= from_ms && bar.end_ms <= to_ms; });
  return part;
}

std::string offsets_text(const Bar& bar) {
  return fmt::format("{:.2f} to {:.2f} ms", bar.begin_ms, bar.end_ms);
}

std::set<std::size_t> evidence_of(const CaseReport& each) {
  std::set<std::size_t> evidence;
  for (const Finding& finding : each.findings) {
    evidence.insert(finding.evidence.begin(), finding.evidence.end());
  }
  return evidence;
}

std::string drawing(const CaseReport& each, const std::vector<Bar>& bars,
                    const std::set<std::size_t>& evidence) {
  double from_ms = bars.front().begin_ms;
  double to_ms = from_ms;
  std::size_t lanes = 0;
  for (const Bar& bar : bars) {
    to_ms = std::max(to_ms, bar.end_ms);
    lanes = std::max(lanes, bar.lane + 1);
  }
  const double scale = (width - 2 * timeline_margin) / (to_ms - from_ms);
  const double axis = static_cast<double>(lanes) * lane_height + 2;
  std::string svg =
      fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{} on a line of time\">\n",
                  width, axis + axis_height, counted(bars.size(), "exchange"));
  for (std::size_t number = 1; number <= bars.size(); ++number) {
    const Bar& bar = bars[number - 1];
    const double left = timeline_margin + (bar.begin_ms - from_ms) * scale;
    const double length = std::max(narrowest_bar, (bar.end_ms - bar.begin_ms) * scale);
    const double top = static_cast<double>(bar.lane) * lane_height + 2;
    fmt::format_to(
        std::back_inserter(svg),
        "<g class=\"{}\"><title>{}. {}, {}</title><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
        "height=\"{}\" rx=\"3\"/><text x=\"{:.1f}\" y=\"{:.1f}\">{}</text></g>\n",
        evidence.contains(bar.exchange) ? "bar evidence" : "bar", number,
        escape_markup(each.exchanges[bar.exchange].operation), offsets_text(bar), left, top, length,
        bar_height, left + length / 2, top + 13, number);
  }
  fmt::format_to(std::back_inserter(svg),
                 "<path d=\"M{0} {1}H{2}\"/>\n<text class=\"from\" x=\"{0}\" y=\"{3}\">{4:.2f} ms"
                 "</text><text class=\"to\" x=\"{2}\" y=\"{3}\">{5:.2f} ms</text>\n</svg>\n",
                 timeline_margin, axis, width - timeline_margin, axis + 15, from_ms, to_ms);
  return svg;
}

std::string bar_text(const ExchangeReport& exchange, const Bar& bar, bool is_evidence) {
  return fmt::format("<li{}>{} <span class=\"quiet\">{}, {}</span></li>\n",
                     is_evidence ? " class=\"evidence\"" : "", escape_markup(exchange.operation),
                     escape_markup(exchange.answer), offsets_text(bar));
}

}  // namespace

std::string timeline_html(const CaseReport& each) {
  std::vector<Bar> bars = concurrent_part(bars_of(each.exchanges));
  if (bars.empty()) return "";
  assign_lanes(bars);
  const std::set<std::size_t> evidence = evidence_of(each);
  std::string out =
      "<figure class=\"timeline\"><figcaption>At the same time<span>offsets from the start of the "
      "case</span></figcaption>\n" +
      drawing(each, bars, evidence) + "<ol>\n";
  for (const Bar& bar : bars) {
    out += bar_text(each.exchanges[bar.exchange], bar, evidence.contains(bar.exchange));
  }
  return out + "</ol></figure>\n";
}

}  // namespace assay::reports
