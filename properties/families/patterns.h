#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/value.h"
#include "harness/core/pattern.h"

namespace assay::properties {

[[nodiscard]] core::Pattern literal(Value value);
/// Without an operand: any, absent.
[[nodiscard]] core::Pattern plain(core::Pattern::Kind kind);
[[nodiscard]] core::Pattern object(
    std::initializer_list<std::pair<std::string_view, core::Pattern>> members);
/// one_of, contains, excludes, negation: of these.
[[nodiscard]] core::Pattern of(core::Pattern::Kind kind, std::vector<core::Pattern> elements);
[[nodiscard]] core::Pattern one_of(std::initializer_list<std::string_view> words);
/// A listing of that many items.
[[nodiscard]] core::Pattern length(std::size_t count);

}  // namespace assay::properties
