#include "reports/statement.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/encoding.h"
#include "harness/check/merging.h"
#include "reports/html_parts.h"
#include "reports/markdown_text.h"
#include "reports/render.h"
#include "reports/sheet.h"
#include "reports/wording.h"

namespace assay::reports {
namespace {

/// Of a list in a row of a table; the statement is of one or two pages.
constexpr std::size_t limit_names = 8;
constexpr std::size_t limit_rows = 6;

constexpr std::string_view meaning_of_standings =
    "A clause holds if every check of it passed and at least one known way to break it would have "
    "failed a check. It is not shown if its checks would have passed whatever the server did. "
    "Nothing is said of clauses that are undecided, not applicable or not tested.";

std::string selection_of(const Report& report) {
  const core::RecordHeader& header = report.header;
  const std::size_t judged = report.summary.cases;
  std::string text = header.suite_cases == 0 ? counted(judged, "case")
                     : judged >= header.suite_cases
                         ? fmt::format("all {} of the suite", count_text(judged))
                         : fmt::format("{} of the {} of the suite", count_text(judged),
                                       count_text(header.suite_cases));
  if (!header.scenarios.empty()) text += fmt::format("; scenarios of {}", header.scenarios);
  if (!header.selection.empty()) {
    text += fmt::format("; selected by {}", fmt::join(header.selection, " "));
  }
  return text;
}

std::vector<Fact> facts_of(const Report& report) {
  const core::RecordHeader& header = report.header;
  std::vector<Fact> facts = {
      {"Server", header.target},
      {"Identifies itself as", header.target_identity},
      {"Profile", with_digest(header.profile, header.profile_digest)},
      {"Judged by", fmt::format("assay {}, suite {}", header.assay_version, header.suite_digest)},
      {"Cases", selection_of(report)},
      {"Baseline", with_digest(header.baseline, header.baseline_digest)},
      {"Started", header.started_at},
      {"Duration", report.footer ? duration_text(report.footer->duration_ms) : "cut short"},
      {"Run by", header.label},
      {"Seed", std::to_string(header.seed)},
      {"Run id", header.run_id},
      {"Record", report.record_digest.empty() ? "not kept" : report.record_digest},
      {"Exit code", std::to_string(static_cast<int>(report.exit_code))}};
  for (const std::string& note : notes_of(report)) facts.emplace_back("Note", note);
  if (header.baseline.empty()) std::erase_if(facts, [](auto& f) { return f.first == "Baseline"; });
  std::erase_if(facts, [](const Fact& fact) { return fact.second.empty(); });
  return facts;
}

bool breaks(const CaseReport& each, std::string_view clause) {
  return std::any_of(each.findings.begin(), each.findings.end(), [clause](const Finding& finding) {
    return finding.verdict == core::Verdict::fail &&
           std::find(finding.clauses.begin(), finding.clauses.end(), clause) !=
               finding.clauses.end();
  });
}

/// What accepts every case that breaks the clause.
std::string_view acceptance_of(const ClauseReport& clause, const Report& report) {
  std::string_view accepted = "by the baseline";
  for (const std::size_t index : clause.judged_by) {
    const CaseReport& each = report.cases.at(index);
    if (!breaks(each, clause.clause.id)) continue;
    if (each.is_let_through) {
      accepted = "flaky";
    } else if (each.outcome != Outcome::expected_fail) {
      return "no";
    }
  }
  return accepted;
}

std::vector<Account> deviations_of(const Report& report) {
  std::vector<Account> deviations;
  for (const ExpectedFailures& group : expected_failures(report)) {
    const std::set<std::string> ids(group.cases.begin(), group.cases.end());
    std::set<std::string> clauses;
    for (const CaseReport& each : report.cases) {
      if (!ids.contains(each.id)) continue;
      for (const Finding& finding : each.findings) {
        clauses.insert(finding.clauses.begin(), finding.clauses.end());
      }
    }
    deviations.push_back({group.reason, {clauses.begin(), clauses.end()}, group.cases.size()});
  }
  return deviations;
}

/// The options that choose these cases again, as far as the record says which they were.
std::string selecting_options(const std::vector<std::string>& selection) {
  std::string options;
  for (const std::string& word : selection) {
    const std::size_t equals = word.find('=');
    const std::string key = word.substr(0, equals);
    const bool is_option = equals != std::string::npos &&
                           (key == "case" || key == "clause" || key == "tag" || key == "level");
    if (word.starts_with(check::shard_word)) {
      options += " --shard " + word.substr(std::string_view(check::shard_word).size());
    } else if (is_option) {
      options += fmt::format(" --{} {}", key, shell_word(word.substr(equals + 1)));
    } else if (!word.starts_with(check::cases_word) && word != "last-failed") {
      options += " " + shell_word(word);
    }
  }
  return options;
}

/// An audit's record names the files that it read, and what was asked of them.
std::string audit_command(const core::RecordHeader& header) {
  constexpr std::string_view before_files = "log ";
  std::string command = "assay audit " + header.target.substr(before_files.size());
  for (const std::string& word : header.selection) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) continue;
    command += fmt::format(" --{} {}", word.substr(0, equals), shell_word(word.substr(equals + 1)));
  }
  if (!header.baseline.empty()) command += " --baseline " + shell_word(header.baseline);
  return command + " --record run.ndjson";
}

