#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace assay::service {

/// Gives an id that it has never given before. Called from many threads at once.
using IdSource = std::function<std::string()>;

/// Ids in the form of a version 4 UUID (RFC 9562), the same sequence for the same seed.
[[nodiscard]] IdSource uuid_source(std::uint64_t seed);

}  // namespace assay::service
