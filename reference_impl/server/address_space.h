#pragma once

#include <cstddef>
#include <functional>

namespace assay::server {

/// Whether so many more bytes of memory are to be had; empty: there is no limit to ask about.
using HasRoom = std::function<bool(std::size_t bytes)>;

/// Asks for room in the address space of this process, where that is limited (`ulimit -v`). What
/// fails for want of memory in the middle of a request could not be told to anybody.
[[nodiscard]] HasRoom room_in_address_space();

}  // namespace assay::server
