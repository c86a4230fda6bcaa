#pragma once

#include <string>
#include <string_view>

namespace assay::reports {

/// A page of tables to read and to print, which needs neither network nor script: the statement and
/// the matrix. `body` is HTML in which everything from a record is escaped.
[[nodiscard]] std::string sheet_html(std::string_view title, std::string_view body);

/// A file of the page folder that is compiled in; throws std::logic_error where there is none.
[[nodiscard]] std::string_view page_file(std::string_view name);

}  // namespace assay::reports
