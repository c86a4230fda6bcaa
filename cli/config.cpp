#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <ostream>

#include "cli/settings.h"
#include "cli/verbs.h"

namespace assay::cli {

void add_config(CLI::App& application, Action& chosen) {
  CLI::App* verb = application.add_subcommand(
      "config", "Show what `assay run` is set to here, and where each value comes from");
  verb->footer(
      "An assay.yaml, upwards from the working directory, holds options of `assay run` by their\n"
      "names; ASSAY_TARGET, ASSAY_BASELINE … win over it, and the command line over both.");
  verb->callback([&application, &chosen] {
    chosen = [&application](Terminal& terminal) {
      const auto settings = read_settings(*application.get_subcommand("run"), terminal);
      for (const Setting& setting : settings) {
        terminal.out << fmt::format("{} = {}  ({})\n", setting.name,
                                    fmt::join(setting.values, ", "), setting.source);
      }
      if (settings.empty()) terminal.out << "nothing is set: no assay.yaml, no ASSAY_ variable\n";
      return core::ExitCode::conforms;
    };
  });
}

}  // namespace assay::cli
