#include <algorithm>
#include <cstddef>
#include <limits>
#include <set>
#include <utility>

#include "reference_impl/faults/families.h"
#include "reference_impl/faults/log_reading.h"
#include "reference_impl/faults/moments.h"
#include "reference_impl/faults/playbooks.h"
#include "reference_impl/faults/retelling.h"
#include "reference_impl/faults/rewriting.h"
#include "reference_impl/service/json_codec.h"

namespace assay::faults {
namespace {

/// The step is the entry, unless the playbook names one.
void enter(Value& playbook, const std::string& step) {
  if (Object* settings = made_settings_of(playbook)) settings->try_emplace("entry_step", step);
}

/// Gives the step an admission rule that holds for no token.
void deny(Value& step) {
  const Object rule{{"when", "{{ false }}"}, {"then", Object{{"allow", true}}}};
  const Object admit{{"rules", List{rule}}};
  step.as_object()["spec"] = Object{{"policy", Object{{"admit", admit}}}};
}

/// Writes `to` where an arc's guard first has the text `from`.
void replace_in_guard(Value& arc, std::string_view from, std::string_view to) {
  Value* when = member(arc, "when");
  if (when == nullptr || !when->is_string()) return;
  std::string text = when->as_string();
  const std::size_t at = text.find(from);
  if (at != std::string::npos) *when = text.replace(at, from.size(), to);
}

bool is_empty(const Value& marking, std::string_view list) {
  const Value* items = marking.find(list);
  return items == nullptr || !items->is_list() || items->as_list().empty();
}

/// The marking's list has tokens, all of that status.
bool tokens_are(const Value& marking, std::string_view list, std::string_view status) {
  if (is_empty(marking, list)) return false;
  const List& tokens = marking.find(list)->as_list();
  return std::all_of(tokens.begin(), tokens.end(),
                     [status](const Value& token) { return has_text(token, "status", status); });
}

/// The status of a running execution is COMPLETED while its marking is as `holds` says.
Intercept completes_by_marking(const std::function<bool(const Value& marking)>& holds) {
  constexpr const char* route = status_route;
  return [holds](service::Service& sound, const service::Request& request) {
    if (!is_on_route(request, route)) return sound.handle(request);
    const Value marking = ask(sound, execution_path(request) + "/marking");
    return alters_answers(route, [&](const service::Request&, Value& body) {
      if (holds(marking)) replace_text(body, "state", "RUNNING", "COMPLETED");
    })(sound, request);
  };
}

std::vector<Fault> entry_faults() {
  return {
      {"entry-is-the-first-by-name", "RTE-ENTRY-FIRST",
       "Without entry_step the entry is the step that is first by its name",
       changes_playbook([](Value& playbook) {
         const List* steps = list_at(playbook, "workflow");
         if (steps == nullptr || steps->empty()) return;
         const auto first = std::min_element(steps->begin(), steps->end(),
                                             [](const Value& one, const Value& other) {
                                               return text_of(one, "step") < text_of(other, "step");
                                             });
         enter(playbook, text_of(*first, "step"));
       })},
      {"step-named-start-is-the-entry", "RTE-NAMES",
       "Without entry_step the entry is the step named start, where there is one",
       changes_playbook([](Value& playbook) {
         each_item(playbook, "workflow", [&](const Value& step) {
           if (has_text(step, "step", "start")) enter(playbook, "start");
         });
       })},
      {"last-step-is-no-entry", "RTE-ENTRY-OVERRIDE",
       "entry_step is not read where it names the last step", changes_playbook([](Value& playbook) {
         Object* settings = settings_of(playbook);
         const List* steps = list_at(playbook, "workflow");
         if (settings == nullptr || steps == nullptr || steps->empty()) return;
         const auto entry = settings->find("entry_step");
         if (entry != settings->end() && entry->second == Value(text_of(steps->back(), "step"))) {
           settings->erase(entry);
         }
       })},
      {"entry-step-in-any-case", "RTE-ENTRY-EXISTS",
       "An entry_step that differs from a step's name in case is accepted",
       changes_playbook([](Value& playbook) {
         Object* settings = settings_of(playbook);
         if (settings == nullptr) return;
         const auto entry = settings->find("entry_step");
         if (entry != settings->end() && entry->second.is_string()) {
           entry->second = lowered(entry->second.as_string());
         }
       })},
      {"gated-entry-has-two-tokens", "RTE-ENTRY-ONE",
       "An entry that was denied first is in the log twice once it is scheduled",
       alters_by_log(log_route,
                     [](const List& events, Value& body) {
                       List* listed = list_at(body, "events");
                       if (listed == nullptr || !ends_in(*listed, "step.scheduled") ||
                           count_type(events, "step.scheduled") != 1 ||
                           count_type(events, "policy.admit.evaluated") < 2) {
                         return;
                       }
                       const Value twin = listed->back();
                       listed->push_back(twin);
                     })},
  };
}

std::vector<Fault> admission_faults() {
  return {
      {"no-admit-denies", "RTE-ADMIT-DEFAULT", "A step without admit is denied",
       changes_steps([](Value& step) {
         if (admission_rules(step) == nullptr && step.is_object()) deny(step);
       })},
      {"empty-admit-denies", "RTE-ADMIT-DEFAULT", "A step with an admit without rules is denied",
       changes_steps([](Value& step) {
         if (step.at_pointer("/spec/policy/admit") != nullptr && admission_rules(step) == nullptr) {
           deny(step);
         }
       })},
      {"second-gate-is-open", "RTE-ADMIT-DENY", "Only the first gate of a playbook denies",
       changes_playbook([](Value& playbook) {
         std::size_t gates = 0;
         each_item(playbook, "workflow", [&](Value& step) {
           if (admission_rules(step) != nullptr && gates++ > 0) admit_all(step);
         });
       })},
      {"second-patch-opens-no-gate", "RTE-ADMIT-PENDING",
       "Only the first patch of ctx lets pending tokens be evaluated again",
       [](service::Service& sound, const service::Request& request) {
         if (is_on_route(request, "POST /executions/*/ctx")) {
           const Value variables = ask(sound, execution_path(request) + "/variables");
           const Value* ctx = variables.find("ctx");
           if (ctx != nullptr && ctx->is_object() && !ctx->as_object().empty()) {
             return alters_requests("POST /executions/*/ctx", [](Value& body) {
               body.as_object()["patch"] = Object{};
             })(sound, request);
           }
         }
         return sound.handle(request);
       }},
      {"evict-loses-the-marking", "RTE-PLANE-SERVER",
       "The tokens of an execution are gone once its live state is",
       [] {
         return after_evict(
             alters_answers("GET /executions/*/marking", [](const service::Request&, Value& body) {
               remove_items(body, "tokens", [](const Value&) { return true; });
             }));
       }},
      {"task-done-behind-its-step", "RTE-PLANE-WORKER", "task.done is listed behind step.done",
       changes_log([](List& events) {
         for (std::size_t at = 1; at < events.size(); ++at) {
           if (is_type(events[at], "step.done") && is_type(events[at - 1], "task.done")) {
             std::swap(events[at], events[at - 1]);
           }
         }
       })},
  };
}

std::vector<Fault> arc_faults() {
  return {
      {"leaf-falls-through", "RTE-LEAF", "A step without next leads to the step below it",
       changes_playbook([](Value& playbook) {
         List* steps = list_at(playbook, "workflow");
         if (steps == nullptr) return;
         for (std::size_t at = 0; at + 1 < steps->size(); ++at) {
           Value& step = (*steps)[at];
           if (!step.is_object() || step.find("next") != nullptr) continue;
           const Object arc{{"step", text_of((*steps)[at + 1], "step")}};
           step.as_object()["next"] = Object{{"arcs", List{arc}}};
         }
       })},
      {"leaf-is-an-error-where-no-match-is", "RTE-LEAF",
       "With no_next_is_error a step without next fails the execution",
       changes_playbook([](Value& playbook) {
         const Object* settings = settings_of(playbook);
         if (settings == nullptr || !settings->contains("no_next_is_error")) return;
         each_item(playbook, "workflow", [](Value& step) {
           if (!step.is_object() || step.find("next") != nullptr) return;
           const Object arc{{"step", text_of(step, "step")}, {"when", "{{ false }}"}};
           step.as_object()["next"] = Object{{"arcs", List{arc}}};
         });
       })},
      {"failure-reads-done-in-guards", "RTE-ROUTE-WHEN",
       "Arcs that ask for step.failed are taken after step.done",
       changes_arcs([](Value& arc) { replace_in_guard(arc, "step.failed", "step.done"); })},
      {"missing-guard-is-false-in-inclusive", "RTE-GUARD-DEFAULT",
       "An arc without when never matches where the mode is inclusive",
       changes_steps([](Value& step) {
         const Value* mode = step.at_pointer("/next/spec/mode");
         if (mode == nullptr || *mode != Value("inclusive")) return;
         Value* next = member(step, "next");
         each_item(*next, "arcs", [](Value& arc) {
           if (arc.is_object()) arc.as_object().try_emplace("when", "{{ false }}");
         });
       })},
      {"default-mode-takes-the-last", "RTE-MODE-DEFAULT",
       "Without a mode the last matching arc fires", changes_steps([](Value& step) {
         Value* next = member(step, "next");
         if (next == nullptr || step.at_pointer("/next/spec/mode") != nullptr) return;
         if (List* arcs = list_at(*next, "arcs")) std::reverse(arcs->begin(), arcs->end());
       })},
      {"inclusive-stops-at-two", "RTE-MODE-INCL", "inclusive fires two arcs at the most",
       changes_steps([](Value& step) {
         const Value* mode = step.at_pointer("/next/spec/mode");
         if (mode == nullptr || *mode != Value("inclusive")) return;
         List* arcs = list_at(*member(step, "next"), "arcs");
         if (arcs != nullptr && arcs->size() > 2) arcs->resize(2);
       })},
      {"no-match-is-always-an-error", "RTE-NOMATCH",
       "A step whose arcs all fail to match fails the execution",
       changes_playbook([](Value& playbook) {
         if (Object* settings = made_settings_of(playbook)) {
           settings->insert_or_assign("no_next_is_error", true);
         }
       })},
  };
}

/// Changes a reference in an arc's args.
Intercept binds_reference_as(const Value& other) {
  return changes_arcs([other](Value& arc) {
    Value* args = member(arc, "args");
    if (args == nullptr || !args->is_object()) return;
    for (auto& [name, value] : args->as_object()) {
      if (value == Value("{{ workload.w }}")) value = other;
    }
  });
}

std::vector<Fault> evaluation_faults() {
  return {
      {"later-args-refer-to-nothing", "RTE-ARGS-SMALL",
       "A reference in an arc's args is bound as null", binds_reference_as({})},
      {"later-args-are-not-evaluated", "RTE-ARGS-SMALL",
       "A reference in an arc's args is bound as the text that names it",
       binds_reference_as("workload.w")},
      {"event-name-is-the-alias", "EVT-ENV-NAME",
       "event.name is the PascalCase alias of the event's type in guards",
       changes_arcs([](Value& arc) { replace_in_guard(arc, "step.done", "StepDone"); })},
      {"event-name-is-in-capitals", "EVT-ENV-NAME", "event.name is in capitals in guards",
       changes_arcs([](Value& arc) { replace_in_guard(arc, "step.done", "STEP.DONE"); })},
      {"event-name-is-the-verb", "EVT-ENV-NAME",
       "event.name is the verb of the event's type alone in guards",
       changes_arcs([](Value& arc) { replace_in_guard(arc, "step.done", "done"); })},
  };
}

/// The final step is the one that is given counts.
bool enters_final_step(const Value& event) {
  return is_type(event, "step.scheduled") && event.at_pointer("/payload/args/counts") != nullptr;
}

bool has_final_step(const List& events) {
  return std::any_of(events.begin(), events.end(), enters_final_step);
}

void end_nothing_after_final_step(List& events) {
  if (!has_final_step(events)) return;
  std::erase_if(events, [](const Value& event) {
    return is_type(event, "workflow.finished") || is_type(event, "playbook.finished") ||
           is_type(event, "playbook.processed");
  });
}

/// Changes the references in the final step's summary, as they are listed.
Intercept changes_summary_references(const std::function<void(List& references)>& change) {
  return changes_log([change](List& events) {
    for (Value& event : events) {
      if (!enters_final_step(event)) continue;
      Value& args = *member(*member(event, "payload"), "args");
      if (List* references = list_at(args, "result_refs")) change(*references);
    }
  });
}

std::vector<Fault> final_step_faults() {
  return {
      {"execution-ends-before-final-step", "RTE-FINAL-END",
       "The execution is COMPLETED while final_step runs", infers_end("COMPLETED", has_final_step)},
      {"failed-execution-ends-before-final-step", "RTE-FINAL-END",
       "After a failed branch the execution is FAILED while final_step runs",
       infers_end("FAILED",
                  [](const List& events) {
                    return has_final_step(events) && count_type(events, "step.failed") > 0;
                  })},
      {"final-step-leaves-it-running", "RTE-FINAL-END",
       "The execution is RUNNING for ever after final_step", has_log(end_nothing_after_final_step)},
      {"final-failure-is-partial-by-default", "RTE-FINAL-FAIL",
       "Without final_failure a failing final_step makes the outcome partial",
       changes_playbook([](Value& playbook) {
         Object* settings = settings_of(playbook);
         if (settings != nullptr && settings->contains("final_step")) {
           settings->try_emplace("final_failure", "partial");
         }
       })},
      {"final-failure-that-is-asked-for-is-partial", "RTE-FINAL-FAIL",
       "A failing final_step makes the outcome partial where final_failure is fail",
       changes_playbook([](Value& playbook) {
         if (Object* settings = settings_of(playbook)) {
           const auto found = settings->find("final_failure");
           if (found != settings->end() && found->second == Value("fail")) {
             found->second = "partial";
           }
         }
       })},
      {"partial-by-its-final-step-reads-success", "RTE-FINAL-FAIL",
       "The outcome that a failing final_step makes partial is shown as success",
       alters_by_log(detail_route,
                     [](const List& events, Value& body) {
                       if (has_final_step(events) && count_type(events, "step.failed") == 1) {
                         replace_text(body, "outcome", "partial", "success");
                       }
                     })},
      {"summary-lacks-references", "RTE-FINAL-REFS", "The final step's summary has no references",
       changes_summary_references([](List& references) { references.clear(); })},
      {"summary-has-one-reference", "RTE-FINAL-REFS",
       "The final step's summary has the first reference only",
       changes_summary_references([](List& references) {
         if (references.size() > 1) references.resize(1);
       })},
      {"summary-has-kinds-of-references", "RTE-FINAL-REFS",
       "The references in the final step's summary say their kind only",
       changes_summary_references([](List& references) {
         for (Value& reference : references) reference = Object{{"kind", "result_ref"}};
       })},
  };
}

std::size_t compact_size(const Value& value) { return service::write_json(value).size(); }

std::vector<Fault> oversized_args_faults() {
  return {
      {"args-of-any-size-are-bound", "RTE-ARGS-REF", "args have no cap",
       [](service::ServiceOptions& options) {
         options.limits.max_args_bytes = std::numeric_limits<std::size_t>::max();
       }},
      {"large-rendered-args-are-bound", "RTE-ARGS-REF",
       "args whose size is known only when they are rendered have no cap",
       [](service::ServiceOptions& options) {
         options.net_policy.oversized_args = routing::OversizedArgs::are_bound;
       }},
      {"large-rendered-args-are-lost", "RTE-ARGS-REF",
       "A token carries no args where they are too large",
       [](service::ServiceOptions& options) {
         options.net_policy.oversized_args = routing::OversizedArgs::are_dropped;
       }},
      {"large-literal-args-are-lost", "RTE-ARGS-REF",
       "Literal args that are too large are passed over instead of refused",
       changes_arcs([](Value& arc) {
         const Value* args = member(arc, "args");
         if (args != nullptr && compact_size(*args) > service::BodyLimits{}.max_args_bytes) {
           arc.as_object().erase("args");
         }
       })},
  };
}

std::vector<Fault> quiescence_faults() {
  return {
      {"scheduled-steps-do-not-hold", "RTE-QUIET-TOKENS",
       "The execution is COMPLETED while its only tokens are scheduled and not started",
       completes_by_marking([](const Value& marking) {
         return tokens_are(marking, "tokens", "scheduled") && is_empty(marking, "in_flight");
       })},
      {"retries-do-not-hold", "RTE-QUIET-INFLIGHT",
       "The execution is COMPLETED while a task is tried again",
       infers_end("COMPLETED",
                  [](const List& events) {
                    return text_of(events.back(), "event_type").starts_with("task.attempt.") &&
                           count_type(events, "task.attempt.failed") > 0;
                  })},
      {"waiting-join-does-not-hold", "RTE-QUIET-FANIN",
       "The execution is COMPLETED while a join waits and nothing has been started",
       completes_by_marking([](const Value& marking) {
         return !is_empty(marking, "fan_in") && is_empty(marking, "in_flight");
       })},
      {"repeated-step-never-completes", "RTE-QUIET-DONE",
       "An execution that ran a step twice stays RUNNING",
       alters_by_log(status_route,
                     [](const List& events, Value& body) {
                       std::set<std::string> seen;
                       for (const Value& event : events) {
                         if (is_type(event, "step.scheduled") &&
                             !seen.insert(text_of(event, "entity_id")).second) {
                           replace_text(body, "state", "COMPLETED", "RUNNING");
                         }
                       }
                     })},
  };
}

/// How many tokens admission has denied.
std::ptrdiff_t denials_in(const List& events) {
  return std::count_if(events.begin(), events.end(), [](const Value& event) {
    const Value* allow = event.at_pointer("/payload/allow");
    return is_type(event, "policy.admit.evaluated") && allow != nullptr && *allow == Value(false);
  });
}

/// Whether a step of the playbook fires every arc that matches.
bool has_inclusive_router(Value& playbook) {
  bool has_any = false;
  each_item(playbook, "workflow", [&has_any](const Value& step) {
    const Value* mode = step.at_pointer("/next/spec/mode");
    has_any |= mode != nullptr && *mode == Value("inclusive");
  });
  return has_any;
}

std::vector<Fault> optional_setting_faults() {
  return {
      {"discarded-token-is-a-failure", "RTE-ADMIT-DISCARD",
       "An execution of which a token was discarded is shown as FAILED",
       alters_by_log(status_route,
                     [](const List& events, Value& body) {
                       if (denials_in(events) > 0) {
                         replace_text(body, "state", "COMPLETED", "FAILED");
                       }
                     })},
      {"second-denied-token-is-kept", "RTE-ADMIT-DISCARD",
       "An execution of which two tokens were discarded stays RUNNING",
       alters_by_log(status_route,
                     [](const List& events, Value& body) {
                       if (denials_in(events) > 1 &&
                           replace_text(body, "state", "COMPLETED", "RUNNING")) {
                         body.as_object().insert_or_assign("ended_at", nullptr);
                       }
                     })},
      {"no-next-is-error-by-name", "RTE-NOMATCH-ERR",
       "no_next_is_error counts as set wherever it is written, whatever it says",
       changes_playbook([](Value& playbook) {
         Object* settings = settings_of(playbook);
         if (settings != nullptr && settings->contains("no_next_is_error")) {
           settings->insert_or_assign("no_next_is_error", true);
         }
       })},
      {"no-next-is-error-of-exclusive-routers", "RTE-NOMATCH-ERR",
       "no_next_is_error is not read where a router is inclusive",
       changes_playbook([](Value& playbook) {
         Object* settings = settings_of(playbook);
         if (settings != nullptr && has_inclusive_router(playbook)) {
           settings->erase("no_next_is_error");
         }
       })},
  };
}

}  // namespace

std::vector<Fault> token_faults() {
  std::vector<Fault> all;
  for (const auto family :
       {entry_faults, admission_faults, arc_faults, evaluation_faults, quiescence_faults,
        final_step_faults, oversized_args_faults, optional_setting_faults}) {
    const std::vector<Fault> some = family();
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

}  // namespace assay::faults
