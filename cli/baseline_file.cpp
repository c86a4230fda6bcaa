#include "cli/baseline_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>
#include <variant>

#include "base/rfc3339.h"
#include "cli/specification.h"
#include "cli/suite.h"
#include "cli/usage_error.h"
#include "harness/core/scenario.h"
#include "harness/target/clock.h"
#include "harness/wire/baseline_reader.h"

namespace assay::cli {

namespace {

bool sends_at_one_moment(const core::Scenario& scenario) {
  return std::any_of(scenario.steps.begin(), scenario.steps.end(), [](const core::Step& step) {
    return std::holds_alternative<core::Together>(step.action);
  });
}

}  // namespace

BaselineFile::BaselineFile(std::string path, std::string today)
    : path_(std::move(path)), today_(std::move(today)) {
  if (path_.empty()) return;
  const std::string text = read_file(path_);
  auto read = wire::read_baseline(text, path_, clause_table());
  if (!read) throw UsageError(read.error());
  baseline_ = *std::move(read);
  digest_ = digest_of(text);
}

std::vector<std::string> BaselineFile::use_row_names(const std::vector<std::string>& known_cases) {
  std::vector<std::string> hints;
  for (const core::Diagnostic& hint : core::use_row_names(baseline_, known_cases)) {
    hints.push_back(core::diagnostic_text(hint));
  }
  return hints;
}

core::BaselineContext BaselineFile::context() const {
  return {.today = today_, .clauses = &clause_table()};
}

void BaselineFile::excuse(core::CaseResult& result, const std::string& profile) const {
  core::BaselineContext of_run = context();
  of_run.profile = profile;
  core::excuse(result, baseline_, of_run);
}

core::BaselineFindings BaselineFile::apply(core::RunRecord& record,
                                           const std::vector<std::string>& known_cases) const {
  if (path_.empty()) return {};
  core::BaselineFindings findings = core::apply_baseline(record, baseline_, known_cases, context());
  record.header.baseline = path_;
  record.header.baseline_digest = digest_;
  if (!record.footer) return findings;
  record.footer->baseline_findings.clear();
  for (const core::Diagnostic& finding : findings.in_order()) {
    record.footer->baseline_findings.push_back(core::diagnostic_text(finding));
  }
  return findings;
}

std::vector<std::string> known_ids(const core::RunRecord& record) {
  std::vector<std::string> ids = case_ids(load_suite(""));
  for (const core::CaseResult& result : record.cases) ids.push_back(result.id);
  return ids;
}

std::set<std::string> cases_at_one_moment() {
  std::set<std::string> ids;
  for (const core::Scenario& scenario : load_suite("").scenarios) {
    if (!sends_at_one_moment(scenario)) continue;
    for (const core::Case& each : core::cases_of(scenario)) ids.insert(each.id);
  }
  return ids;
}

std::string today() {
  constexpr std::size_t date_bytes = 10;
  return rfc3339(target::SystemClock().wall_time()).substr(0, date_bytes);
}

std::string days_after(const std::string& day, int days) {
  const auto number = [&day](std::size_t at, std::size_t size) {
    return std::stoi(day.substr(at, size));
  };
  const std::chrono::year_month_day first(std::chrono::year(number(0, 4)),
                                          std::chrono::month(static_cast<unsigned>(number(5, 2))),
                                          std::chrono::day(static_cast<unsigned>(number(8, 2))));
  const std::chrono::year_month_day last(std::chrono::sys_days(first) + std::chrono::days(days));
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(last.year()),
                     static_cast<unsigned>(last.month()), static_cast<unsigned>(last.day()));
}

}  // namespace assay::cli
