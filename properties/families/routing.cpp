// Specification 003, 4 to 6: where tokens go, and when nothing is left to do.
#include <utility>

#include "properties/families/driven.h"
#include "properties/families/families.h"
#include "properties/families/playbooks.h"
#include "properties/families/steps.h"

namespace assay::properties::routing_families {
namespace {

const std::vector<Kind>& net_parts() {
  static const std::vector<Kind> parts = {{"step", 6}, {"arc", 4}, {"router", 4}, {"workload", 1}};
  return parts;
}

const std::vector<Kind>& gated_parts() {
  static const std::vector<Kind> parts = {{"step", 6}, {"arc", 2}, {"router", 4}, {"gate", 3}};
  return parts;
}

Opening open_net(const Draft& draft) {
  return {playbook_of(draft.construction, net_parts()), {operate("executions.start", {}, "main")}};
}

/// What becomes of a denied token is said: whether a server knows the default is not asked here.
Opening open_gated(const Draft& draft) {
  Value playbook = playbook_of(draft.construction, gated_parts());
  playbook.as_object().emplace("executor", Object{{"spec", Object{{"denied_token", "pending"}}}});
  return {std::move(playbook), {operate("executions.start", {}, "main")}};
}

std::vector<std::string> answer_of(const TakenStep& taken) {
  if (taken.made == "executions.cancel") return {"API-CANCEL"};
  // The only events that are posted one by one are those of step runs that never were.
  if (std::holds_alternative<core::Post>(taken.step.action)) return {"EVT-EMIT-NOSTART"};
  return {};
}

void append(std::vector<Observation>& observations, std::vector<Observation> more) {
  for (Observation& observation : more) observations.push_back(std::move(observation));
}

/// step.scheduled, for what the tokens show already.
std::vector<Observation> observe_scheduling(const TakenStep& taken) {
  const Object filter{{"event_type", "step.scheduled"}};
  const bool is_start = taken.made == "executions.start";
  Observation committed{"events.list", {"entity_id"}, {"EVT-STEP-SCHED"}, filter};
  committed.among_others = true;
  Observation all{
      "events.list", {"entity_id"}, {is_start ? "RTE-ENTRY-ONE" : "EVT-STEP-SCHED"}, filter};
  all.in_any_order = true;
  Observation args{"events.list", {"entity_id", "payload.args"}, {"RTE-ARGS-BIND"}, filter};
  args.given = {"entity_id"};
  args.in_any_order = true;
  args.exactly = true;
  return {committed, all, args};
}

std::vector<Observation> observe_net(const TakenStep& taken) {
  const std::vector<Observation> ending = observe_end_of_execution(taken);
  const std::vector<Observation> tokens = observe_tokens(taken);
  std::vector<Observation> observations = observe_router(taken);
  // An early end leaves no tokens, and too many tokens leave no end: the cause is told first.
  const bool ends = is_end(driven_state(taken.view));
  append(observations, ends ? tokens : ending);
  append(observations, ends ? ending : tokens);
  append(observations, observe_arcs(taken));
  append(observations, observe_scheduling(taken));
  if (taken.made == "executions.ctx") {
    Observation ctx{"executions.variables", {"ctx"}, {"RTE-GUARD-STATE"}};
    ctx.exactly = true;
    observations.push_back(ctx);
  }
  return observations;
}

/// The log has one step.scheduled, that of the entry, however often it was denied before.
bool has_run_the_entry_only(const View& view) {
  const Value* items =
      view.read("events.list", "main", {{"event_type", "step.scheduled"}}).find("items");
  return items != nullptr && items->as_list().size() == 1;
}

std::vector<Observation> observe_quiet(const TakenStep& taken) {
  std::vector<Observation> observations = observe_end_of_execution(taken);
  const std::string now = driven_state(taken.view);
  if (taken.made == "control.evict") {
    Observation tokens{"executions.marking", {"tokens.step"}, {"RTE-PLANE-SERVER"}};
    tokens.in_any_order = true;
    observations.push_back(tokens);
  }
  if (has_run_the_entry_only(taken.view)) {
    observations.push_back(
        {"events.list", {"entity_id"}, {"RTE-ENTRY-ONE"}, {{"event_type", "step.scheduled"}}});
  }
  const std::string type = now == "CANCELLED" ? "execution.cancelled" : "playbook.finished";
  const Object filter{{"event_type", type}};
  Observation some{"events.list", {"event_type"}, {"RTE-PLANE-SERVER"}, filter};
  some.among_others = true;
  observations.push_back(some);
  observations.push_back({"events.list", {"event_type"}, {"STM-ONCE-1"}, filter});
  return observations;
}

/// As many events of that type as the sound server lists.
Observation lists_each(std::string type, std::vector<std::string> clauses) {
  return {"events.list", {"event_type"}, std::move(clauses), {{"event_type", std::move(type)}}};
}

std::vector<Observation> observe_log_end(const View& /*view*/) {
  std::vector<Observation> observations;
  // What is not in the log is told before what that leaves behind.
  observations.push_back(lists_each("step.started", {"EVT-EMIT-WORKER"}));
  for (const char* type : {"task.started", "task.done", "task.failed"}) {
    observations.push_back(lists_each(type, {"EVT-EMIT-WORKER", "RTE-PLANE-WORKER"}));
  }
  for (const char* type : {"playbook.execution.requested", "playbook.request.evaluated",
                           "workflow.finished", "playbook.processed"}) {
    observations.push_back(lists_each(type, {"EVT-EMIT-SERVER"}));
  }
  append(observations, observe_log());
  return observations;
}

Family routing() {
  Family family;
  family.id = "properties/routing-equals-the-net";
  family.title = "Tokens go where the net says, for any net, any outcomes and any data";
  family.clauses = with_log_clauses(
      {"API-CANCEL", "EVT-EMIT-WORKER", "EVT-ENV-NAME", "RTE-ARGS-BIND", "RTE-ENTRY-FIRST",
       "RTE-ENTRY-ONE", "RTE-GUARD-DEFAULT", "RTE-GUARD-STATE", "RTE-LEAF", "RTE-MODE-DEFAULT",
       "RTE-MODE-INCL", "RTE-NOMATCH", "RTE-PLANE-WORKER", "RTE-QUIET-DONE", "RTE-QUIET-TOKENS",
       "RTE-STATUS", "STM-EXEC-T4", "STM-TOOL-R1"});
  family.kinds = {{"play", 12}, {"begin", 2},  {"end", 2},     {"late", 2},       {"twice", 2},
                  {"ctx", 2},   {"cancel", 1}, {"retried", 1}, {"unscheduled", 1}};
  family.parts = net_parts();
  family.most_parts = 12;
  family.open = open_net;
  family.observe = observe_net;
  return family;
}

Family quiescence() {
  Family family;
  family.id = "properties/quiescence-neither-early-nor-missed";
  family.title = "An execution ends once, when no token, no gate and no step run is left";
  family.clauses = with_log_clauses(
      {"API-CANCEL", "EVT-EMIT-WORKER", "EVT-ENV-NAME", "RTE-ENTRY-ONE", "RTE-GUARD-DEFAULT",
       "RTE-GUARD-STATE", "RTE-NOMATCH", "RTE-PLANE-SERVER", "RTE-PLANE-WORKER", "RTE-QUIET-DONE",
       "RTE-QUIET-TOKENS", "RTE-STATUS", "STM-EXEC-T4", "STM-TOOL-R1"});
  family.kinds = {{"play", 10}, {"begin", 3},  {"end", 3},     {"late", 2}, {"ctx", 4},
                  {"twice", 1}, {"cancel", 1}, {"retried", 2}, {"evict", 1}};
  family.parts = gated_parts();
  family.most_parts = 10;
  family.open = open_gated;
  family.observe = observe_quiet;
  return family;
}

}  // namespace

std::vector<Family> all() {
  std::vector<Family> families = {routing(), quiescence()};
  for (Family& family : families) {
    family.step = driven_step;
    family.answer = answer_of;
    family.state = driven_state;
    family.observe_end = observe_log_end;
    family.needs = {"executions.driven", "executions.marking"};
  }
  return families;
}

}  // namespace assay::properties::routing_families