/// The profile as the run was given it, a shell word: its file, where it is no built-in one. The
/// commands that run one case again have it.
std::string profile_word(const Report& report) {
  constexpr std::string_view option = " --profile ";
  for (const CaseReport& each : report.cases) {
    const std::string_view command = each.repro;
    const std::size_t at = command.find(option);
    if (at == std::string_view::npos) continue;
    const std::string_view rest = command.substr(at + option.size());
    return std::string(rest.substr(0, rest.find(" --")));
  }
  return shell_word(report.header.profile);
}

std::vector<std::string> commands_of(const Report& report) {
  const core::RecordHeader& header = report.header;
  const std::vector<std::string> after = {
      "assay report run.ndjson --format statement -o statement.md",
      "sha256sum run.ndjson   # of this run's record: see Record above"};
  if (header.target_source == "log" && header.target.starts_with("log ")) {
    return {audit_command(header), after[0], after[1]};
  }
  std::string run = "assay run --profile " + profile_word(report);
  if (header.target_source == core::target_source::in_process) {
    run += " --in-process";
  } else if (header.target_source == core::target_source::url || header.target_source.empty()) {
    run += " --target " + shell_word(header.target);
  }
  run += fmt::format(" --seed {}", header.seed);
  if (!header.scenarios.empty()) run += " --scenarios " + shell_word(header.scenarios);
  if (!header.baseline.empty()) run += " --baseline " + shell_word(header.baseline);
  run += selecting_options(header.selection) + " --record run.ndjson";
  return {run, after[0], after[1]};
}

/// Names as clause_names gives them, the first of them alone where there are many.
std::vector<std::string> first_names(const std::vector<std::string>& ids, const Report& report) {
  std::vector<std::string> names = clause_names(ids, report);
  if (names.size() > limit_names) {
    const std::string rest = fmt::format("and {} more", names.size() - limit_names);
    names.resize(limit_names);
    names.push_back(rest);
  }
  return names;
}

template <typename Row>
std::size_t shown_rows(const std::vector<Row>& rows) {
  return std::min(rows.size(), limit_rows);
}

std::string more_text(std::size_t all) {
  return all > limit_rows ? fmt::format("and {} more in the full report", all - limit_rows) : "";
}

/// Every broken clause is named, those beyond the table by their ids alone: "and 2 more: X, Y; and
/// 1 more, accepted by the baseline: Z".
std::string more_broken_text(const std::vector<BrokenClause>& broken) {
  std::vector<std::string> groups;
  for (std::size_t begin = shown_rows(broken); begin < broken.size();) {
    const std::string_view accepted = broken[begin].accepted;
    std::vector<std::string> ids;
    for (; begin < broken.size() && broken[begin].accepted == accepted; ++begin) {
      ids.push_back(broken[begin].report->clause.id);
    }
    groups.push_back(fmt::format("and {} more{}: {}", ids.size(),
                                 accepted == "no" ? "" : fmt::format(", accepted {}", accepted),
                                 fmt::join(ids, ", ")));
  }
  return fmt::format("{}", fmt::join(groups, "; "));
}

