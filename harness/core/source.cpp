#include "harness/core/source.h"

#include <fmt/format.h>

namespace assay::core {

std::string diagnostic_text(const Diagnostic& diagnostic) {
  const SourcePosition& at = diagnostic.at;
  if (at.line == 0) return fmt::format("{}: {}", at.file, diagnostic.message);
  return fmt::format("{}:{}:{}: {}", at.file, at.line, at.column, diagnostic.message);
}

}  // namespace assay::core
