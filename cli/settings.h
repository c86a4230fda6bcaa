#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/terminal.h"

namespace CLI {
class App;
}  // namespace CLI

namespace assay::cli {

/// One option of `run`, and where its value comes from.
struct Setting {
  /// "target".
  std::string name;
  std::vector<std::string> values;
  /// "ASSAY_TARGET", "assay.yaml:3:9".
  std::string source;
};

/// The long names of the options of `run` that a setting can be for.
[[nodiscard]] std::vector<std::string> setting_names(const CLI::App& run);

/// What the text of an assay.yaml says; `path` is for messages, and where its paths begin. Throws
/// UsageError for what is no option, or no value of one.
[[nodiscard]] std::vector<Setting> settings_of_text(std::string_view text, const std::string& path,
                                                    const CLI::App& run);

/// What the environment (ASSAY_TARGET, ASSAY_BASELINE …) and the nearest assay.yaml, upwards from
/// the working directory, say of the options of `run`; the environment wins. A variable's commas
/// separate the values of an option that can be given more than once. Throws UsageError for a file
/// that cannot be read, and for a member of it that is no option.
[[nodiscard]] std::vector<Setting> read_settings(const CLI::App& run, const Terminal& terminal);

/// `arguments` of `run`, and behind them the settings of options that they do not give.
[[nodiscard]] std::vector<std::string> with_settings(std::vector<std::string> arguments,
                                                     const CLI::App& run,
                                                     const std::vector<Setting>& settings);

}  // namespace assay::cli
