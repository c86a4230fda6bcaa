#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::service {

/// Decodes percent-encoding once. Nothing where an escape is malformed or the result is not UTF-8.
[[nodiscard]] std::optional<std::string> decoded_text(std::string_view text);

/// The query of a request target. Parameters are decoded when they are asked for, so that unknown
/// ones are ignored whatever they hold.
class Query {
 public:
  Query() = default;
  /// `raw` is the text after the '?'.
  explicit Query(std::string_view raw);

  /// The first parameter of that name, decoded ('+' is a blank, as forms write it). Throws
  /// Refusal 422 INVALID_PARAMETER where it does not decode to UTF-8.
  [[nodiscard]] std::optional<std::string> get(std::string_view name) const;

 private:
  std::vector<std::pair<std::string, std::string>> parameters_;
};

/// A request target in origin or absolute form, split.
struct Target {
  /// The path's segments, decoded: "/a/b%2Fc" gives "a", "b/c". Nothing where one does not decode
  /// or the path does not begin with '/': such a path names nothing.
  std::optional<std::vector<std::string>> segments;
  Query query;
};

/// Splits a target as sent into segments and query; a fragment is cut off.
[[nodiscard]] Target read_target(std::string_view target);

}  // namespace assay::service
