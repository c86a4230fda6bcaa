#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include "harness/core/operation_shape.h"
#include "harness/wire/profile_parts.h"
#include "harness/wire/template.h"

namespace assay::wire {
namespace {

/// The names that a template may use.
std::vector<std::string> parameters_of(const core::OperationShape& shape, bool inside_for_each) {
  std::vector<std::string> names(shape.required.begin(), shape.required.end());
  names.insert(names.end(), shape.optional.begin(), shape.optional.end());
  if (inside_for_each) names.emplace_back("item");
  return names;
}

/// Reports malformed placeholders, unknown names, and optional parameters without their mark.
void check_template(const YamlNode& node, std::string_view text, const core::OperationShape& shape,
                    bool inside_for_each, ProfileScope& scope) {
  const std::optional<TemplateText> parts = parse_template(text);
  if (!parts) {
    scope.problems.unexpected(
        node, "placeholders such as ${name}, ${name?}, ${name.member} or ${name|lower}");
    return;
  }
  const std::vector<std::string> known = parameters_of(shape, inside_for_each);
  for (const auto& part : *parts) {
    const auto* placeholder = std::get_if<Placeholder>(&part);
    if (!placeholder) continue;
    const std::string& name = placeholder->path.front();
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      scope.problems.unknown_name(node, fmt::format("parameter of {}", shape.name), name, known);
    }
    const bool optional =
        std::find(shape.optional.begin(), shape.optional.end(), name) != shape.optional.end();
    if (optional && !placeholder->may_be_absent) {
      scope.problems.report(node, fmt::format("{} may be absent; write ${{{}?}}", name, name));
    }
  }
}

/// for_each: names a list parameter; returns whether the node is such a construct.
bool check_for_each(const YamlNode& node, const core::OperationShape& shape, ProfileScope& scope) {
  const YamlNode* for_each = node.find("for_each");
  if (!for_each || !node.find("give") || node.members.size() != 2) return false;
  const auto name = text_of(*for_each, "the name of a parameter that is a list", scope.problems);
  const std::vector<std::string> known = parameters_of(shape, false);
  if (name && std::find(known.begin(), known.end(), *name) == known.end()) {
    scope.problems.unknown_name(*for_each, fmt::format("parameter of {}", shape.name), *name,
                                known);
  }
  return true;
}

void check_body(const YamlNode& node, const core::OperationShape& shape, bool inside_for_each,
                ProfileScope& scope) {
  if (!node.tag.empty()) {
    scope.problems.unexpected(node, "a value without a tag");
  }
  if (node.is_text()) {
    check_template(node, node.scalar.as_string(), shape, inside_for_each, scope);
  }
  for (const YamlNode& item : node.items) check_body(item, shape, inside_for_each, scope);
  const bool for_each = check_for_each(node, shape, scope);
  for (const auto& [key, member] : node.members) {
    if (for_each && key.scalar.as_string() == "for_each") continue;
    check_body(member, shape, inside_for_each || for_each, scope);
  }
}

/// request: METHOD /path
void read_request_line(const YamlNode& node, core::OperationTemplate& form,
                       const core::OperationShape& shape, ProfileScope& scope) {
  constexpr std::string_view expected = "a method and a path: GET /items/${id}";
  const auto line = text_of(node, expected, scope.problems);
  if (!line) return;
  const std::size_t blank = line->find(' ');
  const std::string method = line->substr(0, blank);
  const std::string path = blank == std::string::npos ? "" : line->substr(blank + 1);
  const bool upper = !method.empty() &&
                     method.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == std::string::npos;
  if (!upper || !path.starts_with('/') || path.find(' ') != std::string::npos) {
    scope.problems.unexpected(node, expected);
    return;
  }
  form.method = method;
  form.path = path;
  check_template(node, path, shape, false, scope);
}

void read_query(const YamlNode& node, core::OperationTemplate& form,
                const core::OperationShape& shape, ProfileScope& scope) {
  if (node.kind != YamlNode::Kind::map) {
    scope.problems.unexpected(node, "a mapping of query names to texts");
  }
  for (const auto& [name, value] : node.members) {
    const auto text = text_of(value, "text, such as \"${limit?}\"", scope.problems);
    if (!text) continue;
    check_template(value, *text, shape, false, scope);
    form.query.emplace_back(name.scalar.as_string(), *text);
  }
}

struct StatusSet {
  std::string_view key;
  std::set<int> core::OperationTemplate::* statuses;
};

constexpr std::array<StatusSet, 4> status_sets = {
    {{"accepted", &core::OperationTemplate::accepted},
     {"duplicate", &core::OperationTemplate::duplicate},
     {"refused", &core::OperationTemplate::refused},
     {"unknown", &core::OperationTemplate::unknown}}};

/// Sets that the profile gives win over the defaults of the others; two that it gives may not meet.
void read_status_sets(MapReader& map, core::OperationTemplate& form, ProfileScope& scope) {
  std::set<int> given;
  std::set<std::string_view> written;
  for (const StatusSet& set : status_sets) {
    const YamlNode* node = map.optional(set.key);
    if (!node) continue;
    written.insert(set.key);
    std::set<int>& statuses = form.*set.statuses;
    statuses.clear();
    for (const YamlNode& item : items_of(*node, "a list of HTTP statuses", scope.problems)) {
      const auto status = integer_of(item, 100, scope.problems);
      if (!status) continue;
      if (*status > 599) scope.problems.unexpected(item, "an HTTP status");
      if (!given.insert(static_cast<int>(*status)).second) {
        scope.problems.report(item, fmt::format("status {} has two meanings", *status));
      }
      statuses.insert(static_cast<int>(*status));
    }
  }
  for (const StatusSet& set : status_sets) {
    if (written.contains(set.key)) continue;
    for (const int status : given) (form.*set.statuses).erase(status);
  }
}

void read_outcomes(const YamlNode& node, core::OperationTemplate& form, ProfileScope& scope) {
  static const std::vector<std::string> words = {"accepted", "duplicate", "refused", "unknown"};
  for (const YamlNode& item : items_of(node, "a list of outcomes", scope.problems)) {
    MapReader map(item, "an outcome", scope.problems);
    core::OutcomeRule rule;
    map.text("at", rule.pointer);
    if (const YamlNode* at = map.required("at"); at && at->is_text()) {
      (void)check_pointer(*at, rule.pointer, scope.problems);
    }
    if (const YamlNode* is = map.required("is")) rule.equals = to_value(*is);
    if (const YamlNode* means = map.required("means")) {
      const auto word = text_of(*means, "an acceptance", scope.problems);
      const bool known = word && std::find(words.begin(), words.end(), *word) != words.end();
      if (word && !known) scope.problems.unknown_name(*means, "acceptance", *word, words);
      if (known) rule.means = core::acceptance_from_word(*word).value_or(rule.means);
    }
    map.finish();
    form.outcomes.push_back(std::move(rule));
  }
}

/// What the harness cannot do without in the mapped answer.
void check_read(const YamlNode& node, const core::OperationTemplate& form,
                const core::OperationShape& shape, ProfileScope& scope) {
  std::vector<std::string_view> needed;
  if (shape.listing) needed = {"items", "next"};
  if (!shape.makes.empty()) needed = {shape.makes};
  if (!form.read) {
    if (shape.listing) {
      scope.problems.report(
          node, fmt::format("{} is a listing; its read must give {{items, next}}", shape.name));
    }
    return;
  }
  if (form.read->kind != core::Mapping::Kind::object) return;
  for (const std::string_view name : needed) {
    if (!form.read->members.contains(std::string(name))) {
      scope.problems.report(node, fmt::format("{} must read \"{}\"", shape.name, name));
    }
  }
}

const std::vector<std::string> worker_names = {"step",   "step_run_id", "outcome", "status",
                                               "result", "ctx",         "worker",  "execution_id"};

/// Reports each ${…} of a worker's event that is malformed or names nothing.
void check_worker_event(const YamlNode& node, ProfileScope& scope) {
  if (node.is_text()) {
    const std::optional<TemplateText> parts = parse_template(node.scalar.as_string());
    if (!parts) scope.problems.unexpected(node, "placeholders such as ${step} or ${result}");
    for (const auto& part : parts.value_or(TemplateText())) {
      const auto* placeholder = std::get_if<Placeholder>(&part);
      if (!placeholder) continue;
      const std::string& name = placeholder->path.front();
      if (std::find(worker_names.begin(), worker_names.end(), name) == worker_names.end()) {
        scope.problems.unknown_name(node, "parameter of the worker", name, worker_names);
      } else if (placeholder->path.size() > 1 || placeholder->may_be_absent ||
                 placeholder->filter != Placeholder::Filter::none) {
        scope.problems.unexpected(node, fmt::format("${{{}}} as it is", name));
      }
    }
  }
  for (const YamlNode& item : node.items) check_worker_event(item, scope);
  for (const auto& [key, member] : node.members) check_worker_event(member, scope);
}

}  // namespace

