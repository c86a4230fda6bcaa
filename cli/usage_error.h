#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/source.h"

namespace assay::cli {

/// Something that the person who called must put right: exit code 2. The message is shown as it is.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  /// Faults in files, one a line.
  explicit UsageError(const std::vector<core::Diagnostic>& faults);
};

/// "unknown KIND "name"; did you mean "nearest"?", or all names where none is near.
[[nodiscard]] std::string unknown_name_text(std::string_view kind, std::string_view name,
                                            const std::vector<std::string>& known);

}  // namespace assay::cli
