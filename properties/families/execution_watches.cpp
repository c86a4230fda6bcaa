#include "properties/families/execution_watches.h"

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

std::string word_of(const Moment& moment, std::string_view member) {
  return event_of(moment.step).string_at(member).value_or("");
}

bool is_on_end(const Moment& moment) { return upper(word_of(moment, "node")) == "END"; }

bool closes(const Moment& moment) {
  const std::string& made = moment.made;
  if (made == "playbook.finished") {
    const std::string status = word_of(moment, "status");
    return status == "success" || status == "error";
  }
  return made == "playbook.completed" || made == "playbook.failed" ||
         made == "execution.cancelled" || made == "executions.cancel";
}

bool starts(const Moment& moment) {
  return moment.made == "playbook.initialized" || moment.made == "playbook.started";
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

std::string clause_of_command(const Moment& moment) {
  if (moment.made == "command.issued") return "STM-POS-RUN";
  if (moment.made == "command.failed") return "STM-POS-FAIL";
  const bool is_last = moment.made == "command.completed" && !is_on_end(moment) &&
                       all_commands_completed(moment.view);
  return is_last ? "STM-CMD-R2" : "STM-INF-CMD";
}

std::string clause_of_step(const Moment& moment) {
  if (event_of(moment.step).find("iteration") != nullptr) return "STM-STEP-R2";
  const std::string status = word_of(moment, "status");
  const bool is_spelt_otherwise = status != upper(status);
  return is_spelt_otherwise && !is_on_end(moment) ? "STM-CASE-1" : "STM-INF-STEP";
}

std::string clause_of_close(const Moment& moment) {
  const std::string& made = moment.made;
  if (made == "execution.cancelled" || made == "executions.cancel") return "STM-EXEC-T4";
  // An outcome is no way out of PENDING that the table names; that it holds for good is the rule.
  if (moment.before == "PENDING") return "STM-EXEC-R1";
  const bool is_error = word_of(moment, "status") == "error";
  return made == "playbook.failed" || is_error ? "STM-EXEC-T3" : "STM-EXEC-T2";
}

/// Whether a call ended in a word that is no mere success.
bool says_more_than_done(const Moment& moment) {
  if (moment.made != "call.done") return false;
  const Value* status = event_of(moment.step).at_pointer("/payload/outcome/status");
  return status != nullptr && (*status == Value("BREAK") || *status == Value("NOOP"));
}

/// The clause that decides the state after what was done.
std::string clause_of_state(const Moment& moment) {
  const std::string& made = moment.made;
  if (is_terminal(moment.before)) return made == "control.evict" ? "STM-OWN-2" : "STM-EXEC-R1";
  if (made == "control.evict") return "STM-OWN-2";
  if (closes(moment)) return clause_of_close(moment);
  if (made == "batch.completed") return "STM-INF-BATCH";
  if (starts_with(made, "command.")) return clause_of_command(moment);
  if (made == "call.error" || says_more_than_done(moment)) return "STM-TOOL-R2";
  if (made == "call.done") return "STM-INF-CALL";
  if (starts_with(made, "step.")) return clause_of_step(moment);
  if (made == "workflow.completed") return "STM-WF-R1";
  if (starts(moment)) return "STM-EXEC-T1";
  if (made == "playbook.paused") return "STM-STATE-1";
  if (made == "loop.done") return "EVT-NAME-BOUNDARY";
  return "STM-EXEC-R2";
}

/// CANCELLED has a word of its own: it reads neither as a failure nor in another spelling.
Watch cancelled_is_a_word() {
  Watch watch{"executions.status", {"state"}, {"STM-VOC-1"}, {}, "main", {"terminal_event"}};
  watch.rule = object({{"state", one_of({"CANCELLED", "PENDING", "RUNNING", "COMPLETED"})}});
  return watch;
}

Watch state_is_a_word() {
  Watch watch{"executions.status", {"state"}, {"STM-STATE-1"}};
  watch.rule =
      object({{"state", one_of({"PENDING", "RUNNING", "COMPLETED", "FAILED", "CANCELLED"})}});
  return watch;
}

/// A list of the detail: of the item that the step is about what the sound server shows of it, of
/// the others the same, each under its clause.
void watch_items(const Moment& moment, std::string_view list, std::string_view key,
                 const std::string& own, const std::vector<std::string>& clauses,
                 const std::string& clause_of_others, std::vector<Watch>& watches) {
  const Value* items = moment.view.read("executions.detail").find(list);
  if (items == nullptr || !items->is_list()) return;
  const auto is_own = [&](const Value& item) { return item.string_at(key).value_or("") == own; };
  const auto own_items = std::count_if(items->as_list().begin(), items->as_list().end(), is_own);
  const ItemChoice choice{std::string(key), own};
  Watch watch{"executions.detail", {std::string(list)}, clauses};
  if (own_items == 0) {
    watch.rule = object({{list, of(How::excludes, {object({{key, literal(own)}})})}});
  } else {
    watch.choice = choice;
  }
  watches.push_back(std::move(watch));
  const bool has_others = std::cmp_greater(items->as_list().size(), own_items);
  if (clause_of_others.empty() || !has_others) return;
  Watch others{"executions.detail", {std::string(list)}, {clause_of_others}};
  others.choice = choice;
  others.choice->is_text = false;
  watches.push_back(std::move(others));
}

void watch_step(const Moment& moment, std::vector<Watch>& watches) {
  std::string clause = "STM-STEP-T1";
  if (moment.made == "step.exit") {
    const std::string status = upper(word_of(moment, "status"));
    clause = status == "FAILED"         ? "STM-STEP-T3"
             : status == "CASE_HANDLED" ? "STM-STEP-T4"
                                        : "STM-STEP-T2";
    if (event_of(moment.step).find("iteration") != nullptr) clause = "STM-STEP-R2";
  }
  watch_items(moment, "steps", "step", word_of(moment, "node"), {clause},
              moment.made == "step.exit" ? "STM-STEP-R1" : "", watches);
}

/// Whether the command had been started before it was said to have ended.
bool was_started(const Moment& moment) {
  const std::string command = word_of(moment, "command");
  const std::vector<core::Step>& steps = moment.view.steps();
  return std::any_of(steps.begin(), steps.end(), [&command](const core::Step& step) {
    const Value& event = event_of(step);
    return event.string_at("type") == "command.started" && event.string_at("command") == command;
  });
}

void watch_command(const Moment& moment, std::vector<Watch>& watches) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 6> clauses = {{
      {"command.issued", "STM-CMD-T1"},
      {"command.claimed", "STM-CMD-T2"},
      {"command.started", "STM-CMD-T3"},
      {"command.completed", "STM-CMD-T4"},
      {"command.failed", "STM-CMD-T5"},
      {"command.cancelled", "STM-CMD-T6"},
  }};
  for (const auto& [type, clause] : clauses) {
    if (moment.made != type) continue;
    const bool is_end = moment.made == "command.completed" || moment.made == "command.failed";
    std::vector<std::string> by{std::string(clause)};
    if (is_end && !was_started(moment)) by.emplace_back("STM-TRANS-ONLY");
    watch_items(moment, "commands", "command_id", word_of(moment, "command"), by, "", watches);
  }
  if (moment.made == "command.issued") {
    watch_items(moment, "steps", "step", word_of(moment, "node"), {"STM-STEP-T1"}, "", watches);
  }
  if (moment.made == "command.started") {
    watch_items(moment, "tools", "command_id", word_of(moment, "command"), {"STM-TOOL-T1"}, "",
                watches);
  }
  if (moment.made == "command.failed") {
    watch_items(moment, "steps", "step", word_of(moment, "node"), {"STM-CMD-R1"}, "", watches);
  }
  if (moment.made == "command.completed") {
    watch_items(moment, "steps", "step", word_of(moment, "node"), {"STM-CMD-R1"}, "", watches);
    watches.push_back({"executions.detail", {"workflow_state"}, {"STM-WF-R2"}});
  }
}

