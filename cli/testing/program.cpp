#include "cli/testing/program.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/encoding.h"
#include "reports/curl.h"

namespace assay::cli {

ProgramResult run_program(const std::vector<std::string>& arguments,
                          const std::string& environment) {
  const ScratchFolder scratch;
  std::string command = environment + " " + shell_word(ASSAY_PROGRAM);
  for (const std::string& argument : arguments) command += " " + shell_word(argument);
  command += " </dev/null >" + scratch.path("out") + " 2>" + scratch.path("err");
  const pid_t child = fork();
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(127);
  }
  int status = 0;
  rusage used{};
  if (child < 0 || wait4(child, &status, 0, &used) != child) return {};
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, scratch.read("out"), scratch.read("err"),
          used.ru_maxrss};
}

}  // namespace assay::cli
