#include "cli/testing/fuzz.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "cli/settings.h"
#include "cli/usage_error.h"
#include "cli/verbs.h"

namespace assay::cli {

void fuzz_settings(std::string_view bytes) {
  CLI::App application;
  Action chosen;
  add_run(application, chosen);
  const CLI::App& run = *application.get_subcommand("run");
  try {
    const std::vector<Setting> settings = settings_of_text(bytes, "/project/assay.yaml", run);
    std::vector<std::string> arguments = with_settings({"run"}, run, settings);
    std::reverse(arguments.begin(), arguments.end());
    application.parse(std::move(arguments));
  } catch (const UsageError& refusal) {
    if (!is_utf8(refusal.what())) throw std::logic_error("a refusal is valid UTF-8");
  } catch (const CLI::ParseError& refusal) {  // A value that the option does not take.
    if (!is_utf8(refusal.what())) throw std::logic_error("a refusal is valid UTF-8");
  }
}

}  // namespace assay::cli
