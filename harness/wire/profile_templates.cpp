#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/encoding.h"
#include "harness/core/adapter_line.h"
#include "harness/core/scenario.h"
#include "harness/wire/construct.h"
#include "harness/wire/profile_parts.h"
#include "harness/wire/template.h"

namespace assay::wire {
namespace {

/// What is made for each call.
const std::vector<std::string> made_names = {"now", "now_ms", "count", "unique"};

bool has(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Reports a member of an event, or of what setup captured, that there is none of: no case could
/// ever give it, and what needs it would not apply to any.
void check_member(const YamlNode& node, const Placeholder& path, const TemplateNames& names,
                  ProfileScope& scope) {
  if (path.path.size() < 2) return;
  const std::string& parent = path.path[0];
  const std::string& member = path.path[1];
  std::vector<std::string> known;
  if (parent == "setup") {
    known = scope.setup_names;
  } else if (parent == "login") {
    known = scope.login_names;
  } else if (parent == "event" || (parent == "item" && names.item_is_event)) {
    known.assign(core::event_members.begin(), core::event_members.end());
  } else {
    return;
  }
  if (!has(known, member)) scope.problems.unknown_name(node, "member of " + parent, member, known);
}

/// A text without its ${env:…}: what else there is may be checked.
std::string without_environment(std::string text) {
  constexpr std::string_view begin = "${env:";
  for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin)) {
    const std::size_t end = text.find('}', at);
    text.erase(at, end == std::string::npos ? end : end + 1 - at);
  }
  return text;
}

/// A body with what the environment gives in its texts.
Value body_of(const YamlNode& node, const Value& value, ProfileScope& scope) {
  if (value.is_string()) return with_environment(node, value.as_string(), scope, literal);
  if (value.is_list()) {
    List items;
    for (const Value& item : value.as_list()) items.push_back(body_of(node, item, scope));
    return items;
  }
  if (!value.is_object()) return value;
  Object members;
  for (const auto& [name, member] : value.as_object()) {
    members.emplace(name, body_of(node, member, scope));
  }
  return members;
}

/// Reports a filter that is neither ours nor a table of the profile's.
void check_filter(const YamlNode& node, const Placeholder& placeholder, ProfileScope& scope) {
  if (placeholder.filter != Placeholder::Filter::words) return;
  if (scope.profile.words.contains(placeholder.table)) return;
  std::vector<std::string> known = filter_names();
  for (const auto& [table, words] : scope.profile.words) known.push_back(table);
  scope.problems.unknown_name(node, "filter or table of vocabulary.words", placeholder.table,
                              known);
}

/// Reports malformed placeholders, unknown names, and optional parameters without their mark.
void check_template(const YamlNode& node, std::string_view text, const TemplateNames& names,
                    ProfileScope& scope) {
  const std::optional<TemplateText> parts = parse_template(text);
  if (!parts) {
    scope.problems.unexpected(
        node, "placeholders such as ${name}, ${name?}, ${name.member} or ${name|lower}");
    return;
  }
  for (const auto& part : *parts) {
    const auto* placeholder = std::get_if<Placeholder>(&part);
    if (!placeholder) continue;
    const std::string& name = placeholder->path.front();
    if (!has(names.known, name)) {
      scope.problems.unknown_name(node, "parameter of " + names.of, name, names.known);
    }
    if (has(made_names, name)) scope.makes_values = true;
    check_member(node, *placeholder, names, scope);
    check_filter(node, *placeholder, scope);
    if (has(names.optional, name) && !placeholder->may_be_absent) {
      scope.problems.report(node, fmt::format("{} may be absent; write ${{{}?}}", name, name));
    }
  }
}

void check_body(const YamlNode& node, const TemplateNames& names, ProfileScope& scope) {
  if (!node.tag.empty()) scope.problems.unexpected(node, "a value without a tag");
  if (node.is_text())
    check_template(node, without_environment(node.scalar.as_string()), names, scope);
  for (const YamlNode& item : node.items) check_body(item, names, scope);
  const auto construct = construct_of(node);
  if (!construct || construct->name == nullptr) {
    for (const auto& [key, member] : node.members) check_body(member, names, scope);
    return;
  }
  const std::string name = read_path(*construct->name, names, scope);
  TemplateNames inner = names;
  if (construct->construct == Construct::when) {
    // What is given only where a parameter is there need not say that it may be absent.
    std::erase(inner.optional, name);
  } else {
    inner.known.emplace_back("item");
    inner.item_is_event = name == "events";
  }
  check_body(*construct->given, inner, scope);
}

/// request: METHOD /path
void read_request_line(const YamlNode& node, core::RequestTemplate& form,
                       const TemplateNames& names, ProfileScope& scope) {
  constexpr std::string_view expected = "a method and a path: GET /items/${id}";
  const auto line = text_of(node, expected, scope.problems);
  if (!line) return;
  const std::size_t blank = line->find(' ');
  const std::string method = line->substr(0, blank);
  const std::string path = blank == std::string::npos ? "" : line->substr(blank + 1);
  const bool upper = !method.empty() &&
                     method.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == std::string::npos;
  if (!upper || method == core::adapter_method || !path.starts_with('/') ||
      path.find(' ') != std::string::npos) {
    scope.problems.unexpected(node, expected);
    return;
  }
  form.method = method;
  form.path = with_environment(node, path, scope, percent_encoded);
  check_template(node, form.path, names, scope);
}

void read_query(const YamlNode& node, core::RequestTemplate& form, const TemplateNames& names,
                ProfileScope& scope) {
  if (node.kind != YamlNode::Kind::map) {
    scope.problems.unexpected(node, "a mapping of query names to texts");
  }
  for (const auto& [name, value] : node.members) {
    const auto text = text_of(value, "text, such as \"${limit?}\"", scope.problems);
    if (!text) continue;
    form.query.emplace_back(name.scalar.as_string(),
                            with_environment(value, *text, scope, percent_encoded));
    check_template(value, form.query.back().second, names, scope);
  }
}

/// A text that is no JSON: text/plain, or a value of a form.
std::string read_plain(const YamlNode& node, const TemplateNames& names, ProfileScope& scope,
                       std::string (*written)(std::string_view value)) {
  const auto text = text_of(node, "text", scope.problems);
  if (!text) return "";
  std::string result = with_environment(node, *text, scope, written);
  check_template(node, result, names, scope);
  return result;
}

void read_form(const YamlNode& node, core::RequestTemplate& form, const TemplateNames& names,
               ProfileScope& scope) {
  form.form.emplace();
  if (node.kind != YamlNode::Kind::map) {
    scope.problems.unexpected(node, "a mapping of the form's names to texts");
  }
  for (const auto& [name, value] : node.members) {
    form.form->emplace_back(name.scalar.as_string(),
                            read_plain(value, names, scope, percent_encoded));
  }
}

}  // namespace

