#include <algorithm>
#include <functional>

#include "reference_impl/faults/families.h"
#include "reference_impl/faults/log_reading.h"
#include "reference_impl/faults/playbooks.h"
#include "reference_impl/faults/retelling.h"
#include "reference_impl/faults/rewriting.h"

namespace assay::faults {
namespace {

/// A setting is not read, as if it were absent.
Intercept ignores_setting(const std::string& name) {
  return changes_playbook([name](Value& playbook) {
    if (Object* settings = settings_of(playbook)) settings->erase(name);
  });
}

/// One word of a setting is taken for another.
Intercept confuses_setting(const std::string& name, const std::string& from,
                           const std::string& to) {
  return changes_playbook([=](Value& playbook) {
    Object* settings = settings_of(playbook);
    if (settings == nullptr) return;
    const auto found = settings->find(name);
    if (found != settings->end() && found->second == Value(from)) found->second = to;
  });
}

/// The entry is the last step unless the playbook names one.
void enter_last(Value& playbook) {
  const List* steps = list_at(playbook, "workflow");
  if (steps == nullptr || steps->empty() || !steps->back().string_at("step")) return;
  const Object* settings = settings_of(playbook);
  if (settings != nullptr && settings->contains("entry_step")) return;
  const Value last = *steps->back().string_at("step");
  Object& executor =
      playbook.as_object().try_emplace("executor", Object{}).first->second.as_object();
  executor.try_emplace("spec", Object{}).first->second.as_object()["entry_step"] = last;
}

void fire_all_by_default(Value& step) {
  Value* next = member(step, "next");
  if (next == nullptr || !next->is_object()) return;
  Value& spec = next->as_object().try_emplace("spec", Object{}).first->second;
  if (spec.is_object()) spec.as_object().try_emplace("mode", "inclusive");
}

/// next.spec.mode of a step, which is made exclusive where it is absent; nullptr without arcs.
Value* mode_of(Value& step) {
  Value* next = member(step, "next");
  if (next == nullptr || !next->is_object()) return nullptr;
  Value& spec = next->as_object().try_emplace("spec", Object{}).first->second;
  if (!spec.is_object()) return nullptr;
  return &spec.as_object().try_emplace("mode", "exclusive").first->second;
}

void make_inclusive(Value& step) {
  if (Value* mode = mode_of(step)) *mode = "inclusive";
}

void make_exclusive(Value& step) {
  if (Value* mode = mode_of(step)) *mode = "exclusive";
}

void reverse_exclusive_arcs(Value& step) {
  const Value* mode = mode_of(step);
  if (mode == nullptr || *mode != Value("exclusive")) return;
  List* arcs = list_at(*member(step, "next"), "arcs");
  if (arcs != nullptr) std::reverse(arcs->begin(), arcs->end());
}

bool selects_something(const Value& event) {
  const Value* selected = event.at_pointer("/payload/selected");
  return is_type(event, "next.evaluated") && selected != nullptr && selected->is_list() &&
         !selected->as_list().empty();
}

/// A step is done and nothing came after it.
bool a_branch_has_ended(const List& events) {
  for (std::size_t at = 0; at < events.size(); ++at) {
    if (!is_type(events[at], "step.done")) continue;
    if (at + 1 == events.size() || !selects_something(events[at + 1])) return true;
  }
  return false;
}

bool matches_nothing(const Value& event) {
  const Value* matched = event.at_pointer("/payload/matched");
  return is_type(event, "next.evaluated") && matched != nullptr && *matched == Value(List{});
}

void end_nothing_after_no_match(List& events) {
  if (std::none_of(events.begin(), events.end(), matches_nothing)) return;
  std::erase_if(events, [](const Value& event) {
    return is_type(event, "workflow.finished") || is_type(event, "playbook.finished") ||
           is_type(event, "playbook.processed");
  });
}

void stop_at_empty_loop(List& events) {
  const auto loop = std::find_if(events.begin(), events.end(), [](const Value& event) {
    const Value* iterations = event.at_pointer("/payload/iterations");
    return is_type(event, "loop.started") && iterations != nullptr && *iterations == Value(0);
  });
  if (loop != events.end()) events.erase(std::next(loop), events.end());
}

/// The final step is the one that is given counts.
bool schedules_final_step(const Value& event) {
  return is_type(event, "step.scheduled") && event.at_pointer("/payload/args/counts") != nullptr;
}

Intercept schedules_final_step_twice() {
  return changes_log([](List& events) {
    const auto scheduled = std::find_if(events.begin(), events.end(), schedules_final_step);
    if (scheduled == events.end()) return;
    Value twin = *scheduled;
    for (const char* name : {"event_id", "step_run_id"}) {
      twin.as_object()[name] = text_of(twin, name) + "-2";
    }
    events.insert(std::next(scheduled), std::move(twin));
  });
}

/// args have a key that no arc gave them.
Intercept changes_args() {
  const auto add_key = [](Value* args) {
    if (args != nullptr && args->is_object()) args->as_object()["changed"] = true;
  };
  const auto change = [add_key](const service::Request&, Value& body) {
    each_item(body, "tokens", [&](Value& token) { add_key(member(token, "args")); });
    each_item(body, "events", [&](Value& event) {
      Value* payload = member(event, "payload");
      if (is_type(event, "step.scheduled") && payload != nullptr) add_key(member(*payload, "args"));
    });
  };
  return alters_answers_on({log_route, "GET /executions/*/marking"}, change);
}

std::vector<Fault> net_faults() {
  return {
      {"exclusive-fires-all", "RTE-MODE-EXCL", "exclusive fires every matching arc",
       changes_steps(make_inclusive)},
      {"last-match-wins", "RTE-MODE-EXCL", "exclusive fires the last matching arc",
       changes_steps(reverse_exclusive_arcs)},
      {"inclusive-fires-first-only", "RTE-MODE-INCL", "inclusive fires the first matching arc only",
       changes_steps(make_exclusive)},
      {"missing-guard-is-false", "RTE-GUARD-DEFAULT", "An arc without when never matches",
       changes_arcs([](Value& arc) { arc.as_object().try_emplace("when", "{{ false }}"); })},
      {"entry-step-ignored", "RTE-ENTRY-OVERRIDE", "entry_step is not read",
       ignores_setting("entry_step")},
      {"denied-token-scheduled", "RTE-ADMIT-DENY", "A denied token is scheduled",
       changes_steps(admit_all)},
      {"quiescence-ignores-in-flight", "RTE-QUIET-INFLIGHT",
       "Once a branch ended, the execution completes while another step runs",
       infers_end("COMPLETED", a_branch_has_ended)},
      {"no-match-hangs", "RTE-NOMATCH", "A step whose arcs all fail to match keeps its branch open",
       has_log(end_nothing_after_no_match)},
      {"final-step-twice", "RTE-FINAL-ONCE", "final_step is scheduled twice",
       schedules_final_step_twice()},
      {"final-step-before-quiescence", "RTE-FINAL-ONCE",
       "final_step is scheduled while another branch runs",
       [](service::ServiceOptions& options) {
         options.net_policy.final_step = routing::FinalStepStart::after_first_branch;
       }},
      {"empty-loop-hangs", "RTE-QUIET-DONE", "A loop over nothing never ends",
       has_log(stop_at_empty_loop)},
      {"args-changed-downstream", "RTE-ARGS-BIND", "args change on their way downstream",
       changes_args()},
      {"repeated-outcome-routes", "RTE-ROUTE-WHEN", "A repeated outcome fires its arcs again",
       [](service::ServiceOptions& options) {
         options.net_policy.repeated_outcome = routing::RepeatedOutcome::is_routed;
       }},
  };
}

/// A step that has the member is entered only where a guard in it holds.
void guard_entry(Value& step, const Value& guard) {
  step.as_object()["spec"] = Object{
      {"policy",
       Object{{"admit", Object{{"rules", List{Object{{"when", guard},
                                                     {"then", Object{{"allow", true}}}}}}}}}}};
}

/// Changes the payload of a noop step's outcome before it is stored.
Intercept changes_noop_patches(const std::function<void(Object& payload)>& change) {
  return [change](service::Service& sound, const service::Request& request) {
    const auto change_patch = [&](Value& event) {
      if (!is_type(event, "step.done")) return;
      const List events = log_of(sound, request);
      const bool is_noop = std::any_of(events.begin(), events.end(), [&](const Value& stored) {
        return is_type(stored, "step.scheduled") && has_text(stored, "entity_id", "patch") &&
               has_text(stored, "step_run_id", text_of(event, "step_run_id"));
      });
      Value* payload = member(event, "payload");
      if (is_noop && payload != nullptr && payload->is_object()) change(payload->as_object());
    };
    return alters_requests(post_route, change_patch)(sound, request);
  };
}

std::vector<Fault> old_member_faults() {
  return {
      {"step-when-admits", "RTE-NO-WHEN", "A step's own when admits its token or denies it",
       changes_steps([](Value& step) {
         if (const Value* when = member(step, "when")) guard_entry(step, Value(*when));
       })},
      {"step-with-when-is-left-out", "RTE-NO-WHEN",
       "Arcs to a step with a when of its own are lost", changes_playbook([](Value& playbook) {
         const Value before = playbook;
         each_item(playbook, "workflow", [&](Value& step) {
           Value* next = member(step, "next");
           if (next == nullptr) return;
           remove_items(*next, "arcs", [&](const Value& arc) {
             const List& steps = before.find("workflow")->as_list();
             return std::any_of(steps.begin(), steps.end(), [&](const Value& target) {
               return target.find("when") != nullptr &&
                      has_text(arc, "step", text_of(target, "step"));
             });
           });
         });
       })},
      {"step-when-guards-its-arcs", "RTE-NO-WHEN", "A step's own when is that of its arcs",
       changes_steps([](Value& step) {
         const Value* when = member(step, "when");
         Value* next = member(step, "next");
         if (when == nullptr || next == nullptr) return;
         const Value guard = *when;
         each_item(*next, "arcs", [&](Value& arc) { arc.as_object().try_emplace("when", guard); });
       })},
      {"case-leads-on", "RTE-OLD-STEP", "A step's case leads to the steps that it names",
       changes_steps([](Value& step) {
         const Value* target = step.at_pointer("/case/0/then/0/next/0/step");
         Value* next = member(step, "next");
         if (target == nullptr || next == nullptr) return;
         next->as_object()["arcs"] = List{Object{{"step", *target}}};
       })},
      {"sink-ends-the-branch", "RTE-OLD-STEP", "A step with a sink has no arcs",
       changes_steps([](Value& step) {
         if (member(step, "sink") != nullptr) step.as_object().erase("next");
       })},
      {"retry-repeats-the-step", "RTE-OLD-STEP", "A failed step with retry is scheduled again",
       changes_steps([](Value& step) {
         if (member(step, "retry") == nullptr) return;
         const Value arc =
             Object{{"step", text_of(step, "step")}, {"when", "{{ event.name == 'step.failed' }}"}};
         Value& next = step.as_object().try_emplace("next", Object{}).first->second;
         List& arcs = next.as_object().try_emplace("arcs", List{}).first->second.as_list();
         arcs.insert(arcs.begin(), arc);
       })},
      {"noop-leads-nowhere", "RTE-NOOP", "A step of kind noop has no arcs",
       changes_steps([](Value& step) {
         const Value* kind = step.at_pointer("/tool/kind");
         if (kind != nullptr && *kind == Value("noop")) step.as_object().erase("next");
       })},
      {"noop-patches-nothing", "RTE-NOOP-CTX", "The ctx of a noop step's outcome is not merged",
       changes_noop_patches([](Object& payload) { payload.erase("ctx"); })},
      {"noop-patches-with-null", "RTE-NOOP-CTX",
       "What the ctx of a noop step's outcome sets becomes null",
       changes_noop_patches([](Object& payload) {
         Value& ctx = payload["ctx"];
         if (!ctx.is_object()) return;
         for (auto& [name, value] : ctx.as_object()) value = Value();
       })},
      {"noop-patches-under-its-name", "RTE-NOOP-CTX",
       "The ctx of a noop step's outcome is merged under the step's name",
       changes_noop_patches([](Object& payload) {
         const Value ctx = payload["ctx"];
         if (ctx.is_object()) payload["ctx"] = Object{{"patch", ctx}};
       })},
  };
}

std::vector<Fault> setting_faults() {
  return {
      {"entry-is-the-last-step", "RTE-ENTRY-FIRST", "Without entry_step the last step is the entry",
       changes_playbook(enter_last)},
      {"missing-entry-step-accepted", "RTE-ENTRY-EXISTS",
       "An entry_step that names no step is accepted",
       [](service::Service& sound, const service::Request& request) {
         service::Reply reply = sound.handle(request);
         if (reply.status != 422 || reply.body.find("entry_step") == std::string::npos) {
           return reply;
         }
         return ignores_setting("entry_step")(sound, request);
       }},
      {"admission-rules-ignored", "RTE-ADMIT-RULES", "Admission rules are not read",
       changes_steps(admit_all)},
      {"only-first-admission-rule", "RTE-ADMIT-RULES", "Only the first admission rule is read",
       changes_steps([](Value& step) {
         List* rules = admission_rules(step);
         if (rules != nullptr && rules->size() > 1) rules->resize(1);
       })},
      {"last-admission-rule-wins", "RTE-ADMIT-RULES", "Admission rules are read from the last",
       changes_steps([](Value& step) {
         List* rules = admission_rules(step);
         if (rules != nullptr) *rules = List(rules->rbegin(), rules->rend());
       })},
      {"denied-token-is-discarded", "RTE-ADMIT-PENDING", "A denied token is discarded by default",
       changes_playbook([](Value& playbook) {
         Value& executor = playbook.as_object().try_emplace("executor", Object{}).first->second;
         if (!executor.is_object()) return;
         Value& spec = executor.as_object().try_emplace("spec", Object{}).first->second;
         if (spec.is_object()) spec.as_object().try_emplace("denied_token", "discard");
       })},
      {"discard-policy-ignored", "RTE-ADMIT-DISCARD", "denied_token is not read",
       ignores_setting("denied_token")},
      {"default-mode-is-inclusive", "RTE-MODE-DEFAULT", "Without a mode every matching arc fires",
       changes_steps(fire_all_by_default)},
      {"guards-do-not-see-workload", "RTE-GUARD-STATE", "Guards see no workload",
       changes_playbook([](Value& playbook) { playbook.as_object().erase("workload"); })},
  };
}

std::vector<Fault> end_faults() {
  return {
      {"no-next-is-error-ignored", "RTE-NOMATCH-ERR", "no_next_is_error is not read",
       ignores_setting("no_next_is_error")},
      {"fan-in-ignored", "RTE-QUIET-FANIN", "wait_all does not wait", ignores_setting("fan_in")},
      {"status-policy-ignored", "RTE-STATUS", "status_policy is not read",
       ignores_setting("status_policy")},
      {"fail-fast-drains", "RTE-STATUS", "fail_fast is taken for fail_on_any_error",
       confuses_setting("status_policy", "fail_fast", "fail_on_any_error")},
      {"partial-reads-success", "RTE-STATUS", "A partial outcome is shown as success",
       alters_answers(detail_route,
                      [](const service::Request&, Value& body) {
                        replace_text(body, "outcome", "partial", "success");
                      })},
      {"final-step-ignored", "RTE-FINAL-ONCE", "final_step is not read",
       ignores_setting("final_step")},
      {"final-failure-ignored", "RTE-FINAL-FAIL", "final_failure is not read",
       ignores_setting("final_failure")},
      {"summary-lacks-counts", "RTE-FINAL-ARGS", "The final step's summary has no counts",
       alters_answers(log_route,
                      [](const service::Request&, Value& body) {
                        each_item(body, "events", [](Value& event) {
                          Value* payload = member(event, "payload");
                          Value* args = payload == nullptr ? nullptr : member(*payload, "args");
                          if (args != nullptr && args->find("counts") != nullptr) {
                            args->as_object().erase("counts");
                          }
                        });
                      })},
  };
}

std::vector<Fault> choice_faults() {
  return {
      {"args-are-not-bound", "RTE-ARGS-BIND", "step.scheduled does not show the token's args",
       alters_answers(log_route,
                      [](const service::Request&, Value& body) {
                        each_item(body, "events", [](Value& event) {
                          if (!has_text(event, "event_type", "step.scheduled")) return;
                          Value* payload = member(event, "payload");
                          if (payload != nullptr && payload->is_object()) {
                            payload->as_object()["args"] = Object{};
                          }
                        });
                      })},
      {"pending-tokens-do-not-hold", "RTE-QUIET-TOKENS",
       "The execution completes while a token waits for admission",
       changes_playbook([](Value& playbook) {
         Value& executor = playbook.as_object().try_emplace("executor", Object{}).first->second;
         if (!executor.is_object()) return;
         Value& spec = executor.as_object().try_emplace("spec", Object{}).first->second;
         if (spec.is_object()) spec.as_object()["gates_hold"] = false;
       })},
      {"entry-has-two-tokens", "RTE-ENTRY-ONE", "The first step.scheduled is in the log twice",
       alters_answers(log_route,
                      [](const service::Request&, Value& body) {
                        List* events = list_at(body, "events");
                        if (events == nullptr) return;
                        for (std::size_t index = 0; index < events->size(); ++index) {
                          if (!has_text(events->at(index), "event_type", "step.scheduled"))
                            continue;
                          const Value twin = events->at(index);
                          events->push_back(twin);
                          return;
                        }
                      })},
      {"worker-events-not-kept", "RTE-PLANE-WORKER", "Events of the worker are not in the log",
       alters_answers(log_route,
                      [](const service::Request&, Value& body) {
                        remove_items(body, "events", [](const Value& event) {
                          const std::string type = event.string_at("event_type").value_or("");
                          return type.starts_with("task.") || type == "policy.task.evaluated";
                        });
                      })},
      {"server-does-not-finish", "RTE-PLANE-SERVER", "playbook.finished is not in the log",
       alters_answers(log_route,
                      [](const service::Request&, Value& body) {
                        remove_items(body, "events", [](const Value& event) {
                          return has_text(event, "event_type", "playbook.finished");
                        });
                      })},
  };
}

}  // namespace

std::vector<Fault> routing_faults() {
  std::vector<Fault> all;
  for (const auto family :
       {net_faults, old_member_faults, setting_faults, end_faults, choice_faults}) {
    const std::vector<Fault> some = family();
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

}  // namespace assay::faults
