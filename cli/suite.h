#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/terminal.h"
#include "harness/core/profile.h"
#include "harness/core/scenario.h"
#include "harness/core/source.h"

namespace assay::cli {

/// A text with the name that messages call it by.
struct NamedText {
  std::string name;
  std::string text;
};

/// Scenarios and what identifies their text.
struct Suite {
  std::vector<core::Scenario> scenarios;
  std::string digest;
  /// Ids of generated cases that were not asked for and so not recorded.
  std::vector<std::string> unrecorded = {};
};

/// A profile and what identifies its text.
struct LoadedProfile {
  core::Profile profile;
  std::string digest;
  /// Whether it is one that is compiled in.
  bool is_embedded = false;
};

/// The compiled-in scenarios where `path` is empty; else the file, or every *.yaml below the
/// folder.
[[nodiscard]] std::vector<NamedText> scenario_texts(const std::string& path);

/// Reads them all; what is wrong, duplicate ids included, goes to `faults`.
[[nodiscard]] std::vector<core::Scenario> read_scenarios(const std::vector<NamedText>& texts,
                                                         std::vector<core::Diagnostic>& faults);

/// Reads the scenarios at `path` (as scenario_texts); throws UsageError with all of their faults.
[[nodiscard]] Suite load_suite(const std::string& path);

/// The ids of all cases of a suite, those that are not recorded too.
[[nodiscard]] std::vector<std::string> case_ids(const Suite& suite);

/// The built-in profile of that name, or the file; throws UsageError with all of its faults.
[[nodiscard]] LoadedProfile load_profile(const std::string& name_or_file, const Terminal& terminal);

/// More than anybody writes by hand.
inline constexpr std::size_t most_text_bytes = std::size_t{64} << 20U;
/// Of a run record.
inline constexpr std::size_t most_record_bytes = std::size_t{1} << 30U;

/// Gives a file's content piece by piece; throws UsageError where it cannot be read or is larger.
void read_pieces(const std::string& path, std::size_t most_bytes,
                 const std::function<void(std::string_view)>& take);

/// A file's content; throws UsageError where it cannot be read or is larger.
[[nodiscard]] std::string read_file(const std::string& path,
                                    std::size_t most_bytes = most_text_bytes);

/// "sha256:" and the digest in hexadecimal.
[[nodiscard]] std::string digest_of(std::string_view text);

}  // namespace assay::cli
