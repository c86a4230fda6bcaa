#include "properties/families/execution_observations.h"

#include <algorithm>
#include <array>
#include <utility>

#include "properties/families/patterns.h"

namespace assay::properties {
namespace {

using core::Pattern;

bool starts_with(std::string_view text, std::string_view beginning) {
  return text.substr(0, beginning.size()) == beginning;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](char letter) {
    return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
  });
  return text;
}

/// The one event of a step; null where there is none, or several.
const Value& event_of(const core::Step& step) {
  static const Value nothing;
  const auto* action = std::get_if<core::Post>(&step.action);
  return action == nullptr || action->batch ? nothing : action->events.front();
}

std::string word_of(const TakenStep& taken, std::string_view member) {
  return event_of(taken.step).string_at(member).value_or("");
}

bool is_on_end(const TakenStep& taken) { return upper(word_of(taken, "node")) == "END"; }

bool closes(const TakenStep& taken) {
  const std::string& made = taken.made;
  if (made == "playbook.finished") {
    const std::string status = word_of(taken, "status");
    return status == "success" || status == "error";
  }
  return made == "playbook.completed" || made == "playbook.failed" ||
         made == "execution.cancelled" || made == "executions.cancel";
}

bool starts(const TakenStep& taken) {
  return taken.made == "playbook.initialized" || taken.made == "playbook.started";
}

/// Whether every command that was issued has completed.
bool all_commands_completed(const View& view) {
  const Value* commands = view.read("executions.detail").find("commands");
  if (commands == nullptr || !commands->is_list() || commands->as_list().empty()) return false;
  const List& list = commands->as_list();
  return std::all_of(list.begin(), list.end(), [](const Value& command) {
    return command.string_at("state").value_or("") == "COMPLETED";
  });
}

std::string clause_of_command(const TakenStep& taken) {
  if (taken.made == "command.issued") return "STM-POS-RUN";
  if (taken.made == "command.failed") return "STM-POS-FAIL";
  const bool is_last =
      taken.made == "command.completed" && !is_on_end(taken) && all_commands_completed(taken.view);
  return is_last ? "STM-CMD-R2" : "STM-INF-CMD";
}

std::string clause_of_step(const TakenStep& taken) {
  if (event_of(taken.step).find("iteration") != nullptr) return "STM-STEP-R2";
  const std::string status = word_of(taken, "status");
  const bool is_spelt_otherwise = status != upper(status);
  return is_spelt_otherwise && !is_on_end(taken) ? "STM-CASE-1" : "STM-INF-STEP";
}

std::string clause_of_close(const TakenStep& taken) {
  const std::string& made = taken.made;
  if (made == "execution.cancelled" || made == "executions.cancel") return "STM-EXEC-T4";
  // An outcome is no way out of PENDING that the table names; that it holds for good is the rule.
  if (taken.before == "PENDING") return "STM-EXEC-R1";
  const bool is_error = word_of(taken, "status") == "error";
  return made == "playbook.failed" || is_error ? "STM-EXEC-T3" : "STM-EXEC-T2";
}

/// Whether a call ended in a word that is no mere success.
bool says_more_than_done(const TakenStep& taken) {
  if (taken.made != "call.done") return false;
  const Value* status = event_of(taken.step).at_pointer("/payload/outcome/status");
  return status != nullptr && (*status == Value("BREAK") || *status == Value("NOOP"));
}

/// The clause that decides the state after what was done.
std::string clause_of_state(const TakenStep& taken) {
  const std::string& made = taken.made;
  if (is_terminal(taken.before)) return made == "control.evict" ? "STM-OWN-2" : "STM-EXEC-R1";
  if (made == "control.evict") return "STM-OWN-2";
  if (closes(taken)) return clause_of_close(taken);
  if (made == "batch.completed") return "STM-INF-BATCH";
  if (starts_with(made, "command.")) return clause_of_command(taken);
  if (made == "call.error" || says_more_than_done(taken)) return "STM-TOOL-R2";
  if (made == "call.done") return "STM-INF-CALL";
  if (starts_with(made, "step.")) return clause_of_step(taken);
  if (made == "workflow.completed") return "STM-WF-R1";
  if (starts(taken)) return "STM-EXEC-T1";
  if (made == "playbook.paused") return "STM-STATE-1";
  if (made == "loop.done") return "EVT-NAME-BOUNDARY";
  return "STM-EXEC-R2";
}

/// CANCELLED has a word of its own: it reads neither as a failure nor in another spelling.
Observation cancelled_is_a_word() {
  Observation observation{"executions.status", {"state"}, {"STM-VOC-1"}, {}, "main",
                          {"terminal_event"}};
  observation.rule = object({{"state", one_of({"CANCELLED", "PENDING", "RUNNING", "COMPLETED"})}});
  return observation;
}

Observation state_is_a_word() {
  Observation observation{"executions.status", {"state"}, {"STM-STATE-1"}};
  observation.rule =
      object({{"state", one_of({"PENDING", "RUNNING", "COMPLETED", "FAILED", "CANCELLED"})}});
  return observation;
}

