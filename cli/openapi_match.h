#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/words.h"
#include "harness/wire/openapi.h"

namespace assay::cli {

/// Which of the specifications a server is to be judged by.
enum class Surface { executions, workflows, runs };
inline constexpr Words<Surface::runs> surface_words = {"executions", "workflows", "runs"};

/// One operation of ours and the call of the document that looks like it.
struct MatchedCall {
  std::string operation;
  const wire::ApiCall* call = nullptr;
};

/// The calls that look like operations of a surface, in the order of our operations.
[[nodiscard]] std::vector<MatchedCall> match_calls(const wire::ApiDocument& document,
                                                   Surface surface);

/// The surface of which most is recognised; of equals the first.
[[nodiscard]] Surface likely_surface(const wire::ApiDocument& document);

/// A name without case and punctuation: "dag_run_id" as "dagrunid".
[[nodiscard]] std::string plain_name(std::string_view name);

/// Whether a field may be what we call `ours` ("run_id", "state", "ended_at", "diagnostic", …).
[[nodiscard]] bool is_called(std::string_view field, std::string_view ours);

/// The names in braces of a path, in order.
[[nodiscard]] std::vector<std::string> path_parameters(std::string_view path);

}  // namespace assay::cli
