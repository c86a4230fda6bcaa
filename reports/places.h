#pragma once

#include <string>
#include <string_view>

namespace assay::reports {

/// A place in a file, and what a message says after it.
struct Place {
  std::string file;
  int line = 0;
  int column = 0;
  std::string rest;
};

/// Splits "file:line:column: rest" or "file:line:column"; a text without a place is all rest.
[[nodiscard]] Place parsed_place(std::string_view text);

/// The place where a person who judges a server can look it up: empty for the scenarios that are
/// compiled into assay, and for what was generated.
[[nodiscard]] Place users_place(std::string_view at);

}  // namespace assay::reports