std::string markdown_accounts(std::string_view title, std::string_view head,
                              const std::vector<Account>& accounts, const Report& report,
                              bool has_cases) {
  if (accounts.empty()) return "";
  std::string out = fmt::format("## {}\n\n| {} | clauses |{}\n|---|---|{}\n", title, head,
                                has_cases ? " cases |" : "", has_cases ? "---:|" : "");
  for (std::size_t index = 0; index < shown_rows(accounts); ++index) {
    const Account& each = accounts[index];
    std::vector<std::string> names;
    for (const std::string& name : first_names(each.clauses, report)) names.push_back(prose(name));
    out += fmt::format("| {} | {} |", prose(each.why), fmt::join(names, ", "));
    if (has_cases) out += fmt::format(" {} |", each.cases);
    out += "\n";
  }
  if (const std::string more = more_text(accounts.size()); !more.empty()) out += "\n" + more + "\n";
  return out + "\n";
}

std::string statement_markdown(const Report& report) {
  const Statement statement = statement_of(report);
  std::string out = fmt::format("# Compliance statement\n\n**{}.** {}\n\n| | |\n|---|---|\n",
                                prose(report.headline), prose(report.explanation));
  for (const auto& [name, value] : statement.facts) {
    out += fmt::format("| {} | {} |\n", name, code(value));
  }
  out += "\n## Clauses by level\n\n| level |";
  std::string rule = "|---|";
  for (const Standing standing : standing_words.values()) {
    out += fmt::format(" {} |", standing_phrase(standing));
    rule += "---:|";
  }
  out += "\n" + rule + "\n";
  for (const core::Level level : core::level_words.values()) {
    out += fmt::format("| {} | {} |\n", core::level_words[level],
                       fmt::join(count_standings(report, level), " | "));
  }
  out += fmt::format("\n{}\n\n", meaning_of_standings);
  if (const std::string text = sensitivity_text(report); !text.empty()) {
    out += fmt::format("Sensitivity: {}.\n\n", text);
  }
  if (!statement.broken.empty()) {
    out += "## Broken clauses\n\n| clause | level | says | accepted |\n|---|---|---|---|\n";
    for (std::size_t index = 0; index < shown_rows(statement.broken); ++index) {
      const BrokenClause& each = statement.broken[index];
      out += fmt::format("| {} | {} | {} | {} |\n", prose(each.report->clause.id),
                         core::level_words[each.report->clause.level],
                         prose(broken_text(*each.report)), each.accepted);
    }
    const std::string more = prose(more_broken_text(statement.broken));
    out += more.empty() ? "\n" : "\n" + more + "\n\n";
  }
  out += markdown_accounts("Deviations that the baseline accepts", "reason", statement.deviations,
                           report, true);
  out += markdown_accounts("What was not proven, and why", "why", statement.open, report, false);
  return out + fmt::format("## How to reproduce\n\n{}",
                           fenced("sh", fmt::format("{}", fmt::join(statement.commands, "\n"))));
}

std::string html_accounts(std::string_view title, std::string_view head,
                          const std::vector<Account>& accounts, const Report& report,
                          bool has_cases) {
  if (accounts.empty()) return "";
  std::string out = fmt::format(
      "<h2>{}</h2>\n<table><thead><tr><th scope=\"col\">{}</th><th scope=\"col\">Clauses</th>{}"
      "</tr></thead><tbody>\n",
      title, head, has_cases ? "<th scope=\"col\" class=\"number\">Cases</th>" : "");
  for (std::size_t index = 0; index < shown_rows(accounts); ++index) {
    const Account& each = accounts[index];
    out += fmt::format(
        "<tr><td>{}</td><td>{}</td>", escape_markup(each.why),
        escape_markup(fmt::format("{}", fmt::join(first_names(each.clauses, report), ", "))));
    if (has_cases) out += fmt::format("<td class=\"number\">{}</td>", each.cases);
    out += "</tr>\n";
  }
  return out + fmt::format("</tbody></table>\n<p>{}</p>\n", more_text(accounts.size()));
}

