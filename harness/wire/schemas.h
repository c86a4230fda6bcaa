#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::wire {

/// The JSON Schema of a format (fixtures/schemas/KIND.json): scenario, profile, baseline, record or
/// report; nothing for another word.
[[nodiscard]] std::optional<std::string_view> schema_text(std::string_view kind);

/// The words that schema_text knows, sorted.
[[nodiscard]] std::vector<std::string> schema_kinds();

}  // namespace assay::wire
