#include "reports/matrix_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>

#include "base/encoding.h"
#include "base/visible.h"
#include "reports/markdown_text.h"
#include "reports/sheet.h"
#include "reports/wording.h"

namespace assay::reports {
namespace {

/// One clause, and how it stands in each column.
struct Row {
  const core::Clause* clause = nullptr;
  std::vector<Standing> standings;

  [[nodiscard]] bool differs() const {
    return std::any_of(standings.begin(), standings.end(),
                       [this](Standing each) { return each != standings.front(); });
  }
};

std::string cell_text(Standing standing) {
  if (standing == Standing::not_tested) return "-";
  return standing == Standing::not_applicable ? "n/a" : standing_phrase(standing);
}

std::vector<Row> rows_of(std::span<const MatrixColumn> columns) {
  std::vector<Row> rows;
  std::map<std::string_view, std::size_t> index;
  std::set<std::string_view> tested;
  for (std::size_t column = 0; column < columns.size(); ++column) {
    for (const ClauseReport& each : columns[column].report.clauses) {
      const auto [at, is_new] = index.try_emplace(each.clause.id, rows.size());
      if (is_new) {
        rows.push_back({&each.clause, std::vector<Standing>(columns.size(), Standing::not_tested)});
      }
      rows[at->second].standings[column] = standing_of(each);
      if (each.cases > 0) tested.insert(each.clause.id);
    }
  }
  std::erase_if(rows, [&tested](const Row& row) { return !tested.contains(row.clause->id); });
  return rows;
}

/// "12 hold, 3 broken" of the MUST clauses.
std::string tally(const std::vector<Row>& rows, std::size_t column) {
  std::size_t holding = 0;
  std::size_t broken = 0;
  std::size_t not_shown = 0;
  for (const Row& row : rows) {
    if (row.clause->level != core::Level::must) continue;
    holding += row.standings[column] == Standing::holds ? 1U : 0U;
    broken += row.standings[column] == Standing::broken ? 1U : 0U;
    not_shown += row.standings[column] == Standing::not_shown ? 1U : 0U;
  }
  const std::string text = fmt::format("{} hold, {} broken", holding, broken);
  return not_shown == 0 ? text : text + fmt::format(", {} not shown", not_shown);
}

std::vector<Row> rows_of_specification(const std::vector<Row>& rows,
                                       std::string_view specification) {
  std::vector<Row> some;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(some),
               [&](const Row& row) { return specification_of(*row.clause) == specification; });
  return some;
}

/// The specifications of the rows, in their order.
std::vector<std::string_view> specifications_of(const std::vector<Row>& rows) {
  std::vector<std::string_view> found;
  for (const Row& row : rows) {
    const std::string_view specification = specification_of(*row.clause);
    if (std::find(found.begin(), found.end(), specification) == found.end()) {
      found.push_back(specification);
    }
  }
  return found;
}

std::string html_head(std::span<const MatrixColumn> columns, std::string_view corner) {
  std::string out =
      fmt::format("<thead><tr><th scope=\"col\">{}</th><th scope=\"col\">Level</th>", corner);
  for (const MatrixColumn& column : columns) {
    out += fmt::format("<th scope=\"col\">{}</th>", escape_markup(column.name));
  }
  return out + "</tr></thead>\n";
}

/// What was judged in each column, by what and when.
std::string html_runs(std::span<const MatrixColumn> columns, const std::vector<Row>& rows) {
  std::string out =
      "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Runs\"><table><thead><tr>"
      "<th scope=\"col\">Run</th><th scope=\"col\">Result</th><th scope=\"col\">MUST clauses</th>"
      "<th scope=\"col\">Server</th><th scope=\"col\">Profile</th><th scope=\"col\">assay</th><th "
      "scope=\"col\">Started</th></tr></thead><tbody>\n";
  for (std::size_t index = 0; index < columns.size(); ++index) {
    const Report& report = columns[index].report;
    out += fmt::format(
        "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>"
        "<td>{}</td></tr>\n",
        escape_markup(columns[index].name), escape_markup(report.headline), tally(rows, index),
        escape_markup(report.header.target), escape_markup(report.header.profile),
        escape_markup(report.header.assay_version), escape_markup(report.header.started_at));
  }
  return out + "</tbody></table></div>\n";
}

}  // namespace

