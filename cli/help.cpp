#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>
#include <string>

#include "cli/usage_error.h"
#include "cli/verbs.h"
#include "cli/version_text.h"

namespace assay::cli {
namespace {

/// Text for troff: what it would take for a request or an escape is neither.
std::string troff(const std::string& text) {
  std::string out;
  bool at_start = true;
  for (const char letter : text) {
    if (at_start && (letter == '.' || letter == '\'')) out += "\\&";
    out += letter == '\\' ? "\\e" : letter == '-' ? "\\-" : std::string(1, letter);
    at_start = letter == '\n';
  }
  return out;
}

std::string option_entry(const CLI::Option& option) {
  return fmt::format(".TP\n.B {}\n{}\n", troff(option.get_name(option.get_positional(), true)),
                     troff(option.get_description()));
}

/// A page for man(1), made of the same words as the help.
std::string man_page(const CLI::App& verb) {
  const bool is_program = verb.get_parent() == nullptr;
  const std::string name = is_program ? "assay" : "assay-" + verb.get_name();
  const std::string description = verb.get_description();
  std::string out = fmt::format(
      ".TH {} 1 \"\" \"assay {}\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n.B assay{}\n", troff(name),
      version_text, troff(name), troff(description.substr(0, description.find('\n'))),
      is_program ? "\n.I VERB\n[options]" : " " + verb.get_name() + "\n[options] [arguments]");
  out += fmt::format(".SH DESCRIPTION\n{}\n", troff(description));
  if (is_program) {
    out += ".SH VERBS\n";
    for (const CLI::App* each : verb.get_subcommands({})) {
      out +=
          fmt::format(".TP\n.B {}\n{}\n", troff(each->get_name()), troff(each->get_description()));
    }
  }
  out += ".SH OPTIONS\n";
  for (const CLI::Option* option : verb.get_options()) out += option_entry(*option);
  return out + fmt::format(".SH NOTES\n.nf\n{}\n.fi\n", troff(verb.get_footer()));
}

core::ExitCode help(const CLI::App& application, const std::string& name, bool as_man_page,
                    Terminal& terminal) {
  const CLI::App* chosen = &application;
  std::vector<std::string> known;
  for (const CLI::App* verb : application.get_subcommands({})) {
    known.push_back(verb->get_name());
    if (verb->get_name() == name) chosen = verb;
  }
  if (!name.empty() && chosen == &application) {
    throw UsageError(unknown_name_text("verb", name, known));
  }
  // App::help would show the help of `help` itself, the verb that was parsed.
  const std::string called = chosen == &application ? "assay" : "assay " + chosen->get_name();
  terminal.out << (as_man_page ? man_page(*chosen)
                               : chosen->get_formatter()->make_help(chosen, called,
                                                                    CLI::AppFormatMode::Normal));
  return core::ExitCode::conforms;
}

}  // namespace

void add_help(CLI::App& application, Action& chosen) {
  CLI::App* verb = application.add_subcommand("help", "Show the help of assay or of one verb");
  const auto name = std::make_shared<std::string>();
  const auto as_man_page = std::make_shared<bool>(false);
  verb->add_option("verb", *name, "The verb; without it, all verbs");
  verb->add_flag("--man", *as_man_page, "As a page for man(1)");
  verb->footer("Examples:\n  assay help run\n  assay help run --man | man -l -");
  verb->callback([name, as_man_page, &chosen, &application] {
    chosen = [name, as_man_page, &application](Terminal& terminal) {
      return help(application, *name, *as_man_page, terminal);
    };
  });
}

}  // namespace assay::cli
