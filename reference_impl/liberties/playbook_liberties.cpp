#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/encoding.h"
#include "reference_impl/faults/rewriting.h"
#include "reference_impl/liberties/kinds.h"
#include "reference_impl/model/events/envelope.h"
#include "reference_impl/model/routing/guard.h"
#include "reference_impl/service/options.h"
#include "reference_impl/service/problem.h"
#include "reference_impl/service/yaml_reader.h"

namespace assay::liberties {
namespace {

constexpr const char* start_route = "POST /executions";

/// The body with its playbook as an object where that is a text of YAML.
Value with_playbook_read(const service::Request& request) {
  Value body = faults::json_of(request.body);
  Value* playbook = body.is_object() ? faults::member(body, "playbook") : nullptr;
  if (playbook == nullptr || !playbook->is_string()) return body;
  auto read = service::read_yaml(playbook->as_string());
  if (read) *playbook = *std::move(read);
  return body;
}

bool holds_expression(const Value& value) {
  if (value.is_string()) return value.as_string().find("{{") != std::string::npos;
  if (value.is_list()) {
    for (const Value& item : value.as_list()) {
      if (holds_expression(item)) return true;
    }
  }
  if (value.is_object()) {
    for (const auto& [key, item] : value.as_object()) {
      if (holds_expression(item)) return true;
    }
  }
  return false;
}

/// Whether the text is one `{{ … }}` that does not parse.
bool is_unreadable(const Value& value) {
  if (!value.is_string()) return false;
  const std::string& text = value.as_string();
  return text.starts_with("{{") && text.ends_with("}}") && !routing::parse_guard(text);
}

/// Calls `visit` with each text that args or a loop's `in` render, and where it stands.
using VisitText = std::function<void(Value& text, const std::string& pointer)>;

/// The JSON Pointer to a member or an item of what `pointer` points to.
std::string below(const std::string& pointer, std::string_view name) {
  std::string longer = pointer;
  longer.append("/").append(name);
  return longer;
}

void each_rendered(Value& value, const std::string& pointer, bool is_rendered,
                   const VisitText& visit) {
  if (value.is_string() && is_rendered) visit(value, pointer);
  if (value.is_list()) {
    for (std::size_t index = 0; index < value.as_list().size(); ++index) {
      each_rendered(value.as_list()[index], below(pointer, std::to_string(index)), is_rendered,
                    visit);
    }
  }
  if (!value.is_object()) return;
  for (auto& [key, item] : value.as_object()) {
    if (!is_rendered && key == "tool") continue;
    each_rendered(item, below(pointer, key), is_rendered || key == "args" || key == "in", visit);
  }
}

void each_unreadable(Value& body, const VisitText& visit) {
  Value* playbook = body.is_object() ? faults::member(body, "playbook") : nullptr;
  Value* workflow = playbook == nullptr ? nullptr : faults::member(*playbook, "workflow");
  if (workflow == nullptr) return;
  each_rendered(*workflow, "/playbook/workflow", false,
                [&visit](Value& text, const std::string& pointer) {
                  if (is_unreadable(text)) visit(text, pointer);
                });
}

/// An expression that can't be evaluated stands in the place of one that can't be read.
service::Reply parses_late(service::Service& sound, const service::Request& request) {
  if (!faults::is_on_route(request, start_route)) return sound.handle(request);
  Value body = with_playbook_read(request);
  bool is_changed = false;
  each_unreadable(body, [&is_changed](Value& text, const std::string&) {
    text = "{{ 1 // 0 }}";
    is_changed = true;
  });
  return sound.handle(is_changed ? faults::with_body(request, body) : request);
}

service::Reply parses_at_creation(service::Service& sound, const service::Request& request) {
  if (!faults::is_on_route(request, start_route)) return sound.handle(request);
  Value body = with_playbook_read(request);
  std::string at_fault;
  each_unreadable(body, [&at_fault](Value&, const std::string& pointer) { at_fault = pointer; });
  if (at_fault.empty()) return sound.handle(request);
  return service::problem_reply(
      {422, "INVALID_PLAYBOOK", "this expression can't be read", at_fault, {}});
}

/// The pointer to args with an expression that are larger than the cap as they are written.
std::optional<std::string> large_args(const Value& value, const std::string& pointer,
                                      bool is_routing) {
  constexpr std::size_t cap = service::BodyLimits{}.max_args_bytes;
  if (value.is_list()) {
    for (std::size_t index = 0; index < value.as_list().size(); ++index) {
      const std::string here = below(pointer, std::to_string(index));
      if (auto found = large_args(value.as_list()[index], here, is_routing)) return found;
    }
  }
  if (!value.is_object()) return std::nullopt;
  for (const auto& [key, item] : value.as_object()) {
    std::string here = below(pointer, key);
    if (is_routing && key == "args") {
      if (holds_expression(item) && events::compact_json_size(item, cap) > cap) return here;
    } else if (is_routing || key == "next") {
      if (auto found = large_args(item, here, true)) return found;
    }
  }
  return std::nullopt;
}

service::Reply caps_args_at_creation(service::Service& sound, const service::Request& request) {
  if (!faults::is_on_route(request, start_route)) return sound.handle(request);
  const Value body = with_playbook_read(request);
  const Value* workflow = body.at_pointer("/playbook/workflow");
  const auto pointer =
      workflow == nullptr ? std::nullopt : large_args(*workflow, "/playbook/workflow", false);
  if (!pointer) return sound.handle(request);
  return service::problem_reply(
      {422, "INVALID_PLAYBOOK", "these args are too large to be carried", pointer, {}});
}

}  // namespace

std::vector<Liberty> playbook_liberties() {
  return {
      {.id = "args-parse-late",
       .title = "An expression in args or in that does not parse fails the execution where it is "
                "reached",
       .words = "The list of what is 422 at creation names guards only",
       .intercept = parses_late},
      {.id = "args-parse-at-creation",
       .title = "An expression in args or in that does not parse is 422",
       .words = "\"422 bad playbook\": such an expression is not text around {{ }}",
       .intercept = parses_at_creation},
      {.id = "args-capped-at-creation",
       .title = "Literal args that hold an expression are capped as they are written",
       .words = "\"literal args over it are 422 at creation; rendered ones fail the execution\": "
                "such args are both",
       .intercept = caps_args_at_creation},
  };
}

}  // namespace assay::liberties
