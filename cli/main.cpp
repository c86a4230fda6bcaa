#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "cli/application.h"
#include "harness/core/verdict.h"

#ifdef ASSAY_TCMALLOC
#include <gperftools/malloc_extension.h>
#endif

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

/// The program is bounded whatever a server sends and however long a record is: what it frees goes
/// back to the system ten times as soon as tcmalloc would, but for a little that threads keep (of
/// its own accord 32 MiB). At once would take a page fault for nearly every page that is used
/// again.
void give_memory_back() {
#ifdef ASSAY_TCMALLOC
  constexpr std::size_t kept_bytes = std::size_t{4} << 20U;
  MallocExtension& malloc = *MallocExtension::instance();
  malloc.SetNumericProperty("tcmalloc.max_total_thread_cache_bytes", kept_bytes);
  malloc.SetMemoryReleaseRate(10);
#endif
}

[[noreturn]] void end_with(std::string_view message) {
  std::ignore = ::write(STDERR_FILENO, message.data(), message.size());
  std::_Exit(static_cast<int>(assay::core::ExitCode::harness_fault));
}

/// A reference that went on after half a change would answer wrongly, and its judge would blame
/// it: the program ends instead. The record is written line by line, so what was judged is kept.
[[noreturn]] void end_without_memory() { end_with("assay: out of memory\n"); }

/// Asio terminates the program where it cannot allocate the wait of a coroutine; then there is no
/// exception to tell of.
[[noreturn]] void end_uncaught() {
  const std::exception_ptr uncaught = std::current_exception();
  if (!uncaught) end_with("assay: terminated, probably out of memory\n");
  try {
    std::rethrow_exception(uncaught);
  } catch (const std::exception& error) {
    end_with(std::string("assay: uncaught: ") + error.what() + "\n");
  } catch (...) {
    end_with("assay: uncaught failure\n");
  }
}

}  // namespace

int main(int count, char** words) {
  std::set_new_handler(end_without_memory);
  std::set_terminate(end_uncaught);
  make_writing_fail_politely();
  give_memory_back();
  assay::cli::Terminal terminal = assay::cli::process_terminal();
  const std::vector<std::string> arguments(words + 1, words + count);
  return static_cast<int>(assay::cli::run_application(arguments, terminal));
}
