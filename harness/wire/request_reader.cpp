#include "harness/wire/request_reader.h"

#include <charconv>
#include <utility>
#include <variant>

#include "base/encoding.h"
#include "harness/wire/json.h"
#include "harness/wire/template.h"

namespace assay::wire {
namespace {

/// Reads values back into the parameters that a template names.
class ParameterReader {
 public:
  ParameterReader(const core::Profile& profile, Object& parameters)
      : profile_(profile), parameters_(parameters) {}

  /// Whether the path (without a query) fits the template; its placeholders are taken.
  bool take_path(std::string_view path, std::string_view text) {
    const std::optional<TemplateText> parts = parse_template(path);
    if (!parts) return false;
    for (const auto& part : *parts) {
      if (const auto* literal = std::get_if<std::string>(&part)) {
        if (!text.starts_with(*literal)) return false;
        text.remove_prefix(literal->size());
      } else {
        const std::string_view segment = text.substr(0, text.find('/'));
        if (segment.empty()) return false;
        set(std::get<Placeholder>(part), percent_decoded(segment).value_or(std::string(segment)));
        text.remove_prefix(segment.size());
      }
    }
    return text.empty();
  }

  /// NOLINTNEXTLINE(misc-no-recursion): as deep as the profile's template.
  void take_value(const Value& pattern, const Value& value) {
    if (pattern.is_string()) return take_text(pattern.as_string(), value);
    if (!pattern.is_object()) return;
    if (const Value* list = pattern.find("for_each"); list && list->is_string()) {
      return take_items(list->as_string(), *pattern.find("give"), value);
    }
    if (pattern.find("when")) return take_value(*pattern.find("give"), value);
    for (const auto& [name, member] : pattern.as_object()) {
      if (const Value* found = value.find(name)) take_value(member, *found);
    }
  }

 private:
  void take_text(std::string_view text, const Value& value) {
    const std::optional<TemplateText> parts = parse_template(text);
    if (!parts || parts->size() != 1) return;
    if (const auto* placeholder = std::get_if<Placeholder>(&parts->front())) {
      set(*placeholder, value);
    }
  }

  // NOLINTNEXTLINE(misc-no-recursion): as take_value.
  void take_items(const std::string& name, const Value& give, const Value& value) {
    if (!value.is_list()) return;
    List items;
    for (const Value& element : value.as_list()) {
      Object own;
      ParameterReader(profile_, own).take_value(give, element);
      const auto item = own.find("item");
      items.push_back(item == own.end() ? Value(Object{}) : item->second);
    }
    parameters_.insert_or_assign(name, std::move(items));
  }

  void set(const Placeholder& placeholder, Value value) {
    using Filter = Placeholder::Filter;
    if (placeholder.filter == Filter::target_state && value.is_string()) {
      const auto ours = profile_.state_names.find(value.as_string());
      if (ours != profile_.state_names.end()) value = ours->second;
    } else if (placeholder.filter != Filter::none) {
      return;
    }
    Object* place = &parameters_;
    for (std::size_t i = 0; i + 1 < placeholder.path.size(); ++i) {
      Value& inner = (*place)[placeholder.path[i]];
      if (!inner.is_object()) inner = Object{};
      place = &inner.as_object();
    }
    place->insert_or_assign(placeholder.path.back(), std::move(value));
  }

  const core::Profile& profile_;
  Object& parameters_;
};

std::string_view path_of(const core::HttpRequest& request) {
  return std::string_view(request.target).substr(0, request.target.find('?'));
}

}  // namespace

Object request_parameters(const core::Profile& profile, std::string_view operation,
                          const core::HttpRequest& request) {
  Object parameters;
  const auto found = profile.operations.find(operation);
  if (found == profile.operations.end()) return parameters;
  ParameterReader reader(profile, parameters);
  (void)reader.take_path(found->second.path, path_of(request));
  if (!request.body || !found->second.body) return parameters;
  const auto body = parse_json(*request.body);
  if (const auto* value = std::get_if<Value>(&body)) reader.take_value(*found->second.body, *value);
  return parameters;
}

std::optional<std::string> operation_of_request(const core::Profile& profile,
                                                const core::HttpRequest& request) {
  for (const auto& [name, form] : profile.operations) {
    Object parameters;
    if (form.method == request.method &&
        ParameterReader(profile, parameters).take_path(form.path, path_of(request))) {
      return name;
    }
  }
  return std::nullopt;
}

}  // namespace assay::wire
