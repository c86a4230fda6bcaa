#include "reports/matrix_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/encoding.h"
#include "base/visible.h"
#include "reports/wording.h"

namespace assay::reports {
namespace {

/// One clause, and its word for each column.
struct Row {
  std::string clause;
  std::string level;
  std::string statement;
  std::vector<std::string> words;

  [[nodiscard]] bool differs() const {
    return std::any_of(words.begin(), words.end(),
                       [this](const std::string& word) { return word != words.front(); });
  }
};

std::string word_of(const ClauseReport& clause) {
  const Standing standing = standing_of(clause);
  if (standing != Standing::not_applicable) return standing_phrase(standing);
  return clause.checks == 0 ? "-" : "n/a";
}

std::vector<Row> rows_of(std::span<const MatrixColumn> columns) {
  std::vector<Row> rows;
  std::map<std::string, std::size_t> index;
  for (std::size_t column = 0; column < columns.size(); ++column) {
    for (const ClauseReport& clause : columns[column].report.clauses) {
      if (clause.cases == 0) continue;
      const auto [at, is_new] = index.try_emplace(clause.clause.id, rows.size());
      if (is_new) {
        rows.push_back({clause.clause.id, std::string(core::level_word(clause.clause.level)),
                        clause.clause.statement, std::vector<std::string>(columns.size(), "-")});
      }
      rows[at->second].words[column] = word_of(clause);
    }
  }
  std::map<std::string, std::size_t> order;
  for (const MatrixColumn& column : columns) {
    for (const ClauseReport& clause : column.report.clauses) {
      order.try_emplace(clause.clause.id, order.size());
    }
  }
  std::sort(rows.begin(), rows.end(), [&order](const Row& left, const Row& right) {
    return order.at(left.clause) < order.at(right.clause);
  });
  return rows;
}

/// "12 hold, 3 broken, 4 not shown" of the MUST clauses.
std::string tally(const std::vector<Row>& rows, std::size_t column) {
  std::size_t holding = 0;
  std::size_t broken = 0;
  std::size_t not_shown = 0;
  for (const Row& row : rows) {
    if (row.level != "MUST") continue;
    holding += row.words[column] == "holds" ? 1U : 0U;
    broken += row.words[column] == "broken" ? 1U : 0U;
    not_shown += row.words[column] == "not shown" ? 1U : 0U;
  }
  std::string text = fmt::format("{} hold, {} broken", holding, broken);
  if (not_shown > 0) text += fmt::format(", {} not shown", not_shown);
  return text;
}

}  // namespace

std::string matrix_text(std::span<const MatrixColumn> columns) {
  const std::vector<Row> rows = rows_of(columns);
  std::size_t widest = 10;
  for (const Row& row : rows) widest = std::max(widest, row.clause.size());
  std::vector<std::size_t> widths;
  for (std::size_t column = 0; column < columns.size(); ++column) {
    widths.push_back(std::max(columns[column].name.size(), tally(rows, column).size()));
  }
  std::string out = fmt::format("{:<{}}  {:<6}", "", widest + 2, "");
  for (std::size_t column = 0; column < columns.size(); ++column) {
    out += fmt::format("  {:<{}}", columns[column].name, widths[column]);
  }
  out += fmt::format("\n{:<{}}  {:<6}", "MUST clauses", widest + 2, "");
  for (std::size_t column = 0; column < columns.size(); ++column) {
    out += fmt::format("  {:<{}}", tally(rows, column), widths[column]);
  }
  out += "\n";
  for (const Row& row : rows) {
    out +=
        fmt::format("{} {:<{}}  {:<6}", row.differs() ? "*" : " ", row.clause, widest, row.level);
    for (std::size_t column = 0; column < columns.size(); ++column) {
      out += fmt::format("  {:<{}}", row.words[column], widths[column]);
    }
    out += "\n";
  }
  return out + "* differs between the runs; - not judged; n/a not applicable\n";
}

std::string matrix_markdown(std::span<const MatrixColumn> columns) {
  const std::vector<Row> rows = rows_of(columns);
  const auto cell = [](std::string text) {
    for (std::size_t at = 0; (at = text.find_first_of("|<>&`*_", at)) != std::string::npos;
         at += 2) {
      text.insert(at, "\\");
    }
    return text;
  };
  std::string out = "| clause | level |";
  std::string rule = "|---|---|";
  std::string totals = "| **MUST clauses** | |";
  for (std::size_t column = 0; column < columns.size(); ++column) {
    out += fmt::format(" {} |", cell(columns[column].name));
    rule += "---|";
    totals += fmt::format(" {} |", tally(rows, column));
  }
  out += "\n" + rule + "\n" + totals + "\n";
  for (const Row& row : rows) {
    const char* mark = row.differs() ? "**" : "";
    out += fmt::format("| {1}{0}{1} | {2} |", row.clause, mark, row.level);
    for (const std::string& word : row.words) out += fmt::format(" {1}{0}{1} |", word, mark);
    out += "\n";
  }
  return out;
}

std::string matrix_html(std::span<const MatrixColumn> columns) {
  const std::vector<Row> rows = rows_of(columns);
  std::string out =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'\">\n<meta name=\"viewport\" content=\"width=device-width\">\n"
      "<title>assay: runs side by side</title>\n<style>\n"
      ":root { color-scheme: light dark; font: 16px/1.4 system-ui, sans-serif }\n"
      "table { border-collapse: collapse } th, td { padding: .2em .6em; text-align: left; "
      "border-bottom: 1px solid #8888 }\n"
      "thead th { position: sticky; top: 0; background: Canvas }\n"
      ".broken { color: #c0262d; font-weight: 600 } .differs th { font-weight: 700 } "
      "th { font-weight: 400 }\n"
      "@media (prefers-color-scheme: dark) { .broken { color: #ff8a8a } }\n"
      "</style></head><body><h1>Runs side by side</h1>\n"
      "<p>Clauses in which the runs differ are bold.</p>\n"
      "<table><thead><tr><th scope=\"col\">clause</th><th scope=\"col\">level</th>";
  for (const MatrixColumn& column : columns) {
    out += fmt::format("<th scope=\"col\">{}</th>", escape_markup(column.name));
  }
  out += "</tr></thead>\n<tbody><tr><th scope=\"row\">MUST clauses</th><td></td>";
  for (std::size_t column = 0; column < columns.size(); ++column) {
    out += fmt::format("<td>{}</td>", tally(rows, column));
  }
  out += "</tr>\n";
  for (const Row& row : rows) {
    out += fmt::format("<tr{}><th scope=\"row\" title=\"{}\">{}</th><td>{}</td>",
                       row.differs() ? " class=\"differs\"" : "", escape_markup(row.statement),
                       escape_markup(row.clause), row.level);
    for (const std::string& word : row.words) {
      out += fmt::format("<td{}>{}</td>", word == "broken" ? " class=\"broken\"" : "", word);
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></body></html>\n";
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
