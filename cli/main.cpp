#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <vector>

#include "cli/application.h"

namespace {

/// What cannot be written is told by the call that writes it, with a reason and an exit code, and
/// not by a signal's sudden end.
void make_writing_fail_politely() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  // A report that is opened must not become standard output: what is closed is taken by something
  // that cannot be written to.
  for (int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) < 0) descriptor = ::open("/dev/null", O_RDONLY);
  }
}

}  // namespace

int main(int count, char** words) {
  make_writing_fail_politely();
  assay::cli::Terminal terminal = assay::cli::process_terminal();
  const std::vector<std::string> arguments(words + 1, words + count);
  return static_cast<int>(assay::cli::run_application(arguments, terminal));
}
