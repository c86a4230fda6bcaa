#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/value.h"
#include "harness/core/pattern.h"

namespace assay::properties {

using By = core::Pattern::By;
using How = core::Pattern::How;

[[nodiscard]] core::Pattern literal(Value value);
[[nodiscard]] core::Pattern any();
[[nodiscard]] core::Pattern absent();
[[nodiscard]] core::Pattern object(
    std::initializer_list<std::pair<std::string_view, core::Pattern>> members);
[[nodiscard]] core::Pattern of(By by, Value operand);
[[nodiscard]] core::Pattern of(How how, std::vector<core::Pattern> elements);
[[nodiscard]] core::Pattern one_of(std::initializer_list<std::string_view> words);
/// A listing of that many items.
[[nodiscard]] core::Pattern length(std::size_t count);

}  // namespace assay::properties