core::OperationTemplate read_operation(std::string_view name, const YamlNode& node,
                                       ProfileScope& scope) {
  const core::OperationShape& shape = *core::operation_shape(name);
  MapReader map(node, fmt::format("the operation {}", name), scope.problems);
  core::OperationTemplate form;
  form.at = scope.problems.position(node);
  if (const YamlNode* line = map.required("request")) read_request_line(*line, form, shape, scope);
  if (const YamlNode* query = map.optional("query")) read_query(*query, form, shape, scope);
  if (const YamlNode* headers = map.optional("headers")) {
    form.headers = read_headers(*headers, scope);
    for (const auto& [key, value] : headers->members) {
      // What came from the environment is no placeholder; everything else is checked as written.
      if (!value.is_text() || value.scalar.as_string().find("${env:") != std::string::npos)
        continue;
      check_template(value, value.scalar.as_string(), shape, false, scope);
    }
  }
  if (const YamlNode* body = map.optional("body")) {
    check_body(*body, shape, false, scope);
    form.body = to_value(*body);
  }
  read_status_sets(map, form, scope);
  if (const YamlNode* outcomes = map.optional("outcomes")) read_outcomes(*outcomes, form, scope);
  if (const YamlNode* read = map.optional("read")) form.read = read_mapping(*read, scope);
  map.finish();
  check_read(node, form, shape, scope);
  return form;
}

std::vector<Value> read_worker(const YamlNode& node, ProfileScope& scope) {
  static const std::vector<std::string> outcomes = {"done", "failed"};
  std::vector<Value> events;
  for (const YamlNode& item : items_of(node, "a list of events", scope.problems)) {
    if (item.kind != YamlNode::Kind::map) scope.problems.unexpected(item, "an event (a mapping)");
    if (const YamlNode* when = item.find("when")) {
      const auto word = text_of(*when, "done or failed", scope.problems);
      if (word && std::find(outcomes.begin(), outcomes.end(), *word) == outcomes.end()) {
        scope.problems.unknown_name(*when, "outcome", *word, outcomes);
      }
    }
    check_worker_event(item, scope);
    events.push_back(to_value(item));
  }
  return events;
}

}  // namespace assay::wire
