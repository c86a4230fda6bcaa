#include "harness/wire/scenario_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "base/utf8.h"
#include "base/visible.h"
#include "harness/core/operation_shape.h"
#include "harness/wire/scenario_nodes.h"
#include "harness/wire/scenario_words.h"
#include "harness/wire/yaml_writer.h"

namespace assay::wire {
namespace {

constexpr std::string_view usual_worker = "assay-worker";

/// A step's action: its key and what stands behind it.
struct ActionNode {
  std::string_view key;
  YamlNode node;
};

YamlNode steps_node(const std::vector<core::Step>& steps);

ActionNode action_node(const core::Operate& operate) {
  const auto& [name, parameters] = operate.operation;
  for (const ParameterAction& action : parameter_actions) {
    const auto found = parameters.find(action.parameter);
    if (name == action.operation && parameters.size() == 1 && found != parameters.end()) {
      return {action.key, value_node(found->second)};
    }
  }
  for (const OperationAction& action : operation_actions) {
    if (name == action.operation) return {action.key, value_node(parameters)};
  }
  return {"operation",
          MapNode().add("name", scalar_node(name)).add_object("parameters", parameters).take()};
}

/// An event by its shorthands, what it is first; the rest in the order of the alphabet.
YamlNode event_node(const Value& event, const std::vector<std::string>& omit) {
  if (!event.is_object()) return value_node(event);
  Object rest = event.as_object();
  MapNode map;
  for (const core::EventShorthand& one : core::event_shorthands) {
    const auto found = rest.find(one.member);
    if (found == rest.end()) continue;
    map.add(one.shorthand, value_node(found->second));
    rest.erase(found);
  }
  for (const auto& [member, value] : rest) map.add(member, value_node(value));
  return map.add_texts("omit", omit).take();
}

ActionNode action_node(const core::Post& post) {
  std::vector<YamlNode> events;
  for (std::size_t i = 0; i < post.events.size(); ++i) {
    events.push_back(event_node(post.events[i], post.omit.at(i)));
  }
  return {"post", post.batch ? list_node(std::move(events)) : std::move(events.at(0))};
}

ActionNode action_node(const core::Together& together) {
  std::vector<YamlNode> branches;
  for (const auto& branch : together.branches) branches.push_back(steps_node(branch));
  return {"together", list_node(std::move(branches))};
}

ActionNode action_node(const core::Repeat& repeat) {
  MapNode map;
  map.add("times", value_node(repeat.times)).add("steps", steps_node(repeat.steps));
  return {"repeat", map.take()};
}

std::string hexadecimal(std::string_view bytes) {
  std::string digits;
  for (const char byte : bytes) {
    digits += fmt::format("{:02x}", static_cast<unsigned>(static_cast<unsigned char>(byte)));
  }
  return digits;
}

ActionNode action_node(const core::RawRequest& request) {
  MapNode map;
  map.add("method", scalar_node(request.method)).add("path", scalar_node(request.path));
  if (!request.headers.empty()) {
    MapNode headers;
    for (const core::Header& header : request.headers) {
      headers.add(header.name, value_node(header.value));
    }
    map.add("headers", headers.take());
  }
  map.add_value("json", request.json);
  if (request.text) {
    const bool is_text = !first_invalid_utf8(*request.text);
    map.add(is_text ? "text" : "hex",
            is_text ? value_node(*request.text) : scalar_node(hexadecimal(*request.text)));
  }
  return {"request", map.take()};
}

ActionNode action_node(const core::Play& play) {
  MapNode map;
  map.add("step", scalar_node(play.step)).add_text("outcome", play.outcome, "done");
  if (!play.result.is_null()) map.add("result", value_node(play.result));
  if (!play.ctx.is_null()) map.add("ctx", value_node(play.ctx));
  if (play.failed_attempts != 0) map.add_integer("failed_attempts", play.failed_attempts);
  if (play.iterations.size() == 1 && is_one_variable(play.iterations.front())) {
    map.add_text("iterations", play.iterations.front());
  } else {
    map.add_texts("iterations", play.iterations);
  }
  if (play.times != 1) map.add_integer("times", play.times);
  map.add_flag("only_end", play.only_end, false).add_text("worker", play.worker, usual_worker);
  return {"play", map.take()};
}

ActionNode action_node(const core::Job& job) {
  MapNode map;
  map.add_text("type", job.type).add_text("label", job.label);
  map.add_text("worker", job.worker, usual_worker).add_flag("push", job.push, true);
  if (job.success != Value(true)) map.add("success", value_node(job.success));
  map.add_value("entities", job.entities).add_value("data", job.data);
  return {"job", map.take()};
}

ActionNode action_node(const core::Expect& expect) {
  return {expect.is_never() ? "never" : "expect", expect_node(expect)};
}

/// The name that a step gives to what it makes where it says nothing else.
std::string usual_name(const core::Step& step) {
  const auto* operate = std::get_if<core::Operate>(&step.action);
  if (!operate || operate->operation.name == "runs.retry") return {};
  const core::OperationShape* shape = core::operation_shape(operate->operation.name);
  return shape && !shape->makes.empty() ? step.on : std::string();
}

void add_under(MapNode& map, const core::Under& under) {
  if (under.empty()) return;
  MapNode keys;
  for (const auto& [key, choices] : under) {
    keys.add(key, choices.size() == 1 ? scalar_node(choices.front()) : texts_node(choices));
  }
  map.add("under", keys.take());
}

YamlNode step_node(const core::Step& step) {
  ActionNode action = std::visit([](const auto& known) { return action_node(known); }, step.action);
  MapNode map;
  map.add(action.key, std::move(action.node));
  map.add_text("on", step.on, "main").add_text("as", step.as, usual_name(step));
  if (step.response) map.add("response", answer_node(*step.response));
  map.add_clauses(step.clauses);
  add_under(map, step.under);
  map.add_texts("needs", step.needs);
  if (step.delivery != core::Delivery::once) {
    map.add("delivery", scalar_node(std::string(core::delivery_words[step.delivery])));
  }
  if (!step.capture.empty()) {
    MapNode captures;
    for (const auto& [name, pointer] : step.capture) captures.add(name, scalar_node(pointer));
    map.add("capture", captures.take());
  }
  return map.take();
}

YamlNode steps_node(const std::vector<core::Step>& steps) {
  std::vector<YamlNode> nodes;
  for (const core::Step& step : steps) nodes.push_back(step_node(step));
  return list_node(std::move(nodes));
}

}  // namespace

YamlNode scenario_node(const core::Scenario& scenario) {
  MapNode map;
  map.add("id", scalar_node(scenario.id)).add("title", scalar_node(scenario.title));
  map.add_texts("clauses", scenario.clauses).add_texts("needs", scenario.needs);
  add_under(map, scenario.under);
  map.add_texts("tags", scenario.tags).add_text("source", scenario.source);
  if (!scenario.variables.empty()) {
    map.add("variables", value_node(Object(scenario.variables.begin(), scenario.variables.end())));
  }
  if (!scenario.matrix.empty()) {
    MapNode matrix;
    for (const auto& [name, column] : scenario.matrix) {
      matrix.add(name, value_node(List(column.begin(), column.end())));
    }
    map.add("matrix", matrix.take());
  }
  map.add_value("playbook", scenario.playbook).add("steps", steps_node(scenario.steps));
  return map.take();
}

std::string write_scenario(const core::Scenario& scenario, std::string_view comment) {
  return yaml_comment(comment) + write_yaml(scenario_node(scenario));
}

}  // namespace assay::wire
