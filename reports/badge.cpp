#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <string>

#include "base/encoding.h"
#include "base/visible.h"
#include "base/words.h"
#include "reports/render.h"

namespace assay::reports {
namespace {

constexpr std::size_t badge_letter_width = 7;
constexpr std::size_t padding = 8;

std::string words(const Report& report) {
  std::size_t passed = 0;
  std::size_t all = 0;
  for (const ClauseReport& each : report.clauses) {
    if (each.clause.level != core::Level::must) continue;
    ++all;
    if (each.holds()) ++passed;
  }
  if (report.conclusion == Conclusion::selection_passes) {
    return fmt::format("{}/{} selected", report.summary.count(Outcome::pass), report.summary.cases);
  }
  if (report.conclusion != Conclusion::conforms) return report.headline;
  return fmt::format("{} · {}/{} MUST", report.headline, passed, all);
}

}  // namespace

std::string render_badge(const Report& report, const Style& /*style*/) {
  constexpr EnumTable<Conclusion::flaky, std::string_view> colours = {
      "#1a7f37", "#b42318", "#6b7280", "#9a6700", "#6b7280", "#6b7280", "#9a6700"};
  const std::string value = words(report);
  const std::size_t left = 5 * badge_letter_width + 2 * padding;
  const std::size_t right = value.size() * badge_letter_width + 2 * padding;
  return fmt::format(
      R"svg(<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="20" role="img" aria-label="assay: {value}">
  <title>assay: {value}</title>
  <clipPath id="round"><rect width="{width}" height="20" rx="4"/></clipPath>
  <g clip-path="url(#round)">
    <rect width="{left}" height="20" fill="#30363d"/>
    <rect x="{left}" width="{right}" height="20" fill="{colour}"/>
  </g>
  <g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">
    <text x="{left_middle}" y="14">assay</text>
    <text x="{right_middle}" y="14">{value}</text>
  </g>
</svg>
)svg",
      fmt::arg("width", left + right), fmt::arg("value", escape_markup(value)),
      fmt::arg("left", left), fmt::arg("right", right),
      fmt::arg("colour", colours[report.conclusion]), fmt::arg("left_middle", left / 2),
      fmt::arg("right_middle", left + right / 2));
}

}  // namespace assay::reports
