#pragma once

#include <cstddef>
#include <functional>

namespace assay::properties {

/// Calls `work` with each number below `count`, on as many threads as there are cores, and returns
/// when all of it is done. The calls need nothing of each other. Throws what one of them threw.
void share_out(std::size_t count, const std::function<void(std::size_t number)>& work);

}  // namespace assay::properties
