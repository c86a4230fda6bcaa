#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "harness/core/operation_shape.h"
#include "harness/wire/scenario_scope.h"

namespace assay::wire {
namespace {

using core::event_members;

/// An event is a mapping, or one ${name} whose value is an event when the case runs.
Value read_event(const YamlNode& node, std::vector<std::string>& omit, ScenarioScope& scope) {
  if (node.is_text() && node.scalar.as_string().starts_with("${")) return scope.literal(node);
  MapReader map(node, "an event", scope.problems());
  Object written;
  const auto take = [&](std::string_view key) {
    if (const YamlNode* found = map.optional(key)) {
      written.insert_or_assign(std::string(key), scope.literal(*found));
    }
  };
  for (const std::string_view member : event_members) take(member);
  for (const core::EventShorthand& one : core::event_shorthands) take(one.shorthand);
  Object event = core::expand_event_shorthands(written);
  if (event.size() != written.size()) {
    scope.problems().report(node, "an event has a member twice: by its name and by its shorthand");
  }
  if (const YamlNode* names = map.optional("omit")) {
    for (const YamlNode& item : items_of(*names, "a list of member names", scope.problems())) {
      const auto name = text_of(item, "a member's name", scope.problems());
      if (!name) continue;
      if (std::find(event_members.begin(), event_members.end(), *name) == event_members.end()) {
        scope.problems().unknown_name(item, "event member", *name,
                                      {event_members.begin(), event_members.end()});
      }
      if (event.contains(*name)) {
        scope.problems().report(item, fmt::format("{} is given and omitted", *name));
      }
      omit.push_back(*name);
    }
  }
  map.finish();
  const bool typed = event.contains("event_type") ||
                     std::find(omit.begin(), omit.end(), "event_type") != omit.end();
  if (!typed && node.kind == YamlNode::Kind::map) {
    scope.problems().report(node, "an event needs \"type\", or \"event_type\" in omit");
  }
  return event;
}

}  // namespace

core::Post read_post(const YamlNode& node, ScenarioScope& scope) {
  core::Post post;
  const auto add = [&](const YamlNode& event) {
    std::vector<std::string> omit;
    post.events.push_back(read_event(event, omit, scope));
    post.omit.push_back(std::move(omit));
  };
  post.batch = node.kind == YamlNode::Kind::list;
  if (post.batch) {
    for (const YamlNode& item : node.items) add(item);
  } else if (node.kind == YamlNode::Kind::map || node.is_text()) {
    add(node);
  } else {
    scope.problems().unexpected(node, "an event or a list of events");
  }
  return post;
}

Object read_parameters(const YamlNode& node, std::string_view operation, bool subject_given,
                       ScenarioScope& scope) {
  const core::OperationShape* shape = core::operation_shape(operation);
  Object parameters;
  if (!shape) return parameters;
  MapReader map(node, fmt::format("the parameters of {}", operation), scope.problems());
  const auto take = [&](std::string_view name, const YamlNode* found) {
    if (found) parameters.insert_or_assign(std::string(name), scope.literal(*found));
  };
  for (const std::string_view name : shape->required) {
    const bool may_miss = subject_given && name == shape->subject;
    take(name, may_miss ? map.optional(name) : map.required(name));
  }
  for (const std::string_view name : shape->optional) take(name, map.optional(name));
  map.finish();
  return parameters;
}

}  // namespace assay::wire
