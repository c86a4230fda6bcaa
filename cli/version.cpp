#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>

#include "cli/verbs.h"
#include "cli/version_text.h"
#include "harness/wire/json.h"

namespace assay::cli {

void add_version(CLI::App& application, Action& chosen) {
  CLI::App* verb = application.add_subcommand("version", "Print the version of assay");
  const auto json = std::make_shared<bool>(false);
  verb->add_flag("--json", *json, "As JSON");
  verb->footer("Example:\n  assay version");
  verb->callback([json, &chosen] {
    chosen = [json](Terminal& terminal) {
      if (*json) {
        terminal.out << wire::to_json(Object{{"name", "assay"}, {"version", version_text}}) << "\n";
      } else {
        terminal.out << "assay " << version_text << "\n";
      }
      return core::ExitCode::conforms;
    };
  });
}

}  // namespace assay::cli
