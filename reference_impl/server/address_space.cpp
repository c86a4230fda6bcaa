#include "reference_impl/server/address_space.h"

#include <sys/mman.h>
#include <sys/resource.h>

namespace assay::server {
namespace {

/// Maps what nobody may touch, which takes room and no memory.
bool can_map(std::size_t bytes) {
  void* const place =
      ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED) return false;
  ::munmap(place, bytes);
  return true;
}

}  // namespace

HasRoom room_in_address_space() {
  rlimit limit{};
  const bool is_limited = ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  return is_limited ? HasRoom(can_map) : HasRoom();
}

}  // namespace assay::server
