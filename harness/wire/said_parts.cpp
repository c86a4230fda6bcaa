#include "harness/wire/said_parts.h"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "harness/core/operation_shape.h"
#include "harness/wire/construct.h"
#include "harness/wire/exchange.h"
#include "harness/wire/template.h"

namespace assay::wire {
namespace {

/// The way into a parameter; every_element stands for each element of a list.
using Path = std::vector<std::string>;

constexpr std::string_view every_element = "*";

/// What the templates of an operation say of the parameters that it is called with.
class SaidPaths {
 public:
  explicit SaidPaths(const Object& parameters) : parameters_(parameters) {}

  void add(const core::RequestTemplate& request) {
    add_text(request.path);
    for (const auto& [name, text] : request.query) add_text(text);
    for (const core::Header& header : request.headers) add_text(header.value);
    if (request.text) add_text(*request.text);
    if (request.form) {
      for (const auto& [name, text] : *request.form) add_text(text);
    }
    if (request.body) add_body(*request.body);
  }

  /// The first part of the value at `path` that nothing says, or an empty text.
  [[nodiscard]] std::string missing_from(const Value& value, const Path& path) const {
    if (is_said_whole(path)) return "";
    if (value.is_object() && !value.as_object().empty()) {
      for (const auto& [name, member] : value.as_object()) {
        std::string missing = missing_from(member, inner(path, name));
        if (!missing.empty()) return missing;
      }
      return "";
    }
    if (value.is_list() && !value.as_list().empty()) {
      for (std::size_t i = 0; i < value.as_list().size(); ++i) {
        std::string missing = missing_from(value.as_list()[i], inner(path, std::to_string(i)));
        if (!missing.empty()) return missing;
      }
      return "";
    }
    return is_begun(path) ? "" : text_of(path);
  }

  /// Whether anything below the parameter is said, and the parameter as a whole is not.
  [[nodiscard]] bool says_parts_of(const std::string& parameter) const {
    return is_begun({parameter}) && !is_said_whole({parameter});
  }

 private:
  static Path inner(Path path, std::string name) {
    path.push_back(std::move(name));
    return path;
  }

  static std::string text_of(const Path& path) {
    std::string text;
    for (const std::string& part : path) text += (text.empty() ? "" : ".") + part;
    return text;
  }

  static bool is_same(const std::string& said, const std::string& part) {
    return said == every_element || said == part;
  }

  /// Some template says what the path leads to, or something around it.
  [[nodiscard]] bool is_said_whole(const Path& path) const {
    return std::any_of(said_.begin(), said_.end(), [&](const Path& said) {
      return said.size() <= path.size() &&
             std::equal(said.begin(), said.end(), path.begin(), is_same);
    });
  }

  /// Some template says a part of what the path leads to.
  [[nodiscard]] bool is_begun(const Path& path) const {
    return std::any_of(said_.begin(), said_.end(), [&](const Path& said) {
      return said.size() >= path.size() &&
             std::equal(path.begin(), path.end(), said.begin(),
                        [](const auto& part, const auto& known) { return is_same(known, part); });
    });
  }

  /// The way from a parameter, where the text names an element under for_each.
  [[nodiscard]] Path from_parameter(const Path& path) const {
    if (path.front() != "item" || items_.empty()) return path;
    Path whole = items_.back();
    whole.insert(whole.end(), path.begin() + 1, path.end());
    return whole;
  }

  void add_text(std::string_view text) {
    const auto parts = parse_template(text);
    if (!parts) return;
    for (const auto& part : *parts) {
      const auto* placeholder = std::get_if<Placeholder>(&part);
      if (placeholder == nullptr || placeholder->filter == Placeholder::Filter::digest) continue;
      said_.push_back(from_parameter(placeholder->path));
    }
  }

  void add_body(const Value& body) {
    if (body.is_string()) add_text(body.as_string());
    if (body.is_list()) {
      for (const Value& element : body.as_list()) add_body(element);
    }
    if (!body.is_object()) return;
    const auto construct = construct_of(body);
    if (!construct) {
      for (const auto& [name, member] : body.as_object()) add_body(member);
    } else if (construct->construct == Construct::first_of) {
      add_first(construct->given->as_list());
    } else if (construct->construct == Construct::for_each && construct->name->is_string()) {
      add_for_each(construct->name->as_string(), *construct->given);
    } else if (presence(*construct) != Presence::absent) {
      add_body(*construct->given);
    }
  }

  void add_for_each(std::string_view name, const Value& give) {
    const auto list = parse_path(name);
    if (!list) return;
    items_.push_back(inner(from_parameter(list->path), std::string(every_element)));
    add_body(give);
    items_.pop_back();
  }

  /// Of {first_of: […]} only what can be the first that is there.
  void add_first(const List& choices) {
    for (const Value& choice : choices) {
      add_body(choice);
      const auto construct = construct_of(choice);
      if (construct && presence(*construct) == Presence::present) return;
    }
  }

  enum class Presence { unknown, absent, present };

  /// Whether what a `when` asks for is there; unknown of an element's member.
  [[nodiscard]] Presence presence(const ConstructIn<Value>& part) const {
    const bool asks = part.construct == Construct::when && part.name->is_string();
    const auto path = asks ? parse_path(part.name->as_string()) : std::nullopt;
    if (!path || path->path.front() == "item") return Presence::unknown;
    return find_parameter(parameters_, *path) ? Presence::present : Presence::absent;
  }

  const Object& parameters_;
  std::vector<Path> said_;
  /// Where the elements of each for_each around stand.
  std::vector<Path> items_;
};

}  // namespace

std::string unsaid_part(const core::OperationTemplate& form, std::string_view operation,
                        const Object& parameters) {
  const core::OperationShape* shape = core::operation_shape(operation);
  if (shape == nullptr || shape->makes.empty()) return "";
  SaidPaths said(parameters);
  said.add(form);
  for (const auto& [value, request] : form.requests) said.add(request);
  for (const core::Hook& hook : form.before) {
    if (is_due(hook, parameters)) said.add(hook.request);
  }
  for (const core::Hook& hook : form.after) said.add(hook.request);
  for (const auto& [name, value] : parameters) {
    if (!said.says_parts_of(name)) continue;
    std::string missing = said.missing_from(value, {name});
    if (!missing.empty()) return missing;
  }
  return "";
}

}  // namespace assay::wire