/// The clause by which a call's answer is its command's outcome.
std::string clause_of_outcome(const Value& call) {
  if (call.string_at("type") == "call.error") return "STM-TOOL-T3";
  const Value* status = call.at_pointer("/payload/outcome/status");
  const bool is_word = status != nullptr && (*status == Value("BREAK") || *status == Value("NOOP"));
  return is_word ? "STM-TOOL-T4" : "STM-TOOL-T2";
}

void watch_tool(const Moment& moment, std::vector<Watch>& watches) {
  const std::string command = word_of(moment, "command");
  std::vector<std::string> clauses;
  for (const core::Step& step : moment.view.steps()) {
    const Value& event = event_of(step);
    const std::string type = event.string_at("type").value_or("");
    if (starts_with(type, "call.") && event.string_at("command").value_or("") == command) {
      clauses.push_back(clause_of_outcome(event));
    }
  }
  if (clauses.empty()) return;
  // A call moves no step, whatever it says.
  watch_items(moment, "steps", "step", word_of(moment, "node"),
              {moment.made == "call.error" ? "STM-STEP-T3" : "STM-STEP-T2"}, "", watches);
  // The first outcome stands; a second moves nothing.
  if (clauses.size() > 1) clauses = {clauses.front(), "API-ANOMALY"};
  watch_items(moment, "tools", "command_id", command, clauses, "", watches);
}

