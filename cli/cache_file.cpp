#include "cli/cache_file.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>
#include <vector>

#include "cli/suite.h"
#include "cli/version_text.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;

std::string folder_of(const Terminal& terminal) {
  if (!terminal.environment) return "";
  const std::string cache = terminal.environment("XDG_CACHE_HOME").value_or("");
  if (cache.starts_with('/')) return cache + "/assay";
  const std::string home = terminal.environment("HOME").value_or("");
  return home.starts_with('/') ? home + "/.cache/assay" : "";
}

/// Another build has other faults, another reference and other generated cases. Where packages are
/// made the same way twice, a file may have the name, size and date of another: not its inode's.
std::string build_identity() {
  constexpr const char* program = "/proc/self/exe";
  struct stat file{};
  std::error_code error;
  const fs::path path = fs::read_symlink(program, error);
  if (::stat(program, &file) != 0) return "";
  return fmt::format("{} {} {} {} {}.{} {}.{}", version_text, path.string(), file.st_ino,
                     file.st_size, file.st_mtim.tv_sec, file.st_mtim.tv_nsec, file.st_ctim.tv_sec,
                     file.st_ctim.tv_nsec);
}

void remove_oldest(const fs::path& folder, const CacheFile::Kind& kind) {
  std::error_code error;
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  // Another run may delete a file or the folder meanwhile: that is no error of this one.
  for (fs::directory_iterator at(folder, error); !error && at != fs::directory_iterator();
       at.increment(error)) {
    if (!at->path().filename().string().starts_with(kind.prefix)) continue;
    std::error_code gone;
    const fs::file_time_type written = at->last_write_time(gone);
    if (!gone) files.emplace_back(written, at->path());
  }
  if (files.size() <= kind.most_files) return;
  std::sort(files.begin(), files.end());
  files.resize(files.size() - kind.most_files);
  for (const auto& [written, path] : files) fs::remove(path, error);
}

}  // namespace

CacheFile::CacheFile(const Terminal& terminal, const Kind& kind, std::string_view made_of)
    : kind_(kind) {
  const std::string folder = folder_of(terminal);
  const std::string build = build_identity();
  if (folder.empty() || build.empty()) return;
  const std::string key = digest_of(fmt::format("{}\n{}", made_of, build));
  path_ = fmt::format("{}/{}{}", folder, kind.prefix, key.substr(key.find(':') + 1, 32));
}

std::optional<std::string> CacheFile::load() const {
  std::error_code error;
  if (path_.empty() || !fs::is_regular_file(path_, error)) return std::nullopt;
  if (fs::file_size(path_, error) > kind_.most_bytes || error) return std::nullopt;
  const std::ifstream file(path_, std::ios::binary);
  std::ostringstream all;
  all << file.rdbuf();
  std::string text = std::move(all).str();
  const std::size_t end = text.find('\n');
  if (end == std::string::npos) return std::nullopt;
  const std::string digest = text.substr(0, end);
  text.erase(0, end + 1);
  return digest_of(text) == digest ? std::optional(std::move(text)) : std::nullopt;
}

void CacheFile::store(std::string_view text) const {
  if (path_.empty()) return;
  std::error_code error;
  const fs::path folder = fs::path(path_).parent_path();
  fs::create_directories(folder, error);
  const std::string half = fmt::format("{}.{}", path_, ::getpid());
  {
    std::ofstream file(half, std::ios::binary);
    file << digest_of(text) << "\n" << text;
    file.close();
    if (!file) {
      fs::remove(half, error);
      return;
    }
  }
  fs::rename(half, path_, error);
  if (error) fs::remove(half, error);
  remove_oldest(folder, kind_);
}

}  // namespace assay::cli
