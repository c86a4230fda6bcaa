#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "cli/terminal.h"

namespace assay::cli {

/// One text kept from run to run, in $XDG_CACHE_HOME/assay or ~/.cache/assay. It only ever saves
/// work: what cannot be read, or is not what was written, is made again; what cannot be written is
/// made again next time.
class CacheFile {
 public:
  /// What is kept in such files, and how many of a kind there may be.
  struct Kind {
    std::string_view prefix;
    std::size_t most_files = 0;
    std::size_t most_bytes = 0;
  };

  /// Keeps nothing.
  CacheFile() = default;
  /// The file of this kind for what the content is made of, besides this build of the program;
  /// keeps nothing where the environment names no place.
  CacheFile(const Terminal& terminal, const Kind& kind, std::string_view made_of);

  [[nodiscard]] std::optional<std::string> load() const;
  /// Replaces the file at once, and removes the oldest of its kind where there are too many.
  void store(std::string_view text) const;

  /// Where it is kept; empty where it is not.
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
  Kind kind_;
};

}  // namespace assay::cli
