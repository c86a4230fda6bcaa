#include "cli/baseline_file.h"

#include <utility>
#include <variant>

#include "cli/specification.h"
#include "cli/suite.h"
#include "cli/usage_error.h"
#include "harness/target/clock.h"
#include "harness/wire/baseline_reader.h"

namespace assay::cli {

BaselineFile::BaselineFile(std::string path, std::string today)
    : path_(std::move(path)), today_(std::move(today)) {
  if (path_.empty()) return;
  const std::string text = read_file(path_);
  auto read = wire::read_baseline(text, path_, clause_table());
  if (const auto* faults = std::get_if<std::vector<core::Diagnostic>>(&read)) {
    throw UsageError(*faults);
  }
  baseline_ = std::get<core::Baseline>(std::move(read));
  digest_ = digest_of(text);
}

void BaselineFile::excuse(core::CaseResult& result) const {
  core::excuse(result, baseline_, today_);
}

void BaselineFile::apply(core::RunRecord& record,
                         const std::vector<std::string>& known_cases) const {
  if (path_.empty()) return;
  const core::BaselineFindings findings =
      core::apply_baseline(record, baseline_, known_cases, today_);
  record.header.baseline = path_;
  record.header.baseline_digest = digest_;
  if (!record.footer) return;
  record.footer->baseline_findings.clear();
  for (const auto* each : {&findings.stale, &findings.unmatched, &findings.expired}) {
    for (const core::Diagnostic& finding : *each) {
      record.footer->baseline_findings.push_back(core::diagnostic_text(finding));
    }
  }
}

std::string today() {
  constexpr std::size_t date_bytes = 10;
  return target::rfc3339(target::SystemClock().wall_time()).substr(0, date_bytes);
}

}  // namespace assay::cli
