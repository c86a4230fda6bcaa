#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "harness/core/profile.h"
#include "harness/core/source.h"

namespace assay::wire {

/// The value of an environment variable, or nothing where it is not set.
using EnvironmentLookup = std::function<std::optional<std::string>(std::string_view name)>;

/// Reads a profile (docs/writing-profiles.md), or says everything that is wrong with it. Values
/// from the environment make their header secret. Never throws for anything that the text contains.
[[nodiscard]] Result<core::Profile, std::vector<core::Diagnostic>> read_profile(
    std::string_view text, const std::string& file_name, const EnvironmentLookup& environment);

/// The text of a built-in profile (fixtures/profiles/NAME.yaml), or nothing.
[[nodiscard]] std::optional<std::string_view> embedded_profile(std::string_view name);

/// Their names, sorted.
[[nodiscard]] std::vector<std::string> embedded_profile_names();

}  // namespace assay::wire
