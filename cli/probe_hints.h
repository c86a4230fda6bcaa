#pragma once

#include <set>
#include <string>
#include <vector>

#include "harness/core/operation.h"
#include "harness/core/profile.h"

namespace assay::cli {

/// What the answer to one operation says of the profile's mapping.
struct Reading {
  /// "status /phase": where each member that was there came from.
  std::vector<std::string> found;
  /// What is wrong, each with a line to write in the profile: a pointer at which nothing is, a
  /// state that is no word of ours, a status that the profile does not name.
  std::vector<std::string> hints;
  /// The target's words for states that were met.
  std::set<std::string> words;
};

/// Pure. Of a listing the first item is looked at.
[[nodiscard]] Reading reading_of(const core::Profile& profile, const std::string& operation,
                                 const core::Answer& answer);

/// Why an answer means that the target takes the request itself for malformed, and not that it
/// declines what is asked; empty where it does not. `assay probe` asks for nothing that a target
/// has to decline, but for what depends on its state: of that only an answer that names a member of
/// the request counts.
[[nodiscard]] std::string malformed_request(const std::string& operation,
                                            const core::Answer& answer);

}  // namespace assay::cli
