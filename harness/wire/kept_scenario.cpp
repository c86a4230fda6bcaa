#include "harness/wire/kept_scenario.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "harness/wire/json.h"
#include "harness/wire/scenario_reader.h"
#include "harness/wire/scenario_writer.h"
#include "harness/wire/yaml.h"

namespace assay::wire {
namespace {

using Kind = YamlNode::Kind;

/// A node is a list of JSON values inside another as often as nodes are, which is at most so deep.
constexpr std::size_t most_levels = 2'000;

/// A scalar as it is; anything else as [kind, tag, part, …], since the members of a JSON object
/// have no order.
Value value_of_node(const YamlNode& node) {
  if (node.kind == Kind::scalar && node.tag.empty()) return node.scalar;
  List parts{static_cast<std::int64_t>(node.kind), node.tag};
  if (node.kind == Kind::scalar) parts.push_back(node.scalar);
  for (const YamlNode& item : node.items) parts.push_back(value_of_node(item));
  for (const YamlMember& member : node.members) {
    parts.push_back(member.key.scalar);
    parts.push_back(value_of_node(member.value));
  }
  return parts;
}

/// Nothing where the value is no node.
std::optional<YamlNode> node_of_value(Value value) {
  YamlNode node;
  if (!value.is_list()) {
    node.scalar = std::move(value);
    return node;
  }
  List& parts = value.as_list();
  const auto kind = parts.size() < 2 ? std::nullopt : parts[0].to_int64();
  if (!kind || *kind < 0 || *kind > static_cast<std::int64_t>(Kind::map) || !parts[1].is_string()) {
    return std::nullopt;
  }
  node.kind = static_cast<Kind>(*kind);
  node.tag = parts[1].as_string();
  const std::size_t step = node.kind == Kind::map ? 2 : 1;
  if (parts.size() % step != 0 || (node.kind == Kind::scalar && parts.size() != 3)) {
    return std::nullopt;
  }
  const std::size_t count = (parts.size() - 2) / step;
  if (node.kind == Kind::list) node.items.reserve(count);
  if (node.kind == Kind::map) node.members.reserve(count);
  for (std::size_t at = 2; at < parts.size(); at += step) {
    if (node.kind == Kind::scalar) {
      node.scalar = std::move(parts[at]);
      return node;
    }
    auto part = node_of_value(std::move(parts[at + step - 1]));
    if (!part) return std::nullopt;
    if (node.kind == Kind::list) {
      node.items.push_back(*std::move(part));
    } else {
      YamlNode key;
      key.scalar = std::move(parts[at]);
      if (!key.is_text()) return std::nullopt;
      node.members.push_back({std::move(key), *std::move(part)});
    }
  }
  return node;
}

/// Visits the place of each step, of steps inside steps too.
template <typename Steps, typename Visit>
void visit_places(Steps& steps, const Visit& visit) {
  for (auto& step : steps) {
    visit(step.at);
    if (auto* together = std::get_if<core::Together>(&step.action)) {
      for (auto& branch : together->branches) visit_places(branch, visit);
    } else if (auto* repeat = std::get_if<core::Repeat>(&step.action)) {
      visit_places(repeat->steps, visit);
    }
  }
}

/// [file, line, column] of the scenario and of each step, null for the file of the place before.
List places_of(const core::Scenario& scenario) {
  List places;
  std::string file;
  const auto add = [&](const core::SourcePosition& at) {
    const bool is_same = at.file == file && !places.empty();
    places.push_back(List{is_same ? Value() : Value(at.file), at.line, at.column});
    file = at.file;
  };
  add(scenario.at);
  visit_places(scenario.steps, add);
  return places;
}

/// The other way round; false where there are not as many places as steps.
bool take_places(const List& places, core::Scenario& scenario) {
  std::string file;
  std::size_t next = 0;
  bool is_whole = true;
  const auto take = [&](core::SourcePosition& at) {
    is_whole &= next < places.size();
    if (!is_whole) return;
    const Value& place = places[next++];
    is_whole = place.is_list() && place.as_list().size() == 3;
    if (!is_whole) return;
    const List& parts = place.as_list();
    if (parts[0].is_string()) file = parts[0].as_string();
    at = {file, static_cast<int>(parts[1].to_int64().value_or(0)),
          static_cast<int>(parts[2].to_int64().value_or(0))};
  };
  take(scenario.at);
  visit_places(scenario.steps, take);
  return is_whole && next == places.size();
}

}  // namespace

std::string keep_scenario(const core::Scenario& scenario) {
  return to_json(List{value_of_node(scenario_node(scenario)), places_of(scenario)});
}

std::optional<core::Scenario> kept_scenario(std::string_view line,
                                            const core::ClauseTable& clauses) {
  auto value = parse_json(line, {.max_depth = most_levels});
  if (!value || !value->is_list() || value->as_list().size() != 2) return std::nullopt;
  List& parts = value->as_list();
  if (!parts[1].is_list()) return std::nullopt;
  const auto root = node_of_value(std::move(parts[0]));
  if (!root) return std::nullopt;
  auto found = read_scenario(*root, "kept", clauses);
  if (!found || !take_places(parts[1].as_list(), *found)) return std::nullopt;
  return *std::move(found);
}

}  // namespace assay::wire
