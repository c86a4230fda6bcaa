#pragma once

#include <string_view>

#include "harness/core/operation_shape.h"
#include "harness/core/pattern.h"

namespace assay::core {

/// Of the member of an operation's answer; of a listing `member` is empty: its items.
[[nodiscard]] ListOrder order_of(std::string_view operation, std::string_view member);

/// The pattern of an answer with each list as open as order_of says. An open list that is expected
/// to be empty stays so: nothing that belongs there has happened.
[[nodiscard]] Pattern without_order(std::string_view operation, Pattern pattern);

}  // namespace assay::core
