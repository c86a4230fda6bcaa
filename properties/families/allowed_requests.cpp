// The reference binding: requests that a client may send, with each of their optional parts, and
// that no server may decline.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "properties/families/families.h"
#include "properties/families/patterns.h"
#include "properties/families/steps.h"

namespace assay::properties::allowed_families {
namespace {

using core::Step;

/// The executions of a case: main, and those that were started later.
std::vector<std::string> executions_of(const View& view) {
  std::vector<std::string> names;
  for (const Step& step : view.steps()) {
    const auto* action = std::get_if<core::Operate>(&step.action);
    if (action != nullptr && action->operation.name == "executions.start") {
      names.push_back(step.as);
    }
  }
  return names;
}

std::string on_of(const Move& move, const View& view) {
  const std::vector<std::string> names = executions_of(view);
  return names.empty() ? "main" : names[move.operands[3] % names.size()];
}

Step start(const Move& move, const View& view) {
  Object parameters;
  const std::string vocabulary = pick(move.operands[0], {"", "status-matrix", "v10"});
  if (!vocabulary.empty()) parameters.emplace("vocabulary", vocabulary);
  if (move.operands[1] % 2 == 1) parameters.emplace("workload", Object{{"n", move.operands[2]}});
  return operate("executions.start", std::move(parameters),
                 fmt::format("e{}", view.steps().size()));
}

/// The start of an execution under either vocabulary, its end, or work.
Object any_event(const Move& move, std::size_t number) {
  Object event{
      {"type", pick(move.operands[0], {"playbook.initialized", "playbook.started", "step.enter",
                                       "playbook.completed", "step.enter", "playbook.started"})}};
  if (event.at("type") == Value("step.enter")) event.emplace("node", "fetch");
  return numbered_event(number, std::move(event));
}

Step batch(const Move& move, const View& view) {
  List events;
  const std::size_t count = 1 + move.operands[1] % 3;
  for (std::size_t index = 0; index < count; ++index) {
    events.emplace_back(any_event(move, view.steps().size() * 100 + index));
  }
  return post_batch(std::move(events), on_of(move, view));
}

Step patch(const Move& move, const View& view) {
  Object values;
  if (move.operands[0] % 4 == 1) values.emplace("a", move.operands[1] % 3);
  if (move.operands[0] % 4 >= 2) values.emplace("b", nullptr);
  if (move.operands[0] % 4 == 3) values.emplace("c", Object{{"deep", move.operands[1] % 3}});
  return operate("executions.ctx", {{"patch", std::move(values)}}, {}, on_of(move, view));
}

Step cancel(const Move& move, const View& view) {
  Object parameters;
  if (move.operands[0] % 2 == 0) parameters.emplace("reason", "because");
  return operate("executions.cancel", std::move(parameters), {}, on_of(move, view));
}

/// A list with a limit that it may have, or with a filter in any case.
Step list(const Move& move) {
  const std::string name =
      pick(move.operands[0], {"executions.list", "runs.list", "jobs.list", "events.list",
                              "executions.list", "workflow.active", "workflow.by_state"});
  Object parameters;
  if (name == "workflow.by_state") {
    parameters.emplace("state", pick(move.operands[2], {"RUNNING", "completed", "Failed_Safe"}));
  }
  if (move.operands[1] % 8 < 5) {
    parameters.emplace("limit", move.operands[1] % 8 < 4 ? 1000 : 1 + move.operands[2]);
  } else if (name == "executions.list") {
    parameters.emplace("state", pick(move.operands[2], {"PENDING", "RUNNING", "completed", "Failed",
                                                        "CANCELLED", "pending"}));
  } else if (name == "runs.list") {
    parameters.emplace("status", pick(move.operands[2], {"created", "RUNNING", "waiting", "Timeout",
                                                         "success", "canceled"}));
  } else if (name == "jobs.list") {
    parameters.emplace("state", pick(move.operands[2], {"PENDING", "polled", "Pushed"}));
  } else if (name == "events.list") {
    parameters.emplace("event_type", pick(move.operands[2], {"step.enter", "playbook.started"}));
    parameters.emplace("entity_id", "fetch");
  }
  return operate(name, std::move(parameters));
}

Step read(const Move& move, const View& view) {
  return operate(pick(move.operands[0], {"executions.marking", "executions.variables",
                                         "executions.detail", "executions.status"}),
                 {}, {}, on_of(move, view));
}

Step create_run(const Move& move, const View& view) {
  Object parameters;
  const std::string kind = pick(move.operands[0], {"", "batch", "größe"});
  if (!kind.empty()) parameters.emplace("run_kind", kind);
  return operate("runs.create", std::move(parameters), fmt::format("r{}", view.steps().size()));
}

/// Where every field is optional the body may be left out.
Step without_body(const Move& move) {
  core::RawRequest request;
  request.method = "POST";
  request.path = pick(move.operands[0], {"/runs", "/executions", "/executions/${id:main}/cancel"});
  Step step;
  step.action = std::move(request);
  return step;
}

constexpr std::size_t longest_id_bytes = 256;

std::string longest(char letter) { return std::string(longest_id_bytes, letter); }

/// Few, so that one is looked for that was made before.
char letter_of(const Move& move) { return static_cast<char>('a' + move.operands[1] % 2); }

/// Whether this was made in this case before.
bool was_made(const View& view, std::string_view member, const std::string& id) {
  const std::vector<Step>& steps = view.steps();
  return std::any_of(steps.begin(), steps.end(), [&](const Step& step) {
    const auto* request = std::get_if<core::RawRequest>(&step.action);
    return request != nullptr && request->json && request->json->string_at(member) == id;
  });
}

/// An execution or a run of the longest id that there is, made or made before by another case, and
/// then looked for.
std::optional<Step> longest_id(const Move& move, const View& view) {
  const bool is_run = move.operands[0] % 2 == 1;
  const std::string member = is_run ? "run_id" : "execution_id";
  core::RawRequest request;
  request.path = is_run ? "/runs" : "/executions";
  if (move.operands[0] % 4 < 2) {
    request.method = "POST";
    request.json = Object{{member, longest(letter_of(move))}};
  } else {
    if (!was_made(view, member, longest(letter_of(move)))) return std::nullopt;
    request.method = "GET";
    request.path += "/" + longest(letter_of(move)) + (is_run ? "" : "/status");
  }
  Step step;
  step.action = std::move(request);
  return step;
}

/// A character that a path segment holds as it is, and the same escaped in two ways.
struct Written {
  std::string_view plain;
  std::string_view escaped;
  std::string_view in_lower_case;
};
constexpr std::array<Written, 11> characters = {{{"+", "%2B", "%2b"},
                                                 {";", "%3B", "%3b"},
                                                 {"~", "%7E", "%7e"},
                                                 {"=", "%3D", "%3d"},
                                                 {",", "%2C", "%2c"},
                                                 {"@", "%40", "%40"},
                                                 {":", "%3A", "%3a"},
                                                 {"!", "%21", "%21"},
                                                 {"*", "%2A", "%2a"},
                                                 {"-", "%2D", "%2d"},
                                                 {"&", "%26", "%26"}}};

/// The executions of a case whose ids have a character that needs no escaping.
std::vector<std::string> odd_ids_of(const View& view) {
  std::vector<std::string> names;
  for (const std::string& name : executions_of(view)) {
    if (name.starts_with("odd")) names.push_back(name);
  }
  return names;
}

Step odd_id(const Move& move, const View& view) {
  const std::size_t place = move.operands[0] % characters.size();
  const std::size_t number = view.steps().size();
  return operate(
      "executions.start",
      {{"execution_id", fmt::format("${{unique}}-{}p{}q", number, characters.at(place).plain)}},
      fmt::format("odd{}-{}", number, place));
}

/// The status of such an execution, by its path in one of three spellings.
std::optional<Step> by_path(const Move& move, const View& view) {
  const std::vector<std::string> names = odd_ids_of(view);
  if (names.empty()) return std::nullopt;
  const std::string& name = names[move.operands[0] % names.size()];
  const std::size_t dash = name.find('-');
  const Written& written = characters.at(std::stoul(name.substr(dash + 1)));
  const std::string_view letter = move.operands[1] % 3 == 0   ? written.plain
                                  : move.operands[1] % 3 == 1 ? written.escaped
                                                              : written.in_lower_case;
  core::RawRequest request;
  request.method = "GET";
  request.path =
      fmt::format("/executions/${{unique}}-{}p{}q/status", name.substr(3, dash - 3), letter);
  Step step;
  step.action = std::move(request);
  return step;
}

/// Whether one was made before is not known.
bool takes_any_answer(const TakenStep& taken) {
  const auto* request = std::get_if<core::RawRequest>(&taken.step.action);
  return request != nullptr && request->method == "POST" && request->json.has_value();
}

std::optional<Step> step_of(std::string_view kind, const Move& move, const View& view) {
  if (kind == "start") return start(move, view);
  if (kind == "event") return post(any_event(move, view.steps().size()), on_of(move, view));
  if (kind == "batch") return batch(move, view);
  if (kind == "patch") return patch(move, view);
  if (kind == "cancel") return cancel(move, view);
  if (kind == "evict") return operate("control.evict", {}, {}, on_of(move, view));
  if (kind == "clock") return operate("control.clock", {{"advance_ms", 0}});
  if (kind == "locks") return operate("control.lock_service", {{"available", true}});
  if (kind == "longest id") return longest_id(move, view);
  if (kind == "path") return by_path(move, view);
  if (kind == "odd id") return odd_id(move, view);
  if (kind == "list") return list(move);
  if (kind == "read") return read(move, view);
  if (kind == "run") return create_run(move, view);
  return without_body(move);
}

/// The clause that has each request.
std::vector<std::string> answer_of(const TakenStep& taken) {
  const std::string& made = taken.made;
  if (made.starts_with("GET ")) return {"API-IDS"};
  if (made == "events.post_batch") return {"API-ATOMIC"};
  if (made == "executions.cancel") return {"API-CANCEL"};
  if (made == "control.evict") return {"STM-API-INFER"};
  if (made == "control.clock") return {"API-CLOCK"};
  if (made == "executions.marking" || made == "executions.detail") return {"API-DETAIL"};
  if (made == "executions.variables") return {"STM-API-VIEW"};
  if (made == "executions.status") return {"STM-API-FIELDS"};
  if (!made.ends_with(".list") && !made.starts_with("workflow.")) return {"API-VALID"};
  const auto& parameters = std::get<core::Operate>(taken.step.action).operation.parameters;
  if (parameters.contains("limit")) return {"API-PAGING"};
  if (made == "workflow.by_state") return {"WFX-API-STATE"};
  if (made == "workflow.active") return {"WFX-API-ACTIVE"};
  return {made == "events.list" && !parameters.empty() ? "EVT-IDX-1" : "API-FILTER"};
}

std::vector<Observation> observe(const TakenStep& taken) {
  if (taken.made != "executions.ctx") return {};
  // What guards will see, and what the view of variables shows.
  const bool is_for_guards = taken.view.steps().size() % 2 == 0;
  Observation variables{"executions.variables",
                        {"ctx"},
                        {is_for_guards ? "RTE-GUARD-STATE" : "STM-API-VIEW"},
                        {},
                        taken.step.on};
  variables.exactly = true;
  return {variables};
}

Opening open(const Draft& /*draft*/) {
  return {std::nullopt, {operate("executions.start", {}, "main")}};
}

}  // namespace

std::vector<Family> all() {
  Family family;
  family.id = "properties/allowed-requests";
  family.title = "What a client may send is taken, with any of its optional parts and at any time";
  family.clauses = {"API-ATOMIC",   "API-CANCEL",      "API-CLOCK",      "API-DETAIL",
                    "API-FILTER",   "API-IDS",         "API-PAGING",     "API-VALID",
                    "EVT-IDX-1",    "RTE-GUARD-STATE", "STM-API-FIELDS", "STM-API-INFER",
                    "STM-API-VIEW", "WFX-API-ACTIVE",  "WFX-API-STATE"};
  family.kinds = {{"start", 4},   {"event", 5}, {"batch", 3},      {"patch", 4},  {"cancel", 2},
                  {"evict", 3},   {"clock", 1}, {"list", 8},       {"read", 7},   {"run", 3},
                  {"no body", 2}, {"locks", 1}, {"longest id", 6}, {"odd id", 4}, {"path", 8}};
  family.needs = {"binding.reference"};
  family.open = open;
  family.step = step_of;
  family.answer = answer_of;
  family.takes_any_answer = takes_any_answer;
  family.observe = observe;
  return {family};
}

}  // namespace assay::properties::allowed_families
