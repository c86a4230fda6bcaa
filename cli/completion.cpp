#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>

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

std::string bash_script(const CLI::App& application) {
  std::vector<std::string> verbs;
  std::string cases;
  for (const CLI::App* verb : application.get_subcommands({})) {
    verbs.push_back(verb->get_name());
    cases += fmt::format("    {}) words=\"{}\" ;;\n", verb->get_name(),
                         fmt::join(long_options(*verb), " "));
  }
  return fmt::format(
      "_assay() {{\n"
      "  local word=\"${{COMP_WORDS[COMP_CWORD]}}\" words=\"\"\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    COMPREPLY=($(compgen -W \"{}\" -- \"$word\"))\n"
      "    return\n"
      "  fi\n"
      "  case \"${{COMP_WORDS[1]}}\" in\n{}  esac\n"
      "  case \"$word\" in\n"
      "    -*) COMPREPLY=($(compgen -W \"$words\" -- \"$word\")) ;;\n"
      "    *) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n"
      "  esac\n"
      "}}\n"
      "complete -F _assay assay\n",
      fmt::join(verbs, " "), cases);
}

std::string zsh_script(const CLI::App& application) {
  return "autoload -U +X bashcompinit && bashcompinit\n" + bash_script(application);
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

std::string fish_script(const CLI::App& application) {
  std::string script = "complete -c assay -n __fish_use_subcommand -f\n";
  for (const CLI::App* verb : application.get_subcommands({})) {
    script += fmt::format("complete -c assay -n __fish_use_subcommand -a {} -d '{}'\n",
                          verb->get_name(), fish_text(verb->get_description()));
    for (const CLI::Option* option : verb->get_options()) {
      for (const std::string& name : option->get_lnames()) {
        script +=
            fmt::format("complete -c assay -n '__fish_seen_subcommand_from {}' -l {} -d '{}'\n",
                        verb->get_name(), name, fish_text(option->get_description()));
      }
    }
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
