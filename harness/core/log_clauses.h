#pragma once

#include <string_view>
#include <vector>

namespace assay::core {

/// A clause that an execution's whole log shows kept or broken by itself: what `keeps:` of a
/// scenario may name.
struct LogClause {
  std::string_view id;
  /// The members of events that it is read off. A target that does not show one of them can't be
  /// held against it.
  std::vector<std::string_view> members;
};

/// Sorted by id.
[[nodiscard]] const std::vector<LogClause>& log_clauses();

/// The log clause of that id, or nullptr.
[[nodiscard]] const LogClause* find_log_clause(std::string_view id);

}  // namespace assay::core
