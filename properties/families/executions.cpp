// Specification 000: generated histories of replay executions.
#include <set>
#include <utility>

#include "properties/families/execution_moves.h"
#include "properties/families/execution_observations.h"
#include "properties/families/families.h"
#include "properties/families/patterns.h"
#include "properties/families/steps.h"

namespace assay::properties::execution_families {
namespace {

using core::Step;

/// A filter takes the state in any case.
Observation lists_it(std::string state) {
  Observation observation{"executions.list", {"execution_id", "state"}, {"API-FILTER"}};
  observation.parameters = {{"state", std::move(state)}, {"limit", 1000}};
  observation.among_others = true;
  return observation;
}

/// The list shows what the detail and the status do.
Observation lists_its_state() {
  Observation observation{
      "executions.list", {"execution_id", "state"}, {"API-DETAIL"}, {{"limit", 1000}}};
  observation.among_others = true;
  return observation;
}

/// The log, page by small page: nothing is skipped, nothing comes twice.
Observation pages(const View& view) {
  Observation observation{"events.list", {}, {"API-PAGING"}, {{"limit", 3}}};
  const Value* items = view.read("events.list").find("items");
  observation.rule = length(items != nullptr && items->is_list() ? items->as_list().size() : 0);
  return observation;
}

/// Whatever a status answer says more, variables are not of it.
Observation shows_no_variables() {
  Observation observation{"executions.status", {}, {"STM-API-NOVARS"}};
  observation.rule = object({{"ctx", absent()},
                             {"workload", absent()},
                             {"variables", absent()},
                             {"payload", absent()},
                             {"result", absent()}});
  return observation;
}

Observation shows_every_field() {
  Observation observation{"executions.status", {}, {"STM-API-FIELDS"}};
  // The status answer is closed: it has these and no others.
  observation.rule = object({{"execution_id", any()},
                             {"state", any()},
                             {"current_step", any()},
                             {"started_at", any()},
                             {"ended_at", any()},
                             {"terminal_event", any()},
                             {"completion_inferred", any()}});
  std::get<core::ObjectPattern>(observation.rule->form).exactly = true;
  observation.of_the_binding = true;
  return observation;
}

/// The view of variables has both kinds of them.
Observation shows_ctx() {
  Observation observation{"executions.variables", {}, {"STM-API-VIEW"}};
  observation.rule = object({{"ctx", any()}});
  observation.of_the_binding = true;
  return observation;
}

/// Nor is anything of them in the detail.
Observation detail_shows_no_workload() {
  Observation observation = shows_no_variables();
  observation.operation = "executions.detail";
  observation.rule = object({{"workload", absent()}, {"ctx", absent()}, {"variables", absent()}});
  observation.of_the_binding = true;
  return observation;
}

/// Each close is in the log as often as it was emitted.
Observation lists_each_close_once() {
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
/// dropped, is the binding's to say; what the payload of a server's own event is, the server's.
Observation whole_log(const View& view, std::string clause) {
  Observation observation{
      "events.list",
      {"event_id", "event_type", "timestamp", "command_id", "node_name", "status"},
      {std::move(clause)}};
  const std::vector<Step>& steps = view.steps();
  const bool is_cancelled = std::any_of(steps.begin(), steps.end(), is_cancel);
  if (!is_cancelled) observation.members.emplace_back("payload");
  observation.of_the_binding = is_cancelled || ends_of(view).size() > 1;
  return observation;
}

std::vector<Observation> observe_end(const View& view) {
  const std::string state = execution_state(view);
  Observation listed = lists_it(state);
  if (state == "CANCELLED") listed.clauses.emplace_back("STM-VOC-1");
  return {
      {"executions.detail", {"steps", "commands", "tools", "workflow_state"}, {"API-DETAIL"}},
      {"executions.detail", {"anomalies"}, {"API-ANOMALY"}},
      {"executions.variables", {"workload"}, {"STM-API-VIEW"}},
      whole_log(view, "EVT-LOG-1"),
      {"events.list", {"event_id", "seq"}, {"API-SEQ"}},
      shows_no_variables(),
      detail_shows_no_workload(),
      shows_ctx(),
      shows_every_field(),
      std::move(listed),
      lists_its_state(),
      lists_it(in_lower_case(state)),
      pages(view),
  };
}

std::vector<Observation> observe_lifecycle_end(const View& /*view*/) {
  return {lists_each_close_once()};
}

std::vector<Observation> observe_log_end(const View& view) {
  return {
      whole_log(view, "EVT-IDEM-1"),
      {"executions.detail", {"steps", "commands", "tools", "workflow_state"}, {"API-DETAIL"}},
  };
}

/// What an event's own answer proves: that it was taken, for what its layer's clauses allow.
std::vector<std::string> answer_of(const TakenStep& taken) {
  using core::Acceptance;
  if (taken.acceptance == Acceptance::duplicate) return {"EVT-IDEM-1"};
  if (taken.acceptance == Acceptance::refused) return {"API-CONFLICT"};
  if (taken.made == "executions.cancel") return {"API-CANCEL"};
  if (taken.made == "executions.start") return {};
  if (taken.made == "control.evict") return {"STM-API-INFER"};
  return {"API-ANOMALY"};
}

/// And that whatever comes after the end is kept, too.
std::vector<std::string> answer_after_the_end(const TakenStep& taken) {
  const bool is_event = std::holds_alternative<core::Post>(taken.step.action);
  const bool is_late = is_event && is_terminal(taken.before);
  if (is_late && taken.acceptance == core::Acceptance::accepted) return {"EVT-LOG-1"};
  return answer_of(taken);
}

/// Of the answer to a cancel: whether it says that there was nothing left to do.
std::vector<std::string> answer_members_of(const TakenStep& taken) {
  if (taken.made != "executions.cancel") return {};
  return {"already_terminal"};
}

Family lower_layers() {
  Family family;
  family.id = "properties/lower-layers-never-close";
  family.title = "No interleaving of lower-layer events closes an execution or opens it again";
  family.clauses = {"API-ANOMALY",     "EVT-NAME-BOUNDARY", "STM-API-ENDED", "STM-API-INFER",
                    "STM-API-STARTED", "STM-API-STEP",      "STM-API-TERM",  "STM-CASE-1",
                    "STM-CMD-R2",      "STM-EXEC-R2",       "STM-EXEC-T1",   "STM-INF-BATCH",
                    "STM-INF-CALL",    "STM-INF-CMD",       "STM-INF-STEP",  "STM-OWN-2",
                    "STM-POS-FAIL",    "STM-POS-RUN",       "STM-STATE-1",   "STM-STEP-R2",
                    "STM-TOOL-R2",     "STM-WF-R1"};
  family.kinds = {{"work", 8},  {"command", 4},  {"call", 4},    {"step", 6},
                  {"batch", 4}, {"workflow", 3}, {"foreign", 2}, {"two at once", 2},
                  {"evict", 1}, {"drop", 1},     {"lone end", 1}};
  family.open = open_running;
  family.observe = observe_status;
  return family;
}

Family terminal() {
  Family family;
  family.id = "properties/terminal-is-for-ever";
  family.title = "Nothing that comes after the end of an execution changes its status";
  family.clauses = {"API-ANOMALY",   "API-CANCEL",    "EVT-IDEM-1",      "EVT-LOG-1",
                    "STM-API-ENDED", "STM-API-INFER", "STM-API-STARTED", "STM-API-TERM",
                    "STM-EXEC-R1",   "STM-EXEC-T1",   "STM-EXEC-T2",     "STM-EXEC-T3",
                    "STM-EXEC-T4",   "STM-OWN-2",     "STM-STATE-1",     "STM-VOC-1"};
  family.kinds = {{"complete", 3}, {"fail", 3},    {"cancelled", 3}, {"cancel", 3},
                  {"start", 2},    {"command", 4}, {"step", 3},      {"batch", 2},
                  {"evict", 2},    {"again", 2},   {"backdated", 2}, {"finished", 1}};
  family.parts = {{"way", 1}};
  family.most_parts = 1;
  family.open = open_closed;
  family.observe = observe_status;
  return family;
}

Family lifecycle_order() {
  Family family;
  family.id = "properties/first-lifecycle-event-decides";
  family.title = "The first lifecycle event that closes an execution closes it, in any order";
  family.clauses = {"API-ANOMALY",   "API-CANCEL",      "STM-API-ENDED", "STM-API-FIELDS",
                    "STM-API-INFER", "STM-API-STARTED", "STM-API-STEP",  "STM-API-TERM",
                    "STM-EXEC-R1",   "STM-EXEC-R2",     "STM-EXEC-T1",   "STM-EXEC-T2",
                    "STM-EXEC-T3",   "STM-EXEC-T4",     "STM-INF-CMD",   "STM-ONCE-1",
                    "STM-OWN-2",     "STM-POS-FAIL",    "STM-POS-RUN",   "STM-STATE-1",
                    "STM-VOC-1",     "STM-WF-R1"};
  family.kinds = {{"start", 5},   {"complete", 2}, {"fail", 2},     {"cancelled", 2}, {"cancel", 2},
                  {"command", 2}, {"workflow", 2}, {"finished", 5}, {"evict", 1}};
  family.open = open_fresh;
  family.observe = observe_status;
  family.observe_end = observe_lifecycle_end;
  return family;
}

Family reads_agree() {
  Family family;
  family.id = "properties/reads-agree";
  family.title = "Status, detail, list and log tell one story at all times";
  family.clauses = {
      "API-ANOMALY",    "API-CANCEL",      "API-DETAIL",    "API-FILTER",     "API-PAGING",
      "API-SEQ",        "EVT-LOG-1",       "STM-API-ENDED", "STM-API-FIELDS", "STM-API-INFER",
      "STM-API-NOVARS", "STM-API-STARTED", "STM-API-STEP",  "STM-API-TERM",   "STM-API-VIEW",
      "STM-CASE-1",     "STM-CMD-R1",      "STM-CMD-R2",    "STM-CMD-T1",     "STM-CMD-T2",
      "STM-CMD-T3",     "STM-CMD-T4",      "STM-CMD-T5",    "STM-CMD-T6",     "STM-EXEC-R1",
      "STM-EXEC-R2",    "STM-EXEC-T1",     "STM-EXEC-T2",   "STM-EXEC-T3",    "STM-EXEC-T4",
      "STM-INF-BATCH",  "STM-INF-CALL",    "STM-INF-CMD",   "STM-INF-STEP",   "STM-POS-FAIL",
      "STM-POS-RUN",    "STM-STATE-1",     "STM-STEP-R1",   "STM-STEP-R2",    "STM-STEP-T1",
      "STM-STEP-T2",    "STM-STEP-T3",     "STM-STEP-T4",   "STM-TOOL-R2",    "STM-TOOL-T1",
      "STM-TOOL-T2",    "STM-TOOL-T3",     "STM-TOOL-T4",   "STM-TRANS-ONLY", "STM-VOC-1",
      "STM-WF-R1",      "STM-WF-R2",       "STM-WF-T1",     "STM-WF-T2",      "STM-WF-T3"};
  family.kinds = {{"work", 10},    {"worker", 3},   {"command", 5}, {"call", 4},
                  {"step", 6},     {"workflow", 3}, {"batch", 1},   {"start", 1},
                  {"complete", 1}, {"fail", 1},     {"cancel", 1},  {"two at once", 2},
                  {"cancelled", 1}};
  family.open = open_running;
  family.observe = observe_layers;
  family.observe_end = observe_end;
  return family;
}

Family redeliveries() {
  Family family;
  family.id = "properties/redelivery-changes-nothing";
  family.title = "An event that is delivered again changes nothing, with other content neither";
  family.clauses = {"API-ANOMALY",   "API-CONFLICT",   "API-DETAIL",    "EVT-IDEM-1",
                    "STM-API-ENDED", "STM-API-FIELDS", "STM-API-INFER", "STM-API-STARTED",
                    "STM-API-STEP",  "STM-API-TERM",   "STM-CASE-1",    "STM-EXEC-R1",
                    "STM-EXEC-R2",   "STM-EXEC-T1",    "STM-EXEC-T2",   "STM-INF-CALL",
                    "STM-INF-CMD",   "STM-INF-STEP",   "STM-OWN-2",     "STM-POS-FAIL",
                    "STM-POS-RUN",   "STM-STATE-1",    "STM-STEP-R2",   "STM-TOOL-R2"};
  family.kinds = {{"command", 5},  {"step", 4},     {"call", 3},        {"again", 8},
                  {"conflict", 4}, {"complete", 1}, {"two at once", 1}, {"evict", 1}};
  family.needs = {"events.ids"};
  family.open = open_running;
  family.observe = observe_status;
  family.observe_end = observe_log_end;
  return family;
}

Family deliveries() {
  Family family;
  family.id = "properties/delivery-loses-and-doubles-nothing";
  family.title = "However badly events are delivered, each that was sent is stored once";
  family.clauses = {"API-ANOMALY",   "API-CONFLICT",   "API-DETAIL",    "EVT-IDEM-1",
                    "STM-API-ENDED", "STM-API-FIELDS", "STM-API-INFER", "STM-API-STARTED",
                    "STM-API-STEP",  "STM-API-TERM",   "STM-CASE-1",    "STM-EXEC-R1",
                    "STM-EXEC-T1",   "STM-EXEC-T2",    "STM-INF-CMD",   "STM-INF-STEP",
                    "STM-POS-FAIL",  "STM-POS-RUN",    "STM-STATE-1",   "STM-STEP-R2"};
  family.kinds = {{"badly delivered", 8}, {"command", 3},  {"step", 2},
                  {"again", 2},           {"conflict", 1}, {"complete", 1}};
  family.needs = {"events.ids"};
  family.open = open_running;
  family.observe = observe_status;
  family.observe_end = observe_log_end;
  return family;
}

Family evicted() {
  Family family;
  family.id = "properties/evicted-equals-live";
  family.title = "What is rebuilt from the log is what the live state said";
  family.clauses = {
      "API-ANOMALY",    "API-CANCEL",    "API-DETAIL",      "EVT-IDEM-1",   "STM-API-ENDED",
      "STM-API-FIELDS", "STM-API-INFER", "STM-API-STARTED", "STM-API-STEP", "STM-API-TERM",
      "STM-CASE-1",     "STM-CMD-R1",    "STM-CMD-R2",      "STM-CMD-T1",   "STM-CMD-T2",
      "STM-CMD-T3",     "STM-CMD-T4",    "STM-CMD-T5",      "STM-CMD-T6",   "STM-EXEC-R1",
      "STM-EXEC-R2",    "STM-EXEC-T1",   "STM-EXEC-T2",     "STM-EXEC-T3",  "STM-EXEC-T4",
      "STM-INF-BATCH",  "STM-INF-CALL",  "STM-INF-CMD",     "STM-INF-STEP", "STM-OWN-2",
      "STM-POS-FAIL",   "STM-POS-RUN",   "STM-STATE-1",     "STM-STEP-R1",  "STM-STEP-R2",
      "STM-STEP-T1",    "STM-STEP-T2",   "STM-STEP-T3",     "STM-STEP-T4",  "STM-TOOL-R2",
      "STM-TOOL-T1",    "STM-TOOL-T2",   "STM-TOOL-T3",     "STM-TOOL-T4",  "STM-TRANS-ONLY",
      "STM-VOC-1",      "STM-WF-R1",     "STM-WF-R2",       "STM-WF-T1",    "STM-WF-T2",
      "STM-WF-T3"};
  family.kinds = {{"evict", 8},    {"work", 5}, {"worker", 2},   {"command", 4},
                  {"call", 3},     {"step", 5}, {"workflow", 4}, {"batch", 2},
                  {"complete", 1}, {"fail", 1}, {"cancel", 1},   {"again", 1}};
  family.needs = {"control.evict"};
  family.open = open_working;
  family.observe = observe_layers;
  family.observe_end = observe_log_end;
  return family;
}

}  // namespace

std::vector<Family> all() {
  std::vector<Family> families = {lower_layers(), terminal(), lifecycle_order(), reads_agree(),
                                  redeliveries(), evicted(),  deliveries()};
  for (Family& family : families) {
    family.step = execution_step;
    const bool is_about_ends = family.id == "properties/terminal-is-for-ever";
    family.answer = is_about_ends ? answer_after_the_end : answer_of;
    family.answer_members = answer_members_of;
    family.state = execution_state;
  }
  return families;
}

}  // namespace assay::properties::execution_families
