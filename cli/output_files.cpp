#include "cli/output_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>

#include "cli/usage_error.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;

/// Devices and pipes are somebody else's.
void delete_file(const std::string& path) {
  std::error_code ignored;
  if (fs::is_regular_file(path, ignored)) fs::remove(path, ignored);
}

bool are_one_file(const std::string& left, const std::string& right) {
  std::error_code none_there;
  return left == right || fs::equivalent(left, right, none_there);
}

/// What an argument, or the one after it, gives for an option.
std::optional<std::string> value_of(const std::vector<std::string>& arguments, std::size_t at,
                                    const std::string& option) {
  const std::string& argument = arguments[at];
  if (argument == option && at + 1 < arguments.size()) return arguments[at + 1];
  if (argument.starts_with(option + "=")) return argument.substr(option.size() + 1);
  return std::nullopt;
}

}  // namespace

OutputFiles::OutputFiles(const std::vector<std::string>& paths,
                         const std::vector<std::string>& inputs) {
  for (const std::string& path : paths) {
    if (path.empty()) continue;
    const auto is_read = [&path](const std::string& input) { return are_one_file(path, input); };
    if (std::any_of(inputs.begin(), inputs.end(), is_read)) {
      throw UsageError(fmt::format("{}: is read, and cannot be written too", path));
    }
  }
  for (const std::string& path : paths) {
    if (path.empty()) continue;
    const std::ofstream file(path, std::ios::binary);
    if (!file) {
      const std::string why = std::strerror(errno);
      for (const std::string& opened : unwritten_) delete_file(opened);
      throw UsageError(fmt::format("{}: {}", path, why));
    }
    unwritten_.push_back(path);
  }
}

OutputFiles::~OutputFiles() {
  for (const std::string& path : unwritten_) delete_file(path);
}

void delete_named_outputs(const std::vector<std::string>& arguments) {
  const auto drop = [&arguments](const std::string& path, std::size_t at) {
    // Something else that is named so is read.
    for (std::size_t other = 0; other < arguments.size(); ++other) {
      if (other != at && other != at + 1 && arguments[other] == path) return;
    }
    delete_file(path);
  };
  for (std::size_t at = 0; at < arguments.size(); ++at) {
    if (const auto record = value_of(arguments, at, "--record")) drop(*record, at);
    const auto report = value_of(arguments, at, "--report");
    if (!report) continue;
    const std::size_t equals = report->find('=');
    if (equals != std::string::npos) drop(report->substr(equals + 1), at);
  }
}

}  // namespace assay::cli
