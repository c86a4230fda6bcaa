#pragma once

#include <string>
#include <string_view>

#include "cli/openapi_match.h"
#include "harness/wire/openapi.h"

namespace assay::cli {

/// What a draft has in the place of what a person has to say.
inline constexpr std::string_view to_edit = "EDIT_ME";

/// A profile of what an OpenAPI document shows of a surface, each guess commented; `source` is
/// where the document is from. It passes `assay lint`. Empty where nothing was recognised.
[[nodiscard]] std::string draft_profile(const wire::ApiDocument& document, Surface surface,
                                        std::string_view source);

/// A profile of a surface with every operation that it usually has, for a person to fill in.
[[nodiscard]] std::string_view skeleton(Surface surface);

}  // namespace assay::cli
