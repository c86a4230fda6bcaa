// generation [CASES]: the time to draw a case's draft from family, seed and index, for each family;
// 10,000 cases of each where no number is given.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>

#include "bench/measuring.h"
#include "properties/draft.h"
#include "properties/family.h"

namespace assay::bench {
namespace {

constexpr int rounds = 3;
constexpr std::uint64_t seed = 1;

/// Microseconds for one case.
double time_per_case(const properties::Family& family, std::uint64_t cases) {
  std::uint64_t moves = 0;
  const double seconds = seconds_of([&] {
    for (std::uint64_t index = 0; index < cases; ++index) {
      moves += properties::generate(family, seed, index).moves.size();
    }
  });
  if (moves < cases) throw std::runtime_error("a case without a move");
  return seconds * 1e6 / static_cast<double>(cases);
}

void measure(int count, char** arguments) {
  const auto cases = static_cast<std::uint64_t>(number_argument(count, arguments, 1, 10'000));
  double slowest = 0;
  for (const properties::Family& family : properties::families()) {
    const double least = least_of(rounds, [&] { return time_per_case(family, cases); });
    print_figure(fmt::format("microseconds_of_{}", family.id), least);
    slowest = std::max(slowest, least);
  }
  print_figure("microseconds_of_the_slowest", slowest);
}

}  // namespace
}  // namespace assay::bench

int main(int count, char** arguments) {
  return assay::bench::guarded([&] { assay::bench::measure(count, arguments); });
}
