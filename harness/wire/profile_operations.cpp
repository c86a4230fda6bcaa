#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "harness/core/adapter_line.h"
#include "harness/core/operation_shape.h"
#include "harness/core/state_words.h"
#include "harness/wire/profile_parts.h"
#include "harness/wire/template.h"

namespace assay::wire {
namespace {

/// What the templates of an operation may name.
TemplateNames names_of(const core::OperationShape& shape) {
  TemplateNames names{std::string(shape.name), names_of_every_template(), {}};
  names.known.insert(names.known.end(), shape.required.begin(), shape.required.end());
  names.known.insert(names.known.end(), shape.optional.begin(), shape.optional.end());
  names.optional.assign(shape.optional.begin(), shape.optional.end());
  return names;
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
      const auto status = integer_of(item, http_statuses, scope.problems);
      if (!status) continue;
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

std::vector<core::OutcomeRule> read_outcomes(const YamlNode& node, ProfileScope& scope) {
  std::vector<core::OutcomeRule> rules;
  for (const YamlNode& item : items_of(node, "a list of outcomes", scope.problems)) {
    MapReader map(item, "an outcome", scope.problems);
    core::OutcomeRule rule;
    rule.when = read_condition(map, item, scope);
    if (const YamlNode* means = map.required("means")) {
      const auto word = text_of(*means, "an acceptance", scope.problems);
      const auto said = word ? core::said_acceptance(*word) : std::nullopt;
      if (word && !said) {
        scope.problems.unknown_name(*means, "acceptance", *word, core::said_acceptances());
      }
      rule.means = said.value_or(rule.means);
    }
    map.finish();
    rules.push_back(std::move(rule));
  }
  return rules;
}

void read_statuses(const YamlNode& node, std::set<int>& statuses, ProfileScope& scope) {
  statuses.clear();
  for (const YamlNode& item : items_of(node, "a list of HTTP statuses", scope.problems)) {
    const auto status = integer_of(item, http_statuses, scope.problems);
    if (!status) continue;
    statuses.insert(static_cast<int>(*status));
  }
}

/// capture: names and where an answer has them; later templates and mappings may name them.
void read_captures(MapReader& map, std::map<std::string, core::Mapping>& captures,
                   TemplateNames& names, ProfileScope& scope) {
  const YamlNode* node = map.optional("capture");
  if (!node) return;
  if (node->kind != YamlNode::Kind::map) {
    scope.problems.unexpected(*node, "a mapping of names to where the answer has them");
  }
  for (const auto& [name, where] : node->members) {
    const std::string& captured = name.scalar.as_string();
    captures.insert_or_assign(captured, read_mapping(where, scope));
    names.known.push_back(captured);
    scope.captured.push_back(captured);
  }
}

/// when: the parameter that has to be there, or {parameter: [value, …]}.
void read_occasion(const YamlNode& node, core::Hook& hook, const TemplateNames& names,
                   ProfileScope& scope) {
  if (node.kind != YamlNode::Kind::map) {
    hook.when = read_path(node, names, scope);
    return;
  }
  if (node.members.size() != 1) {
    scope.problems.unexpected(node, "one parameter and a list of its values");
    return;
  }
  const auto& [name, values] = node.members.front();
  hook.when = read_path(name, names, scope);
  for (const YamlNode& item : items_of(values, "a list of values", scope.problems)) {
    hook.when_values.insert(text_of_value(to_value(item)));
  }
  if (values.kind == YamlNode::Kind::list && hook.when_values.empty()) {
    scope.problems.report(values, "a request that is made for no value is never made");
  }
}

/// Further hooks and, for an operation's `after`, its captures may name what this one captures.
core::Hook read_hook(const YamlNode& node, TemplateNames& names, ProfileScope& scope) {
  MapReader map(node, "a request", scope.problems);
  core::Hook hook;
  TemplateNames inner = names;
  if (const YamlNode* when = map.optional("when")) {
    read_occasion(*when, hook, names, scope);
    // What it is made for is there where it is made.
    std::erase(inner.optional, hook.when);
  }
  read_request(map, node, hook.request, inner, scope);
  if (const YamlNode* accepted = map.optional("accepted")) {
    read_statuses(*accepted, hook.accepted, scope);
  }
  read_captures(map, hook.captures, names, scope);
  if (const YamlNode* until = map.optional("until")) hook.until = read_outcomes(*until, scope);
  map.finish();
  return hook;
}

void read_member_names(MapReader& map, std::string_view key,
                       std::set<std::string, std::less<>>& into, ProfileScope& scope) {
  const YamlNode* node = map.optional(key);
  if (!node) return;
  for (const YamlNode& item : items_of(*node, "a list of names", scope.problems)) {
    const auto name = text_of(item, "a name", scope.problems);
    if (name) into.insert(*name);
  }
}

/// Parameters of an operation by whose value it does otherwise: name and value.
class ValueReader {
 public:
  ValueReader(const core::OperationShape& shape, ProfileScope& scope)
      : shape_(shape),
        scope_(scope),
        optional_(shape.optional.begin(), shape.optional.end()),
        all_(optional_) {
    all_.insert(all_.end(), shape.required.begin(), shape.required.end());
  }

  void check_optional(const YamlNode& at, const std::string& name) { check(at, name, optional_); }
  void check_parameter(const YamlNode& at, const std::string& name) { check(at, name, all_); }

  /// Reports a state that is none of the operation's, where the parameter is a state.
  void check_value(const YamlNode& at, std::string_view name, const std::string& word) {
    const std::vector<std::string> states = states_of(name);
    if (states.empty() || std::ranges::find(states, word) != states.end()) return;
    scope_.problems.unknown_name(at, "state", word, states);
  }

  /// The states that a parameter may be; empty where it is none.
  [[nodiscard]] std::vector<std::string> states_of(std::string_view name) const {
    if (name != "to" && name != "state" && name != "status") return {};
    return core::state_words_of(shape_.name);
  }

  /// {to: running}
  void read(const YamlNode& item,
            std::map<std::string, std::set<std::string, std::less<>>, std::less<>>& into) {
    for (const auto& [key, value] : item.members) {
      const std::string& name = key.scalar.as_string();
      check_parameter(key, name);
      const auto word = text_of(value, "a value", scope_.problems);
      if (!word) continue;
      into[name].insert(*word);
      check_value(value, name, *word);
    }
  }

 private:
  void check(const YamlNode& at, const std::string& name, const std::vector<std::string>& known) {
    if (std::ranges::find(known, name) != known.end()) return;
    scope_.problems.unknown_name(at, "parameter", name, known);
  }

  const core::OperationShape& shape_;
  ProfileScope& scope_;
  std::vector<std::string> optional_;
  std::vector<std::string> all_;
};

/// Parameters that an operation does not take, or values of them: [reason, {to: running}].
void read_lacks(MapReader& map, const core::OperationShape& shape, core::OperationTemplate& form,
                ProfileScope& scope) {
  const YamlNode* node = map.optional("lacks");
  if (!node) return;
  ValueReader values(shape, scope);
  for (const YamlNode& item : items_of(*node, "a list of parameters", scope.problems)) {
    if (item.kind == YamlNode::Kind::map) {
      values.read(item, form.lacks_values);
      continue;
    }
    const auto name = text_of(item, "a parameter, or a mapping to a value of it", scope.problems);
    if (!name) continue;
    values.check_optional(item, *name);
    form.lacks.insert(*name);
  }
}

bool mentions(const YamlNode& node, std::string_view name) {
  if (node.is_text()) return node.scalar.as_string().find(name) != std::string::npos;
  const auto in_item = [name](const YamlNode& item) { return mentions(item, name); };
  const auto in_member = [name](const YamlMember& member) {
    return mentions(member.key, name) || mentions(member.value, name);
  };
  return std::ranges::any_of(node.items, in_item) || std::ranges::any_of(node.members, in_member);
}

/// by and requests: which request is sent for which value of a parameter.
void read_requests_by_value(MapReader& map, const YamlNode& node, const TemplateNames& names,
                            const core::OperationShape& shape, core::OperationTemplate& form,
                            ProfileScope& scope) {
  const YamlNode* by = map.optional("by");
  const YamlNode* requests = map.optional("requests");
  if (!by && !requests) return;
  if (!by || !requests) {
    scope.problems.report(node, "by, a parameter, and requests, by its values, belong together");
    return;
  }
  ValueReader values(shape, scope);
  form.by = text_of(*by, "a parameter", scope.problems).value_or("");
  values.check_parameter(*by, form.by);
  if (requests->kind != YamlNode::Kind::map) {
    scope.problems.unexpected(*requests, "a mapping of values to requests");
  }
  for (const auto& [key, value] : requests->members) {
    const std::string word = text_of_value(key.scalar);
    values.check_value(key, form.by, word);
    MapReader inner(value, "a request", scope.problems);
    core::RequestTemplate request;
    read_request(inner, value, request, names, scope);
    inner.finish();
    if (const YamlNode* answers = value.find("answers")) {
      scope.problems.report(*answers, "answers is said once, of the operation");
    }
    form.requests.insert_or_assign(word, std::move(request));
  }
  if (!form.path.empty()) return;
  form.at = scope.problems.position(node);
  for (const std::string& state : values.states_of(form.by)) {
    if (!form.requests.contains(state)) form.lacks_values[form.by].insert(state);
  }
}

/// Parameters of a listing that the harness filters by itself.
void read_narrow(const YamlNode& node, const std::vector<std::string>& known,
                 core::OperationTemplate& form, ProfileScope& scope) {
  if (node.kind != YamlNode::Kind::map) {
    scope.problems.unexpected(node, "a mapping of parameters to JSON Pointers into our items");
  }
  for (const auto& [key, value] : node.members) {
    const std::string& name = key.scalar.as_string();
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      scope.problems.unknown_name(key, "parameter", name, known);
    }
    const auto pointer = text_of(value, "a JSON Pointer", scope.problems);
    if (pointer && check_pointer(value, *pointer, scope.problems)) {
      form.narrow.insert_or_assign(name, *pointer);
    }
  }
}

core::Paging read_paging(const YamlNode& node, ProfileScope& scope) {
  MapReader map(node, "paging", scope.problems);
  core::Paging paging;
  std::string by;
  map.required_text("by", by);
  if (by == "page") paging.style = core::Paging::Style::page;
  if (by == "offset") paging.style = core::Paging::Style::offset;
  if (paging.style == core::Paging::Style::cursor) {
    scope.problems.unknown_name(node, "way of paging", by, {"page", "offset"});
  }
  if (const YamlNode* more = map.optional("more")) {
    paging.more = text_of(*more, "a JSON Pointer", scope.problems);
    if (paging.more) (void)check_pointer(*more, *paging.more, scope.problems);
  }
  map.text("items", paging.items);
  map.integer("size", {1, highest_count}, paging.size);
  map.finish();
  if (paging.size == 0 && (!paging.more || by == "offset")) {
    scope.problems.report(node, "paging needs \"size\"");
  }
  return paging;
}

/// An operation that goes through the profile's adapter: the outcome is the adapter's to say.
void read_adapter_call(MapReader& map, const YamlNode& node, core::OperationTemplate& form,
                       const TemplateNames& names, ProfileScope& scope) {
  form.at = scope.problems.position(node);
  form.method = core::adapter_method;
  form.path = names.of;
  for (const auto& [outcome, statuses] :
       {std::pair(core::Acceptance::accepted, &core::OperationTemplate::accepted),
        std::pair(core::Acceptance::duplicate, &core::OperationTemplate::duplicate),
        std::pair(core::Acceptance::refused, &core::OperationTemplate::refused),
        std::pair(core::Acceptance::unknown, &core::OperationTemplate::unknown)}) {
    form.*statuses = {core::adapter_status(outcome).value()};
  }
  const YamlNode* body = map.optional("body");
  if (body && body->kind != YamlNode::Kind::map) {
    scope.problems.unexpected(*body, "a mapping: what the adapter gets as parameters");
  }
  read_body(map, form, names, scope);
}

/// What the harness cannot do without in the mapped answer.
void check_read(const YamlNode& node, const core::OperationTemplate& form,
                const core::OperationShape& shape, ProfileScope& scope) {
  std::vector<std::string_view> needed;
  if (shape.listing) needed = {"items"};
  if (shape.listing && form.paging.style == core::Paging::Style::cursor)
    needed.emplace_back("next");
  if (!shape.makes.empty()) needed = {shape.makes};
  if (!form.read) {
    if (shape.listing && form.method != core::adapter_method) {
      scope.problems.report(
          node, fmt::format("{} is a listing; its read must give {{items, next}}", shape.name));
    }
    return;
  }
  if (!std::holds_alternative<core::ObjectMapping>(form.read->from)) return;
  for (const std::string_view name : needed) {
    if (!form.read->members().contains(std::string(name))) {
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

std::vector<core::Hook> read_hooks(const YamlNode& node, TemplateNames& names,
                                   ProfileScope& scope) {
  std::vector<core::Hook> hooks;
  for (const YamlNode& item : items_of(node, "a list of requests", scope.problems)) {
    hooks.push_back(read_hook(item, names, scope));
  }
  return hooks;
}

std::map<std::string, core::Hook, std::less<>> read_cleanup(const YamlNode& node,
                                                            ProfileScope& scope) {
  static const std::vector<std::string> subjects = {"execution_id", "run_id", "uuid"};
  std::map<std::string, core::Hook, std::less<>> cleanup;
  if (node.kind != YamlNode::Kind::map) {
    scope.problems.unexpected(node, "a mapping of execution_id, run_id or uuid to a request");
  }
  for (const auto& [key, value] : node.members) {
    const std::string& name = key.scalar.as_string();
    if (std::find(subjects.begin(), subjects.end(), name) == subjects.end()) {
      scope.problems.unknown_name(key, "kind of thing that a case makes", name, subjects);
    }
    TemplateNames names{"cleanup", names_of_every_template(), {}};
    names.known.push_back(name);
    cleanup.insert_or_assign(name, read_hook(value, names, scope));
  }
  return cleanup;
}

core::OperationTemplate read_operation(std::string_view name, const YamlNode& node,
                                       ProfileScope& scope) {
  const core::OperationShape& shape = *core::operation_shape(name);
  MapReader map(node, fmt::format("the operation {}", name), scope.problems);
  core::OperationTemplate form;
  TemplateNames names = names_of(shape);
  scope.captured.clear();
  const bool has_requests = node.find("requests") != nullptr;
  const bool is_adapted = scope.profile.adapter && node.find("request") == nullptr && !has_requests;
  scope.is_adapted = false;
  if (const YamlNode* before = map.optional("before")) {
    form.before = read_hooks(*before, names, scope);
  }
  scope.is_adapted = is_adapted;
  if (is_adapted) {
    read_adapter_call(map, node, form, names, scope);
  } else if (node.find("request") != nullptr || !has_requests) {
    read_request(map, node, form, names, scope);
  } else if (const YamlNode* answers = map.optional("answers")) {
    read_answer_form(*answers, form, scope);
  }
  if (!is_adapted) read_requests_by_value(map, node, names, shape, form, scope);
  read_captures(map, form.captures, names, scope);
  if (const YamlNode* after = map.optional("after")) {
    names.known.emplace_back("answer");
    scope.is_adapted = false;
    form.after = read_hooks(*after, names, scope);
    scope.is_adapted = is_adapted;
  }
  if (!is_adapted) {
    read_status_sets(map, form, scope);
    if (const YamlNode* outcomes = map.optional("outcomes")) {
      form.outcomes = read_outcomes(*outcomes, scope);
    }
  }
  if (const YamlNode* read = map.optional("read")) form.read = read_mapping(*read, scope);
  if (const YamlNode* paging = map.optional("paging")) form.paging = read_paging(*paging, scope);
  map.flag("newest_first", form.newest_first);
  const std::vector<std::string> optional = names_of(shape).optional;
  if (const YamlNode* narrow = map.optional("narrow")) {
    if (!shape.listing) scope.problems.report(*narrow, "only a listing can be narrowed");
    read_narrow(*narrow, optional, form, scope);
  }
  read_lacks(map, shape, form, scope);
  // An adapter is told every parameter.
  for (const std::string_view parameter : shape.significant) {
    if (!is_adapted && !mentions(node, parameter)) form.unsaid.emplace(parameter);
  }
  read_member_names(map, "unobserved", form.unobserved, scope);
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
