#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

#include "harness/core/record.h"

namespace assay::wire {

/// Reads the cases of a record by simdjson, into their members without a value between. It keeps
/// the memory that the longest line took, some times its size.
class FastCases {
 public:
  FastCases();
  FastCases(const FastCases&) = delete;
  FastCases& operator=(const FastCases&) = delete;
  ~FastCases();

  /// The case of a line. Nothing where another parser has to read the line with more care, or to
  /// say what is wrong with it: no case, members of another kind than a case has, members that
  /// stand twice. Always nothing where assay is built without simdjson. A line is copied unless
  /// some bytes more can be read behind it, whatever they are: `bytes_behind`.
  [[nodiscard]] std::optional<core::CaseResult> read(std::string_view line,
                                                     std::size_t bytes_behind = 0);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace assay::wire
