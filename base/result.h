#pragma once

#include <tl/expected.hpp>

namespace assay {

/// What a function gives that may fail in an expected way: the value, or why there is none. It is
/// true where there is a value; where the value itself can be false (`Result<bool, …>`, an
/// optional), ask `has_value()`.
template <typename Good, typename Error>
using Result = tl::expected<Good, Error>;

/// `return unexpected(error);` gives the error.
using tl::unexpected;

}  // namespace assay
