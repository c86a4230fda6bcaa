#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace assay::cli {

/// What a call of the program came to.
struct ProgramResult {
  int exit_code = -1;
  std::string out;
  std::string err;
  /// The most memory that it had at any moment.
  std::int64_t peak_kibibytes = 0;
};

/// A folder of its own for one test, deleted at the end.
class ScratchFolder {
 public:
  ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder();

  /// The path of a file in it.
  [[nodiscard]] std::string path(const std::string& name) const;
  /// Writes a file; gives its path.
  [[nodiscard]] std::string write(const std::string& name, const std::string& text) const;
  [[nodiscard]] std::string read(const std::string& name) const;

 private:
  std::filesystem::path folder_;
};

/// Runs build/PRESET/assay with these arguments, its streams being files, and waits for its end.
[[nodiscard]] ProgramResult run_program(const std::vector<std::string>& arguments,
                                        const std::string& environment = "");

}  // namespace assay::cli
