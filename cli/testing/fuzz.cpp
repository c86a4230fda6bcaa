#include "cli/testing/fuzz.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "cli/openapi_match.h"
#include "cli/profile_draft.h"
#include "cli/settings.h"
#include "cli/usage_error.h"
#include "cli/verbs.h"
#include "harness/wire/openapi.h"
#include "harness/wire/profile_reader.h"

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

void fuzz_openapi(std::string_view bytes) {
  const auto read = wire::read_openapi(bytes, "openapi.json");
  if (!read) {
    if (!is_utf8(read.error().message)) throw std::logic_error("a refusal is valid UTF-8");
    return;
  }
  const auto& document = read.value();
  (void)likely_surface(document);
  for (const Surface surface : {Surface::executions, Surface::workflows, Surface::runs}) {
    const std::string draft = draft_profile(document, surface, "openapi.json");
    if (draft.empty()) continue;
    const auto linted = wire::read_profile(draft, "draft.yaml", nullptr);
    if (!linted) {
      throw std::logic_error("a draft passes lint: " +
                             core::diagnostic_text(linted.error().front()));
    }
  }
}

}  // namespace assay::cli
