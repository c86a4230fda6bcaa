#include "cli/suite_cache.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/specification.h"
#include "harness/wire/kept_scenario.h"
#include "properties/all_cores.h"

namespace assay::cli {
namespace {

constexpr CacheFile::Kind suite_files{
    .prefix = "suite-", .most_files = 16, .most_bytes = std::size_t{64} << 20U};

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace

SuiteCache::SuiteCache(const Terminal& terminal, bool is_used, const LoadedProfile& target) {
  if (!is_used || !target.profile.environment_values.empty()) return;
  file_ = CacheFile(terminal, suite_files, target.digest);
}

std::optional<Suite> SuiteCache::load() const {
  const std::optional<std::string> text = file_.load();
  if (!text) return std::nullopt;
  const std::vector<std::string_view> lines = lines_of(*text);
  if (lines.empty()) return std::nullopt;
  std::vector<std::optional<core::Scenario>> read(lines.size() - 1);
  properties::share_out(read.size(), [&](std::size_t place) {
    read[place] = wire::kept_scenario(lines[place + 1], clause_table());
  });
  Suite suite{{}, std::string(lines.front()), {}};
  for (std::optional<core::Scenario>& scenario : read) {
    if (!scenario) return std::nullopt;
    suite.scenarios.push_back(*std::move(scenario));
  }
  return suite;
}

void SuiteCache::store(const Suite& suite) const {
  if (path().empty()) return;
  std::vector<std::string> lines(suite.scenarios.size());
  try {
    properties::share_out(lines.size(), [&](std::size_t place) {
      lines[place] = wire::keep_scenario(suite.scenarios[place]);
    });
  } catch (const std::invalid_argument&) {
    // What the language of scenarios has no words for is recorded each time.
    return;
  }
  std::string text = suite.digest + "\n";
  for (const std::string& line : lines) text += line + "\n";
  file_.store(text);
}

}  // namespace assay::cli
