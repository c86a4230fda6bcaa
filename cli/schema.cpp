#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>

#include "cli/usage_error.h"
#include "cli/verbs.h"
#include "harness/wire/schemas.h"

namespace assay::cli {
namespace {

core::ExitCode print_schema(const std::string& format, Terminal& terminal) {
  const std::optional<std::string_view> text = wire::schema_text(format);
  if (!text) throw UsageError(unknown_name_text("schema", format, wire::schema_kinds()));
  terminal.out << *text;
  return core::ExitCode::conforms;
}

}  // namespace

void add_schema(CLI::App& application, Action& chosen) {
  CLI::App* verb = application.add_subcommand(
      "schema", "Print the JSON Schema of a file format, for editors and other programs");
  const auto name = std::make_shared<std::string>();
  verb->add_option("format", *name,
                   "scenario, profile, baseline, record, report, adapter or settings (assay.yaml)")
      ->required();
  verb->footer("Example:\n  assay schema scenario > scenario.schema.json");
  verb->callback([name, &chosen] {
    chosen = [name](Terminal& terminal) { return print_schema(*name, terminal); };
  });
}

}  // namespace assay::cli
