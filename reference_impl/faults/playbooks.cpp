#include "reference_impl/faults/playbooks.h"

#include "reference_impl/faults/rewriting.h"

namespace assay::faults {

Intercept changes_playbook(const std::function<void(Value& playbook)>& change) {
  return alters_requests("POST /executions", [change](Value& body) {
    if (Value* playbook = member(body, "playbook"); playbook != nullptr && playbook->is_object()) {
      change(*playbook);
    }
  });
}

Object* settings_of(Value& playbook) {
  Value* executor = member(playbook, "executor");
  Value* spec = executor == nullptr ? nullptr : member(*executor, "spec");
  return spec != nullptr && spec->is_object() ? &spec->as_object() : nullptr;
}

Intercept changes_steps(const std::function<void(Value& step)>& change) {
  return changes_playbook([change](Value& playbook) { each_item(playbook, "workflow", change); });
}

void admit_all(Value& step) {
  Value* spec = member(step, "spec");
  Value* policy = spec == nullptr ? nullptr : member(*spec, "policy");
  if (policy != nullptr && policy->is_object()) policy->as_object().erase("admit");
}

List* admission_rules(Value& step) {
  Value* spec = member(step, "spec");
  Value* policy = spec == nullptr ? nullptr : member(*spec, "policy");
  Value* admit = policy == nullptr ? nullptr : member(*policy, "admit");
  return admit == nullptr ? nullptr : list_at(*admit, "rules");
}

Object* made_settings_of(Value& playbook) {
  Value& executor = playbook.as_object().try_emplace("executor", Object{}).first->second;
  if (!executor.is_object()) return nullptr;
  Value& spec = executor.as_object().try_emplace("spec", Object{}).first->second;
  return spec.is_object() ? &spec.as_object() : nullptr;
}

Intercept changes_arcs(const std::function<void(Value& arc)>& change) {
  return changes_steps([change](Value& step) {
    if (Value* next = member(step, "next")) each_item(*next, "arcs", change);
  });
}

}  // namespace assay::faults
