#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/record.h"

namespace assay::core {

/// What stands where a secret stood.
inline constexpr std::string_view mask = "***";

/// The secrets of a run: what no report may show, wherever a target may have echoed it.
class Secrets {
 public:
  /// Collects the values of the request headers that are marked secret.
  explicit Secrets(std::span<const CaseResult> cases);
  explicit Secrets(const RunRecord& record) : Secrets(std::span(record.cases)) {}

  /// `text` with every secret masked.
  [[nodiscard]] std::string masked(std::string text) const;
  /// The value of a header as it may be shown. Credentials are masked by the header's name too.
  [[nodiscard]] std::string shown_value(const Header& header) const;

 private:
  std::vector<std::string> values_;
};

}  // namespace assay::core
