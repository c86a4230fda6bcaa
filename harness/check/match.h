#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/value.h"
#include "harness/core/pattern.h"

namespace assay::check {

/// Where a value is not what was expected, as near to the difference as can be said.
struct Mismatch {
  /// JSON Pointer from the value that was matched; empty: the whole.
  std::string pointer;
  std::string expected;
  std::string actual;
};

/// Whether a value is what a pattern (substituted already) demands; nullptr is an absent value. A
/// negation asks for a value: `!not x` is not kept by absence.
/// Never exponential: each part of the pattern meets each part of the value at most once, and
/// unordered lists are settled by a bipartite matching.
[[nodiscard]] bool matches(const core::Pattern& pattern, const Value* actual);

/// The smallest difference, or nothing where the value matches.
[[nodiscard]] std::optional<Mismatch> match(const core::Pattern& pattern, const Value* actual);

/// How far a value is from a pattern: the number of parts that differ, 0 for a match.
[[nodiscard]] std::size_t distance(const core::Pattern& pattern, const Value* actual);

/// A matching of each pattern with a value of its own, as large as there can be: the index into
/// `values` for each pattern, or nothing.
[[nodiscard]] std::vector<std::optional<std::size_t>> assign(
    const std::vector<core::Pattern>& patterns, const std::vector<Value>& values);

/// The index of the value that is nearest to the pattern among those not excluded by `taken`
/// (empty: none is); nothing where none is left.
[[nodiscard]] std::optional<std::size_t> nearest_value(const core::Pattern& pattern,
                                                       const std::vector<Value>& values,
                                                       const std::vector<bool>& taken = {});

}  // namespace assay::check
