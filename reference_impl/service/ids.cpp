#include "reference_impl/service/ids.h"

#include <atomic>
#include <memory>

namespace assay::service {
namespace {

/// SplitMix64's output function, a bijection: two counters never give one result.
std::uint64_t mix(std::uint64_t state) {
  state = (state ^ (state >> 30U)) * 0xbf58476d1ce4e5b9U;
  state = (state ^ (state >> 27U)) * 0x94d049bb133111ebU;
  return state ^ (state >> 31U);
}

}  // namespace

IdSource uuid_source(std::uint64_t seed) {
  auto counter = std::make_shared<std::atomic<std::uint64_t>>(0);
  return [seed, counter] {
    const std::uint64_t number = ++*counter;
    // The low 62 bits carry the counter itself, mixed with the seed, so that ids never collide.
    const std::uint64_t high = mix(seed + number * 0x9e3779b97f4a7c15U);
    const std::uint64_t low = mix(seed) ^ number;
    std::string id;
    for (unsigned nibble = 0; nibble < 32; ++nibble) {
      if (nibble == 8 || nibble == 12 || nibble == 16 || nibble == 20) id += '-';
      const std::uint64_t half = nibble < 16 ? high : low;
      auto digit = static_cast<unsigned>(half >> (60U - 4U * (nibble % 16U))) & 0xfU;
      if (nibble == 12) digit = 4;
      if (nibble == 16) digit = 8U | (digit & 3U);
      id += "0123456789abcdef"[digit];
    }
    return id;
  };
}

}  // namespace assay::service
