// Specification 001, 6.2: what is published of the events that are stored.
#include <fmt/format.h>

#include <array>
#include <set>
#include <utility>

#include "properties/families/families.h"
#include "properties/families/patterns.h"
#include "properties/families/steps.h"

namespace assay::properties::published_families {
namespace {

using core::Pattern;
using core::Step;

/// Types that little else on a shared server has.
constexpr std::array<std::string_view, 3> types = {"result.manifest.updated", "result.stored",
                                                   "task.attempt.failed"};

/// Never empty: whether a message about an event without a payload has one is nobody's word.
Object payload_of(const Move& move) {
  Object payload{{"rows", move.operands[2]}};
  if (move.operands[2] % 4 < 2) return payload;
  payload.emplace("result_ref", Object{{"kind", "result_ref"},
                                       {"ref", fmt::format("s3://{}", move.operands[3])}});
  if (move.operands[3] % 2 == 1) payload.emplace("extracted", Object{{"page", move.operands[3]}});
  return payload;
}

Object new_event(const Move& move, std::size_t number) {
  Object event{{"type", std::string(types.at(move.operands[0] % types.size()))}};
  event.emplace("payload", payload_of(move));
  return numbered_event(number, std::move(event));
}

std::string execution_of(const Move& move) { return move.operands[1] % 4 == 3 ? "other" : "main"; }

/// The events that were sent so far, and where.
std::vector<std::pair<std::string, Value>> sent_in(const View& view) {
  std::vector<std::pair<std::string, Value>> sent;
  for (const Step& step : view.steps()) {
    const auto* action = std::get_if<core::Post>(&step.action);
    if (action == nullptr) continue;
    for (const Value& event : action->events) sent.emplace_back(step.on, event);
  }
  return sent;
}

/// An event that was sent before: to the same execution again, or to the other as one of its own.
std::optional<Step> repeat(const Move& move, const View& view) {
  const auto sent = sent_in(view);
  if (sent.empty()) return std::nullopt;
  const auto& [on, event] = sent[move.operands[0] % sent.size()];
  return post(event.as_object(), move.operands[1] % 4 == 3 && on == "main" ? "other" : on);
}

std::optional<Step> step_of(std::string_view kind, const Move& move, const View& view) {
  const std::size_t number = view.steps().size();
  if (kind == "again") return repeat(move, view);
  if (kind == "batch") {
    Move next = move;
    ++next.operands[0];
    ++next.operands[2];
    constexpr std::size_t next_number = 1'000;
    return post_batch({new_event(move, number), new_event(next, number + next_number)},
                      execution_of(move));
  }
  return post(new_event(move, number), execution_of(move));
}

std::vector<std::string> answer_of(const TakenStep& /*taken*/) { return {}; }

/// The messages about the events of one type, as the sound server has them.
List messages_of(const View& view, const std::string& topic) {
  const Value* items = view.read("events.published", "main", {{"topic", topic}}).find("items");
  return items == nullptr ? List{} : items->as_list();
}

/// One message for each event, and not two.
Observation come_once(const std::string& topic, std::string_view execution, const Value& event) {
  const Pattern message = object(
      {{"headers", object({{"execution_id", literal(fmt::format("${{id:{}}}", execution))}})},
       {"event_id", literal(*event.find("id"))}});
  Observation once{"events.published", {"event_id"}, {"EVT-PUB-TOPIC"}, {{"topic", topic}}};
  once.rule = of(How::none_of, {of(How::contains, {message, message})});
  return once;
}

std::vector<Observation> observe_end(const View& view) {
  std::vector<Observation> observations;
  std::set<std::string> topics;
  std::set<std::pair<std::string, std::string>> seen;
  for (const auto& [on, event] : sent_in(view)) {
    const std::string topic = "noetl.events." + event.string_at("type").value_or("");
    if (messages_of(view, topic).empty()) continue;
    if (topics.insert(topic).second) {
      Observation subjects{"events.published",
                           {"subject", "headers.execution_id", "event_id"},
                           {"EVT-PUB-TOPIC"},
                           {{"topic", topic}}};
      subjects.among_others = true;
      observations.push_back(subjects);
      Observation payloads{"events.published",
                           {"headers.execution_id", "event_id", "payload"},
                           {"EVT-PUB-REF"},
                           {{"topic", topic}}};
      payloads.among_others = true;
      payloads.exactly = true;
      observations.push_back(payloads);
    }
    if (seen.emplace(on, event.string_at("id").value_or("")).second) {
      observations.push_back(come_once(topic, on, event));
    }
  }
  return observations;
}

/// Two executions, the first with an event: of each case something is published.
Opening open_two(const Draft& /*draft*/) {
  return {std::nullopt,
          {operate("executions.start", {}, "main"), operate("executions.start", {}, "other"),
           post(new_event({}, 0))}};
}

}  // namespace

std::vector<Family> all() {
  Family published;
  published.id = "properties/published-events";
  published.title = "Each stored event is published once, by its type, large results by reference";
  published.clauses = {"EVT-PUB-REF", "EVT-PUB-TOPIC"};
  published.kinds = {{"event", 6}, {"batch", 2}, {"again", 3}};
  published.open = open_two;
  published.step = step_of;
  published.answer = answer_of;
  published.observe_end = observe_end;
  published.needs = {"events.published", "events.ids"};
  return {published};
}

}  // namespace assay::properties::published_families
