#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::core {

/// The words of the specifications for states, of every layer: executions, steps, commands and
/// tools (000), workflow executions and their jobs (002), runs (004).
[[nodiscard]] const std::vector<std::string>& state_words();

/// The words of those of them that a parameter or member of an operation may be: of "runs." those
/// of runs, and so on.
[[nodiscard]] std::vector<std::string> state_words_of(std::string_view operation);

[[nodiscard]] bool is_state_word(std::string_view word);

}  // namespace assay::core
