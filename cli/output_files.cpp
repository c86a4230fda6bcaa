#include "cli/output_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>

#include "cli/report_files.h"
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
    if (path.empty() || path == standard_output) continue;
    const auto is_read = [&path](const std::string& input) { return are_one_file(path, input); };
    if (std::any_of(inputs.begin(), inputs.end(), is_read)) {
      throw UsageError(fmt::format("{}: is read, and cannot be written too", path));
    }
  }
  for (const std::string& path : paths) {
    if (path.empty() || path == standard_output) continue;
    const std::ofstream file(path, std::ios::binary);
    if (!file) {
      const std::string why = std::strerror(errno);
      for (const std::string& opened : unwritten_) delete_file(opened);
      throw UsageError(fmt::format("{}: {}", path, why));
    }
    std::error_code none_there;
    const auto is_it = [&](const std::string& other) {
      return are_one_file(path, other) && fs::is_regular_file(path, none_there);
    };
    const bool is_named_twice = std::any_of(unwritten_.begin(), unwritten_.end(), is_it);
    unwritten_.push_back(path);
    if (!is_named_twice) continue;
    for (const std::string& opened : unwritten_) delete_file(opened);
    throw UsageError(
        fmt::format("{}: the record and a report, or two reports, would go there", path));
  }
}

OutputFiles::~OutputFiles() {
  for (const std::string& path : unwritten_) delete_file(path);
}

void delete_named_outputs(const std::vector<std::string>& arguments) {
  const auto drop = [&arguments](const std::string& path, std::size_t at) {
    if (path == standard_output) return;
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
