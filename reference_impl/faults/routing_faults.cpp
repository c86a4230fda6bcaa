#include "reference_impl/faults/families.h"
#include "reference_impl/faults/playbooks.h"
#include "reference_impl/faults/rewriting.h"
#include "reference_impl/faults/switches.h"

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

std::vector<Fault> net_faults() {
  return {
      {"exclusive-fires-all", "RTE-MODE-EXCL", "exclusive fires every matching arc",
       switch_on<&routing::Deviations::exclusive_fires_all>},
      {"last-match-wins", "RTE-MODE-EXCL", "exclusive fires the last matching arc",
       switch_on<&routing::Deviations::last_match_wins>},
      {"inclusive-fires-first-only", "RTE-MODE-INCL", "inclusive fires the first matching arc only",
       switch_on<&routing::Deviations::inclusive_fires_first_only>},
      {"missing-guard-is-false", "RTE-GUARD-DEFAULT", "An arc without when never matches",
       switch_on<&routing::Deviations::missing_guard_is_false>},
      {"entry-step-ignored", "RTE-ENTRY-OVERRIDE", "entry_step is not read",
       switch_on<&routing::Deviations::entry_step_ignored>},
      {"denied-token-scheduled", "RTE-ADMIT-DENY", "A denied token is scheduled",
       switch_on<&routing::Deviations::denied_token_scheduled>},
      {"quiescence-ignores-in-flight", "RTE-QUIET-INFLIGHT",
       "Once a branch ended, the execution completes while another step runs",
       switch_on<&routing::Deviations::quiescence_ignores_in_flight>},
      {"no-match-hangs", "RTE-NOMATCH", "A step whose arcs all fail to match keeps its branch open",
       switch_on<&routing::Deviations::no_match_hangs>},
      {"final-step-twice", "RTE-FINAL-ONCE", "final_step is scheduled twice",
       switch_on<&routing::Deviations::final_step_twice>},
      {"final-step-before-quiescence", "RTE-FINAL-ONCE",
       "final_step is scheduled while another branch runs",
       switch_on<&routing::Deviations::final_step_before_quiescence>},
      {"empty-loop-hangs", "RTE-QUIET-DONE", "A loop over nothing never ends",
       switch_on<&routing::Deviations::empty_loop_hangs>},
      {"args-changed-downstream", "RTE-ARGS-BIND", "args change on their way downstream",
       switch_on<&routing::Deviations::args_changed_downstream>},
      {"repeated-outcome-routes", "RTE-ROUTE-WHEN", "A repeated outcome fires its arcs again",
       switch_on<&routing::Deviations::repeated_outcome_routes>},
  };
}

std::vector<Fault> setting_faults() {
  return {
      {"entry-is-the-last-step", "RTE-ENTRY-FIRST", "Without entry_step the last step is the entry",
       nullptr, changes_playbook(enter_last)},
      {"missing-entry-step-accepted", "RTE-ENTRY-EXISTS",
       "An entry_step that names no step is accepted", nullptr,
       [](service::Service& sound, const service::Request& request) {
         service::Reply reply = sound.handle(request);
         if (reply.status != 422 || reply.body.find("entry_step") == std::string::npos) {
           return reply;
         }
         return ignores_setting("entry_step")(sound, request);
       }},
      {"admission-rules-ignored", "RTE-ADMIT-RULES", "Admission rules are not read", nullptr,
       changes_steps(admit_all)},
      {"only-first-admission-rule", "RTE-ADMIT-RULES", "Only the first admission rule is read",
       nullptr, changes_steps([](Value& step) {
         List* rules = admission_rules(step);
         if (rules != nullptr && rules->size() > 1) rules->resize(1);
       })},
      {"last-admission-rule-wins", "RTE-ADMIT-RULES", "Admission rules are read from the last",
       nullptr, changes_steps([](Value& step) {
         List* rules = admission_rules(step);
         if (rules != nullptr) *rules = List(rules->rbegin(), rules->rend());
       })},
      {"denied-token-is-discarded", "RTE-ADMIT-PENDING", "A denied token is discarded by default",
       nullptr, changes_playbook([](Value& playbook) {
         Value& executor = playbook.as_object().try_emplace("executor", Object{}).first->second;
         if (!executor.is_object()) return;
         Value& spec = executor.as_object().try_emplace("spec", Object{}).first->second;
         if (spec.is_object()) spec.as_object().try_emplace("denied_token", "discard");
       })},
      {"discard-policy-ignored", "RTE-ADMIT-DISCARD", "denied_token is not read", nullptr,
       ignores_setting("denied_token")},
      {"default-mode-is-inclusive", "RTE-MODE-DEFAULT", "Without a mode every matching arc fires",
       nullptr, changes_steps(fire_all_by_default)},
      {"guards-do-not-see-workload", "RTE-GUARD-STATE", "Guards see no workload", nullptr,
       changes_playbook([](Value& playbook) { playbook.as_object().erase("workload"); })},
  };
}

std::vector<Fault> end_faults() {
  return {
      {"no-next-is-error-ignored", "RTE-NOMATCH-ERR", "no_next_is_error is not read", nullptr,
       ignores_setting("no_next_is_error")},
      {"fan-in-ignored", "RTE-QUIET-FANIN", "wait_all does not wait", nullptr,
       ignores_setting("fan_in")},
      {"status-policy-ignored", "RTE-STATUS", "status_policy is not read", nullptr,
       ignores_setting("status_policy")},
      {"fail-fast-drains", "RTE-STATUS", "fail_fast is taken for fail_on_any_error", nullptr,
       confuses_setting("status_policy", "fail_fast", "fail_on_any_error")},
      {"partial-reads-success", "RTE-STATUS", "A partial outcome is shown as success", nullptr,
       alters_answers(detail_route,
                      [](const service::Request&, Value& body) {
                        replace_text(body, "outcome", "partial", "success");
                      })},
      {"final-step-ignored", "RTE-FINAL-ONCE", "final_step is not read", nullptr,
       ignores_setting("final_step")},
      {"final-failure-ignored", "RTE-FINAL-FAIL", "final_failure is not read", nullptr,
       ignores_setting("final_failure")},
      {"summary-lacks-counts", "RTE-FINAL-ARGS", "The final step's summary has no counts", nullptr,
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
       nullptr,
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
       "The execution completes while a token waits for admission", nullptr,
       changes_playbook([](Value& playbook) {
         Value& executor = playbook.as_object().try_emplace("executor", Object{}).first->second;
         if (!executor.is_object()) return;
         Value& spec = executor.as_object().try_emplace("spec", Object{}).first->second;
         if (spec.is_object()) spec.as_object()["gates_hold"] = false;
       })},
      {"entry-has-two-tokens", "RTE-ENTRY-ONE", "The first step.scheduled is in the log twice",
       nullptr,
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
       nullptr,
       alters_answers(log_route,
                      [](const service::Request&, Value& body) {
                        remove_items(body, "events", [](const Value& event) {
                          const std::string type = event.string_at("event_type").value_or("");
                          return type.starts_with("task.") || type == "policy.task.evaluated";
                        });
                      })},
      {"server-does-not-finish", "RTE-PLANE-SERVER", "playbook.finished is not in the log", nullptr,
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
  for (const auto family : {net_faults, setting_faults, end_faults, choice_faults}) {
    const std::vector<Fault> some = family();
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

}  // namespace assay::faults
