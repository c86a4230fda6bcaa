#pragma once

#include <string>
#include <vector>

#include "base/value.h"
#include "harness/core/pattern.h"

namespace assay::properties {

/// A name that a scenario may use, and what it stands for in either of two plays.
struct KnownName {
  /// "id", "unique", "id:other".
  std::string name;
  std::string first;
  std::string second;
};

/// What a scenario may expect after two plays of the same steps under other identifiers, clocks and
/// seeds brought these values: what is equal is literal, what an identifier of the case explains
/// names it, of one time written in two ways the instant is known, and of the rest (a server's own
/// ids and times) only the type. Objects may have more members.
[[nodiscard]] core::Pattern literal_of(const Value& first, const Value& second,
                                       const std::vector<KnownName>& names);

}  // namespace assay::properties
