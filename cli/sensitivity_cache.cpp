#include "cli/sensitivity_cache.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <utility>
#include <variant>
#include <vector>

#include "cli/suite.h"
#include "cli/version_text.h"
#include "harness/wire/json.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t limit_file_bytes = std::uintmax_t{16} * 1024 * 1024;
constexpr std::size_t limit_files = 32;
constexpr std::string_view file_prefix = "sensitivity-";

std::string folder_of(const Terminal& terminal) {
  if (!terminal.environment) return "";
  const std::string cache = terminal.environment("XDG_CACHE_HOME").value_or("");
  if (cache.starts_with('/')) return cache + "/assay";
  const std::string home = terminal.environment("HOME").value_or("");
  return home.starts_with('/') ? home + "/.cache/assay" : "";
}

/// Another build has other faults, another reference and other generated cases.
std::string build_identity() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const std::uintmax_t size = fs::file_size(program, error);
  const auto written = fs::last_write_time(program, error).time_since_epoch().count();
  return fmt::format("{} {} {} {}", version_text, program.string(), size, written);
}

/// The names of cases are long and come often: a list of them, and indices into it.
class Names {
 public:
  std::uint64_t index_of(const std::string& name) {
    const auto [at, is_new] = index_.try_emplace(name, names_.size());
    if (is_new) names_.emplace_back(name);
    return at->second;
  }
  List take() { return std::move(names_); }

 private:
  std::map<std::string, std::uint64_t> index_;
  List names_;
};

List indices_of(const std::set<std::string>& names, Names& all) {
  List indices;
  for (const std::string& name : names) indices.emplace_back(all.index_of(name));
  return indices;
}

std::optional<std::set<std::string>> names_of(const Value* indices, const List& all) {
  if (indices == nullptr || !indices->is_list()) return std::nullopt;
  std::set<std::string> names;
  for (const Value& each : indices->as_list()) {
    const std::optional<std::int64_t> at = each.to_int64();
    if (!at || *at < 0 || static_cast<std::uint64_t>(*at) >= all.size()) return std::nullopt;
    const Value& name = all[static_cast<std::size_t>(*at)];
    if (!name.is_string()) return std::nullopt;
    names.insert(name.as_string());
  }
  return names;
}

Value json_of(const Noticed& noticed) {
  Names names;
  Object faults;
  for (const auto& [fault, cases] : noticed.faults) {
    faults.insert_or_assign(fault, Object{{"caught", indices_of(cases.caught, names)},
                                          {"missed", indices_of(cases.missed, names)}});
  }
  return Object{{"cases", names.take()}, {"faults", std::move(faults)}};
}

std::optional<Noticed> noticed_of(const Value& json) {
  const Value* names = json.find("cases");
  const Value* faults = json.find("faults");
  if (names == nullptr || !names->is_list() || faults == nullptr || !faults->is_object()) {
    return std::nullopt;
  }
  Noticed noticed;
  for (const auto& [fault, cases] : faults->as_object()) {
    auto caught = names_of(cases.find("caught"), names->as_list());
    auto missed = names_of(cases.find("missed"), names->as_list());
    if (!caught || !missed) return std::nullopt;
    noticed.faults[fault] = {*std::move(caught), *std::move(missed)};
  }
  return noticed;
}

void remove_oldest(const fs::path& folder) {
  std::error_code error;
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  // Another run may delete a file or the folder meanwhile: that is no error of this one.
  for (fs::directory_iterator at(folder, error); !error && at != fs::directory_iterator();
       at.increment(error)) {
    if (!at->path().filename().string().starts_with(file_prefix)) continue;
    std::error_code gone;
    const fs::file_time_type written = at->last_write_time(gone);
    if (!gone) files.emplace_back(written, at->path());
  }
  if (files.size() <= limit_files) return;
  std::sort(files.begin(), files.end());
  files.resize(files.size() - limit_files);
  for (const auto& [written, path] : files) fs::remove(path, error);
}

}  // namespace

SensitivityCache::SensitivityCache(const Terminal& terminal, bool is_used,
                                   std::string_view suite_digest, std::string_view profile_digest) {
  const std::string folder = is_used ? folder_of(terminal) : "";
  if (folder.empty()) return;
  const std::string key =
      digest_of(fmt::format("{}\n{}\n{}", suite_digest, profile_digest, build_identity()));
  file_ = fmt::format("{}/{}{}.json", folder, file_prefix, key.substr(key.find(':') + 1, 32));
}

Noticed SensitivityCache::load() const {
  std::error_code error;
  if (file_.empty() || !fs::is_regular_file(file_, error)) return {};
  if (fs::file_size(file_, error) > limit_file_bytes || error) return {};
  const std::ifstream file(file_, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  const auto read = wire::parse_json(text.str());
  const auto* json = std::get_if<Value>(&read);
  return json == nullptr ? Noticed() : noticed_of(*json).value_or(Noticed());
}

void SensitivityCache::store(const Noticed& noticed) const {
  if (file_.empty()) return;
  std::error_code error;
  const fs::path folder = fs::path(file_).parent_path();
  fs::create_directories(folder, error);
  const std::string half = fmt::format("{}.{}", file_, ::getpid());
  {
    std::ofstream file(half, std::ios::binary);
    file << wire::to_json(json_of(noticed)) << "\n";
    file.close();
    if (!file) {
      fs::remove(half, error);
      return;
    }
  }
  fs::rename(half, file_, error);
  if (error) fs::remove(half, error);
  remove_oldest(folder);
}

}  // namespace assay::cli
