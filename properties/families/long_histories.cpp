// Specifications 000 and 001: histories that no single page holds.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "properties/families/execution_moves.h"
#include "properties/families/execution_observations.h"
#include "properties/families/families.h"
#include "properties/families/patterns.h"
#include "properties/families/steps.h"

namespace assay::properties::long_families {
namespace {

using core::Step;

/// Just beyond a page of the usual size.
constexpr std::size_t many = 128;

/// As many events at once, each of a command of its own where they are of commands.
Step batch_of(std::string_view type, std::size_t number) {
  List events;
  for (std::size_t index = 0; index < many; ++index) {
    const std::size_t each = number * many + index;
    Object event{{"type", std::string(type)}, {"node", "fetch"}};
    if (type == "command.issued") event.emplace("command", fmt::format("m{}", each));
    events.emplace_back(numbered_event(each, std::move(event)));
  }
  return post_batch(std::move(events));
}

/// Whether there are as many as say all that more would.
bool is_long_enough(const View& view) {
  constexpr std::ptrdiff_t most_batches = 3;
  const std::vector<Step>& steps = view.steps();
  return std::count_if(steps.begin(), steps.end(), [](const Step& step) {
           const auto* told = std::get_if<core::Post>(&step.action);
           return told != nullptr && told->batch;
         }) >= most_batches;
}

/// The first event that was told, once more.
std::optional<Step> first_again(const View& view) {
  const std::vector<Value> events = posted(view);
  return events.empty() ? std::nullopt : std::optional(post(events.front().as_object()));
}

std::optional<Step> step_of(std::string_view kind, const Move& move, const View& view) {
  const std::size_t number = view.steps().size();
  if (kind == "first again") return first_again(view);
  const bool is_batch = kind == "noise" || kind == "commands";
  if (is_batch && is_long_enough(view)) return std::nullopt;
  if (kind == "noise") return batch_of("cache.warmed", number);
  if (kind == "commands") return batch_of("command.issued", number);
  return execution_step(kind, move, view);
}

std::vector<std::string> answer_of(const TakenStep& taken) {
  if (taken.acceptance == core::Acceptance::duplicate) return {"EVT-IDEM-1"};
  return {};
}

std::size_t length_of(const Value& answer, std::string_view list) {
  const Value* items = answer.find(list);
  return items == nullptr || !items->is_list() ? 0 : items->as_list().size();
}

Observation log_has_its_length(const View& view, std::string clause) {
  Observation log{"events.list", {}, {std::move(clause)}};
  log.rule = length(length_of(view.read("events.list"), "items"));
  return log;
}

std::vector<Observation> observe(const TakenStep& taken) {
  if (taken.made == "events.post_batch" || taken.made == "executions.start") return {};
  if (taken.acceptance == core::Acceptance::duplicate) {
    return {log_has_its_length(taken.view, "EVT-IDEM-1")};
  }
  return observe_status(taken);
}

/// As many as were told, in the log and in the detail.
std::vector<Observation> observe_end(const View& view) {
  Observation commands{"executions.detail", {}, {"STM-CMD-T1"}};
  commands.rule =
      object({{"commands", length(length_of(view.read("executions.detail"), "commands"))}});
  return {log_has_its_length(view, "EVT-LOG-1"), commands};
}

}  // namespace

std::vector<Family> all() {
  Family family;
  family.id = "properties/long-histories";
  family.title = "A history that no page holds is kept, shown and rebuilt as a whole";
  family.clauses = {"EVT-IDEM-1",      "EVT-LOG-1",    "STM-API-ENDED", "STM-API-INFER",
                    "STM-API-STARTED", "STM-API-TERM", "STM-CMD-T1",    "STM-EXEC-R1",
                    "STM-EXEC-T1",     "STM-EXEC-T2",  "STM-EXEC-T3",   "STM-EXEC-T4",
                    "STM-OWN-2",       "STM-STATE-1",  "STM-VOC-1"};
  family.kinds = {{"noise", 6},    {"commands", 2}, {"first again", 3}, {"evict", 3},
                  {"complete", 1}, {"fail", 1},     {"cancelled", 1}};
  family.needs = {"events.ids", "binding.reference"};
  family.open = open_running;
  family.step = step_of;
  family.answer = answer_of;
  family.observe = observe;
  family.observe_end = observe_end;
  family.state = execution_state;
  return {family};
}

}  // namespace assay::properties::long_families
