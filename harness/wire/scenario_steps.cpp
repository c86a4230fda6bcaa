#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "harness/core/operation_shape.h"
#include "harness/wire/interpretations.h"
#include "harness/wire/scenario_scope.h"
#include "harness/wire/scenario_words.h"

namespace assay::wire {
namespace {

const OperationAction* operation_action(std::string_view key) {
  const auto* const found =
      std::find_if(operation_actions.begin(), operation_actions.end(),
                   [key](const OperationAction& action) { return action.key == key; });
  return found == operation_actions.end() ? nullptr : found;
}

const std::vector<std::string>& action_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const OperationAction& action : operation_actions) all.emplace_back(action.key);
    for (const ParameterAction& action : parameter_actions) all.emplace_back(action.key);
    for (const char* other :
         {"operation", "post", "together", "repeat", "request", "play", "job", "expect", "never"}) {
      all.emplace_back(other);
    }
    return all;
  }();
  return names;
}

/// The members of a step that may stand next to its action.
struct Beside {
  bool on = false;
  bool as = false;
  bool response = false;
  /// Where a response may stand a capture may too.
  bool capture = response;
};

bool is_integer_or_variable(const Value& value) {
  const std::optional<std::int64_t> integer = value.is_integer() ? value.to_int64() : std::nullopt;
  if (integer) return *integer >= 0;
  return value.is_string() && value.as_string().find("${") != std::string::npos;
}

core::Operate read_single(const YamlNode& node, const ParameterAction& action,
                          ScenarioScope& scope) {
  core::Operate operate{{std::string(action.operation), {}}};
  operate.operation.parameters.insert_or_assign(std::string(action.parameter), scope.literal(node));
  return operate;
}

core::Operate read_named_operation(const YamlNode& node, ScenarioScope& scope) {
  MapReader map(node, "an operation", scope.problems());
  core::Operate operate;
  if (const YamlNode* name = map.required("name")) {
    const auto text = text_of(*name, "an operation's name", scope.problems());
    if (text) operate.operation.name = *text;
    if (text && !core::operation_shape(*text)) {
      const auto& names = core::operation_names();
      scope.problems().unknown_name(*name, "operation", *text, {names.begin(), names.end()});
    }
  }
  const YamlNode* parameters = map.optional("parameters");
  map.finish();
  const YamlNode none;
  operate.operation.parameters =
      read_parameters(parameters ? *parameters : none, operate.operation.name, true, scope);
  return operate;
}

core::Together read_branches(const YamlNode& node, ScenarioScope& scope) {
  core::Together together;
  for (const YamlNode& branch : items_of(node, "a list of branches", scope.problems())) {
    together.branches.push_back(read_steps(branch, scope));
  }
  if (node.kind == YamlNode::Kind::list && together.branches.size() < 2) {
    scope.problems().report(node, "together needs two branches or more: [[step, …], [step, …]]");
  }
  return together;
}

core::Repeat read_repeat(const YamlNode& node, ScenarioScope& scope) {
  MapReader map(node, "repeat", scope.problems());
  core::Repeat repeat;
  if (const YamlNode* times = map.required("times")) {
    repeat.times = scope.literal(*times);
    if (!is_integer_or_variable(repeat.times)) {
      scope.problems().unexpected(*times, "how often: an integer from 0, or ${name}");
    }
  }
  if (const YamlNode* steps = map.required("steps")) {
    const ScenarioScope::Repeating repeating(scope);
    repeat.steps = read_steps(*steps, scope);
  }
  map.finish();
  return repeat;
}

std::optional<std::string> bytes_of_hex(std::string_view digits) {
  const auto digit = [](char character) -> std::optional<unsigned> {
    constexpr std::string_view known = "0123456789abcdef";
    const char lower =
        character >= 'A' && character <= 'F' ? static_cast<char>(character + 32) : character;
    const std::size_t at = known.find(lower);
    if (at == std::string_view::npos) return std::nullopt;
    return static_cast<unsigned>(at);
  };
  if (digits.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    const auto high = digit(digits[i]);
    const auto low = digit(digits[i + 1]);
    if (!high || !low) return std::nullopt;
    bytes += static_cast<char>(*high * 16 + *low);
  }
  return bytes;
}

