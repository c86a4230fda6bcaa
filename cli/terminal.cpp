#include "cli/terminal.h"

#include <unistd.h>

#include <cstdlib>
#include <iostream>

namespace assay::cli {
namespace {

std::optional<std::string> environment_variable(std::string_view name) {
  const char* value = std::getenv(std::string(name).c_str());
  if (value == nullptr) return std::nullopt;
  return std::string(value);
}

}  // namespace

Terminal process_terminal() {
  const std::string no_color = environment_variable("NO_COLOR").value_or("");
  const bool is_dumb = environment_variable("TERM").value_or("dumb") == "dumb";
  return {.out = std::cout,
          .err = std::cerr,
          .colour = isatty(STDOUT_FILENO) != 0 && no_color.empty() && !is_dumb,
          .shows_progress = isatty(STDERR_FILENO) != 0 && !is_dumb,
          .environment = environment_variable};
}

void ProgressLine::show(std::string_view text) {
  if (terminal_.shows_progress) terminal_.err << "\r\x1b[K" << text << std::flush;
}

}  // namespace assay::cli
