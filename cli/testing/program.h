#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/testing/scratch_folder.h"

namespace assay::cli {

/// What a call of the program came to.
struct ProgramResult {
  int exit_code = -1;
  std::string out;
  std::string err;
  /// The most memory that it had at any moment.
  std::int64_t peak_kibibytes = 0;
};

using base::testing::ScratchFolder;

/// Runs build/PRESET/assay with these arguments, its streams being files, and waits for its end.
[[nodiscard]] ProgramResult run_program(const std::vector<std::string>& arguments,
                                        const std::string& environment = "");

}  // namespace assay::cli