void read_body(MapReader& map, const YamlNode& node, core::RawRequest& request,
               ScenarioScope& scope) {
  int bodies = 0;
  if (const YamlNode* json = map.optional("json")) {
    request.json = scope.literal(*json);
    ++bodies;
  }
  if (const YamlNode* text = map.optional("text")) {
    const Value value = scope.literal(*text);
    if (!value.is_string()) scope.problems().unexpected(*text, "the body as text");
    request.text = value.is_string() ? value.as_string() : std::string();
    ++bodies;
  }
  if (const YamlNode* hex = map.optional("hex")) {
    const auto digits = text_of(*hex, "quoted hexadecimal digits", scope.problems());
    request.text = digits ? bytes_of_hex(*digits) : std::nullopt;
    if (digits && !request.text) scope.problems().unexpected(*hex, "pairs of hexadecimal digits");
    ++bodies;
  }
  if (bodies > 1) scope.problems().report(node, "a request has one of json, text and hex");
}

core::RawRequest read_request(const YamlNode& node, ScenarioScope& scope) {
  MapReader map(node, "a request", scope.problems());
  core::RawRequest request;
  map.required_text("method", request.method);
  map.required_text("path", request.path);
  if (const YamlNode* path = node.find("path"); path && !request.path.empty()) {
    scope.check_placeholders(*path, request.path);
    if (request.path.front() != '/' && !request.path.starts_with("${")) {
      scope.problems().unexpected(*path, "a path below the base URL, begun by /");
    }
  }
  if (const YamlNode* headers = map.optional("headers")) {
    if (headers->kind != YamlNode::Kind::map) {
      scope.problems().unexpected(*headers, "a mapping of header names to texts");
    }
    for (const auto& [name, value] : headers->members) {
      const Value text = scope.literal(value);
      if (!text.is_string()) scope.problems().unexpected(value, "a header's text");
      request.headers.push_back(
          {name.scalar.as_string(), text.is_string() ? text.as_string() : std::string()});
    }
  }
  read_body(map, node, request, scope);
  map.finish();
  return request;
}

void check_outcome(const YamlNode& at, const std::string& outcome,
                   const std::vector<std::string>& words, ScenarioScope& scope) {
  scope.check_placeholders(at, outcome);
  const bool variable = outcome.find("${") != std::string::npos;
  if (!variable && std::find(words.begin(), words.end(), outcome) == words.end()) {
    scope.problems().unknown_name(at, "outcome", outcome, words);
  }
}

void read_iterations(const YamlNode& node, core::Play& play, ScenarioScope& scope) {
  for (const YamlNode& item : items_of(node, "a list of outcomes", scope.problems())) {
    const auto outcome = text_of(item, "done, failed or none", scope.problems());
    if (!outcome) continue;
    check_outcome(item, *outcome, {"done", "failed", "none"}, scope);
    play.iterations.push_back(*outcome);
  }
}

core::Play read_play(const YamlNode& node, ScenarioScope& scope) {
  MapReader map(node, "play", scope.problems());
  core::Play play;
  map.required_text("step", play.step);
  if (const YamlNode* step = node.find("step")) scope.check_placeholders(*step, play.step);
  map.text("outcome", play.outcome);
  if (const YamlNode* outcome = node.find("outcome")) {
    check_outcome(*outcome, play.outcome, {"done", "failed", "none"}, scope);
  }
  if (const YamlNode* result = map.optional("result")) play.result = scope.literal(*result);
  if (const YamlNode* ctx = map.optional("ctx")) {
    play.ctx = scope.literal(*ctx);
    if (!play.ctx.is_object()) scope.problems().unexpected(*ctx, "a mapping to merge into ctx");
  }
  map.integer("failed_attempts", {0, highest_count}, play.failed_attempts);
  if (const YamlNode* iterations = map.optional("iterations")) {
    if (scope.is_variable(*iterations)) {
      play.iterations.push_back(iterations->scalar.as_string());
    } else {
      read_iterations(*iterations, play, scope);
    }
  }
  map.integer("times", {1, highest_count}, play.times);
  map.flag("only_end", play.only_end);
  map.text("worker", play.worker);
  map.finish();
  return play;
}

