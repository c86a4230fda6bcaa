#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "cli/application.h"
#include "harness/core/verdict.h"

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

[[noreturn]] void end_with(std::string_view message) {
  static_cast<void>(!::write(STDERR_FILENO, message.data(), message.size()));
  std::_Exit(static_cast<int>(assay::core::ExitCode::harness_fault));
}

/// A reference that went on after half a change would answer wrongly, and its judge would blame
/// it: the program ends instead. The record is written line by line, so what was judged is kept.
[[noreturn]] void end_without_memory() { end_with("assay: no memory is left\n"); }

/// Asio ends a program so where it finds no memory for a coroutine that waits.
[[noreturn]] void end_uncaught() {
  end_with("assay: a failure that could not be passed on, or no memory is left\n");
}

}  // namespace

int main(int count, char** words) {
  std::set_new_handler(end_without_memory);
  std::set_terminate(end_uncaught);
  make_writing_fail_politely();
  assay::cli::Terminal terminal = assay::cli::process_terminal();
  const std::vector<std::string> arguments(words + 1, words + count);
  return static_cast<int>(assay::cli::run_application(arguments, terminal));
}
