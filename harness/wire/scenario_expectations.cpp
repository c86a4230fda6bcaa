#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "harness/core/log_clauses.h"
#include "harness/core/operation_shape.h"
#include "harness/wire/scenario_scope.h"
#include "harness/wire/scenario_words.h"

namespace assay::wire {
namespace {

/// Whether the node is {response: {…}}: how the read itself must be answered.
bool is_response_only(const YamlNode& node) {
  return node.kind == YamlNode::Kind::map && node.tag.empty() && node.members.size() == 1 &&
         node.find("response") != nullptr;
}

std::vector<Value> read_steps_named(const YamlNode& node, ScenarioScope& scope) {
  if (scope.is_variable(node)) return {node.scalar};
  std::vector<Value> steps;
  for (const YamlNode& item : items_of(node, "a list of step names", scope.problems())) {
    if (!item.is_text()) scope.problems().unexpected(item, "a step's name");
    steps.push_back(scope.literal(item));
  }
  return steps;
}

std::vector<Value> read_path(const YamlNode& node, ScenarioScope& scope) {
  std::vector<Value> states;
  for (const YamlNode& item : items_of(node, "a list of states", scope.problems())) {
    if (!item.is_text()) scope.problems().unexpected(item, "a state's name");
    states.push_back(scope.literal(item));
  }
  if (node.kind == YamlNode::Kind::list && states.empty()) {
    scope.problems().report(node, "a path has a first state");
  }
  return states;
}

void read_items_or_response(MapReader& map, const YamlNode& node, core::ReadExpectation& read,
                            ScenarioScope& scope) {
  if (const YamlNode* items = map.optional("items")) read.shows = read_pattern(*items, scope);
  if (const YamlNode* response = map.optional("response")) {
    read.response = read_answer_pattern(*response, scope);
  }
  if (!read.expects_more() && !read.response) {
    scope.problems().report(node, "expects nothing: needs \"items\" or \"response\"");
  }
}

void read_pointers(MapReader& map, std::string_view key, std::vector<std::string>& into,
                   ScenarioScope& scope) {
  const YamlNode* node = map.optional(key);
  if (!node) return;
  for (const YamlNode& item : items_of(*node, "a list of JSON Pointers", scope.problems())) {
    const auto pointer = text_of(item, "a JSON Pointer", scope.problems());
    if (pointer && check_pointer(item, *pointer, scope.problems())) into.push_back(*pointer);
  }
}

void read_edges(const YamlNode& node, core::EventExpectation& events, ScenarioScope& scope) {
  for (const YamlNode& edge : items_of(node, "a list of pairs", scope.problems())) {
    if (edge.kind != YamlNode::Kind::list || edge.items.size() != 2) {
      scope.problems().unexpected(edge, "a pair: [what comes first, what comes later]");
      continue;
    }
    events.before.emplace_back(read_pattern(edge.items[0], scope),
                               read_pattern(edge.items[1], scope));
  }
}

/// The clause whose rule is held against the whole log: a part of it breaks rules that it keeps.
void read_keeps(const YamlNode& node, core::EventExpectation& events, ScenarioScope& scope) {
  const auto id = text_of(node, "a clause's id", scope.problems());
  if (!id) return;
  if (core::find_log_clause(*id) == nullptr) {
    std::vector<std::string> ids;
    for (const core::LogClause& clause : core::log_clauses()) ids.emplace_back(clause.id);
    scope.problems().unknown_name(node, "clause that a log shows", *id, ids);
  }
  if (!events.filter.empty()) {
    scope.problems().report(node, "\"keeps\" is about the whole log: it goes without a filter");
  }
  events.keeps = *id;
}

void read_events(const YamlNode& node, core::ReadExpectation& read, ScenarioScope& scope) {
  MapReader map(node, "an expectation of events", scope.problems());
  core::EventExpectation events;
  if (const YamlNode* filter = map.optional("filter")) {
    events.filter = read_parameters(*filter, read.operation, true, scope);
  }
  if (const YamlNode* exactly = map.optional("exactly")) {
    events.exactly = read_patterns(*exactly, scope);
  }
  if (const YamlNode* some = map.optional("contains"))
    events.contains = read_patterns(*some, scope);
  if (const YamlNode* none = map.optional("absent")) events.absent = read_patterns(*none, scope);
  if (const YamlNode* count = map.optional("count")) {
    if (scope.is_variable(*count)) {
      events.count_variable = count->scalar.as_string();
    } else {
      events.count = integer_of(*count, {0, highest_count}, scope.problems());
    }
  }
  if (const YamlNode* edges = map.optional("before")) read_edges(*edges, events, scope);
  read_pointers(map, "same", events.same, scope);
  read_pointers(map, "distinct", events.distinct, scope);
  if (const YamlNode* clause = map.optional("keeps")) read_keeps(*clause, events, scope);
  if (const YamlNode* response = map.optional("response")) {
    read.response = read_answer_pattern(*response, scope);
  }
  map.finish();
  const bool nothing = !events.exactly && events.contains.empty() && events.absent.empty() &&
                       !events.count && events.count_variable.empty() && events.before.empty() &&
                       events.same.empty() && events.distinct.empty() && events.keeps.empty() &&
                       !read.response;
  if (nothing) scope.problems().report(node, "expects nothing of the events");
  read.parameters = events.filter;
  read.shows = std::move(events);
}

void read_listing(const YamlNode& node, core::ReadExpectation& read, ScenarioScope& scope) {
  MapReader map(node, "an expectation of a listing", scope.problems());
  if (const YamlNode* filter = map.optional("filter")) {
    read.parameters = read_parameters(*filter, read.operation, true, scope);
  }
  read_items_or_response(map, node, read, scope);
  map.finish();
}

void read_by_state(const YamlNode& node, core::ReadExpectation& read, ScenarioScope& scope) {
  MapReader map(node, "an expectation of a listing by state", scope.problems());
  if (const YamlNode* state = map.required("state")) {
    read.parameters.insert_or_assign("state", scope.literal(*state));
  }
  read_items_or_response(map, node, read, scope);
  map.finish();
}

core::ReadExpectation read_named(const ReadName& name, const YamlNode& node, ScenarioScope& scope) {
  core::ReadExpectation read;
  read.operation = name.operation;
  switch (name.form) {
    case ReadForm::pattern:
      if (is_response_only(node)) {
        read.response = read_answer_pattern(*node.find("response"), scope);
      } else {
        read.shows = read_pattern(node, scope);
      }
      break;
    case ReadForm::listing:
      read_listing(node, read, scope);
      break;
    case ReadForm::by_state:
      read_by_state(node, read, scope);
      break;
    case ReadForm::events:
      read_events(node, read, scope);
      break;
    case ReadForm::scheduled:
      read.shows = core::ScheduledSteps{read_steps_named(node, scope)};
      break;
    case ReadForm::never_scheduled:
      read.shows = core::NeverScheduledSteps{read_steps_named(node, scope)};
      break;
    case ReadForm::path:
      read.shows = core::StatePath{read_path(node, scope)};
      break;
  }
  return read;
}

core::ReadExpectation read_any_operation(const YamlNode& node, ScenarioScope& scope) {
  MapReader map(node, "a read", scope.problems());
  core::ReadExpectation read;
  const YamlNode* operation = map.required("operation");
  if (operation) {
    if (const auto name = text_of(*operation, "an operation's name", scope.problems())) {
      read.operation = *name;
      if (!core::operation_shape(*name)) {
        const auto& names = core::operation_names();
        scope.problems().unknown_name(*operation, "operation", *name, {names.begin(), names.end()});
      }
    }
  }
  const YamlNode* parameters = map.optional("parameters");
  if (core::operation_shape(read.operation)) {
    const YamlNode none;
    read.parameters = read_parameters(parameters ? *parameters : none, read.operation, true, scope);
  }
  if (const YamlNode* body = map.optional("body")) read.shows = read_pattern(*body, scope);
  if (const YamlNode* response = map.optional("response")) {
    read.response = read_answer_pattern(*response, scope);
  }
  if (!read.expects_more() && !read.response) {
    scope.problems().report(node, "expects nothing: needs \"body\" or \"response\"");
  }
  map.finish();
  return read;
}

std::vector<core::ReadExpectation> read_reads(MapReader& map, ScenarioScope& scope) {
  std::vector<core::ReadExpectation> reads;
  for (const ReadName& name : read_names) {
    if (const YamlNode* node = map.optional(name.key)) {
      reads.push_back(read_named(name, *node, scope));
    }
  }
  if (const YamlNode* node = map.optional("read"))
    reads.push_back(read_any_operation(*node, scope));
  return reads;
}

void read_freedom(MapReader& map, const YamlNode& node, core::Expect& expect,
                  ScenarioScope& scope) {
  if (const YamlNode* allowed = map.optional("also_allowed")) {
    for (const YamlNode& item : items_of(*allowed, "a list of readings", scope.problems())) {
      MapReader reading(item, "another reading", scope.problems());
      expect.also_allowed.push_back(read_reads(reading, scope));
      reading.finish();
      if (expect.also_allowed.back().empty()) {
        scope.problems().report(item, "another reading needs a read such as \"status\"");
      }
    }
  }
  map.text("because", expect.because);
  if (!expect.also_allowed.empty() && expect.because.empty()) {
    scope.problems().report(node, "also_allowed needs \"because\": where the text leaves it open");
  } else if (expect.also_allowed.empty() && !expect.because.empty()) {
    scope.problems().report(node, "because without also_allowed");
  }
}

void read_statuses(const YamlNode& node, core::AnswerPattern& answer, ScenarioScope& scope) {
  const auto add = [&](const YamlNode& item) {
    if (scope.is_variable(item)) {
      answer.status_variables.push_back(item.scalar.as_string());
      return;
    }
    const auto status = integer_of(item, http_statuses, scope.problems());
    if (status) answer.statuses.push_back(static_cast<int>(*status));
  };
  if (node.kind == YamlNode::Kind::list) {
    for (const YamlNode& item : node.items) add(item);
  } else {
    add(node);
  }
}

void read_acceptances(const YamlNode& node, core::AnswerPattern& answer, ScenarioScope& scope) {
  const auto add = [&](const YamlNode& item) {
    if (scope.is_variable(item)) {
      answer.acceptance_variables.push_back(item.scalar.as_string());
      return;
    }
    const auto word = text_of(item, "accepted, duplicate, refused or unknown", scope.problems());
    if (!word) return;
    if (const auto acceptance = core::said_acceptance(*word)) {
      answer.acceptances.push_back(*acceptance);
    } else {
      scope.problems().unknown_name(item, "acceptance", *word, core::said_acceptances());
    }
  };
  if (node.kind == YamlNode::Kind::list) {
    for (const YamlNode& item : node.items) add(item);
  } else {
    add(node);
  }
}

/// code: WORD is short for body: {code: WORD}; both may stand together.
void read_code(const YamlNode& node, core::AnswerPattern& answer, ScenarioScope& scope) {
  core::Pattern code = read_pattern(node, scope);
  if (!answer.body) answer.body = core::Pattern{core::ObjectPattern()};
  auto* body = std::get_if<core::ObjectPattern>(&answer.body->form);
  if (body == nullptr || body->exactly || body->members.contains("code")) {
    scope.problems().report(node,
                            "code beside a body that is not a mapping, or has a code already");
    return;
  }
  body->members.insert_or_assign("code", std::move(code));
}

decltype(core::Expect::when) read_when(MapReader& map, bool never) {
  core::Hold hold;
  map.integer("hold_ms", {0, longest_wait_ms}, hold.hold_ms);
  if (never) return core::Never{hold.hold_ms};
  map.integer("within_ms", {0, longest_wait_ms}, hold.within_ms);
  bool is_held = false;
  map.flag("hold", is_held);
  if (is_held || hold.hold_ms) return hold;
  if (hold.within_ms) return core::Within{*hold.within_ms};
  return core::Now();
}

}  // namespace

core::AnswerPattern read_answer_pattern(const YamlNode& node, ScenarioScope& scope) {
  MapReader map(node, "a response", scope.problems());
  core::AnswerPattern answer;
  if (const YamlNode* status = map.optional("status")) read_statuses(*status, answer, scope);
  if (const YamlNode* acceptance = map.optional("is")) read_acceptances(*acceptance, answer, scope);
  if (const YamlNode* headers = map.optional("headers")) {
    if (headers->kind != YamlNode::Kind::map) {
      scope.problems().unexpected(*headers, "a mapping of header names to patterns");
    }
    for (const auto& [name, pattern] : headers->members) {
      answer.headers.emplace_back(name.scalar.as_string(), read_pattern(pattern, scope));
    }
  }
  if (const YamlNode* body = map.optional("body")) answer.body = read_pattern(*body, scope);
  if (const YamlNode* code = map.optional("code")) read_code(*code, answer, scope);
  map.texts("nowhere", answer.nowhere);
  bool any = false;
  map.flag("any", any);
  map.finish();
  if (core::asks_nothing(answer) && !any) {
    scope.problems().report(node, "a response that expects nothing");
  }
  return answer;
}

core::Expect read_expect(const YamlNode& node, bool never, ScenarioScope& scope) {
  MapReader map(node, never ? "never" : "expect", scope.problems());
  core::Expect expect;
  expect.reads = read_reads(map, scope);
  expect.clauses = scope.read_clauses(map);
  expect.when = read_when(map, never);
  if (!never) {
    map.flag("same_look", expect.same_look);
    read_freedom(map, node, expect, scope);
  }
  map.finish();
  if (expect.reads.empty()) scope.problems().report(node, "needs a read such as \"status\"");
  scope.prove(expect.clauses);
  return expect;
}

}  // namespace assay::wire