core::Job read_job(const YamlNode& node, ScenarioScope& scope) {
  MapReader map(node, "job", scope.problems());
  core::Job job;
  map.text("type", job.type);
  if (const YamlNode* type = node.find("type")) {
    check_outcome(*type, job.type, {"ACQUIRE", "EXECUTE", "ROLLBACK"}, scope);
  }
  map.text("label", job.label);
  if (const YamlNode* label = node.find("label")) scope.check_placeholders(*label, job.label);
  map.text("worker", job.worker);
  map.flag("push", job.push);
  if (const YamlNode* success = map.optional("success")) {
    job.success = scope.literal(*success);
    if (!job.success.is_bool() && !job.success.is_string()) {
      scope.problems().unexpected(*success, "true, false or ${name}");
    }
  }
  if (const YamlNode* entities = map.optional("entities")) job.entities = scope.literal(*entities);
  if (const YamlNode* data = map.optional("data")) job.data = scope.literal(*data);
  map.finish();
  return job;
}

void read_delivery(MapReader& map, core::Step& step, ScenarioScope& scope) {
  const YamlNode* node = map.optional("delivery");
  if (!node) return;
  const auto word = text_of(*node, "a delivery", scope.problems());
  if (!word) return;
  step.delivery = core::delivery_words.parse(*word).value_or(core::Delivery::once);
  if (step.delivery == core::Delivery::once) {
    scope.problems().unknown_name(*node, "delivery", *word,
                                  core::delivery_words.names(core::Delivery::twice));
  }
}

/// The action of a step, and what may stand next to it.
struct Action {
  decltype(core::Step::action) action;
  Beside beside;
};

Action read_action(const std::string& key, const YamlNode& node, ScenarioScope& scope) {
  if (const OperationAction* known = operation_action(key)) {
    const core::OperationShape* shape = core::operation_shape(known->operation);
    core::Operate operate{{std::string(known->operation), {}}};
    operate.operation.parameters = read_parameters(node, known->operation, true, scope);
    return {std::move(operate), {true, !shape->makes.empty(), true}};
  }
  const Beside operation = {true, false, true};
  for (const ParameterAction& action : parameter_actions) {
    if (key == action.key) return {read_single(node, action, scope), operation};
  }
  if (key == "operation") {
    core::Operate operate = read_named_operation(node, scope);
    const core::OperationShape* shape = core::operation_shape(operate.operation.name);
    return {std::move(operate), {true, shape && !shape->makes.empty(), true}};
  }
  if (key == "post") return {read_post(node, scope), operation};
  if (key == "together") return {read_branches(node, scope), {}};
  if (key == "repeat") return {read_repeat(node, scope), {}};
  if (key == "request") return {read_request(node, scope), operation};
  if (key == "play") return {read_play(node, scope), {true, false, false}};
  if (key == "job") return {read_job(node, scope), {true, false, false, true}};
  return {read_expect(node, key == "never", scope), {true, false, false}};
}

/// on: and as:. An operation that makes something gives it the name `as`, where there is none `on`,
/// and none where `as` is empty; a retry is of `on`, and its new run has no name but `as`.
void read_beside(MapReader& map, const YamlNode& node, const Beside& beside, core::Step& step,
                 ScenarioScope& scope) {
  if (beside.on) map.text("on", step.on);
  if (beside.as) map.text("as", step.as);
  for (const char* key : {"on", "as"}) {
    const YamlNode* name = node.find(key);
    if (name && name->is_text()) scope.check_placeholders(*name, name->scalar.as_string());
  }
  const auto* operate = std::get_if<core::Operate>(&step.action);
  const bool retries = operate && operate->operation.name == "runs.retry";
  if (beside.as && !retries && node.find("as") == nullptr) step.as = step.on;
  if (const YamlNode* on = node.find("on"); on && (!beside.as || retries)) {
    scope.check_subject(*on, step.on);
  }
  if (!step.as.empty()) scope.declare_subject(step.as);
}

