#include "cli/application.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <ostream>
#include <system_error>

#include "cli/masked_stream.h"
#include "cli/option_error.h"
#include "cli/output_files.h"
#include "cli/settings.h"
#include "cli/usage_error.h"
#include "cli/verbs.h"
#include "cli/version_text.h"
#include "harness/target/configuration_error.h"
#include "harness/target/running_server.h"

namespace assay::cli {
namespace {

using core::ExitCode;

constexpr const char* description =
    "assay judges whether a server that runs workflows keeps the rules of its specifications.\n"
    "It replays scripted cases over HTTP and says which clause is kept or broken, with the "
    "evidence.";

constexpr const char* footer = R"(Examples:
  assay run                                     judge the embedded reference server
  assay run --target http://127.0.0.1:8080      judge another server that speaks the same binding
  assay run 'status/*' --report html=out.html   some cases only, and a report
  assay explain STM-INF-BATCH                   what a clause says and which cases check it

Exit codes: 0 conforms, 1 unexpected findings, 2 usage or configuration, 3 target not reachable,
4 nothing proven, 5 baseline stale, 6 harness fault.)";

void set_up(CLI::App& application, Action& chosen) {
  application.require_subcommand(1);
  application.footer(footer);
  application.set_version_flag("-V,--version", fmt::format("assay {}", version_text));
  for (const auto add :
       {add_run,        add_audit,  add_explore, add_serve,  add_report,   add_diff,   add_baseline,
        add_merge,      add_matrix, add_replay,  add_repro,  add_show,     add_list,   add_explain,
        add_init,       add_config, add_flaky,   add_lint,   add_selftest, add_schema, add_probe,
        add_completion, add_help,   add_verify,  add_version}) {
    add(application, chosen);
  }
  for (CLI::App* verb : application.get_subcommands({})) require_whole_numbers(*verb);
}

std::vector<std::string> verb_names(const CLI::App& application) {
  std::vector<std::string> names;
  for (const CLI::App* verb : application.get_subcommands({})) names.push_back(verb->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// The first argument that looks like an option and is none of the verb's.
std::optional<std::string> unknown_option(const std::vector<std::string>& arguments,
                                          const std::vector<std::string>& known) {
  for (const std::string& argument : arguments) {
    if (argument == "--") break;
    std::string name = argument.substr(0, argument.find('='));
    if (name.substr(0, 2) == "--" && std::find(known.begin(), known.end(), name) == known.end()) {
      return name;
    }
  }
  return std::nullopt;
}

/// What CLI11 could not make sense of, in our words where we have better ones.
std::string complaint(const CLI::App& application, const CLI::ParseError& error,
                      const std::vector<std::string>& arguments) {
  const std::vector<CLI::App*> verbs = application.get_subcommands();
  const CLI::App& verb = verbs.empty() ? application : *verbs.front();
  const std::string place = verbs.empty() ? "assay" : fmt::format("assay {}", verb.get_name());
  const std::vector<std::string> known = option_names(verb);
  const std::optional<std::string> unknown = unknown_option(arguments, known);
  return fmt::format(
      "{}\nSee {} --help.",
      unknown ? unknown_name_text("option", *unknown, known) : plain_option_error(error.what()),
      place);
}

/// An option that wants a value and has an empty one, such as an unset variable leaves behind, or
/// has the next option in its place: what was meant is not what would be judged.
void check_values(const CLI::App& verb, const std::vector<std::string>& arguments) {
  for (std::size_t at = 1; at < arguments.size(); ++at) {
    const std::string& argument = arguments[at];
    if (argument == "--") return;
    if (argument.empty()) throw UsageError("an argument is empty; leave it out, or give a value");
    const std::size_t equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    const CLI::Option* option = name.starts_with("-") ? verb.get_option_no_throw(name) : nullptr;
    if (option == nullptr || option->get_items_expected_max() == 0) continue;
    const bool is_inside = equals != std::string::npos;
    const bool is_next = !is_inside && at + 1 < arguments.size();
    if (!is_inside && !is_next) continue;
    const std::string value = is_inside ? argument.substr(equals + 1) : arguments[at + 1];
    if (value.empty()) {
      throw UsageError(
          fmt::format("{}: the value is empty; leave the option out, or give a value", name));
    }
    if (is_next && value.size() > 1 && value.front() == '-' &&
        (value.starts_with("--") || verb.get_option_no_throw(value) != nullptr)) {
      throw UsageError(fmt::format("{} needs a value, and is followed by {}", name, value));
    }
    if (is_next) ++at;
  }
}

void check_verb(const CLI::App& application, const std::vector<std::string>& arguments) {
  if (arguments.empty() || arguments.front().substr(0, 1) == "-") return;
  const std::vector<std::string> known = verb_names(application);
  if (std::find(known.begin(), known.end(), arguments.front()) == known.end()) {
    throw UsageError(unknown_name_text("verb", arguments.front(), known));
  }
}

/// Of `run`, with what the environment and an assay.yaml say besides.
std::vector<std::string> with_surroundings(const std::vector<std::string>& arguments,
                                           const CLI::App& application, const Terminal& terminal) {
  if (arguments.front() != "run") return arguments;
  const CLI::App& run = *application.get_subcommand("run");
  return with_settings(arguments, run, read_settings(run, terminal));
}

ExitCode act(const std::vector<std::string>& arguments, Terminal& terminal) {
  CLI::App application(description, "assay");
  Action chosen;
  set_up(application, chosen);
  if (arguments.empty()) {
    terminal.err << application.help();
    return ExitCode::usage;
  }
  check_verb(application, arguments);
  if (!arguments.front().starts_with("-")) {
    check_values(*application.get_subcommand(arguments.front()), arguments);
  }
  const std::vector<std::string> whole = with_surroundings(arguments, application, terminal);
  try {
    application.parse(std::vector<std::string>(whole.rbegin(), whole.rend()));
  } catch (const CLI::CallForHelp&) {
    const std::vector<CLI::App*> verbs = application.get_subcommands();
    terminal.out << (verbs.empty() ? application.help() : verbs.front()->help("assay"));
    return ExitCode::conforms;
  } catch (const CLI::CallForVersion& version) {
    terminal.out << version.what() << "\n";
    return ExitCode::conforms;
  } catch (const CLI::ParseError& error) {
    throw UsageError(complaint(application, error, arguments));
  }
  return chosen(terminal);
}

/// Whether a verb writes reports of a run to the files that it is given.
bool judges(const std::vector<std::string>& arguments) {
  constexpr std::array<std::string_view, 3> verbs = {"run", "explore", "replay"};
  return !arguments.empty() &&
         std::find(verbs.begin(), verbs.end(), arguments.front()) != verbs.end();
}

/// What was asked for and could not be told is lost, however the run went; findings and mistakes
/// count as they did.
ExitCode after_output(Terminal& terminal, ExitCode code) {
  terminal.out.flush();
  if (terminal.out) return code;
  terminal.err << fmt::format("assay: standard output: {}\n", std::strerror(errno));
  const bool is_told = code == ExitCode::unexpected_findings || code == ExitCode::usage ||
                       code == ExitCode::target_unreachable;
  return is_told ? code : ExitCode::harness_fault;
}

ExitCode failed(Terminal& terminal, const char* what, ExitCode code) {
  terminal.err << "assay: " << what << "\n";
  return code;
}

}  // namespace

namespace {

/// What of the machine is used up, where it is that.
std::string want_text(const std::system_error& error) {
  if (error.code() == std::errc::resource_unavailable_try_again) {
    return fmt::format("no thread can be started: {} (ulimit -u)", error.what());
  }
  if (error.code() == std::errc::too_many_files_open) {
    return fmt::format("{} (ulimit -n)", error.what());
  }
  return error.what();
}

ExitCode run_masked(const std::vector<std::string>& arguments, Terminal& terminal) {
  try {
    return after_output(terminal, act(arguments, terminal));
  } catch (const UsageError& error) {
    if (judges(arguments)) delete_named_outputs(arguments);
    return failed(terminal, error.what(), ExitCode::usage);
  } catch (const target::ConfigurationError& error) {
    return failed(terminal, error.what(), ExitCode::usage);
  } catch (const target::StartError& error) {
    return failed(terminal, error.what(), ExitCode::target_unreachable);
  } catch (const std::system_error& error) {
    return failed(terminal, want_text(error).c_str(), ExitCode::harness_fault);
  } catch (const std::exception& error) {
    return failed(terminal, error.what(), ExitCode::harness_fault);
  }
}

}  // namespace

ExitCode run_application(const std::vector<std::string>& arguments, Terminal& terminal) {
  core::Secrets secrets;
  MaskedStream out(terminal.out, secrets);
  MaskedStream err(terminal.err, secrets);
  Terminal masked{out,     err, terminal.colour, terminal.shows_progress, terminal.environment,
                  &secrets};
  return run_masked(arguments, masked);
}

}  // namespace assay::cli