std::string matrix_text(std::span<const MatrixColumn> columns) {
  const std::vector<Row> rows = rows_of(columns);
  std::size_t widest = 10;
  for (const Row& row : rows) widest = std::max(widest, row.clause->id.size());
  std::vector<std::size_t> widths;
  for (std::size_t column = 0; column < columns.size(); ++column) {
    widths.push_back(std::max(columns[column].name.size(), tally(rows, column).size()));
  }
  const auto line = [&](std::string start, const auto& cell) {
    for (std::size_t column = 0; column < columns.size(); ++column) {
      start += fmt::format("  {:<{}}", cell(column), widths[column]);
    }
    while (start.back() == ' ') start.pop_back();
    return start + "\n";
  };
  std::string out = line(fmt::format("{:<{}}", "", widest + 10),
                         [&](std::size_t column) { return columns[column].name; });
  out += line(fmt::format("{:<{}}", "MUST clauses", widest + 10),
              [&](std::size_t column) { return tally(rows, column); });
  for (const Row& row : rows) {
    out += line(fmt::format("{} {:<{}}  {:<6}", row.differs() ? "*" : " ", row.clause->id, widest,
                            core::level_words[row.clause->level]),
                [&](std::size_t column) { return cell_text(row.standings[column]); });
  }
  return out + "* differs between the runs; - not tested; n/a not applicable\n";
}

std::string matrix_markdown(std::span<const MatrixColumn> columns) {
  const std::vector<Row> rows = rows_of(columns);
  std::string out = "| clause | level |";
  std::string rule = "|---|---|";
  std::string totals = "| **MUST clauses** | |";
  for (std::size_t column = 0; column < columns.size(); ++column) {
    out += fmt::format(" {} |", prose(columns[column].name));
    rule += "---|";
    totals += fmt::format(" {} |", tally(rows, column));
  }
  out += "\n" + rule + "\n" + totals + "\n";
  for (const Row& row : rows) {
    const char* mark = row.differs() ? "**" : "";
    out += fmt::format("| {1}{0}{1} | {2} |", row.clause->id, mark,
                       core::level_words[row.clause->level]);
    for (const Standing each : row.standings)
      out += fmt::format(" {1}{0}{1} |", cell_text(each), mark);
    out += "\n";
  }
  return out;
}

std::string matrix_html(std::span<const MatrixColumn> columns) {
  const std::vector<Row> rows = rows_of(columns);
  const auto differing = static_cast<std::size_t>(
      std::count_if(rows.begin(), rows.end(), [](const Row& row) { return row.differs(); }));
  std::string body = fmt::format(
      "<p class=\"product\">assay conformance matrix</p>\n<h1>{} side by side</h1>\n<p "
      "class=\"lead\">{} of {}; rows that differ are bold.</p>\n<h2>Runs</h2>\n{}",
      counted(columns.size(), "run"),
      differing == 0 ? "They agree on each" : fmt::format("They differ in {}", differing),
      counted(rows.size(), "clause"), html_runs(columns, rows));
  for (const std::string_view specification : specifications_of(rows)) {
    const std::string title = specification_title(specification);
    body += fmt::format(
        "<h2>{0}</h2>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" "
        "aria-label=\"{0}\"><table "
        "class=\"matrix\">{1}<tbody>\n",
        escape_markup(title), html_head(columns, "Clause"));
    for (const Row& row : rows_of_specification(rows, specification)) {
      body += fmt::format("<tr{}><th scope=\"row\" title=\"{}\">{}</th><td class=\"level\">{}</td>",
                          row.differs() ? " class=\"differs\"" : "",
                          escape_markup(row.clause->statement), escape_markup(row.clause->id),
                          core::level_words[row.clause->level]);
      for (const Standing each : row.standings) {
        body += fmt::format("<td class=\"{}\">{}</td>", standing_words[each], cell_text(each));
      }
      body += "</tr>\n";
    }
    body += "</tbody></table></div>\n";
  }
  return sheet_html("assay: runs side by side", body + "<p>- not tested; n/a not applicable</p>\n");
}

std::vector<std::string> column_names(std::span<const core::RecordHeader> headers) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (const core::RecordHeader& header : headers) {
    const std::string base = visible(
        header.target_identity.empty() ? header.profile : header.target_identity, 60, Lines::one);
    std::string name = base;
    for (int number = 2; !taken.insert(name).second; ++number) {
      name = fmt::format("{} ({})", base, number);
    }
    names.push_back(std::move(name));
  }
  return names;
}

}  // namespace assay::reports
