#include "harness/wire/exchange.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/encoding.h"
#include "base/visible.h"
#include "base/words.h"
#include "harness/core/adapter_line.h"
#include "harness/core/clause_table.h"
#include "harness/core/operation_shape.h"
#include "harness/core/source.h"
#include "harness/wire/answer_body.h"
#include "harness/wire/condition.h"
#include "harness/wire/json.h"
#include "harness/wire/mapping.h"
#include "harness/wire/said_parts.h"
#include "harness/wire/template.h"

namespace assay::wire {
namespace {

constexpr std::size_t shown_bytes = 200;

NotExpressible missing(std::string_view what, const MissingParameter& parameter) {
  return {fmt::format("the profile's {} needs {}, which is not given", what, parameter.name)};
}

/// The answer to the operation is there, and the member that a later request names is not in it.
NotExpressible missing_in_answer(const core::Hook& hook, const MissingParameter& parameter,
                                 const Value& answer) {
  const auto path = parse_path(parameter.name);
  const Value* there = &answer;
  std::string member;
  for (std::size_t at = 1; path && at < path->path.size(); ++at) {
    member = path->path[at];
    const Value* next = there->find(member);
    if (next == nullptr) break;
    there = next;
  }
  std::vector<std::string> known;
  if (there->is_object()) {
    for (const auto& [name, value] : there->as_object()) known.push_back(name);
  }
  const std::optional<std::string> nearest = nearest_name(member, known);
  return {
      core::diagnostic_text(
          {hook.request.at,
           fmt::format("${{{}}}: the answer has no \"{}\"{}", parameter.name, member,
                       nearest         ? fmt::format("; did you mean \"{}\"?", *nearest)
                       : known.empty() ? fmt::format(": {}", visible(to_json(answer), shown_bytes))
                                       : fmt::format("; it has {}", fmt::join(known, ", ")))}),
      true};
}

/// Replaces an event type by the target's name; false where the target has no such event.
bool rename_event(const core::Profile& profile, Value& type, std::string& without) {
  if (!type.is_string()) return true;
  const auto found = profile.event_names.find(type.as_string());
  if (found == profile.event_names.end()) return true;
  if (found->second.empty()) {
    without = type.as_string();
    return false;
  }
  type = found->second;
  return true;
}

bool rename_event_of(const core::Profile& profile, Value& event, std::string& without) {
  if (!event.is_object()) return true;
  const auto type = event.as_object().find("event_type");
  return type == event.as_object().end() || rename_event(profile, type->second, without);
}

/// The parameters in the target's vocabulary, or the event type for which it has no name.
Result<Object, NotExpressible> translated(const core::Profile& profile,
                                          const core::Operation& operation) {
  Object parameters = operation.parameters;
  std::string without;
  bool fits = true;
  if (operation.name.starts_with("events.")) {
    for (auto& [name, value] : parameters) {
      if (name == "event_type") fits = rename_event(profile, value, without) && fits;
      if (name == "event") fits = rename_event_of(profile, value, without) && fits;
      if (name != "events" || !value.is_list()) continue;
      for (Value& event : value.as_list()) fits = rename_event_of(profile, event, without) && fits;
    }
  }
  if (!fits)
    return unexpected(NotExpressible{fmt::format("the target has no event for {}", without)});
  for (const std::string_view name : {"to", "state", "status", "ends"}) {
    const auto found = parameters.find(name);
    if (found == parameters.end() || !found->second.is_string()) continue;
    const std::string& word = found->second.as_string();
    if (profile.missing_states.contains(word)) {
      return unexpected(NotExpressible{fmt::format("the target has no state {}", word)});
    }
  }
  return parameters;
}

/// The parameter of a path that is absent or empty: without it the path is another resource's.
std::optional<MissingParameter> gap_in_path(const std::string& path, const Object& parameters) {
  const std::optional<TemplateText> parts = parse_template(path);
  for (const auto& part : parts.value_or(TemplateText())) {
    if (const auto* literal = std::get_if<std::string>(&part)) {
      if (literal->find('?') != std::string::npos) break;
      continue;
    }
    const auto& placeholder = std::get<Placeholder>(part);
    const Value* value = find_parameter(parameters, placeholder);
    const bool is_empty = value != nullptr && *value == Value("");
    if (value != nullptr && !value->is_null() && !is_empty) continue;
    return MissingParameter{fmt::format("{}", fmt::join(placeholder.path, "."))};
  }
  return std::nullopt;
}

/// name=value&…, without those whose placeholder is absent.
Result<std::string, MissingParameter> render_pairs(
    const std::vector<std::pair<std::string, std::string>>& pairs, const TemplateContext& context) {
  std::string result;
  for (const auto& [name, text] : pairs) {
    auto value = render_text(text, context, Encoding::percent);
    if (!value.has_value()) return unexpected(std::move(value).error());
    const auto& rendered = *value;
    if (!rendered) continue;
    result += fmt::format("{}{}={}", result.empty() ? "" : "&", percent_encoded(name), *rendered);
  }
  return result;
}

/// Path and query, or the parameter that is missing.
Result<std::string, MissingParameter> render_target(const core::RequestTemplate& form,
                                                    const TemplateContext& context) {
  if (auto gap = gap_in_path(form.path, context.parameters)) return unexpected(*std::move(gap));
  auto path = render_text(form.path, context, Encoding::percent);
  if (!path.has_value()) return unexpected(std::move(path).error());
  std::string target = path->value_or("/");
  auto query = render_pairs(form.query, context);
  if (!query) return unexpected(std::move(query).error());
  const std::string& pairs = *query;
  if (pairs.empty()) return target;
  return target + (target.find('?') == std::string::npos ? '?' : '&') + pairs;
}

/// A request's body and what it is.
struct Content {
  std::optional<std::string> body;
  std::string_view type = "application/json";
};

Result<Content, MissingParameter> render_body(const core::RequestTemplate& form,
                                              const TemplateContext& context) {
  Content content;
  if (form.body) {
    auto body = render_value(*form.body, context);
    if (!body.has_value()) return unexpected(std::move(body).error());
    const auto& rendered = *body;
    if (rendered) content.body = to_json(*rendered);
  } else if (form.text) {
    auto text = render_text(*form.text, context, Encoding::plain);
    if (!text.has_value()) return unexpected(std::move(text).error());
    content.body = *std::move(text);
    content.type = "text/plain; charset=utf-8";
  } else if (form.form) {
    auto pairs = render_pairs(*form.form, context);
    if (!pairs) return unexpected(std::move(pairs).error());
    content.body = *std::move(pairs);
    content.type = "application/x-www-form-urlencoded";
  }
  return content;
}

bool has_header(const std::vector<core::Header>& headers, std::string_view name) {
  return std::any_of(headers.begin(), headers.end(), [name](const core::Header& header) {
    return std::equal(header.name.begin(), header.name.end(), name.begin(), name.end(),
                      [](char left, char right) {
                        return (left >= 'A' && left <= 'Z' ? left + 32 : left) == right;
                      });
  });
}

/// What an operation was asked with, without what every template may name.
Object asked_parameters(std::string_view operation, const Object& parameters) {
  const core::OperationShape& shape = *core::operation_shape(operation);
  Object asked;
  for (const auto* names : {&shape.required, &shape.optional}) {
    for (const std::string_view name : *names) {
      const auto found = parameters.find(name);
      if (found != parameters.end()) asked.insert(*found);
    }
  }
  return asked;
}

/// The parameters with `login`, each of whose values stands for itself: they are put in when the
/// request is sent, since a login may be renewed in between, and are kept out of what is recorded.
/// Nothing of a profile without a login.
std::optional<Object> with_login_kept(const Object& parameters, const core::Profile& profile) {
  if (profile.login.empty()) return std::nullopt;
  Object named = parameters;
  Object login;
  for (const core::Hook& hook : profile.login) {
    for (const auto& [name, where] : hook.captures) {
      login.insert_or_assign(name, fmt::format("${{login.{}}}", name));
    }
  }
  named.insert_or_assign("login", std::move(login));
  return named;
}

/// A request as a template says it, or the parameter that it lacks.
Result<core::HttpRequest, MissingParameter> render(const core::Profile& profile,
                                                   const core::RequestTemplate& form,
                                                   const Object& parameters) {
  std::map<std::string, std::string, std::less<>> spelling;
  for (const auto& [theirs, ours] : profile.state_names) spelling.try_emplace(ours, theirs);
  const TemplateContext context{parameters, nullptr, spelling, profile.words};
  core::HttpRequest request;
  request.method = form.method;
  if (core::is_adapter_line(request)) {
    request.target = form.path;
    if (!form.body) request.body = to_json(asked_parameters(form.path, parameters));
  } else {
    auto target = render_target(form, context);
    if (!target) return unexpected(std::move(target).error());
    request.target = *std::move(target);
    request.headers = own_headers(profile, parameters);
  }
  const std::optional<Object> with_login = with_login_kept(parameters, profile);
  const TemplateContext of_headers{with_login ? *with_login : parameters, nullptr, spelling,
                                   profile.words};
  for (core::Header header : form.headers) {
    auto value = render_text(header.value, of_headers, Encoding::plain);
    if (!value.has_value()) return unexpected(std::move(value).error());
    auto& rendered = *value;
    if (!rendered) continue;
    header.value = *std::move(rendered);
    request.headers.push_back(std::move(header));
  }
  auto body = render_body(form, context);
  if (!body) return unexpected(std::move(body).error());
  auto& content = *body;
  if (content.body) request.body = std::move(content.body);
  const bool is_http = !core::is_adapter_line(request);
  if (is_http && request.body && !has_header(request.headers, "content-type")) {
    request.headers.push_back({"content-type", std::string(content.type)});
  }
  return request;
}

const core::OperationTemplate* template_of(const core::Profile& profile, std::string_view name) {
  const auto found = profile.operations.find(name);
  return found == profile.operations.end() ? nullptr : &found->second;
}

/// The request that the parameter's value chooses; nullptr where there is none for it.
const core::RequestTemplate* request_by_value(const core::OperationTemplate& form,
                                              const Object& parameters) {
  const auto value = parameters.find(form.by);
  if (!form.by.empty() && value != parameters.end()) {
    const auto chosen = form.requests.find(text_of_value(value->second));
    if (chosen != form.requests.end()) return &chosen->second;
  }
  return form.path.empty() ? nullptr : &form;
}

core::Acceptance acceptance_by_status(const core::OperationTemplate& form, int status) {
  if (form.accepted.contains(status)) return core::Acceptance::accepted;
  if (form.duplicate.contains(status)) return core::Acceptance::duplicate;
  if (form.refused.contains(status)) return core::Acceptance::refused;
  if (form.unknown.contains(status)) return core::Acceptance::unknown;
  return core::Acceptance::unexpected;
}

core::Acceptance acceptance_of(const core::OperationTemplate& form, int status, const Value& body) {
  for (const core::OutcomeRule& rule : form.outcomes) {
    if (holds(rule.when, body)) return rule.means;
  }
  return acceptance_by_status(form, status);
}

bool is_success(core::Acceptance acceptance) {
  return acceptance == core::Acceptance::accepted || acceptance == core::Acceptance::duplicate;
}

/// Whether the harness reads something from an accepted answer to the operation.
bool is_body_due(const core::OperationTemplate& form, std::string_view operation, int status) {
  const core::OperationShape* shape = core::operation_shape(operation);
  return status != 204 && (form.read || (shape && !shape->fields.empty()));
}

}  // namespace

Result<Object, NotExpressible> in_the_targets_words(const core::Profile& profile,
                                                    const core::Operation& operation) {
  const core::OperationTemplate* form = template_of(profile, operation.name);
  if (!form) {
    return unexpected(NotExpressible{
        fmt::format("the profile {} has no operation {}", profile.name, operation.name)});
  }
  const std::string lacked = lacked_parameter(*form, operation.parameters);
  if (!lacked.empty()) {
    return unexpected(
        NotExpressible{fmt::format("the target's {} takes no {}", operation.name, lacked)});
  }
  const std::string unsaid = unsaid_part(*form, operation.name, operation.parameters);
  if (!unsaid.empty()) {
    return unexpected(
        NotExpressible{fmt::format("the profile's {} does not say {}", operation.name, unsaid)});
  }
  return translated(profile, operation);
}

std::string lacked_parameter(const core::OperationTemplate& form, const Object& parameters) {
  for (const auto& [name, value] : parameters) {
    if (form.lacks.contains(name) || form.unsaid.contains(name)) return name;
    const auto values = form.lacks_values.find(name);
    if (values == form.lacks_values.end() || !value.is_string()) continue;
    if (values->second.contains(value.as_string())) return name + ": " + value.as_string();
  }
  return "";
}

std::vector<core::Header> own_headers(const core::Profile& profile, const Object& parameters) {
  static const std::map<std::string, std::string, std::less<>> no_spelling;
  const std::optional<Object> with_login = with_login_kept(parameters, profile);
  const TemplateContext context{with_login ? *with_login : parameters, nullptr, no_spelling,
                                profile.words};
  std::vector<core::Header> headers;
  for (core::Header header : profile.headers) {
    auto value = render_text(header.value, context, Encoding::plain);
    if (!value.has_value() || !value->has_value()) continue;
    header.value = **std::move(value);
    headers.push_back(std::move(header));
  }
  return headers;
}

Result<core::HttpRequest, NotExpressible> render_request(const core::Profile& profile,
                                                         const core::Operation& operation) {
  auto parameters = in_the_targets_words(profile, operation);
  if (!parameters) return unexpected(std::move(parameters).error());
  const core::OperationTemplate* form = template_of(profile, operation.name);
  auto& given = *parameters;
  using Style = core::Paging::Style;
  if (form->paging.style == Style::page) given.emplace("after", std::int64_t{1});
  if (form->paging.style == Style::offset) given.emplace("after", std::int64_t{0});
  const core::RequestTemplate* chosen = request_by_value(*form, given);
  if (chosen == nullptr) {
    const auto value = given.find(form->by);
    return unexpected(NotExpressible{
        fmt::format("the target's {} takes no {}: {}", operation.name, form->by,
                    value == given.end() ? "(not given)"
                                         : visible(text_of_value(value->second), shown_bytes))});
  }
  auto rendered = render(profile, *chosen, given);
  if (!rendered) return unexpected(missing(operation.name, rendered.error()));
  return *std::move(rendered);
}

Result<core::HttpRequest, NotExpressible> render_hook(const core::Profile& profile,
                                                      const core::Hook& hook,
                                                      const Object& parameters) {
  auto rendered = render(profile, hook.request, parameters);
  if (!rendered) {
    const auto answer = parameters.find("answer");
    if (rendered.error().name.starts_with("answer.") && answer != parameters.end()) {
      return unexpected(missing_in_answer(hook, rendered.error(), answer->second));
    }
    return unexpected(
        missing(fmt::format("{} {}", hook.request.method, hook.request.path), rendered.error()));
  }
  return *std::move(rendered);
}

bool is_due(const core::Hook& hook, const Object& parameters) {
  if (hook.when.empty()) return true;
  const auto path = parse_path(hook.when);
  const Value* value = path ? find_parameter(parameters, *path) : nullptr;
  if (value == nullptr) return false;
  return hook.when_values.empty() || hook.when_values.contains(text_of_value(*value));
}

std::optional<core::Acceptance> take_hook(const core::Hook& hook, const core::HttpResult& result,
                                          Object& parameters) {
  if (!result) return core::Acceptance::no_answer;
  if (!hook.accepted.contains(result->status)) return core::Acceptance::unexpected;
  std::optional<core::Acceptance> acceptance;
  if (hook.until.empty()) acceptance = core::Acceptance::accepted;
  const AnswerBody read = read_answer_body(*result, hook.request.answers);
  if (read.says_nothing) return core::Acceptance::no_answer;
  for (const core::OutcomeRule& rule : hook.until) {
    if (read.value && holds(rule.when, *read.value) && !acceptance) acceptance = rule.means;
  }
  // What the end of the work gives is not there while it is asked for again.
  if (!acceptance) return acceptance;
  const bool is_whole =
      take_captures(hook.captures, *result, hook.request.answers, parameters).empty();
  return is_whole ? acceptance : core::Acceptance::unexpected;
}

std::string take_captures(const std::map<std::string, core::Mapping>& captures,
                          const core::HttpResponse& response, core::AnswerForm form,
                          Object& parameters) {
  if (captures.empty()) return "";
  const AnswerBody read = read_answer_body(response, form);
  const Value nothing;
  const MappedAnswer answer{read.value ? *read.value : nothing, response.headers, parameters};
  for (const auto& [name, where] : captures) {
    const bool needs_body = !std::holds_alternative<core::HeadMapping>(where.from);
    auto found = read.value || !needs_body ? find_mapped(where, answer) : std::nullopt;
    if (!found) return name;
    parameters.insert_or_assign(name, *std::move(found));
  }
  return "";
}

Value next_page(const core::Paging& paging, const Object& parameters, const core::Answer& answer) {
  using Style = core::Paging::Style;
  const Value* sign = answer.body.at_pointer(paging.more.value_or(paging.items));
  const bool full =
      sign && sign->is_list() && static_cast<std::int64_t>(sign->as_list().size()) >= paging.size;
  const bool more = paging.more ? sign && *sign == Value(true) : full;
  if (!more) return nullptr;
  const auto found = parameters.find("after");
  const auto after = found == parameters.end() ? std::nullopt : found->second.to_int64();
  if (paging.style == Style::page) return after.value_or(1) + 1;
  return after.value_or(0) + paging.size;
}

core::Answer read_answer(const core::Profile& profile, std::string_view operation,
                         const core::HttpResult& result, const Object& captured) {
  core::Answer answer;
  if (!result) {
    answer.transport = result.error();
    answer.trouble = fmt::format("{}{}{}", core::transport_fault_texts[result.error().fault],
                                 result.error().detail.empty() ? "" : ": ",
                                 visible(result.error().detail, shown_bytes));
    return answer;
  }
  const auto& response = *result;
  answer.status = response.status;
  answer.acceptance = core::Acceptance::unexpected;
  const core::OperationTemplate* form = template_of(profile, operation);
  if (!form) {
    answer.trouble = fmt::format("the profile {} has no operation {}", profile.name, operation);
    return answer;
  }
  AnswerBody read = read_answer_body(response, form->answers);
  const bool has_body = read.value.has_value();
  if (has_body) answer.body = *std::move(read.value);
  answer.trouble = std::move(read.trouble);
  answer.is_ambiguous = read.is_ambiguous;
  if (read.says_nothing) {
    answer.acceptance = core::Acceptance::no_answer;
    return answer;
  }
  answer.acceptance = acceptance_of(*form, response.status, answer.body);
  if (answer.acceptance == core::Acceptance::unexpected) {
    answer.trouble = fmt::format("the profile does not say what status {} means; the body is: {}",
                                 response.status, visible(response.body, shown_bytes));
    return answer;
  }
  const bool due = is_success(answer.acceptance) && is_body_due(*form, operation, response.status);
  if (!has_body && due && !answer.is_ambiguous) {
    if (response.body.empty()) answer.trouble = "the body is empty where JSON is due";
    answer.acceptance = core::Acceptance::unexpected;
    return answer;
  }
  const bool mapped = has_body && form->read && is_success(answer.acceptance);
  answer.mapped =
      mapped ? apply_mapping(*form->read, {answer.body, response.headers, captured}) : answer.body;
  return answer;
}

void narrow_items(const core::OperationTemplate& form, const Object& parameters, Value& mapped) {
  if (form.narrow.empty() || !mapped.is_object()) return;
  const auto items = mapped.as_object().find("items");
  if (items == mapped.as_object().end() || !items->second.is_list()) return;
  for (const auto& [name, pointer] : form.narrow) {
    const auto wanted = parameters.find(name);
    if (wanted == parameters.end()) continue;
    std::erase_if(items->second.as_list(), [&](const Value& item) {
      const Value* found = item.at_pointer(pointer);
      return found == nullptr || *found != wanted->second;
    });
  }
}

}  // namespace assay::wire