/// A list of the detail: of the item that the step is about what the sound server shows of it, of
/// the others the same, each under its clause.
void observe_items(const TakenStep& taken, std::string_view list, std::string_view key,
                   const std::string& own, const std::vector<std::string>& clauses,
                   const std::string& clause_of_others, std::vector<Observation>& observations) {
  const Value* items = taken.view.read("executions.detail").find(list);
  if (items == nullptr || !items->is_list()) return;
  const auto is_own = [&](const Value& item) { return item.string_at(key).value_or("") == own; };
  const auto own_items = std::count_if(items->as_list().begin(), items->as_list().end(), is_own);
  const ItemChoice choice{std::string(key), own};
  Observation observation{"executions.detail", {std::string(list)}, clauses};
  if (own_items == 0) {
    observation.rule = object({{list, of(How::excludes, {object({{key, literal(own)}})})}});
  } else {
    observation.choice = choice;
  }
  observations.push_back(std::move(observation));
  const bool has_others = std::cmp_greater(items->as_list().size(), own_items);
  if (clause_of_others.empty() || !has_others) return;
  Observation others{"executions.detail", {std::string(list)}, {clause_of_others}};
  others.choice = choice;
  others.choice->is_text = false;
  observations.push_back(std::move(others));
}

void observe_step(const TakenStep& taken, std::vector<Observation>& observations) {
  std::string clause = "STM-STEP-T1";
  if (taken.made == "step.exit") {
    const std::string status = upper(word_of(taken, "status"));
    clause = status == "FAILED"         ? "STM-STEP-T3"
             : status == "CASE_HANDLED" ? "STM-STEP-T4"
                                        : "STM-STEP-T2";
    if (event_of(taken.step).find("iteration") != nullptr) clause = "STM-STEP-R2";
  }
  observe_items(taken, "steps", "step", word_of(taken, "node"), {clause},
                taken.made == "step.exit" ? "STM-STEP-R1" : "", observations);
}

/// Whether the command had been started before it was said to have ended.
bool was_started(const TakenStep& taken) {
  const std::string command = word_of(taken, "command");
  const std::vector<core::Step>& steps = taken.view.steps();
  return std::any_of(steps.begin(), steps.end(), [&command](const core::Step& step) {
    const Value& event = event_of(step);
    return event.string_at("type") == "command.started" && event.string_at("command") == command;
  });
}

void observe_command(const TakenStep& taken, std::vector<Observation>& observations) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 6> clauses = {{
      {"command.issued", "STM-CMD-T1"},
      {"command.claimed", "STM-CMD-T2"},
      {"command.started", "STM-CMD-T3"},
      {"command.completed", "STM-CMD-T4"},
      {"command.failed", "STM-CMD-T5"},
      {"command.cancelled", "STM-CMD-T6"},
  }};
  for (const auto& [type, clause] : clauses) {
    if (taken.made != type) continue;
    const bool is_end = taken.made == "command.completed" || taken.made == "command.failed";
    std::vector<std::string> by{std::string(clause)};
    if (is_end && !was_started(taken)) by.emplace_back("STM-TRANS-ONLY");
    observe_items(taken, "commands", "command_id", word_of(taken, "command"), by, "", observations);
  }
  if (taken.made == "command.issued") {
    observe_items(taken, "steps", "step", word_of(taken, "node"), {"STM-STEP-T1"}, "",
                  observations);
  }
  if (taken.made == "command.started") {
    observe_items(taken, "tools", "command_id", word_of(taken, "command"), {"STM-TOOL-T1"}, "",
                  observations);
  }
  if (taken.made == "command.failed") {
    observe_items(taken, "steps", "step", word_of(taken, "node"), {"STM-CMD-R1"}, "", observations);
  }
  if (taken.made == "command.completed") {
    observe_items(taken, "steps", "step", word_of(taken, "node"), {"STM-CMD-R1"}, "", observations);
    observations.push_back({"executions.detail", {"workflow_state"}, {"STM-WF-R2"}});
  }
}

/// The clause by which a call's answer is its command's outcome.
std::string clause_of_outcome(const Value& call) {
  if (call.string_at("type") == "call.error") return "STM-TOOL-T3";
  const Value* status = call.at_pointer("/payload/outcome/status");
  const bool is_word = status != nullptr && (*status == Value("BREAK") || *status == Value("NOOP"));
  return is_word ? "STM-TOOL-T4" : "STM-TOOL-T2";
}

void observe_tool(const TakenStep& taken, std::vector<Observation>& observations) {
  const std::string command = word_of(taken, "command");
  std::vector<std::string> clauses;
  for (const core::Step& step : taken.view.steps()) {
    const Value& event = event_of(step);
    const std::string type = event.string_at("type").value_or("");
    if (starts_with(type, "call.") && event.string_at("command").value_or("") == command) {
      clauses.push_back(clause_of_outcome(event));
    }
  }
  if (clauses.empty()) return;
  // A call moves no step, whatever it says.
  observe_items(taken, "steps", "step", word_of(taken, "node"),
                {taken.made == "call.error" ? "STM-STEP-T3" : "STM-STEP-T2"}, "", observations);
  // The first outcome stands; a second moves nothing.
  if (clauses.size() > 1) clauses = {clauses.front(), "API-ANOMALY"};
  observe_items(taken, "tools", "command_id", command, clauses, "", observations);
}