void read_captures(MapReader& map, core::Step& step, ScenarioScope& scope) {
  const YamlNode* captures = map.optional("capture");
  if (!captures) return;
  if (captures->kind != YamlNode::Kind::map) {
    scope.problems().unexpected(*captures, "a mapping of variables to JSON Pointers");
  }
  for (const auto& [name, value] : captures->members) {
    const auto pointer = text_of(value, "a JSON Pointer", scope.problems());
    if (pointer && check_pointer(value, *pointer, scope.problems())) {
      step.capture.insert_or_assign(name.scalar.as_string(), *pointer);
    }
    scope.declare_capture(name, name.scalar.as_string());
  }
}

/// The one action of a step, or nothing after a report.
const YamlMember* find_action(const YamlNode& node, ScenarioScope& scope) {
  static const std::vector<std::string> beside = {
      "on", "as", "response", "clause", "clauses", "capture", "delivery", "under", "needs"};
  const YamlMember* action = nullptr;
  const auto is_in = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  bool reported = false;
  for (const auto& member : node.members) {
    const std::string& name = member.key.scalar.as_string();
    if (is_in(beside, name)) continue;
    if (!is_in(action_names(), name)) {
      std::vector<std::string> known = action_names();
      known.insert(known.end(), beside.begin(), beside.end());
      scope.problems().unknown_name(member.key, "key in a step", name, known);
      reported = true;
    } else if (action) {
      scope.problems().report(member.key,
                              fmt::format("found a second action {} in one step", name));
    } else {
      action = &member;
    }
  }
  if (!action && !reported) {
    scope.problems().unexpected(node, "a step: a mapping with one action such as post or expect");
  }
  return action;
}

std::optional<core::Step> read_step(const YamlNode& node, ScenarioScope& scope) {
  const YamlMember* found = find_action(node, scope);
  if (!found) return std::nullopt;
  const std::string& key = found->key.scalar.as_string();
  MapReader map(node, fmt::format("a step with {}", key), scope.problems());
  core::Step step;
  step.at = scope.problems().position(node);
  Action action = read_action(key, *map.optional(key), scope);
  step.action = std::move(action.action);
  read_beside(map, node, action.beside, step, scope);
  if (action.beside.response) {
    const YamlNode* response = map.optional("response");
    step.clauses = scope.read_clauses(map);
    if (response) {
      step.response = read_answer_pattern(*response, scope);
      scope.prove(step.clauses);
    } else if (!step.clauses.empty()) {
      scope.problems().report(node, "clauses without a response: nothing proves them here");
    }
  }
  if (key == "post") read_delivery(map, step, scope);
  if (action.beside.capture) read_captures(map, step, scope);
  if (const YamlNode* under = map.optional("under")) {
    step.under = read_under(*under, scope.problems());
  }
  step.needs = read_needs(map, scope.problems());
  map.finish();
  return step;
}

}  // namespace

std::vector<std::string> read_needs(MapReader& map, Problems& problems) {
  const YamlNode* needs = map.optional("needs");
  if (!needs) return {};
  std::vector<std::string> all;
  for (const YamlNode& item : items_of(*needs, "a list of capabilities", problems)) {
    const auto name = text_of(item, "a capability", problems);
    if (!name) continue;
    if (!core::is_known_capability(*name)) {
      const auto& operations = core::operation_names();
      const auto& semantic = core::semantic_capabilities();
      std::vector<std::string> known(semantic.begin(), semantic.end());
      known.insert(known.end(), operations.begin(), operations.end());
      problems.unknown_name(item, "capability", *name, known);
    }
    all.push_back(*name);
  }
  return all;
}

std::vector<core::Step> read_steps(const YamlNode& node, ScenarioScope& scope) {
  std::vector<core::Step> steps;
  for (const YamlNode& item : items_of(node, "a list of steps", scope.problems())) {
    if (auto step = read_step(item, scope)) steps.push_back(*std::move(step));
  }
  if (node.kind == YamlNode::Kind::list && node.items.empty()) {
    scope.problems().report(node, "found no step, expected at least one");
  }
  return steps;
}

}  // namespace assay::wire
