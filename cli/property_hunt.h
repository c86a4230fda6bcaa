#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "properties/family.h"
#include "properties/recorder.h"
#include "reference_impl/faults/fault.h"

namespace assay::cli {

/// How a broken server fared against generated cases.
struct Catch {
  /// The family of which a check under the fault's own clause failed; empty: none did.
  std::string family;
  /// Cases and commands until then, or in all.
  std::uint64_t cases = 0;
  std::uint64_t commands = 0;
  /// Commands of the smallest case that shows the first difference of the case that caught it.
  std::size_t smallest = 0;
};

/// Hunts faults of the zoo with the families that name the fault's clause. Cases are made once and
/// kept for all faults: the same cases for each. Several threads may hunt at once.
class PropertyHunt {
 public:
  /// Once a stop is requested, hunts end where they are.
  PropertyHunt(std::uint64_t most_commands, std::stop_token stop)
      : most_commands_(most_commands), stop_(std::move(stop)) {}

  [[nodiscard]] Catch hunt(const faults::Fault& fault);

 private:
  const properties::Recording& recording(const faults::Fault& fault,
                                         const properties::Family& family, std::uint64_t index);
  [[nodiscard]] std::size_t smallest(const faults::Fault& fault, const properties::Family& family,
                                     std::uint64_t index) const;

  std::uint64_t most_commands_;
  std::stop_token stop_;
  std::mutex mutex_;
  /// By the choice that the target makes, the family and the case's number.
  std::map<std::tuple<std::string_view, const properties::Family*, std::uint64_t>,
           std::unique_ptr<properties::Recording>>
      recordings_;
};

}  // namespace assay::cli
