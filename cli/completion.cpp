#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <memory>
#include <ostream>
#include <string_view>

#include "cli/suite.h"
#include "cli/usage_error.h"
#include "cli/verbs.h"

namespace assay::cli {
namespace {

std::vector<std::string> long_options(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// What completes a value: the words themselves, or what `assay list` has.
struct Values {
  /// "--clause" after any verb, or a verb for what stands after it.
  std::string_view after;
  std::string_view words;
  std::string_view listed;
};

constexpr std::array<Values, 17> completed_values = {{
    {"--clause", "", "clauses"},
    {"--case", "", "cases"},
    {"--tag", "", "tags"},
    {"--profile", "", "profiles"},
    {"--fault", "", "faults"},
    {"--format", "", "formats"},
    {"-f", "", "formats"},
    {"--report", "", "formats"},
    {"--level", "MUST SHOULD MAY", ""},
    {"--surface", "executions workflows runs", ""},
    {"run", "", "scenarios"},
    {"explain", "", "clauses"},
    {"explore", "", "properties"},
    {"list",
     "scenarios cases clauses tags profiles capabilities formats interpretations faults "
     "properties",
     ""},
    {"schema", "scenario profile baseline record report adapter settings", ""},
    {"completion", "bash zsh fish", ""},
    {"help", "", ""},
}};

bool follows_an_option(const Values& values) { return values.after.starts_with("-"); }

std::string bash_values(const Values& values) {
  const std::string words =
      values.listed.empty()
          ? fmt::format("'{}'", values.words)
          : fmt::format("\"$(assay list {} 2>/dev/null | cut -d' ' -f1)\"", values.listed);
  return fmt::format("    {}) values={} ;;\n", values.after, words);
}

std::string bash_script(const CLI::App& application) {
  std::vector<std::string> verbs;
  std::string options;
  for (const CLI::App* verb : application.get_subcommands({})) {
    verbs.push_back(verb->get_name());
    options += fmt::format("    {}) words=\"{}\" ;;\n", verb->get_name(),
                           fmt::join(long_options(*verb), " "));
  }
  std::string after_options;
  std::string after_verbs;
  for (const Values& values : completed_values) {
    if (values.after == "help") continue;
    (follows_an_option(values) ? after_options : after_verbs) += bash_values(values);
  }
  after_verbs += fmt::format("    help) values='{}' ;;\n", fmt::join(verbs, " "));
  return fmt::format(
      "_assay() {{\n"
      "  local word=\"${{COMP_WORDS[COMP_CWORD]}}\" words=\"\" values=\"\" IFS=$' \\n'\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    COMPREPLY=($(compgen -W \"{}\" -- \"$word\"))\n"
      "    return\n"
      "  fi\n"
      "  case \"${{COMP_WORDS[1]}}\" in\n{}  esac\n"
      "  if [[ $word == -* ]]; then\n"
      "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
      "    return\n"
      "  fi\n"
      "  case \"${{COMP_WORDS[COMP_CWORD-1]}}\" in\n{}"
      "    -*) ;;\n"
      "    *) case \"${{COMP_WORDS[1]}}\" in\n{}    esac ;;\n"
      "  esac\n"
      "  COMPREPLY=($(compgen -W \"$values\" -- \"$word\") $(compgen -f -- \"$word\"))\n"
      "}}\n"
      "complete -o filenames -F _assay assay\n",
      fmt::join(verbs, " "), options, after_options, after_verbs);
}

std::string zsh_script(const CLI::App& application) {
  // Sourced, it defines the completion; as a function of fpath, it also answers the first request.
  return "#compdef assay\nautoload -U +X bashcompinit && bashcompinit\n" +
         bash_script(application) +
         "if [[ ${funcstack[1]} == _assay ]]; then\n"
         "  _bash_complete -o filenames -F _assay\n"
         "fi\n";
}

/// The first line of a description, fit for single quotes.
std::string fish_text(const std::string& description) {
  std::string text;
  for (const char letter : description.substr(0, description.find('\n'))) {
    if (letter == '\'' || letter == '\\') text += '\\';
    text += letter;
  }
  return text;
}

std::string fish_values(const Values& values) {
  if (values.listed.empty()) return std::string(values.words);
  return fmt::format("(assay list {} 2>/dev/null | string split -f1 \" \")", values.listed);
}

std::string fish_option(const CLI::App& verb, const CLI::Option& option, const std::string& name) {
  std::string line =
      fmt::format("complete -c assay -n '__fish_seen_subcommand_from {}' -l {} -d '{}'",
                  verb.get_name(), name, fish_text(option.get_description()));
  for (const Values& values : completed_values) {
    if (values.after == "--" + name) line += fmt::format(" -r -a '{}'", fish_values(values));
  }
  return line + "\n";
}

std::string fish_script(const CLI::App& application) {
  std::string script = "complete -c assay -n __fish_use_subcommand -f\n";
  std::string verbs;
  for (const CLI::App* verb : application.get_subcommands({})) {
    verbs += verb->get_name() + " ";
    script += fmt::format("complete -c assay -n __fish_use_subcommand -a {} -d '{}'\n",
                          verb->get_name(), fish_text(verb->get_description()));
    for (const CLI::Option* option : verb->get_options()) {
      for (const std::string& name : option->get_lnames()) {
        script += fish_option(*verb, *option, name);
      }
    }
  }
  for (const Values& values : completed_values) {
    if (follows_an_option(values)) continue;
    script += fmt::format("complete -c assay -n '__fish_seen_subcommand_from {}' -a '{}'\n",
                          values.after, values.after == "help" ? verbs : fish_values(values));
  }
  return script;
}

}  // namespace

void add_completion(CLI::App& application, Action& chosen) {
  CLI::App* verb =
      application.add_subcommand("completion", "Print a script that completes assay's words");
  const auto shell = std::make_shared<std::string>();
  verb->add_option("shell", *shell, "bash, zsh or fish")->required();
  verb->footer(
      "Examples:\n  source <(assay completion bash)\n"
      "  assay completion fish > ~/.config/fish/completions/assay.fish");
  verb->callback([shell, &chosen, &application] {
    chosen = [shell, &application](Terminal& terminal) {
      if (*shell == "bash") {
        terminal.out << bash_script(application);
      } else if (*shell == "zsh") {
        terminal.out << zsh_script(application);
      } else if (*shell == "fish") {
        terminal.out << fish_script(application);
      } else {
        throw UsageError(unknown_name_text("shell", *shell, {"bash", "zsh", "fish"}));
      }
      return core::ExitCode::conforms;
    };
  });
}

}  // namespace assay::cli
