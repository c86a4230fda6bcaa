#include "harness/wire/profile_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "assay_embed/profiles.h"
#include "base/visible.h"
#include "harness/core/operation.h"
#include "harness/core/operation_shape.h"
#include "harness/wire/interpretations.h"
#include "harness/wire/profile_parts.h"

namespace assay::wire {
namespace {

constexpr std::string_view environment_mark = "${env:";
/// A profile extends another that extends another …: as deep as anyone needs, and no circle.
constexpr int max_extensions = 4;

/// What the limits of a profile may be: more is a slip of the pen, and would run for ever.
constexpr std::int64_t longest_case_ms = 24 * longest_wait_ms;
constexpr std::int64_t longest_window_ms = 600'000;
constexpr std::int64_t most_header_bytes = std::int64_t{16} * 1024 * 1024;
constexpr std::int64_t most_body_bytes = std::int64_t{1024} * 1024 * 1024;
constexpr std::int64_t most_jobs = 4'096;
constexpr double lowest_rate = 0.001;
constexpr double highest_rate = 1'000'000;
constexpr double lowest_factor = 0.01;
constexpr double highest_factor = 1'000;

std::vector<std::string> known_capabilities() {
  const auto& semantic = core::semantic_capabilities();
  const auto& operations = core::operation_names();
  std::vector<std::string> names(semantic.begin(), semantic.end());
  names.insert(names.end(), operations.begin(), operations.end());
  return names;
}

void read_limits(const YamlNode& node, core::Limits& limits, Problems& problems) {
  MapReader map(node, "limits", problems);
  map.integer("connect_ms", {1, longest_wait_ms}, limits.connect_ms);
  map.integer("request_ms", {1, longest_wait_ms}, limits.request_ms);
  map.integer("within_ms", {0, longest_wait_ms}, limits.within_ms);
  map.integer("hold_ms", {0, longest_wait_ms}, limits.hold_ms);
  map.integer("case_ms", {1, longest_case_ms}, limits.case_ms);
  const auto size = [&map](std::string_view key, std::int64_t most, std::size_t& into) {
    std::int64_t count = static_cast<std::int64_t>(into);
    map.integer(key, {1, most}, count);
    into = static_cast<std::size_t>(count);
  };
  size("max_header_bytes", most_header_bytes, limits.max_header_bytes);
  size("max_body_bytes", most_body_bytes, limits.max_body_bytes);
  size("max_pages", highest_count, limits.max_pages);
  size("jobs", most_jobs, limits.jobs);
  if (const YamlNode* rate = node.find("rate"); rate && rate->scalar == Value(0)) {
    (void)map.optional("rate");
    limits.rate = 0;
  } else {
    map.number("rate", lowest_rate, highest_rate, limits.rate);
  }
  map.number("wait_factor", lowest_factor, highest_factor, limits.wait_factor);
  map.finish();
}

void read_consistency(const YamlNode& node, core::Consistency& consistency, Problems& problems) {
  if (node.is_text() && node.scalar.as_string() == "immediate") {
    consistency = {};
    return;
  }
  if (node.kind != YamlNode::Kind::map) {
    problems.unexpected(node, "immediate, or {window_ms: n} for eventual consistency");
    return;
  }
  MapReader map(node, "consistency", problems);
  consistency.eventual = true;
  map.integer("window_ms", {1, longest_window_ms}, consistency.window_ms);
  (void)map.required("window_ms");
  map.finish();
}

void read_tls(const YamlNode& node, core::Tls& tls, Problems& problems) {
  MapReader map(node, "tls", problems);
  map.text("ca", tls.ca_file);
  map.text("certificate", tls.certificate_file);
  map.text("key", tls.key_file);
  map.flag("verify", tls.verify);
  map.finish();
  if (tls.certificate_file.empty() != tls.key_file.empty()) {
    problems.report(node, "a client's certificate and its key belong together");
  }
}

/// command, environment and ready_within_ms of a program that a run starts.
template <typename Program>
void read_program(MapReader& map, const YamlNode& node, Program& program, ProfileScope& scope) {
  Problems& problems = scope.problems;
  map.texts("command", program.command);
  for (std::string& word : program.command) word = with_environment(node, word, scope);
  const YamlNode* command = map.required("command");
  if (command && program.command.empty()) problems.unexpected(*command, "a program and arguments");
  if (const YamlNode* environment = map.optional("environment")) {
    std::map<std::string, std::string, std::less<>> words;
    read_words(*environment, "a mapping of variables to texts", false, words, problems);
    for (const auto& [name, text] : words) {
      program.environment.insert_or_assign(name, with_environment(*environment, text, scope));
    }
  }
  map.integer("ready_within_ms", {1, longest_wait_ms}, program.ready_within_ms);
}

core::Adapter read_adapter(const YamlNode& node, ProfileScope& scope) {
  MapReader map(node, "adapter", scope.problems);
  core::Adapter adapter;
  read_program(map, node, adapter, scope);
  map.finish();
  return adapter;
}

core::Launch read_launch(const YamlNode& node, ProfileScope& scope) {
  Problems& problems = scope.problems;
  static const std::vector<std::string> signals = {"TERM", "INT", "KILL"};
  MapReader map(node, "launch", problems);
  core::Launch launch;
  read_program(map, node, launch, scope);
  map.text("ready_line", launch.ready_line);
  map.text("health_path", launch.health_path);
  map.text("stop_signal", launch.stop_signal);
  if (const YamlNode* signal = node.find("stop_signal");
      signal && std::find(signals.begin(), signals.end(), launch.stop_signal) == signals.end()) {
    problems.unknown_name(*signal, "signal", launch.stop_signal, signals);
  }
  map.finish();
  if (launch.ready_line.empty() && launch.health_path.empty()) {
    problems.report(node, "launch needs \"ready_line\" or \"health_path\"");
  }
  return launch;
}

void check_capability(const YamlNode& node, const std::string& name, Problems& problems) {
  if (core::is_known_capability(name)) return;
  problems.unknown_name(node, "capability", name, known_capabilities());
}

/// The names that a list of capabilities has.
std::vector<std::string> capabilities_of(const YamlNode& list, Problems& problems) {
  std::vector<std::string> names;
  for (const YamlNode& item : items_of(list, "a list of capabilities", problems)) {
    const auto name = text_of(item, "a capability", problems);
    if (!name) continue;
    check_capability(item, *name, problems);
    names.push_back(*name);
  }
  return names;
}

/// capabilities: replaces what an extended profile declares; with: adds some; without: takes some
/// away again, with their operations.
void read_capabilities(MapReader& map, core::Profile& profile, Problems& problems) {
  if (const YamlNode* node = map.optional("capabilities")) {
    profile.capabilities.clear();
    for (const std::string& name : capabilities_of(*node, problems)) {
      profile.capabilities.insert(name);
    }
  }
  if (const YamlNode* node = map.optional("with")) {
    for (const std::string& name : capabilities_of(*node, problems)) {
      profile.capabilities.insert(name);
    }
  }
  if (const YamlNode* node = map.optional("without")) {
    for (const std::string& name : capabilities_of(*node, problems)) {
      profile.capabilities.erase(name);
      const auto operation = profile.operations.find(name);
      if (operation == profile.operations.end()) continue;
      profile.withheld_paths.insert_or_assign(name, operation->second.path);
      profile.operations.erase(operation);
    }
  }
}

void read_operations(const YamlNode& node, core::Profile& profile, ProfileScope& scope) {
  if (node.kind != YamlNode::Kind::map) {
    scope.problems.unexpected(node, "a mapping of operations to how they go over HTTP");
  }
  for (const auto& [key, value] : node.members) {
    const std::string& name = key.scalar.as_string();
    if (!core::operation_shape(name)) {
      const auto& names = core::operation_names();
      scope.problems.unknown_name(key, "operation", name, {names.begin(), names.end()});
      continue;
    }
    profile.operations.insert_or_assign(name, read_operation(name, value, scope));
  }
}

/// A case that needs words of the target's own has none to ask for where they are not listed.
void check_extra_states(const YamlNode& root, const core::Profile& profile, Problems& problems) {
  const bool is_declared = profile.capabilities.contains("states.extra");
  const YamlNode* vocabulary = root.find("vocabulary");
  const YamlNode* own = vocabulary ? vocabulary->find("extra_states") : nullptr;
  if (is_declared && profile.extra_states.empty()) {
    problems.report(root, "states.extra is declared and vocabulary.extra_states lists none");
  } else if (own && !is_declared) {
    problems.report(*own, "extra_states are judged where states.extra is declared");
  }
}

/// A declared operation must have a template, and a template be declared: what a profile has and
/// does not say is never judged, and what it says and does not have always fails.
void check_operations_declared(const YamlNode& root, const core::Profile& profile,
                               Problems& problems) {
  for (const std::string& name : profile.capabilities) {
    if (core::operation_shape(name) && !profile.operations.contains(name)) {
      problems.report(root, fmt::format("{} is declared and has no entry in operations", name));
    }
  }
  const YamlNode* operations = root.find("operations");
  for (const auto& [name, form] : profile.operations) {
    if (profile.capabilities.contains(name)) continue;
    const YamlNode* entry = operations ? operations->find(name) : nullptr;
    problems.report(entry ? *entry : root,
                    fmt::format("{} has an entry in operations and is not declared", name));
  }
}

void read_address(MapReader& map, core::Profile& profile, ProfileScope& scope) {
  if (const YamlNode* url = map.optional("base_url")) {
    profile.base_url = with_environment(*url, scope);
    const bool http =
        profile.base_url.starts_with("http://") || profile.base_url.starts_with("https://");
    if (profile.base_url.empty() && url->is_text() && !url->scalar.as_string().empty()) {
      scope.problems.report(*url, "the base URL is empty: its environment variable has no value");
    } else if (!http && !profile.base_url.empty()) {
      // What was found may hold credentials.
      scope.problems.report(*url, "expected an http or https URL, such as http://127.0.0.1:8080");
    }
  }
  if (const YamlNode* tls = map.optional("tls")) read_tls(*tls, profile.tls, scope.problems);
}

/// The headers of every request, which may name what setup and login captured.
void read_own_headers(MapReader& map, core::Profile& profile, ProfileScope& scope) {
  const YamlNode* headers = map.optional("headers");
  if (!headers) return;
  profile.headers = read_headers(*headers, scope);
  check_header_templates(*headers, profile.headers,
                         {"the profile's headers", names_of_every_template(), {}}, scope);
}

/// login, setup, teardown and cleanup.
void read_own_requests(MapReader& map, core::Profile& profile, ProfileScope& scope) {
  TemplateNames names{"setup", names_of_every_template(), {}};
  std::erase(names.known, "setup");
  if (const YamlNode* login = map.optional("login")) {
    TemplateNames own{"login", names.known, {}};
    profile.login = read_hooks(*login, own, scope);
  }
  if (const YamlNode* setup = map.optional("setup")) {
    profile.setup = read_hooks(*setup, names, scope);
  }
  if (const YamlNode* teardown = map.optional("teardown")) {
    TemplateNames last{"teardown", names_of_every_template(), {}};
    profile.teardown = read_hooks(*teardown, last, scope);
  }
  if (const YamlNode* cleanup = map.optional("cleanup")) {
    profile.cleanup = read_cleanup(*cleanup, scope);
  }
}

/// What setup or login captures, of this profile or of that which it extends.
std::vector<std::string> captured_names(const YamlNode& root, std::string_view key,
                                        const std::vector<core::Hook>& extended) {
  std::vector<std::string> names;
  if (const YamlNode* hooks = root.find(key)) {
    for (const YamlNode& hook : hooks->items) {
      const YamlNode* capture = hook.find("capture");
      if (!capture) continue;
      for (const auto& [name, where] : capture->members) names.push_back(name.scalar.as_string());
    }
    return names;
  }
  for (const core::Hook& hook : extended) {
    for (const auto& [name, where] : hook.captures) names.push_back(name);
  }
  return names;
}

/// A profile that says where its server is means that server, and not the one that the profile
/// which it extends would start.
void read_own_launch(MapReader& map, const YamlNode& root, core::Profile& profile,
                     ProfileScope& scope) {
  const YamlNode* launch = map.optional("launch");
  if (launch && !launch->is_null()) {
    profile.launch = read_launch(*launch, scope);
  } else if (launch || root.find("base_url")) {
    profile.launch.reset();
  }
}

void read_extended(MapReader& map, core::Profile& profile, const EnvironmentLookup& environment,
                   Problems& problems, int extensions);

void read_members(const YamlNode& root, core::Profile& profile,
                  const EnvironmentLookup& environment, Problems& problems, int extensions) {
  MapReader map(root, "a profile", problems);
  read_extended(map, profile, environment, problems, extensions);
  ProfileScope scope{problems,
                     environment,
                     profile,
                     profile.environment_values,
                     captured_names(root, "setup", profile.setup),
                     captured_names(root, "login", profile.login)};
  map.required_text("name", profile.name);
  map.text("title", profile.title);
  read_address(map, profile, scope);
  if (const YamlNode* limits = map.optional("limits")) {
    read_limits(*limits, profile.limits, problems);
  }
  if (const YamlNode* consistency = map.optional("consistency")) {
    read_consistency(*consistency, profile.consistency, problems);
  }
  read_capabilities(map, profile, problems);
  if (const YamlNode* interpretations = map.optional("interpretations")) {
    read_choices(*interpretations, profile.interpretations, problems);
  }
  if (const YamlNode* vocabulary = map.optional("vocabulary")) {
    read_vocabulary(*vocabulary, profile, problems);
  }
  read_own_headers(map, profile, scope);
  if (const YamlNode* adapter = map.optional("adapter")) {
    profile.adapter = read_adapter(*adapter, scope);
  }
  if (const YamlNode* operations = map.optional("operations")) {
    read_operations(*operations, profile, scope);
  }
  map.flag("own_times", profile.own_times);
  map.flag("own_acknowledgements", profile.own_acknowledgements);
  read_own_requests(map, profile, scope);
  if (const YamlNode* worker = map.optional("worker")) profile.worker = read_worker(*worker, scope);
  read_own_launch(map, root, profile, scope);
  profile.makes_values = profile.makes_values || scope.makes_values;
  map.finish();
  check_operations_declared(root, profile, problems);
  check_extra_states(root, profile, problems);
}

void read_extended(MapReader& map, core::Profile& profile, const EnvironmentLookup& environment,
                   Problems& problems, int extensions) {
  const YamlNode* node = map.optional("extends");
  if (!node) return;
  const auto name = text_of(*node, "the name of a built-in profile", problems);
  if (!name) return;
  const auto text = embedded_profile(*name);
  if (!text) {
    problems.unknown_name(*node, "built-in profile", *name, embedded_profile_names());
    return;
  }
  if (extensions >= max_extensions) {
    problems.report(*node, "profiles extend one another in a circle");
    return;
  }
  const std::string file = *name + ".yaml";
  auto parsed = read_yaml(*text, file);
  Problems base_problems(file);
  if (parsed) {
    read_members(*parsed, profile, environment, base_problems, extensions + 1);
  } else {
    problems.report(*node, core::diagnostic_text(parsed.error()));
  }
  for (const core::Diagnostic& problem : base_problems.take()) {
    problems.report(*node, core::diagnostic_text(problem));
  }
}

}  // namespace

std::string with_environment(const YamlNode& at, const std::string& text, ProfileScope& scope,
                             std::string (*written)(std::string_view value)) {
  std::string result;
  std::size_t offset = 0;
  while (true) {
    const std::size_t open = text.find(environment_mark, offset);
    if (open == std::string::npos) return result.append(text, offset);
    const std::size_t close = text.find('}', open);
    if (close == std::string::npos) {
      scope.problems.unexpected(at, "${env:NAME}");
      return result;
    }
    result.append(text, offset, open - offset);
    const std::size_t start = open + environment_mark.size();
    const std::string name = text.substr(start, close - start);
    const auto value = scope.environment ? scope.environment(name) : std::nullopt;
    if (!value) {
      scope.problems.report(at, fmt::format("the environment variable {} is not set", name));
    }
    const std::string given = value.value_or("");
    scope.environment_values.push_back(given);
    result += written == nullptr ? given : written(given);
    offset = close + 1;
  }
}

std::string with_environment(const YamlNode& node, ProfileScope& scope) {
  return with_environment(node, text_of(node, "text", scope.problems).value_or(""), scope);
}

std::vector<core::Header> read_headers(const YamlNode& node, ProfileScope& scope) {
  constexpr std::string_view line_breaks("\r\n\0", 3);
  constexpr std::size_t shown_name_bytes = 60;
  std::vector<core::Header> headers;
  if (node.kind != YamlNode::Kind::map) {
    scope.problems.unexpected(node, "a mapping of header names to texts");
  }
  for (const auto& [name, value] : node.members) {
    const std::string text = text_of(value, "text", scope.problems).value_or("");
    const bool is_secret = text.find(environment_mark) != std::string::npos ||
                           text.find("${setup.") != std::string::npos ||
                           text.find("${login.") != std::string::npos;
    core::Header header{name.scalar.as_string(), with_environment(value, text, scope, literal),
                        is_secret};
    if ((header.name + header.value).find_first_of(line_breaks) != std::string::npos) {
      scope.problems.report(value, fmt::format("the header {} has a line break or a NUL",
                                               visible(header.name, shown_name_bytes)));
    }
    headers.push_back(std::move(header));
  }
  return headers;
}

Result<core::Profile, std::vector<core::Diagnostic>> read_profile(
    std::string_view text, const std::string& file_name, const EnvironmentLookup& environment) {
  auto parsed = read_yaml(text, file_name);
  if (!parsed) return unexpected(std::vector{std::move(parsed).error()});
  const auto& root = *parsed;
  Problems problems(file_name);
  core::Profile profile;
  read_members(root, profile, environment, problems, 0);
  profile.at = problems.position(root);
  if (!problems.empty()) return unexpected(problems.take());
  return profile;
}

std::optional<std::string_view> embedded_profile(std::string_view name) {
  for (const embed::File& file : embed::profiles()) {
    if (file.path == std::string(name) + ".yaml") return file.content;
  }
  return std::nullopt;
}

std::vector<std::string> embedded_profile_names() {
  std::vector<std::string> names;
  for (const embed::File& file : embed::profiles()) {
    const std::string_view path = file.path;
    if (path.ends_with(".yaml")) names.emplace_back(path.substr(0, path.size() - 5));
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace assay::wire