std::string literal(std::string_view value) {
  std::string text;
  for (std::size_t at = 0; at < value.size(); ++at) {
    if (value.substr(at, 2) == "${") text += '$';
    text += value[at];
  }
  return text;
}

std::vector<std::string> names_of_every_template() {
  std::vector<std::string> names = {"setup", "mark"};
  names.insert(names.end(), made_names.begin(), made_names.end());
  return names;
}

void check_header_templates(const YamlNode& node, const std::vector<core::Header>& headers,
                            TemplateNames names, ProfileScope& scope) {
  names.known.emplace_back("login");
  for (std::size_t index = 0; index < headers.size(); ++index) {
    check_template(node.members[index].value, headers[index].value, names, scope);
  }
}

void read_answer_form(const YamlNode& node, core::RequestTemplate& form, ProfileScope& scope) {
  const auto word = text_of(node, "json, text or none", scope.problems);
  if (!word) return;
  if (*word == "json") {
    form.answers = core::AnswerForm::json;
  } else if (*word == "text") {
    form.answers = core::AnswerForm::text;
  } else if (*word == "none") {
    form.answers = core::AnswerForm::none;
  } else {
    scope.problems.unknown_name(node, "form of an answer", *word, {"json", "text", "none"});
  }
}

std::string read_path(const YamlNode& node, const TemplateNames& names, ProfileScope& scope) {
  const std::string text = text_of(node, "name or name.member", scope.problems).value_or("");
  const std::optional<Placeholder> path = parse_path(text);
  if (!path) {
    scope.problems.unexpected(node, "name or name.member");
  } else if (!has(names.known, path->path.front())) {
    scope.problems.unknown_name(node, "parameter of " + names.of, path->path.front(), names.known);
  } else {
    check_member(node, *path, names, scope);
  }
  return text;
}

void read_request(MapReader& map, const YamlNode& node, core::RequestTemplate& form,
                  const TemplateNames& names, ProfileScope& scope) {
  form.at = scope.problems.position(node);
  if (const YamlNode* line = map.required("request")) read_request_line(*line, form, names, scope);
  if (const YamlNode* query = map.optional("query")) read_query(*query, form, names, scope);
  if (const YamlNode* headers = map.optional("headers")) {
    form.headers = read_headers(*headers, scope);
    check_header_templates(*headers, form.headers, names, scope);
  }
  read_body(map, form, names, scope);
  if (const YamlNode* text = map.optional("text")) {
    form.text = read_plain(*text, names, scope, literal);
  }
  if (const YamlNode* fields = map.optional("form")) read_form(*fields, form, names, scope);
  const std::array<bool, 3> bodies = {form.body.has_value(), form.text.has_value(),
                                      form.form.has_value()};
  if (std::ranges::count(bodies, true) > 1) {
    scope.problems.report(node, "a request has one of body (JSON), text and form");
  }
  if (const YamlNode* answers = map.optional("answers")) read_answer_form(*answers, form, scope);
}

void read_body(MapReader& map, core::RequestTemplate& form, const TemplateNames& names,
               ProfileScope& scope) {
  if (const YamlNode* body = map.optional("body")) {
    check_body(*body, names, scope);
    form.body = body_of(*body, to_value(*body), scope);
  }
}

}  // namespace assay::wire
