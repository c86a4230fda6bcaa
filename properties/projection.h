#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/value.h"
#include "harness/core/pattern.h"
#include "properties/literal.h"

namespace assay::properties {

/// Items of a list of which `member` is `text`, or is not.
struct ItemChoice {
  std::string member;
  std::string text;
  bool is_text = true;
};

/// Which part of an answer is looked at, and how closely.
struct Projection {
  /// Members by their path through objects and lists: "state", "tokens.step"; empty: all.
  std::vector<std::string> members;
  /// Objects at the ends of the paths have no other members than these.
  bool exactly = false;
  /// Lists on the paths are compared in any order.
  bool in_any_order = false;
  /// Of lists on the paths only the item at this place is looked at, wherever it stands.
  std::optional<std::size_t> only_item = {};
  /// The read, which tells what order its lists have.
  std::string operation = {};
  /// Of lists whose order is free only the items of which a member is this text, or is not.
  std::optional<ItemChoice> choice = {};
};

/// literal_of, over that part only. Of lists whose order is free (core::order_of) the items are
/// paired by what identifies them; where there are more in one play than in the other, those that
/// both have are asked for.
[[nodiscard]] core::Pattern projected(const Projection& projection, const Value& first,
                                      const Value& second, const std::vector<KnownName>& names);

}  // namespace assay::properties
