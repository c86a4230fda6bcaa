#include "cli/testing/program.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "base/encoding.h"
#include "reports/curl.h"

namespace assay::cli {
namespace {

std::string content_of(const std::filesystem::path& path) {
  const std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

}  // namespace

ScratchFolder::ScratchFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "assay-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no scratch folder: " + name);
  folder_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string ScratchFolder::path(const std::string& name) const { return (folder_ / name).string(); }

std::string ScratchFolder::write(const std::string& name, const std::string& text) const {
  std::ofstream(folder_ / name, std::ios::binary) << text;
  return path(name);
}

std::string ScratchFolder::read(const std::string& name) const {
  return content_of(folder_ / name);
}

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
