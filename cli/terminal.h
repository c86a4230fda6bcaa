#pragma once

#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

#include "harness/core/secrets.h"

namespace assay::cli {

/// Where a verb writes, and what it may ask of its surroundings.
struct Terminal {
  std::ostream& out;
  std::ostream& err;
  /// Standard output may be coloured: it is a terminal, and NO_COLOR is not set.
  bool colour = false;
  /// Standard error is a terminal: a line may be written over there.
  bool shows_progress = false;
  std::function<std::optional<std::string>(std::string_view name)> environment;
  /// What is masked in all that is written to it; whoever learns of a secret adds it here.
  core::Secrets* secrets = nullptr;
};

/// The process's own streams and environment.
[[nodiscard]] Terminal process_terminal();

/// One line on a terminal's standard error that is written over as work goes on; nothing where
/// standard error is none. The destructor clears it.
class ProgressLine {
 public:
  explicit ProgressLine(Terminal& terminal) : terminal_(terminal) {}
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine() { show(""); }

  void show(std::string_view text);

 private:
  Terminal& terminal_;
};

}  // namespace assay::cli
