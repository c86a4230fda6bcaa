// Which tokens of the net fire, wait and end, and when nothing is left of it.
#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "reference_impl/faults/families.h"
#include "reference_impl/faults/log_reading.h"
#include "reference_impl/faults/moments.h"
#include "reference_impl/faults/playbooks.h"
#include "reference_impl/faults/rewriting.h"

namespace assay::faults {
namespace {

/// The steps that an arc leads to.
std::set<std::string> reached_steps(const Value& playbook) {
  std::set<std::string> reached;
  Value copy = playbook;
  each_item(copy, "workflow", [&](Value& step) {
    Value* next = member(step, "next");
    if (next == nullptr) return;
    each_item(*next, "arcs", [&](const Value& arc) { reached.insert(text_of(arc, "step")); });
  });
  return reached;
}

/// The last step that no arc leads to; "" where each is reached.
std::string last_unreached(Value& playbook) {
  const std::set<std::string> reached = reached_steps(playbook);
  std::string last;
  each_item(playbook, "workflow", [&](const Value& step) {
    const std::string name = text_of(step, "step");
    if (!reached.contains(name)) last = name;
  });
  return last;
}

/// The entry is the step behind the one that entry_step names.
void enter_the_next(Value& playbook) {
  Object* settings = settings_of(playbook);
  const List* steps = list_at(playbook, "workflow");
  if (settings == nullptr || steps == nullptr) return;
  const auto entry = settings->find("entry_step");
  if (entry == settings->end()) return;
  for (std::size_t at = 0; at + 1 < steps->size(); ++at) {
    if (entry->second != Value(text_of((*steps)[at], "step"))) continue;
    entry->second = text_of((*steps)[at + 1], "step");
    return;
  }
}

/// Another step.scheduled like that one, of a run of its own.
Value twin_of(const Value& scheduled) {
  Value twin = scheduled;
  for (const char* name : {"event_id", "step_run_id"}) {
    twin.as_object()[name] = text_of(twin, name) + "-twin";
  }
  return twin;
}

/// The newest step.scheduled of the log is followed by a twin at its end.
void schedule_newest_again(List& events) {
  const auto newest = std::find_if(events.rbegin(), events.rend(), [](const Value& event) {
    return is_type(event, "step.scheduled");
  });
  if (newest != events.rend()) events.push_back(twin_of(*newest));
}

/// An execution of which entry_step names the entry has two tokens there.
Intercept doubles_named_entry() {
  return [named = std::make_shared<Memory>()](service::Service& sound,
                                              const service::Request& request) {
    service::Reply reply = sound.handle(request);
    if (is_on_route(request, "POST /executions") && reply.status == 201) {
      const Value body = json_of(request.body);
      if (body.at_pointer("/playbook/executor/spec/entry_step") != nullptr) {
        named->keep("/executions/" + text_of(json_of(reply.body), "execution_id"));
      }
    }
    if (!named->has(execution_path(request))) return reply;
    return changes_log([](List& events) {
      if (count_type(events, "step.scheduled") == 1) schedule_newest_again(events);
    })(sound, request);
  };
}

std::vector<Fault> beginning_faults() {
  return {
      {"last-unreached-step-is-the-entry", "RTE-ENTRY-FIRST",
       "Without entry_step the entry is the last of the steps that no arc leads to",
       changes_playbook([](Value& playbook) {
         const std::string last = last_unreached(playbook);
         Object* settings = last.empty() ? nullptr : made_settings_of(playbook);
         if (settings != nullptr) settings->try_emplace("entry_step", last);
       })},
      {"entry-step-is-one-off", "RTE-ENTRY-OVERRIDE",
       "The entry is the step behind the one that entry_step names",
       changes_playbook(enter_the_next)},
      {"empty-entry-step-is-none", "RTE-ENTRY-EXISTS",
       "An empty entry_step is taken as if it were absent", changes_playbook([](Value& playbook) {
         if (Object* settings = settings_of(playbook)) {
           const auto entry = settings->find("entry_step");
           if (entry != settings->end() && entry->second == Value("")) settings->erase(entry);
         }
       })},
      {"named-entry-has-two-tokens", "RTE-ENTRY-ONE",
       "An entry that entry_step names is scheduled twice", doubles_named_entry},
      {"schedules-after-a-cancel", "RTE-PLANE-SERVER",
       "Behind the cancel of an execution the log has another step.scheduled",
       alters_by_log(log_route,
                     [](const List& log, Value& body) {
                       List* listed = list_at(body, "events");
                       if (listed == nullptr || count_type(log, "execution.cancelled") == 0) return;
                       schedule_newest_again(*listed);
                     })},
      {"attempts-begin-before-their-task", "RTE-PLANE-WORKER",
       "task.started is listed behind its first attempt", changes_log([](List& events) {
         for (std::size_t at = 1; at < events.size(); ++at) {
           if (is_type(events[at - 1], "task.started") &&
               is_type(events[at], "task.attempt.started")) {
             std::swap(events[at - 1], events[at]);
           }
         }
       })},
  };
}

/// The expression in a guard, without its braces.
std::string expression_of(const std::string& guard) {
  const std::size_t open = guard.find("{{");
  const std::size_t close = guard.rfind("}}");
  if (open == std::string::npos || close == std::string::npos) return guard;
  return guard.substr(open + 2, close - open - 2);
}

/// A rule that admits does so too once ctx holds anything.
void admit_with_any_ctx(Value& step) {
  List* rules = admission_rules(step);
  if (rules == nullptr) return;
  for (Value& rule : *rules) {
    Value* when = member(rule, "when");
    const Value* allows = rule.at_pointer("/then/allow");
    const bool admits = allows != nullptr && *allows == Value(true);
    if (when == nullptr || !when->is_string() || !admits) continue;
    *when = "{{ (" + expression_of(when->as_string()) + ") or ctx }}";
  }
}

/// A step with a policy and without a word on admission is denied.
void deny_without_admit(Value& step) {
  const Value* policy = step.at_pointer("/spec/policy");
  if (policy == nullptr || !policy->is_object() || policy->find("admit") != nullptr) return;
  Value& spec = *member(step, "spec");
  const Object rule{{"when", "{{ false }}"}, {"then", Object{{"allow", true}}}};
  member(spec, "policy")->as_object()["admit"] = Object{{"rules", List{rule}}};
}

/// The ctx of a step's outcome is lost while a token waits for admission.
service::Reply loses_ctx_at_gates(service::Service& sound, const service::Request& request) {
  if (!is_on_route(request, post_route)) return sound.handle(request);
  const Value marking = ask(sound, execution_path(request) + "/marking");
  const Value* tokens = marking.find("tokens");
  const bool one_waits =
      tokens != nullptr && tokens->is_list() &&
      std::any_of(tokens->as_list().begin(), tokens->as_list().end(),
                  [](const Value& token) { return has_text(token, "status", "pending"); });
  return alters_requests(post_route, [one_waits](Value& event) {
    Value* payload = member(event, "payload");
    if (one_waits && payload != nullptr && payload->is_object()) payload->as_object().erase("ctx");
  })(sound, request);
}

std::vector<Fault> gate_faults() {
  return {
      {"policy-without-admit-denies", "RTE-ADMIT-DEFAULT",
       "A step with a policy that says nothing of admission is denied",
       changes_steps(deny_without_admit)},
      {"any-ctx-opens-a-gate", "RTE-ADMIT-DENY",
       "A denied token is scheduled once ctx holds anything at all",
       changes_steps(admit_with_any_ctx)},
      {"steps-open-no-gate", "RTE-ADMIT-PENDING",
       "What a step merges into ctx is lost while a token waits for admission", loses_ctx_at_gates},
  };
}

std::string mode_of_step(const Value& step) {
  const Value* mode = step.at_pointer("/next/spec/mode");
  return mode != nullptr && mode->is_string() ? mode->as_string() : "";
}

List* arcs_of(Value& step) {
  Value* next = member(step, "next");
  return next == nullptr ? nullptr : list_at(*next, "arcs");
}

bool has_no_guard(const Value& arc) { return arc.find("when") == nullptr; }

/// Guards the arc with this expression besides.
void guard_besides(Value& arc, const std::string& expression) {
  if (!arc.is_object()) return;
  const Value* when = arc.find("when");
  const std::string before =
      when != nullptr && when->is_string() ? expression_of(when->as_string()) : "true";
  arc.as_object()["when"] = "{{ (" + before + ") and " + expression + " }}";
}

/// Of the arcs of an inclusive step the first to each target is left.
void keep_first_to_each(Value& step) {
  List* arcs = mode_of_step(step) == "inclusive" ? arcs_of(step) : nullptr;
  if (arcs == nullptr) return;
  std::set<std::string> known;
  std::erase_if(*arcs,
                [&](const Value& arc) { return !known.insert(text_of(arc, "step")).second; });
}

/// Without a mode, arcs that are all without guards fire together.
void fire_unguarded_together(Value& step) {
  const List* arcs = mode_of_step(step).empty() ? arcs_of(step) : nullptr;
  if (arcs == nullptr || !std::all_of(arcs->begin(), arcs->end(), has_no_guard)) return;
  Value& spec = member(step, "next")->as_object().try_emplace("spec", Object{}).first->second;
  if (spec.is_object()) spec.as_object()["mode"] = "inclusive";
}

/// A template within a list or an object is a text with other braces.
void keep_as_text(Value& value, bool is_nested) {
  if (value.is_object()) {
    for (auto& [name, inner] : value.as_object()) keep_as_text(inner, true);
  } else if (value.is_list()) {
    for (Value& inner : value.as_list()) keep_as_text(inner, true);
  } else if (is_nested && value.is_string() && value.as_string().starts_with("{{")) {
    value = "{" + expression_of(value.as_string()) + "}";
  }
}

/// The first leaf leads to a step that no arc leads to.
void lead_to_the_unreached(Value& playbook) {
  const Object* settings = settings_of(playbook);
  List* steps = list_at(playbook, "workflow");
  const std::string unreached = last_unreached(playbook);
  if (settings != nullptr || steps == nullptr || steps->empty()) return;
  if (unreached.empty() || has_text(steps->front(), "step", unreached)) return;
  const auto leaf = std::find_if(steps->begin(), steps->end(), [&](const Value& step) {
    return step.is_object() && step.find("next") == nullptr && !has_text(step, "step", unreached);
  });
  if (leaf == steps->end()) return;
  leaf->as_object()["next"] = Object{{"arcs", List{Object{{"step", unreached}}}}};
}

std::vector<Fault> choosing_faults() {
  return {
      {"no-arc-after-a-failure", "RTE-ROUTE-WHEN", "No arc is taken after step.failed",
       changes_arcs([](Value& arc) { guard_besides(arc, "event.name != 'step.failed'"); })},
      {"missing-guard-asks-for-success", "RTE-GUARD-DEFAULT",
       "An arc without when matches only where the step did not fail", changes_arcs([](Value& arc) {
         if (has_no_guard(arc)) guard_besides(arc, "event.name != 'step.failed'");
       })},
      {"unguarded-arcs-fire-together", "RTE-MODE-DEFAULT",
       "Without a mode, arcs of which none has a guard all fire",
       changes_steps(fire_unguarded_together)},
      {"unguarded-arc-comes-first", "RTE-MODE-EXCL",
       "exclusive fires an arc without when before those with one", changes_steps([](Value& step) {
         List* arcs = mode_of_step(step) == "exclusive" ? arcs_of(step) : nullptr;
         if (arcs != nullptr) std::stable_partition(arcs->begin(), arcs->end(), has_no_guard);
       })},
      {"inclusive-leads-to-each-step-once", "RTE-MODE-INCL",
       "Of two arcs to one step inclusive fires the first alone",
       changes_steps(keep_first_to_each)},
      {"nested-args-stay-templates", "RTE-ARGS-BIND",
       "A template within a list or an object of args stays a text", changes_arcs([](Value& arc) {
         Value* args = member(arc, "args");
         if (args == nullptr || !args->is_object()) return;
         for (auto& [name, value] : args->as_object()) keep_as_text(value, false);
       })},
      {"leaf-leads-to-the-unreached", "RTE-LEAF",
       "A step without next leads to one that no arc leads to",
       changes_playbook(lead_to_the_unreached)},
      {"inclusive-no-match-is-an-error", "RTE-NOMATCH",
       "An inclusive step whose arcs all fail to match fails the execution",
       alters_by_log(status_route,
                     [](const List& events, Value& body) {
                       const bool has_failed =
                           std::any_of(events.begin(), events.end(), [](const Value& event) {
                             const Value* mode = event.at_pointer("/payload/mode");
                             const Value* matched = event.at_pointer("/payload/matched");
                             return mode != nullptr && *mode == Value("inclusive") &&
                                    matched != nullptr && *matched == Value(List{});
                           });
                       if (has_failed) replace_text(body, "state", "COMPLETED", "FAILED");
                     })},
  };
}

/// The runs that are scheduled and have not ended, by their step.
std::map<std::string, std::size_t> open_runs(const List& events) {
  std::map<std::string, std::string> step_of_run;
  for (const Value& event : events) {
    const std::string run = text_of(event, "step_run_id");
    if (is_type(event, "step.scheduled")) step_of_run[run] = text_of(event, "entity_id");
    if (is_type(event, "step.done") || is_type(event, "step.failed")) step_of_run.erase(run);
  }
  std::map<std::string, std::size_t> open;
  for (const auto& [run, step] : step_of_run) ++open[step];
  return open;
}

/// All that is left is a second token of a step, which came while the first was there.
bool is_left_to_a_second_arrival(const List& events) {
  const std::map<std::string, std::size_t> open = open_runs(events);
  if (open.size() != 1 || open.begin()->second != 1) return false;
  for (std::size_t length = 1; length < events.size(); ++length) {
    const List before(events.begin(), events.begin() + static_cast<std::ptrdiff_t>(length));
    const std::map<std::string, std::size_t> then = open_runs(before);
    const auto same = then.find(open.begin()->first);
    if (same != then.end() && same->second > 1) return true;
  }
  return false;
}

/// A step that was chosen by several others and is scheduled once: a join.
void schedule_joins_again(List& events) {
  std::map<std::string, std::set<std::string>> chosen_by;
  std::map<std::string, std::size_t> scheduled;
  for (const Value& event : events) {
    if (is_type(event, "step.scheduled")) ++scheduled[text_of(event, "entity_id")];
    const Value* selected = event.at_pointer("/payload/selected");
    if (!is_type(event, "next.evaluated") || selected == nullptr || !selected->is_list()) continue;
    for (const Value& choice : selected->as_list()) {
      chosen_by[text_of(choice, "step")].insert(text_of(event, "entity_id"));
    }
  }
  for (std::size_t at = 0; at < events.size(); ++at) {
    const std::string step = text_of(events[at], "entity_id");
    const bool is_join = chosen_by[step].size() > 1 && scheduled[step] == 1;
    if (!is_type(events[at], "step.scheduled") || !is_join) continue;
    events.insert(events.begin() + static_cast<std::ptrdiff_t>(at) + 1, twin_of(events[at]));
    ++at;
  }
}

bool was_denied_last(const List& events) {
  const auto last = std::find_if(events.rbegin(), events.rend(), [](const Value& event) {
    return is_type(event, "policy.admit.evaluated") || is_type(event, "step.scheduled");
  });
  const Value* allow = last == events.rend() ? nullptr : last->at_pointer("/payload/allow");
  return allow != nullptr && *allow == Value(false);
}

std::vector<Fault> quiet_faults() {
  return {
      {"second-arrival-does-not-hold", "RTE-QUIET-TOKENS",
       "The execution is COMPLETED while a token is left that came where another was",
       infers_end("COMPLETED", is_left_to_a_second_arrival)},
      {"unstarted-loop-does-not-hold", "RTE-QUIET-INFLIGHT",
       "The execution is COMPLETED while no iteration of its loop has been started",
       infers_end("COMPLETED",
                  [](const List& events) {
                    return count_type(events, "loop.started") > 0 &&
                           count_type(events, "loop.iteration.started") == 0 &&
                           count_type(events, "loop.done") == 0;
                  })},
      {"join-is-scheduled-again", "RTE-QUIET-FANIN",
       "A join is in the log as scheduled a second time", changes_log(schedule_joins_again)},
      {"denied-token-holds-for-ever", "RTE-QUIET-DONE",
       "An execution stays RUNNING behind a token that was denied, though that is discarded or "
       "does not hold it",
       alters_by_log(status_route,
                     [](const List& events, Value& body) {
                       if (was_denied_last(events)) {
                         replace_text(body, "state", "COMPLETED", "RUNNING");
                       }
                     })},
  };
}

}  // namespace

std::vector<Fault> firing_faults() {
  std::vector<Fault> all;
  for (const auto family : {beginning_faults, gate_faults, choosing_faults, quiet_faults}) {
    std::vector<Fault> some = family();
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace assay::faults