/// Whether the workflow has begun.
bool has_a_workflow(const View& view) {
  const std::vector<core::Step>& steps = view.steps();
  return std::any_of(steps.begin(), steps.end(), [](const core::Step& step) {
    return event_of(step).string_at("type") == "workflow.initialized";
  });
}

/// How far the workflow is, which only its own events say.
Watch watch_workflow(const Moment& moment) {
  const std::string state =
      moment.view.read("executions.detail").string_at("workflow_state").value_or("");
  std::string clause = state == "COMPLETED" ? "STM-WF-T2"
                       : state == "FAILED"  ? "STM-WF-T3"
                                            : "STM-WF-T1";
  if (moment.made == "batch.completed") clause = "STM-WF-R2";
  return {"executions.detail", {"workflow_state"}, {clause}};
}

}  // namespace

bool is_terminal(std::string_view state) {
  return state == "COMPLETED" || state == "FAILED" || state == "CANCELLED";
}

std::string execution_state(const View& view) {
  return view.read("executions.status").string_at("state").value_or("");
}

std::vector<Watch> watch_status(const Moment& moment) {
  if (moment.made == "executions.start") return {state_is_a_word()};
  const bool is_cancelled_now =
      (moment.made == "execution.cancelled" || moment.made == "executions.cancel") &&
      !is_terminal(moment.before);
  std::vector<Watch> watches;
  if (is_cancelled_now) watches.push_back(cancelled_is_a_word());
  // After the end it is the end that has to stand, and a tool's word must not be the state's.
  if (!is_terminal(moment.before) && !says_more_than_done(moment)) {
    watches.push_back(state_is_a_word());
  }
  watches.insert(
      watches.end(),
      {
          {"executions.status", {"state"}, {clause_of_state(moment)}},
          {"executions.status", {"ended_at"}, {"STM-API-ENDED"}, {}, "main", {"state"}},
          {"executions.status", {"terminal_event"}, {"STM-API-TERM"}, {}, "main", {"state"}},
          {"executions.status", {"completion_inferred"}, {"STM-API-INFER"}, {}, "main", {"state"}},
      });
  const std::string& made = moment.made;
  if (starts_with(made, "step.") || made == "command.issued") {
    const bool is_over = is_terminal(moment.before);
    watches.push_back({"executions.status",
                       {"current_step"},
                       {is_over ? "STM-EXEC-R1" : "STM-API-STEP"},
                       {},
                       "main",
                       {"state"}});
  }
  if ((starts(moment) || closes(moment)) && !is_terminal(moment.before)) {
    // The first start is the one that counts.
    Watch started{"executions.status", {"started_at"}, {"STM-API-STARTED"}, {}, "main", {"state"}};
    if (starts(moment) && moment.before == "RUNNING") started.clauses = {"STM-API-FIELDS"};
    watches.push_back(std::move(started));
  }
  return watches;
}

std::vector<Watch> watch_layers(const Moment& moment) {
  std::vector<Watch> watches = watch_status(moment);
  const std::string& made = moment.made;
  if (starts_with(made, "command.")) watch_command(moment, watches);
  if (made == "step.enter" || made == "step.exit") watch_step(moment, watches);
  if (starts_with(made, "call.")) watch_tool(moment, watches);
  if (made == "execution.cancelled" || made == "executions.cancel") {
    watches.push_back({"executions.detail", {"commands"}, {"API-CANCEL"}});
    Watch once{"events.list", {}, {"API-CANCEL"}, {{"event_type", "execution.cancelled"}}};
    const Value& listed = moment.view.read("events.list", "main", once.parameters);
    const Value* items = listed.find("items");
    if (items != nullptr && items->is_list()) {
      once.rule = length(items->as_list().size());
      watches.push_back(std::move(once));
    }
  }
  if (starts_with(made, "workflow.")) {
    const std::string clause = made == "workflow.initialized" ? "STM-WF-T1"
                               : !has_a_workflow(moment.view) ? "STM-TRANS-ONLY"
                               : made == "workflow.completed" ? "STM-WF-T2"
                                                              : "STM-WF-T3";
    watches.push_back({"executions.detail", {"workflow_state"}, {clause}});
    // What the status says, the detail says too; after an end it is the end that has to stand.
    if (made == "workflow.completed") {
      watches.push_back({"executions.detail", {"state"}, {clause_of_state(moment)}});
    }
  }
  if (starts(moment) || made == "batch.completed" || made == "control.evict") {
    watches.push_back(watch_workflow(moment));
  }
  if (starts(moment) && !is_terminal(moment.before)) {
    Watch detail = state_is_a_word();
    detail.operation = "executions.detail";
    watches.push_back(std::move(detail));
  }
  return watches;
}

}  // namespace assay::properties