/// Whether the workflow has begun.
bool has_a_workflow(const View& view) {
  const std::vector<core::Step>& steps = view.steps();
  return std::any_of(steps.begin(), steps.end(), [](const core::Step& step) {
    return event_of(step).string_at("type") == "workflow.initialized";
  });
}

/// How far the workflow is, which only its own events say.
Observation observe_workflow(const TakenStep& taken) {
  const std::string state =
      taken.view.read("executions.detail").string_at("workflow_state").value_or("");
  std::string clause = state == "COMPLETED" ? "STM-WF-T2"
                       : state == "FAILED"  ? "STM-WF-T3"
                                            : "STM-WF-T1";
  if (taken.made == "batch.completed") clause = "STM-WF-R2";
  return {"executions.detail", {"workflow_state"}, {clause}};
}

}  // namespace

bool is_terminal(std::string_view state) {
  return state == "COMPLETED" || state == "FAILED" || state == "CANCELLED";
}

std::string execution_state(const View& view) {
  return view.read("executions.status").string_at("state").value_or("");
}

std::vector<Observation> observe_status(const TakenStep& taken) {
  if (taken.made == "executions.start") return {state_is_a_word()};
  const bool is_cancelled_now =
      (taken.made == "execution.cancelled" || taken.made == "executions.cancel") &&
      !is_terminal(taken.before);
  std::vector<Observation> observations;
  if (is_cancelled_now) observations.push_back(cancelled_is_a_word());
  // After the end it is the end that has to stand, and a tool's word must not be the state's.
  if (!is_terminal(taken.before) && !says_more_than_done(taken)) {
    observations.push_back(state_is_a_word());
  }
  observations.insert(
      observations.end(),
      {
          {"executions.status", {"state"}, {clause_of_state(taken)}},
          {"executions.status", {"ended_at"}, {"STM-API-ENDED"}, {}, "main", {"state"}},
          {"executions.status", {"terminal_event"}, {"STM-API-TERM"}, {}, "main", {"state"}},
          {"executions.status", {"completion_inferred"}, {"STM-API-INFER"}, {}, "main", {"state"}},
      });
  const std::string& made = taken.made;
  if (starts_with(made, "step.") || made == "command.issued") {
    const bool is_over = is_terminal(taken.before);
    observations.push_back({"executions.status",
                            {"current_step"},
                            {is_over ? "STM-EXEC-R1" : "STM-API-STEP"},
                            {},
                            "main",
                            {"state"}});
  }
  if ((starts(taken) || closes(taken)) && !is_terminal(taken.before)) {
    // The first start is the one that counts.
    Observation started{
        "executions.status", {"started_at"}, {"STM-API-STARTED"}, {}, "main", {"state"}};
    if (starts(taken) && taken.before == "RUNNING") started.clauses = {"STM-API-FIELDS"};
    observations.push_back(std::move(started));
  }
  return observations;
}

std::vector<Observation> observe_layers(const TakenStep& taken) {
  std::vector<Observation> observations = observe_status(taken);
  const std::string& made = taken.made;
  if (starts_with(made, "command.")) observe_command(taken, observations);
  if (made == "step.enter" || made == "step.exit") observe_step(taken, observations);
  if (starts_with(made, "call.")) observe_tool(taken, observations);
  if (made == "execution.cancelled" || made == "executions.cancel") {
    observations.push_back({"executions.detail", {"commands"}, {"API-CANCEL"}});
    Observation once{"events.list", {}, {"API-CANCEL"}, {{"event_type", "execution.cancelled"}}};
    const Value& listed = taken.view.read("events.list", "main", once.parameters);
    const Value* items = listed.find("items");
    if (items != nullptr && items->is_list()) {
      once.rule = length(items->as_list().size());
      observations.push_back(std::move(once));
    }
  }
  if (starts_with(made, "workflow.")) {
    const std::string clause = made == "workflow.initialized" ? "STM-WF-T1"
                               : !has_a_workflow(taken.view)  ? "STM-TRANS-ONLY"
                               : made == "workflow.completed" ? "STM-WF-T2"
                                                              : "STM-WF-T3";
    observations.push_back({"executions.detail", {"workflow_state"}, {clause}});
    // What the status says, the detail says too; after an end it is the end that has to stand.
    if (made == "workflow.completed") {
      observations.push_back({"executions.detail", {"state"}, {clause_of_state(taken)}});
    }
  }
  if (starts(taken) || made == "batch.completed" || made == "control.evict") {
    observations.push_back(observe_workflow(taken));
  }
  if (starts(taken) && !is_terminal(taken.before)) {
    Observation detail = state_is_a_word();
    detail.operation = "executions.detail";
    observations.push_back(std::move(detail));
  }
  return observations;
}

}  // namespace assay::properties
