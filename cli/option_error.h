#pragma once

#include <string>

namespace CLI {
class App;
}  // namespace CLI

namespace assay::cli {

/// What the option parser says of a value, in plain words: "--jobs: expected 1 to 4096, got 0".
/// Text that it has no better words for stays as it is.
[[nodiscard]] std::string plain_option_error(const std::string& message);

/// Refuses what is no whole number for every option of a verb that counts or seeds: the parser
/// itself takes -1 and what is too large for the nearest number that fits.
void require_whole_numbers(CLI::App& verb);

}  // namespace assay::cli
