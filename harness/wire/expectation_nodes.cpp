#include <cstddef>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include "base/overloaded.h"
#include "harness/wire/scenario_nodes.h"
#include "harness/wire/scenario_words.h"

namespace assay::wire {
namespace {

/// One is written as itself, several as a list.
YamlNode one_or_list(std::vector<YamlNode> items) {
  return items.size() == 1 ? std::move(items.front()) : list_node(std::move(items));
}

/// {code: p} and nothing else.
const core::Pattern* only_code(const core::Pattern& body) {
  const auto* object = std::get_if<core::ObjectPattern>(&body.form);
  const bool only = object != nullptr && !object->exactly && object->members.size() == 1 &&
                    object->members.begin()->first == "code";
  return only ? &object->members.begin()->second : nullptr;
}

/// Steps by name; one that is one ${name} stands for a list.
YamlNode steps_named(const std::vector<Value>& steps) {
  if (steps.size() == 1 && steps.front().is_string() &&
      is_one_variable(steps.front().as_string())) {
    return scalar_node(steps.front());
  }
  return value_node(List(steps.begin(), steps.end()));
}

template <typename Named>
std::optional<YamlNode> named_steps_node(const core::ReadExpectation& read) {
  const auto* named = std::get_if<Named>(&read.shows);
  return named != nullptr ? std::optional(steps_named(named->names)) : std::nullopt;
}

YamlNode events_node(const core::ReadExpectation& read, const core::EventExpectation& events) {
  MapNode map;
  map.add_object("filter", events.filter);
  if (events.exactly) map.add("exactly", patterns_node(*events.exactly));
  if (!events.contains.empty()) map.add("contains", patterns_node(events.contains));
  if (!events.absent.empty()) map.add("absent", patterns_node(events.absent));
  map.add_integer("count", events.count).add_text("count", events.count_variable);
  if (!events.before.empty()) {
    std::vector<YamlNode> edges;
    for (const auto& [first, second] : events.before) {
      edges.push_back(list_node({pattern_node(first), pattern_node(second)}));
    }
    map.add("before", list_node(std::move(edges)));
  }
  map.add_texts("same", events.same).add_texts("distinct", events.distinct);
  map.add_text("keeps", events.keeps);
  if (read.response) map.add("response", answer_node(*read.response));
  return map.take();
}

YamlNode listing_node(const core::ReadExpectation& read, bool by_state) {
  MapNode map;
  if (by_state) {
    map.add("state", value_node(read.parameters.at("state")));
  } else {
    map.add_object("filter", read.parameters);
  }
  if (read.pattern() != nullptr) map.add("items", pattern_node(*read.pattern()));
  if (read.response) map.add("response", answer_node(*read.response));
  return map.take();
}

YamlNode operation_node(const core::ReadExpectation& read) {
  MapNode map;
  map.add("operation", scalar_node(read.operation)).add_object("parameters", read.parameters);
  if (read.pattern() != nullptr) map.add("body", pattern_node(*read.pattern()));
  if (read.response) map.add("response", answer_node(*read.response));
  return map.take();
}

/// The read as the value of that key, or nothing where it cannot be said there.
std::optional<YamlNode> named_node(const core::ReadExpectation& read, const ReadName& name) {
  if (read.operation != name.operation) return std::nullopt;
  switch (name.form) {
    case ReadForm::pattern: {
      const core::Pattern* pattern = read.pattern();
      if (!read.parameters.empty() || (pattern != nullptr && read.response)) return std::nullopt;
      if (read.response) return MapNode().add("response", answer_node(*read.response)).take();
      if (pattern == nullptr) return std::nullopt;
      // {response: …} alone would be read as how the read is answered.
      const auto* object = std::get_if<core::ObjectPattern>(&pattern->form);
      const bool ambiguous = object != nullptr && !object->exactly && object->members.size() == 1 &&
                             object->members.contains("response");
      return ambiguous ? std::nullopt : std::optional(pattern_node(*pattern));
    }
    case ReadForm::listing:
      return listing_node(read, false);
    case ReadForm::by_state:
      if (read.parameters.size() != 1 || !read.parameters.contains("state")) return std::nullopt;
      return listing_node(read, true);
    case ReadForm::events:
      if (read.events() == nullptr) return std::nullopt;
      return events_node(read, *read.events());
    case ReadForm::scheduled:
      return named_steps_node<core::ScheduledSteps>(read);
    case ReadForm::never_scheduled:
      return named_steps_node<core::NeverScheduledSteps>(read);
    case ReadForm::path:
      return named_steps_node<core::StatePath>(read);
  }
  return std::nullopt;
}

/// The reads under their keys. The reader takes them in the order of its keys, read: last.
void add_reads(MapNode& map, const std::vector<core::ReadExpectation>& reads) {
  std::set<std::string_view> used;
  std::size_t next = 0;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    // The last one may be said under read: where its own key would come too early.
    const bool movable = i + 1 == reads.size() && reads[i].events() == nullptr &&
                         (reads[i].pattern() != nullptr || reads[i].response);
    std::optional<YamlNode> node;
    std::string_view key = "read";
    for (std::size_t name = 0; name < read_names.size() && !node; ++name) {
      if (movable && name < next) continue;
      node = named_node(reads[i], read_names.at(name));
      if (!node) continue;
      key = read_names.at(name).key;
      next = name + 1;
    }
    if (!used.insert(key).second) {
      throw std::invalid_argument("two reads of one kind in one check");
    }
    map.add(key, node ? *std::move(node) : operation_node(reads[i]));
  }
}

}  // namespace

