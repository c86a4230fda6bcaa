#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/core/clause_table.h"
#include "reports/report.h"

namespace assay::reports {

/// A run, and what its column is called.
struct MatrixColumn {
  std::string name;
  Report report;
};

/// Targets or versions side by side, clause by clause, those in which they differ marked: clauses
/// that no run has judged are left out. For people, for Markdown, and as one page.
[[nodiscard]] std::string matrix_text(std::span<const MatrixColumn> columns);
[[nodiscard]] std::string matrix_markdown(std::span<const MatrixColumn> columns);
[[nodiscard]] std::string matrix_html(std::span<const MatrixColumn> columns);

/// What a record's column is called: what the target says of itself, else the profile; never twice
/// the same.
[[nodiscard]] std::vector<std::string> column_names(std::span<const core::RecordHeader> headers);

}  // namespace assay::reports
