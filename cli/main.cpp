#include <string>
#include <vector>

#include "cli/application.h"

int main(int count, char** words) {
  assay::cli::Terminal terminal = assay::cli::process_terminal();
  const std::vector<std::string> arguments(words + 1, words + count);
  return static_cast<int>(assay::cli::run_application(arguments, terminal));
}
