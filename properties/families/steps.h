#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "harness/core/scenario.h"
#include "properties/draft.h"
#include "properties/family.h"

namespace assay::properties {

/// An operation as a step; what makes something names it `as`.
[[nodiscard]] core::Step operate(std::string name, Object parameters = {}, std::string as = {},
                                 std::string on = "main");

/// An event as a step.
[[nodiscard]] core::Step post(Object event, std::string on = "main");

/// A batch of events as a step.
[[nodiscard]] core::Step post_batch(List events, std::string on = "main");

/// The id and time of the event of that number: written out, so that it can be sent again.
[[nodiscard]] Object numbered_event(std::size_t number, Object event);

/// One of a few, chosen by an operand; the first is the simplest.
[[nodiscard]] std::string pick(std::uint8_t operand, std::initializer_list<std::string_view> words);

/// A state in another spelling: filters take any case.
[[nodiscard]] std::string in_lower_case(std::string word);

}  // namespace assay::properties
