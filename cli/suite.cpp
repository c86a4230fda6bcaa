#include "cli/suite.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>

#include "assay_embed/scenarios.h"
#include "base/result.h"
#include "cli/specification.h"
#include "cli/text_digest.h"
#include "cli/usage_error.h"
#include "harness/wire/profile_reader.h"
#include "harness/wire/scenario_reader.h"
#include "properties/all_cores.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> scenario_files(const std::string& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path)) {
    if (entry.is_regular_file() && entry.path().extension() == ".yaml") {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

void read_pieces(const std::string& path, std::size_t most_bytes,
                 const std::function<void(std::string_view)>& take) {
  constexpr std::size_t piece_bytes = std::size_t{1} << 20U;
  if (fs::is_directory(path)) throw UsageError(fmt::format("{}: is a folder", path));
  std::ifstream file(path, std::ios::binary);
  if (!file) throw UsageError(fmt::format("{}: {}", path, std::strerror(errno)));
  const bool is_device = fs::is_character_file(path);
  std::string buffer(piece_bytes, '\0');
  std::size_t bytes = 0;
  while (file) {
    file.read(buffer.data(), static_cast<std::streamsize>(piece_bytes));
    const std::string_view piece(buffer.data(), static_cast<std::size_t>(file.gcount()));
    if (is_device && piece.find('\0') != std::string_view::npos) {
      throw UsageError(fmt::format("{}: is not text", path));
    }
    bytes += piece.size();
    if (bytes > most_bytes) {
      throw UsageError(
          fmt::format("{}: is larger than {} MiB", path, most_bytes / (std::size_t{1} << 20U)));
    }
    take(piece);
  }
}

std::string read_file(const std::string& path, std::size_t most_bytes) {
  std::string text;
  read_pieces(path, most_bytes, [&text](std::string_view piece) { text += piece; });
  return text;
}

std::string digest_of(std::string_view text) {
  TextDigest digest;
  digest.add(text);
  return digest.value();
}

std::vector<NamedText> scenario_texts(const std::string& path) {
  std::vector<NamedText> texts;
  if (path.empty()) {
    for (const embed::File& file : embed::scenarios()) {
      texts.push_back({std::string(file.path), std::string(file.content)});
    }
    return texts;
  }
  for (const fs::path& file : scenario_files(path)) {
    texts.push_back({file.string(), read_file(file.string())});
  }
  return texts;
}

std::vector<core::Scenario> read_scenarios(const std::vector<NamedText>& texts,
                                           std::vector<core::Diagnostic>& faults) {
  using Read = Result<core::Scenario, std::vector<core::Diagnostic>>;
  std::vector<Read> all(texts.size());
  // A run waits for this before its first request.
  properties::share_out(texts.size(), [&](std::size_t place) {
    all[place] = wire::read_scenario(texts[place].text, texts[place].name, clause_table());
  });
  std::vector<core::Scenario> scenarios;
  std::map<std::string, core::SourcePosition> places;
  for (Read& read : all) {
    if (!read) {
      faults.insert(faults.end(), read.error().begin(), read.error().end());
      continue;
    }
    auto& scenario = *read;
    const auto [first, is_new] = places.try_emplace(scenario.id, scenario.at);
    if (!is_new) {
      const core::SourcePosition& there = first->second;
      faults.push_back({scenario.at, fmt::format("the id {} is that of {}:{} too", scenario.id,
                                                 there.file, there.line)});
    }
    scenarios.push_back(std::move(scenario));
  }
  return scenarios;
}

Suite load_suite(const std::string& path) {
  const std::vector<NamedText> texts = scenario_texts(path);
  std::vector<core::Diagnostic> faults;
  Suite suite{read_scenarios(texts, faults), "", {}};
  if (!faults.empty()) throw UsageError(faults);
  std::string all;
  for (const NamedText& each : texts) {
    all += fmt::format("{}\n{}\n{}", fs::path(each.name).filename().string(), each.text.size(),
                       each.text);
  }
  suite.digest = digest_of(all);
  return suite;
}

std::vector<std::string> case_ids(const Suite& suite) {
  std::vector<std::string> ids = suite.unrecorded;
  for (const core::Scenario& scenario : suite.scenarios) {
    for (const core::Case& each : core::cases_of(scenario)) ids.push_back(each.id);
  }
  return ids;
}

LoadedProfile load_profile(const std::string& name_or_file, const Terminal& terminal) {
  std::string text;
  std::string name = name_or_file;
  const std::optional<std::string_view> embedded = wire::embedded_profile(name_or_file);
  if (embedded) {
    text = *embedded;
    name = fmt::format("fixtures/profiles/{}.yaml", name_or_file);
  } else if (fs::exists(name_or_file)) {
    text = read_file(name_or_file);
  } else if (name_or_file.find_first_of("/.") != std::string::npos) {
    throw UsageError(fmt::format("{}: no such profile file", name_or_file));
  } else {
    throw UsageError(unknown_name_text("profile", name_or_file, wire::embedded_profile_names()));
  }
  auto read = wire::read_profile(text, name, terminal.environment);
  if (!read) throw UsageError(read.error());
  auto& profile = *read;
  if (terminal.secrets != nullptr) terminal.secrets->add(core::Secrets(profile));
  return {std::move(profile), digest_of(text), embedded.has_value()};
}

}  // namespace assay::cli
