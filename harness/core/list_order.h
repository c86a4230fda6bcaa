#pragma once

#include <string_view>

#include "harness/core/pattern.h"

namespace assay::core {

/// How much the contract says of a list in an answer (CONTRACT.md: lists are in the order that it
/// promises, seq, sequence and history, else in any; anomalies is not a closed list).
enum class ListOrder {
  promised,
  /// Exactly these, in any order.
  any,
  /// These and perhaps others, in any order.
  open,
};

/// Of the member of an operation's answer; of a listing `member` is empty: its items.
[[nodiscard]] ListOrder order_of(std::string_view operation, std::string_view member);

/// The pattern of an answer with each list as open as order_of says. An open list that is expected
/// to be empty stays so: nothing that belongs there has happened.
[[nodiscard]] Pattern without_order(std::string_view operation, Pattern pattern);

}  // namespace assay::core