YamlNode answer_node(const core::AnswerPattern& answer) {
  MapNode map;
  if (core::asks_nothing(answer)) map.add_flag("any", true, false);
  std::vector<YamlNode> statuses;
  for (const int status : answer.statuses) statuses.push_back(scalar_node(status));
  for (const std::string& name : answer.status_variables) statuses.push_back(scalar_node(name));
  if (!statuses.empty()) map.add("status", one_or_list(std::move(statuses)));
  std::vector<YamlNode> words;
  for (const core::Acceptance acceptance : answer.acceptances) {
    words.push_back(scalar_node(core::acceptance_words[acceptance]));
  }
  for (const std::string& name : answer.acceptance_variables) words.push_back(scalar_node(name));
  if (!words.empty()) map.add("is", one_or_list(std::move(words)));
  if (!answer.headers.empty()) {
    MapNode headers;
    for (const auto& [name, pattern] : answer.headers) headers.add(name, pattern_node(pattern));
    map.add("headers", headers.take());
  }
  if (answer.body) {
    const core::Pattern* code = only_code(*answer.body);
    map.add(code ? "code" : "body", pattern_node(code ? *code : *answer.body));
  }
  map.add_texts("nowhere", answer.nowhere);
  return map.take();
}

YamlNode expect_node(const core::Expect& expect) {
  MapNode map;
  add_reads(map, expect.reads);
  std::visit(
      Overloaded{
          [](core::Now) {},
          [&map](const core::Within& within) { map.add_integer("within_ms", within.within_ms); },
          [&map](const core::Hold& hold) {
            map.add_integer("within_ms", hold.within_ms);
            map.add_integer("hold_ms", hold.hold_ms);
            map.add_flag("hold", !hold.hold_ms, false);
          },
          [&map](const core::Never& never) { map.add_integer("hold_ms", never.hold_ms); }},
      expect.when);
  map.add_flag("same_look", expect.same_look, false);
  map.add_clauses(expect.clauses);
  if (!expect.also_allowed.empty()) {
    std::vector<YamlNode> readings;
    for (const auto& reads : expect.also_allowed) {
      MapNode reading;
      add_reads(reading, reads);
      readings.push_back(reading.take());
    }
    map.add("also_allowed", list_node(std::move(readings)));
  }
  map.add_text("because", expect.because);
  return map.take();
}

}  // namespace assay::wire
