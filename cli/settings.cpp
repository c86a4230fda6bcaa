#include "cli/settings.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "cli/suite.h"
#include "cli/usage_error.h"
#include "harness/wire/json.h"
#include "harness/wire/yaml.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* file_name = "assay.yaml";

bool is_repeatable(const CLI::Option& option) {
  return option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
}

bool is_flag(const CLI::Option& option) { return option.get_expected_max() == 0; }

std::string variable_of(std::string name) {
  for (char& letter : name) {
    letter =
        letter == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  }
  return "ASSAY_" + name;
}

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  while (true) {
    const std::size_t comma = text.find(',', start);
    parts.push_back(text.substr(start, comma - start));
    if (comma == std::string::npos) return parts;
    start = comma + 1;
  }
}

std::string scalar_text(const wire::YamlNode& node) {
  return node.scalar.is_string() ? node.scalar.as_string() : wire::to_json(node.scalar);
}

/// The nearest assay.yaml, from the working directory upwards.
std::string nearest_file() {
  std::error_code ignored;
  for (fs::path folder = fs::current_path(ignored); !folder.empty();
       folder = folder.parent_path()) {
    if (fs::is_regular_file(folder / file_name, ignored)) return (folder / file_name).string();
    if (folder == folder.root_path()) break;
  }
  return "";
}

/// A path in the file is meant from where the file is.
std::string value_from_file(const std::string& name, const std::string& value,
                            const std::string& file) {
  static const std::set<std::string> paths = {"baseline",  "against",        "record",
                                              "scenarios", "durations-from", "last-failed"};
  const auto from_file = [&file](const std::string& path) {
    return fs::path(path).is_absolute() ? path : (fs::path(file).parent_path() / path).string();
  };
  if (paths.contains(name)) return from_file(value);
  const std::size_t equals = value.find('=');
  if (name == "report" && equals != std::string::npos && value.substr(equals + 1) != "-") {
    return value.substr(0, equals + 1) + from_file(value.substr(equals + 1));
  }
  const bool is_file = name == "profile" && value.find_first_of("/.") != std::string::npos;
  return is_file ? from_file(value) : value;
}

}  // namespace

std::vector<std::string> setting_names(const CLI::App& run) {
  std::vector<std::string> names;
  for (const CLI::Option* option : run.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      if (name != "help" && name != "list") names.push_back(name);
    }
  }
  return names;
}

std::vector<Setting> settings_of_text(std::string_view text, const std::string& path,
                                      const CLI::App& run) {
  auto read = wire::read_yaml(text, path);
  if (!read) throw UsageError(std::vector{read.error()});
  const auto& root = *read;
  std::vector<core::Diagnostic> faults;
  std::vector<Setting> settings;
  const auto at = [&path](const wire::YamlNode& node) {
    return core::SourcePosition{path, node.line, node.column};
  };
  if (root.kind != wire::YamlNode::Kind::map && !root.is_null()) {
    faults.push_back({at(root), fmt::format("found {}, expected options of `assay run` and their "
                                            "values",
                                            root.description())});
  }
  const std::vector<std::string> known = setting_names(run);
  for (const auto& [key, value] : root.members) {
    const std::string name = key.scalar.as_string();
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      faults.push_back({at(key), unknown_name_text("option", name, known)});
      continue;
    }
    const CLI::Option& option = *run.get_option("--" + name);
    Setting setting{name, {}, fmt::format("{}:{}:{}", path, value.line, value.column)};
    if (value.kind == wire::YamlNode::Kind::list && is_repeatable(option)) {
      for (const wire::YamlNode& item : value.items) setting.values.push_back(scalar_text(item));
    } else if (value.kind == wire::YamlNode::Kind::scalar && !value.is_null()) {
      setting.values.push_back(scalar_text(value));
    } else {
      faults.push_back({at(value), fmt::format("found {}, expected {}", value.description(),
                                               is_repeatable(option) ? "a value or a list of values"
                                                                     : "a value")});
    }
    for (std::string& each : setting.values) each = value_from_file(name, each, path);
    settings.push_back(std::move(setting));
  }
  if (!faults.empty()) throw UsageError(faults);
  return settings;
}

std::vector<Setting> read_settings(const CLI::App& run, const Terminal& terminal) {
  std::vector<Setting> settings;
  for (const std::string& name : setting_names(run)) {
    const std::string variable = variable_of(name);
    const auto value = terminal.environment ? terminal.environment(variable) : std::nullopt;
    if (!value) continue;
    const bool is_list = is_repeatable(*run.get_option("--" + name));
    settings.push_back({name, is_list ? split_at_commas(*value) : std::vector{*value}, variable});
  }
  const std::string path = nearest_file();
  if (path.empty()) return settings;
  for (Setting& setting : settings_of_text(read_file(path), path, run)) {
    const bool is_known = std::any_of(settings.begin(), settings.end(), [&](const Setting& each) {
      return each.name == setting.name;
    });
    if (!is_known) settings.push_back(std::move(setting));
  }
  return settings;
}

std::vector<std::string> with_settings(std::vector<std::string> arguments, const CLI::App& run,
                                       const std::vector<Setting>& settings) {
  const auto is_given = [&arguments](const std::string& name) {
    return std::any_of(arguments.begin(), arguments.end(), [&name](const std::string& argument) {
      return argument == "--" + name || argument.starts_with("--" + name + "=");
    });
  };
  std::vector<std::string> added;
  for (const Setting& setting : settings) {
    if (is_given(setting.name)) continue;
    const bool is_one_flag = is_flag(*run.get_option("--" + setting.name));
    for (const std::string& value : setting.values) {
      if (is_one_flag && value != "true" && value != "false" && value != "1" && value != "0") {
        throw UsageError(
            fmt::format("{}: found \"{}\", expected true or false", setting.source, value));
      }
      if (is_one_flag && (value == "false" || value == "0")) continue;
      added.push_back(is_one_flag ? "--" + setting.name
                                  : fmt::format("--{}={}", setting.name, value));
    }
  }
  // Before everything else: what follows "--" is no option.
  arguments.insert(arguments.begin() + 1, added.begin(), added.end());
  return arguments;
}

}  // namespace assay::cli
