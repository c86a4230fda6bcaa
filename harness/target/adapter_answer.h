#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "harness/core/http.h"

namespace assay::target {

/// What an adapter says of itself in its first line.
struct AdapterGreeting {
  /// The operations and other capabilities that it has; each is one of ours.
  std::vector<std::string> capabilities;
  /// "name version" of its target, as far as it says them.
  std::string identity;
};

/// Reads an adapter's first line, or says why it is no greeting: "\"version\" is not 1". Never
/// throws for anything that the line contains.
[[nodiscard]] Result<AdapterGreeting, std::string> read_adapter_greeting(std::string_view line);

/// What an adapter says to one question.
struct AdapterAnswer {
  /// The question's number; nothing where the line has no whole number there.
  std::optional<std::int64_t> id;
  /// The same as it was written, fit to be shown.
  std::string shown_id;
  /// The answer, or the fault that stands for what the line lacks.
  core::HttpResult result;
};

/// Reads a line that follows the greeting, or says what stands there instead of an answer. Never
/// throws for anything that the line contains.
[[nodiscard]] Result<AdapterAnswer, std::string> read_adapter_answer(std::string_view line);

}  // namespace assay::target
