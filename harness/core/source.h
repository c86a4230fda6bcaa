#pragma once

#include <string>
#include <vector>

namespace assay::core {

/// A place in a file that a person wrote. Lines and columns count from 1; 0 is unknown.
struct SourcePosition {
  std::string file;
  int line = 0;
  int column = 0;
};

/// Something wrong in such a file.
struct Diagnostic {
  SourcePosition at;
  /// What was found, what was expected there, and the nearest valid name where there is one.
  std::string message;
};

/// "file:line:column: message".
[[nodiscard]] std::string diagnostic_text(const Diagnostic& diagnostic);

}  // namespace assay::core
