#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/core/record.h"

namespace assay::reports {

/// What stands where a secret stood.
inline constexpr std::string_view mask = "***";

/// The secrets of a run: what no report may show, wherever a target may have echoed it.
class Secrets {
 public:
  /// Collects the values of the headers that are marked secret.
  explicit Secrets(const core::RunRecord& record);

  /// `text` with every secret masked.
  [[nodiscard]] std::string masked(std::string text) const;
  /// The value of a header as it may be shown. Credentials are masked by the header's name too.
  [[nodiscard]] std::string shown_value(const core::Header& header) const;

 private:
  std::vector<std::string> values_;
};

}  // namespace assay::reports