/// A row for each standing: six columns are too wide for a phone.
std::string html_counts(const Report& report) {
  std::string out =
      "<h2>Clauses by level</h2>\n<table class=\"counts\"><thead><tr><th "
      "scope=\"col\">Clauses</th>";
  std::vector<StandingCounts> counts;
  for (const core::Level level : core::level_words.values()) {
    counts.push_back(count_standings(report, level));
    out += fmt::format("<th scope=\"col\" class=\"number\">{}</th>", core::level_words[level]);
  }
  out += "</tr></thead><tbody>\n";
  for (const Standing standing : standing_words.values()) {
    out += fmt::format("<tr><th scope=\"row\">{}</th>", standing_phrase(standing));
    for (const auto& level : counts) {
      out += fmt::format("<td class=\"number {}\">{}</td>",
                         level[standing] == 0 ? "none" : standing_words[standing], level[standing]);
    }
    out += "</tr>\n";
  }
  out += fmt::format("</tbody></table>\n<p class=\"quiet\">{}</p>\n", meaning_of_standings);
  const std::string text = sensitivity_text(report);
  return text.empty() ? out : out + fmt::format("<p>Sensitivity: {}.</p>\n", escape_markup(text));
}

std::string html_broken(const Statement& statement) {
  if (statement.broken.empty()) return "";
  std::string out =
      "<h2>Broken clauses</h2>\n<table><thead><tr><th scope=\"col\">Clause</th><th "
      "scope=\"col\">Level</th><th scope=\"col\">Says</th><th scope=\"col\">Accepted</th></tr>"
      "</thead><tbody>\n";
  for (std::size_t index = 0; index < shown_rows(statement.broken); ++index) {
    const BrokenClause& each = statement.broken[index];
    out += fmt::format(
        "<tr><th scope=\"row\">{}</th><td class=\"level\">{}</td><td>{}</td><td "
        "class=\"level\">{}</td></tr>\n",
        escape_markup(each.report->clause.id), core::level_words[each.report->clause.level],
        escape_markup(broken_text(*each.report)), each.accepted);
  }
  return out + fmt::format("</tbody></table>\n<p>{}</p>\n",
                           escape_markup(more_broken_text(statement.broken)));
}

std::string statement_html(const Report& report) {
  const Statement statement = statement_of(report);
  std::string body = fmt::format(
      "<p class=\"product\">Compliance statement</p>\n<h1 class=\"{}\">{}</h1>\n<p "
      "class=\"lead\">{}</p>\n<dl>\n",
      conclusion_style(report.conclusion), escape_markup(report.headline),
      escape_markup(report.explanation));
  for (const auto& [name, value] : statement.facts) {
    body += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", name, escape_markup(value));
  }
  body += "</dl>\n" + html_counts(report) + html_broken(statement) +
          html_accounts("Deviations that the baseline accepts", "Reason", statement.deviations,
                        report, true) +
          html_accounts("What was not proven, and why", "Why", statement.open, report, false) +
          fmt::format("<h2>How to reproduce</h2>\n<pre>{}</pre>\n",
                      escape_markup(fmt::format("{}", fmt::join(statement.commands, "\n"))));
  return sheet_html("Compliance statement: " + report.header.target, body);
}

}  // namespace

Statement statement_of(const Report& report) {
  Statement statement;
  statement.facts = facts_of(report);
  for (const ClauseReport* each : broken_clauses(report)) {
    statement.broken.push_back({each, acceptance_of(*each, report)});
  }
  std::ranges::stable_sort(statement.broken, {}, [](const BrokenClause& each) {
    return std::pair(each.accepted != "no", each.accepted);
  });
  statement.deviations = deviations_of(report);
  for (const Unproven& group : report.unproven) {
    statement.open.push_back({group.why, group.clauses});
  }
  statement.commands = commands_of(report);
  return statement;
}

std::string render_statement(const Report& report, const Style& style) {
  return style.page ? statement_html(report) : statement_markdown(report);
}

}  // namespace assay::reports
