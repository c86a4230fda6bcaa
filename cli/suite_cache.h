#pragma once

#include <optional>

#include "cli/cache_file.h"
#include "cli/suite.h"
#include "cli/terminal.h"

namespace assay::cli {

/// Keeps the built-in suite as it is for one profile, its generated cases recorded: what a run
/// would otherwise do before its first request.
class SuiteCache {
 public:
  /// Keeps nothing.
  SuiteCache() = default;
  /// Keeps nothing where `is_used` is false, or where the profile has values of the environment,
  /// which its text does not tell apart.
  SuiteCache(const Terminal& terminal, bool is_used, const LoadedProfile& target);

  [[nodiscard]] std::optional<Suite> load() const;
  void store(const Suite& suite) const;

  /// Where it is kept; empty where it is not.
  [[nodiscard]] const std::string& path() const { return file_.path(); }

 private:
  CacheFile file_;
};

}  // namespace assay::cli
