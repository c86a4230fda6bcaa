// Seed 000: generated histories of replay executions.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "properties/families/execution_watches.h"
#include "properties/families/families.h"
#include "properties/families/patterns.h"
#include "properties/families/steps.h"

namespace assay::properties {
namespace {

using core::Step;

std::string node_of(const Move& move) {
  return pick(move.operands[1], {"fetch", "end", "fetch", "END", "größe"});
}

Object command_event(const Move& move) {
  const std::string verb =
      pick(move.operands[0], {"completed", "issued", "claimed", "started", "failed", "cancelled"});
  Object event{{"type", "command." + verb},
               {"command", fmt::format("c{}", move.operands[2] % 3)},
               {"node", node_of(move)}};
  const std::string status =
      pick(move.operands[3], {"", "COMPLETED", "completed", "FAILED", "Cancelled"});
  if (!status.empty()) event.emplace("status", status);
  return event;
}

/// The event that takes a command one step further on its way: issued, claimed, started, ended.
Object next_command_event(const Move& move, const View& view) {
  // Mostly the same: others that were issued and never end keep the set of them incomplete.
  const std::string command = move.operands[2] < 13 ? "c0" : "c1";
  std::string state;
  const Value* commands = view.read("executions.detail").find("commands");
  if (commands != nullptr && commands->is_list()) {
    for (const Value& each : commands->as_list()) {
      if (each.string_at("command_id") == command) state = each.string_at("state").value_or("");
    }
  }
  std::string verb = "issued";
  if (state == "ISSUED") verb = "claimed";
  if (state == "CLAIMED") verb = move.operands[0] % 8 == 7 ? "cancelled" : "started";
  if (state == "RUNNING") {
    verb = pick(move.operands[0], {"completed", "completed", "failed", "cancelled"});
  }
  return {{"type", "command." + verb}, {"command", command}, {"node", node_of(move)}};
}

Object call_event(const Move& move) {
  Object event{{"type", pick(move.operands[0], {"call.done", "call.error"})},
               {"command", fmt::format("c{}", move.operands[2] % 3)},
               {"node", node_of(move)}};
  const std::string status = pick(move.operands[3], {"", "BREAK", "NOOP", "success", "OK"});
  if (!status.empty()) {
    event.emplace("payload", Object{{"outcome", Object{{"status", status}}}});
  }
  return event;
}

Object step_event(const Move& move) {
  Object event{{"type", pick(move.operands[0], {"step.exit", "step.enter"})},
               {"node", node_of(move)}};
  const std::string status = pick(move.operands[3], {"COMPLETED", "", "completed", "FAILED",
                                                     "failed", "CASE_HANDLED", "case_handled"});
  if (!status.empty()) event.emplace("status", status);
  if (move.operands[2] % 4 == 3) event.emplace("iteration", move.operands[2] / 4);
  return event;
}

Object batch_event(const Move& move) {
  Object payload;
  const std::uint8_t pending = move.operands[0] % 4;
  if (pending < 3) payload.emplace("pending_count", pending == 2 ? -1 : static_cast<int>(pending));
  return {{"type", "batch.completed"}, {"payload", std::move(payload)}};
}

Object workflow_event(const Move& move) {
  return {{"type", pick(move.operands[0],
                        {"workflow.completed", "workflow.initialized", "workflow.failed"})}};
}

/// The other vocabulary's close: with these words only is it one.
Object finished_event(const Move& move) {
  Object event{{"type", "playbook.finished"}};
  const std::string status =
      pick(move.operands[0], {"skipped", "", "success", "error", "in_progress", "paused"});
  if (!status.empty()) event.emplace("status", status);
  return event;
}

Object foreign_event(const Move& move) {
  return {{"type", pick(move.operands[0], {"playbook.completed_soon", "execution.ended",
                                           "cache.warmed", "end.reached.now"})}};
}

/// The events of earlier steps, as they were posted.
std::vector<Value> posted(const View& view) {
  std::vector<Value> events;
  for (const Step& step : view.steps()) {
    const auto* action = std::get_if<core::Post>(&step.action);
    if (action == nullptr) continue;
    for (const Value& event : action->events) {
      if (event.find("id") != nullptr) events.push_back(event);
    }
  }
  return events;
}

std::optional<Step> redelivery(const Move& move, const View& view, bool with_other_content) {
  const std::vector<Value> events = posted(view);
  if (events.empty()) return std::nullopt;
  Object event =
      events[(move.operands[0] * std::size_t{16} + move.operands[1]) % events.size()].as_object();
  if (with_other_content) event.insert_or_assign("payload", Object{{"other", move.operands[2]}});
  return post(std::move(event));
}

std::optional<Object> event_of(std::string_view kind, const Move& move) {
  if (kind == "command") return command_event(move);
  if (kind == "call") return call_event(move);
  if (kind == "step") return step_event(move);
  if (kind == "batch") return batch_event(move);
  if (kind == "workflow") return workflow_event(move);
  if (kind == "foreign") return foreign_event(move);
  if (kind == "start") {
    return Object{{"type", pick(move.operands[0], {"playbook.initialized", "playbook.started"})}};
  }
  if (kind == "finished") return finished_event(move);
  if (kind == "complete") return Object{{"type", "playbook.completed"}};
  if (kind == "fail") return Object{{"type", "playbook.failed"}};
  if (kind == "cancelled") return Object{{"type", "execution.cancelled"}};
  return std::nullopt;
}

/// An event that something happens to on its way, and that is then sent again.
Step badly_delivered(const Move& move, std::size_t number) {
  constexpr std::array<core::Delivery, 5> deliveries = {
      core::Delivery::twice, core::Delivery::cut_after_send, core::Delivery::cut_before_send,
      core::Delivery::half_body, core::Delivery::slow_body};
  Move rest = move;
  rest.operands[0] = static_cast<std::uint8_t>(move.operands[3] + 1);
  Step step = post(numbered_event(number, command_event(rest)));
  step.delivery = deliveries.at(move.operands[0] % deliveries.size());
  return step;
}

std::optional<Step> step_of(std::string_view kind, const Move& move, const View& view) {
  if (kind == "cancel") return operate("executions.cancel");
  if (kind == "evict") return operate("control.evict");
  if (kind == "again") return redelivery(move, view, false);
  if (kind == "conflict") return redelivery(move, view, true);
  const std::size_t number = view.steps().size();
  if (kind == "two at once") {
    Move other = move;
    std::swap(other.operands[0], other.operands[3]);
    return post_batch({numbered_event(number, command_event(move)),
                       numbered_event(number + 10'000, step_event(other))});
  }
  if (kind == "badly delivered") return badly_delivered(move, number);
  if (kind == "work") return post(numbered_event(number, next_command_event(move, view)));
  if (kind == "backdated") {
    Object early = numbered_event(
        number, {{"type", pick(move.operands[0],
                               {"playbook.failed", "playbook.completed", "execution.cancelled"})}});
    early.insert_or_assign("time", "2025-12-31T00:00:00Z");
    return post(std::move(early));
  }
  std::optional<Object> event = event_of(kind, move);
  if (!event) return std::nullopt;
  return post(numbered_event(number, *std::move(event)));
}

/// The states in other spellings: filters take any case.
std::string in_lower_case(std::string word) {
  std::transform(word.begin(), word.end(), word.begin(), [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  });
  return word;
}

Watch lists_it(std::string state) {
  Watch watch{"executions.list", {"execution_id", "state"}, {"API-FILTER"}};
  watch.parameters = {{"state", std::move(state)}, {"limit", 1000}};
  watch.among_others = true;
  return watch;
}

/// The log, page by small page: nothing is skipped, nothing comes twice.
Watch pages(const View& view) {
  Watch watch{"events.list", {}, {"API-PAGING"}, {{"limit", 3}}};
  const Value* items = view.read("events.list").find("items");
  watch.rule = length(items != nullptr && items->is_list() ? items->as_list().size() : 0);
  return watch;
}

/// Whatever a status answer says more, variables are not of it.
Watch shows_no_variables() {
  using Kind = core::Pattern::Kind;
  Watch watch{"executions.status", {}, {"STM-API-NOVARS"}};
  watch.rule = object({{"ctx", plain(Kind::absent)},
                       {"workload", plain(Kind::absent)},
                       {"variables", plain(Kind::absent)},
                       {"payload", plain(Kind::absent)},
                       {"result", plain(Kind::absent)}});
  return watch;
}

Watch shows_every_field() {
  using Kind = core::Pattern::Kind;
  Watch watch{"executions.status", {}, {"STM-API-FIELDS"}};
  watch.rule = object({{"execution_id", plain(Kind::any)},
                       {"state", plain(Kind::any)},
                       {"current_step", plain(Kind::any)},
                       {"started_at", plain(Kind::any)},
                       {"ended_at", plain(Kind::any)},
                       {"terminal_event", plain(Kind::any)},
                       {"completion_inferred", plain(Kind::any)}});
  return watch;
}

/// Each close is in the log as often as it was emitted.
Watch lists_each_close_once() {
  return {"events.list", {"event_type"}, {"STM-ONCE-1"}, {{"event_type", "playbook.finished"}}};
}

bool is_cancel(const Step& step) {
  const auto* action = std::get_if<core::Operate>(&step.action);
  return action != nullptr && action->operation.name == "executions.cancel";
}

/// The ids of the ends that were posted: an end that is sent again is the same.
std::set<std::string> ends_of(const View& view) {
  std::set<std::string> ids;
  for (const Value& event : posted(view)) {
    const std::string type = event.string_at("type").value_or("");
    if (type == "playbook.completed" || type == "playbook.failed" || type == "playbook.finished" ||
        type == "execution.cancelled") {
      ids.insert(event.string_at("id").value_or(""));
    }
  }
  return ids;
}

/// The whole log. What a cancel by the client writes into it, and whether a second end is kept or
/// dropped, is the binding's to say.
Watch whole_log(const View& view, std::string clause) {
  Watch watch{
      "events.list",
      {"event_id", "event_type", "timestamp", "command_id", "node_name", "status", "payload"},
      {std::move(clause)}};
  const std::vector<Step>& steps = view.steps();
  watch.of_the_binding =
      std::any_of(steps.begin(), steps.end(), is_cancel) || ends_of(view).size() > 1;
  return watch;
}

std::vector<Watch> watch_end(const View& view) {
  const std::string state = execution_state(view);
  return {
      {"executions.detail", {"steps", "commands", "tools", "workflow_state"}, {"API-DETAIL"}},
      {"executions.detail", {"anomalies"}, {"API-ANOMALY"}},
      {"executions.variables", {"workload"}, {"STM-API-VIEW"}},
      whole_log(view, "EVT-LOG-1"),
      {"events.list", {"event_id", "seq"}, {"API-SEQ"}},
      shows_no_variables(),
      shows_every_field(),
      lists_it(state),
      lists_it(in_lower_case(state)),
      pages(view),
  };
}

std::vector<Watch> watch_lifecycle_end(const View& /*view*/) { return {lists_each_close_once()}; }

std::vector<Watch> watch_log_end(const View& view) {
  return {
      whole_log(view, "EVT-IDEM-1"),
      {"executions.detail", {"steps", "commands", "tools", "workflow_state"}, {"API-DETAIL"}},
  };
}

/// What an event's own answer proves: that it was taken, for what its layer's clauses allow.
std::vector<std::string> answer_of(const Moment& moment) {
  using core::Acceptance;
  if (moment.acceptance == Acceptance::duplicate) return {"EVT-IDEM-1"};
  if (moment.acceptance == Acceptance::refused) return {"API-CONFLICT"};
  if (moment.made == "executions.cancel") return {"API-CANCEL"};
  if (moment.made == "control.evict" || moment.made == "executions.start") return {};
  return {"API-ANOMALY"};
}

/// Of the answer to a cancel: whether it says that there was nothing left to do.
std::vector<std::string> answer_members_of(const Moment& moment) {
  if (moment.made != "executions.cancel") return {};
  return {"already_terminal"};
}

Opening open_fresh(const Draft& /*draft*/) {
  const Object workload{{"region", "eu"}};
  return {std::nullopt, {operate("executions.start", {{"workload", workload}}, "main")}};
}

Opening open_running(const Draft& draft) {
  Opening opening = open_fresh(draft);
  opening.steps.push_back(post(numbered_event(90'000, {{"type", "playbook.initialized"}})));
  return opening;
}

/// Running, and then closed in one of the three ways.
Opening open_closed(const Draft& draft) {
  Opening opening = open_running(draft);
  const std::uint8_t way = draft.construction.empty() ? 0 : draft.construction[0].operands[0];
  opening.steps.push_back(post(numbered_event(
      90'001,
      {{"type", pick(way, {"playbook.completed", "playbook.failed", "execution.cancelled"})}})));
  return opening;
}

Family lower_layers() {
  Family family;
  family.id = "properties/lower-layers-never-close";
  family.title = "No interleaving of lower-layer events closes an execution or opens it again";
  family.clauses = {"API-ANOMALY",  "STM-API-ENDED", "STM-API-FIELDS", "STM-API-INFER",
                    "STM-API-TERM", "STM-CASE-1",    "STM-CMD-R2",     "STM-EXEC-R2",
                    "STM-EXEC-T1",  "STM-INF-BATCH", "STM-INF-CALL",   "STM-INF-CMD",
                    "STM-INF-STEP", "STM-OWN-2",     "STM-POS-FAIL",   "STM-POS-RUN",
                    "STM-STATE-1",  "STM-STEP-R2",   "STM-TOOL-R2",    "STM-WF-R1"};
  family.kinds = {{"work", 8},     {"command", 4}, {"call", 4},        {"step", 6}, {"batch", 4},
                  {"workflow", 3}, {"foreign", 2}, {"two at once", 2}, {"evict", 1}};
  family.open = open_running;
  family.watch = watch_status;
  return family;
}

Family terminal() {
  Family family;
  family.id = "properties/terminal-is-for-ever";
  family.title = "Nothing that comes after the end of an execution changes its status";
  family.clauses = {"API-ANOMALY",  "API-CANCEL",  "EVT-IDEM-1",  "STM-API-ENDED", "STM-API-INFER",
                    "STM-API-TERM", "STM-EXEC-R1", "STM-EXEC-T1", "STM-EXEC-T2",   "STM-EXEC-T3",
                    "STM-EXEC-T4",  "STM-OWN-2",   "STM-STATE-1", "STM-VOC-1"};
  family.kinds = {{"complete", 3}, {"fail", 3},    {"cancelled", 3}, {"cancel", 3},
                  {"start", 2},    {"command", 4}, {"step", 3},      {"batch", 2},
                  {"evict", 2},    {"again", 2},   {"backdated", 2}, {"finished", 1}};
  family.parts = {{"way", 1}};
  family.most_parts = 1;
  family.open = open_closed;
  family.watch = watch_status;
  return family;
}

Family lifecycle_order() {
  Family family;
  family.id = "properties/first-lifecycle-event-decides";
  family.title = "The first lifecycle event that closes an execution closes it, in any order";
  family.clauses = {"API-ANOMALY", "API-CANCEL",  "STM-API-ENDED", "STM-API-INFER", "STM-API-TERM",
                    "STM-EXEC-R1", "STM-EXEC-R2", "STM-EXEC-T1",   "STM-EXEC-T2",   "STM-EXEC-T3",
                    "STM-EXEC-T4", "STM-INF-CMD", "STM-ONCE-1",    "STM-OWN-2",     "STM-POS-FAIL",
                    "STM-POS-RUN", "STM-STATE-1", "STM-VOC-1",     "STM-WF-R1"};
  family.kinds = {{"start", 4},   {"complete", 2}, {"fail", 2},     {"cancelled", 2}, {"cancel", 2},
                  {"command", 2}, {"workflow", 2}, {"finished", 4}, {"evict", 1}};
  family.open = open_fresh;
  family.watch = watch_status;
  family.watch_end = watch_lifecycle_end;
  return family;
}

Family reads_agree() {
  Family family;
  family.id = "properties/reads-agree";
  family.title = "Status, detail, list and log tell one story at all times";
  family.clauses = {
      "API-ANOMALY",    "API-CANCEL",   "API-DETAIL",    "API-FILTER",     "API-PAGING",
      "API-SEQ",        "EVT-LOG-1",    "STM-API-ENDED", "STM-API-FIELDS", "STM-API-INFER",
      "STM-API-NOVARS", "STM-API-TERM", "STM-API-VIEW",  "STM-CASE-1",     "STM-CMD-R2",
      "STM-CMD-T1",     "STM-CMD-T2",   "STM-CMD-T3",    "STM-CMD-T4",     "STM-CMD-T5",
      "STM-CMD-T6",     "STM-EXEC-R1",  "STM-EXEC-R2",   "STM-EXEC-T1",    "STM-EXEC-T2",
      "STM-EXEC-T3",    "STM-EXEC-T4",  "STM-INF-BATCH", "STM-INF-CALL",   "STM-INF-CMD",
      "STM-INF-STEP",   "STM-POS-FAIL", "STM-POS-RUN",   "STM-STATE-1",    "STM-STEP-R1",
      "STM-STEP-R2",    "STM-STEP-T1",  "STM-STEP-T2",   "STM-STEP-T3",    "STM-STEP-T4",
      "STM-TOOL-R2",    "STM-TOOL-T2",  "STM-TOOL-T3",   "STM-TOOL-T4",    "STM-VOC-1",
      "STM-WF-R1",      "STM-WF-R2",    "STM-WF-T1",     "STM-WF-T2",      "STM-WF-T3"};
  family.kinds = {{"work", 10},    {"command", 5}, {"call", 4},       {"step", 6},
                  {"workflow", 3}, {"batch", 1},   {"start", 1},      {"complete", 1},
                  {"fail", 1},     {"cancel", 1},  {"two at once", 2}};
  family.open = open_running;
  family.watch = watch_layers;
  family.watch_end = watch_end;
  return family;
}

Family redeliveries() {
  Family family;
  family.id = "properties/redelivery-changes-nothing";
  family.title = "An event that is delivered again changes nothing, with other content neither";
  family.clauses = {"API-ANOMALY",   "API-CONFLICT",   "API-DETAIL",    "EVT-IDEM-1",
                    "STM-API-ENDED", "STM-API-FIELDS", "STM-API-INFER", "STM-API-TERM",
                    "STM-CASE-1",    "STM-EXEC-R1",    "STM-EXEC-R2",   "STM-EXEC-T1",
                    "STM-EXEC-T2",   "STM-INF-CALL",   "STM-INF-CMD",   "STM-INF-STEP",
                    "STM-OWN-2",     "STM-POS-FAIL",   "STM-POS-RUN",   "STM-STATE-1",
                    "STM-STEP-R2",   "STM-TOOL-R2"};
  family.kinds = {{"command", 5},  {"step", 4},     {"call", 3},        {"again", 8},
                  {"conflict", 4}, {"complete", 1}, {"two at once", 1}, {"evict", 1}};
  family.needs = {"events.ids"};
  family.open = open_running;
  family.watch = watch_status;
  family.watch_end = watch_log_end;
  return family;
}

Family deliveries() {
  Family family;
  family.id = "properties/delivery-loses-and-doubles-nothing";
  family.title = "However badly events are delivered, each that was sent is stored once";
  family.clauses = {"API-ANOMALY",   "API-CONFLICT",   "API-DETAIL",    "EVT-IDEM-1",
                    "STM-API-ENDED", "STM-API-FIELDS", "STM-API-INFER", "STM-API-TERM",
                    "STM-CASE-1",    "STM-EXEC-R1",    "STM-EXEC-T1",   "STM-EXEC-T2",
                    "STM-INF-CMD",   "STM-INF-STEP",   "STM-POS-FAIL",  "STM-POS-RUN",
                    "STM-STATE-1",   "STM-STEP-R2"};
  family.kinds = {{"badly delivered", 8}, {"command", 3},  {"step", 2},
                  {"again", 2},           {"conflict", 1}, {"complete", 1}};
  family.needs = {"events.ids"};
  family.open = open_running;
  family.watch = watch_status;
  family.watch_end = watch_log_end;
  return family;
}

Family evicted() {
  Family family;
  family.id = "properties/evicted-equals-live";
  family.title = "What is rebuilt from the log is what the live state said";
  family.clauses = {
      "API-ANOMALY",    "API-CANCEL",    "API-DETAIL",    "EVT-IDEM-1",   "STM-API-ENDED",
      "STM-API-FIELDS", "STM-API-INFER", "STM-API-TERM",  "STM-CASE-1",   "STM-CMD-R2",
      "STM-CMD-T1",     "STM-CMD-T2",    "STM-CMD-T3",    "STM-CMD-T4",   "STM-CMD-T5",
      "STM-CMD-T6",     "STM-EXEC-R1",   "STM-EXEC-R2",   "STM-EXEC-T1",  "STM-EXEC-T2",
      "STM-EXEC-T3",    "STM-EXEC-T4",   "STM-INF-BATCH", "STM-INF-CALL", "STM-INF-CMD",
      "STM-INF-STEP",   "STM-OWN-2",     "STM-POS-FAIL",  "STM-POS-RUN",  "STM-STATE-1",
      "STM-STEP-R1",    "STM-STEP-R2",   "STM-STEP-T1",   "STM-STEP-T2",  "STM-STEP-T3",
      "STM-STEP-T4",    "STM-TOOL-R2",   "STM-TOOL-T2",   "STM-TOOL-T3",  "STM-TOOL-T4",
      "STM-VOC-1",      "STM-WF-R1",     "STM-WF-R2",     "STM-WF-T1",    "STM-WF-T2",
      "STM-WF-T3"};
  family.kinds = {{"evict", 8}, {"work", 5},     {"command", 4}, {"call", 3},
                  {"step", 5},  {"workflow", 2}, {"batch", 2},   {"complete", 1},
                  {"fail", 1},  {"cancel", 1},   {"again", 1}};
  family.needs = {"control.evict"};
  family.open = open_running;
  family.watch = watch_layers;
  family.watch_end = watch_log_end;
  return family;
}

}  // namespace

std::vector<Family> execution_families() {
  std::vector<Family> families = {lower_layers(), terminal(), lifecycle_order(), reads_agree(),
                                  redeliveries(), evicted(),  deliveries()};
  for (Family& family : families) {
    family.step = step_of;
    family.answer = answer_of;
    family.answer_members = answer_members_of;
    family.state = execution_state;
  }
  return families;
}

}  // namespace assay::properties
