#pragma once

namespace assay::cli {

/// The version of the project, as CMakeLists.txt has it.
inline constexpr const char* version_text = ASSAY_VERSION;

}  // namespace assay::cli
