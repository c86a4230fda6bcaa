#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "cli/cache_file.h"
#include "cli/terminal.h"

namespace assay::cli {

/// What is known of the faults of the zoo under one suite and one profile: by a fault's id, the
/// cases that notice it and those that do not.
struct Noticed {
  struct Cases {
    std::set<std::string> caught;
    std::set<std::string> missed;
  };
  std::map<std::string, Cases, std::less<>> faults;
};

/// Keeps that from run to run, one file a suite and profile.
class SensitivityCache {
 public:
  /// Keeps nothing where `is_used` is false or the environment names no place.
  SensitivityCache(const Terminal& terminal, bool is_used, std::string_view suite_digest,
                   std::string_view profile_digest);

  [[nodiscard]] Noticed load() const;
  void store(const Noticed& noticed) const;

  /// Where it is kept; empty where it is not.
  [[nodiscard]] const std::string& file() const { return file_.path(); }

 private:
  CacheFile file_;
};

}  // namespace assay::cli
