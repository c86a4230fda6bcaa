#include "harness/check/lens.h"

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "harness/check/substitute.h"

namespace assay::check {
namespace {

using core::Mapping;
using core::OperationTemplate;

/// The first status that is no success.
constexpr int first_failure = 300;

/// A member of the reference's answer as the target's profile reads its own: the words that no case
/// of that mapping gives become the one that it gives otherwise.
Mapping limited_member(const std::string& name, const Mapping& target) {
  const std::string pointer = "/" + name;
  if (std::holds_alternative<core::ConstantMapping>(target.from)) return target;
  const auto* cases = std::get_if<core::CasesMapping>(&target.from);
  const auto gives_value = [](const core::MappingCase& each) {
    return std::holds_alternative<Value>(each.gives);
  };
  // What a case reads may be any word.
  if (cases == nullptr || !std::all_of(cases->cases.begin(), cases->cases.end(), gives_value)) {
    return {core::PointerMapping{pointer}};
  }
  core::CasesMapping words;
  for (const core::MappingCase& each : cases->cases) {
    words.cases.push_back(
        {core::Condition::equal(pointer, std::get<Value>(each.gives)), each.gives});
  }
  return {std::move(words), target.otherwise};
}

void add_members(const Mapping& target, core::ObjectMapping& limited) {
  for (const auto& [name, member] : target.members()) {
    limited.members.try_emplace(name, limited_member(name, member));
  }
  const auto* parts = std::get_if<core::PartsMapping>(&target.from);
  if (parts == nullptr) return;
  for (const Mapping& part : parts->parts) add_members(part, limited);
}

/// The members that the target's profile reads of an object, and no others; nothing where it takes
/// the answer as it is.
std::optional<Mapping> limited_object(const Mapping& target) {
  const auto* parts = std::get_if<core::PartsMapping>(&target.from);
  const bool is_merged = parts != nullptr && parts->how == core::PartsMapping::How::merged;
  if (!is_merged && !std::holds_alternative<core::ObjectMapping>(target.from)) return std::nullopt;
  core::ObjectMapping limited;
  add_members(target, limited);
  return Mapping{std::move(limited)};
}

core::ItemsMapping* items_in(Mapping& mapping) {
  if (auto* object = std::get_if<core::ObjectMapping>(&mapping.from)) {
    const auto items = object->members.find("items");
    if (items == object->members.end()) return nullptr;
    return std::get_if<core::ItemsMapping>(&items->second.from);
  }
  return std::get_if<core::ItemsMapping>(&mapping.from);
}

std::optional<Mapping> limited_read(std::optional<Mapping> own,
                                    const std::optional<Mapping>& target) {
  if (!target) return own;
  if (!own) return limited_object(*target);
  Mapping theirs = *target;
  core::ItemsMapping* items = items_in(*own);
  const core::ItemsMapping* shown = items_in(theirs);
  if (items == nullptr || shown == nullptr || shown->each == nullptr) return own;
  if (std::optional<Mapping> each = limited_object(*shown->each)) {
    items->each = std::make_shared<const Mapping>(*std::move(each));
  }
  return own;
}

bool may_mean(const OperationTemplate& target, core::Acceptance acceptance) {
  return std::any_of(target.outcomes.begin(), target.outcomes.end(),
                     [acceptance](const auto& rule) { return rule.means == acceptance; });
}

/// Takes away the difference between answers that the target's profile takes for the same.
void merge_statuses(OperationTemplate& own, const OperationTemplate& target) {
  for (const int status : target.accepted) {
    if (status < first_failure) continue;
    own.accepted.insert(status);
    own.refused.erase(status);
    own.unknown.erase(status);
  }
  if (target.duplicate.empty() && !may_mean(target, core::Acceptance::duplicate)) {
    own.accepted.insert(own.duplicate.begin(), own.duplicate.end());
    own.duplicate.clear();
  }
}

OperationTemplate limited(OperationTemplate own, const OperationTemplate& target) {
  own.lacks.insert(target.lacks.begin(), target.lacks.end());
  own.lacks.insert(target.unsaid.begin(), target.unsaid.end());
  for (const auto& [name, values] : target.lacks_values) {
    own.lacks_values[name].insert(values.begin(), values.end());
  }
  own.unobserved.insert(target.unobserved.begin(), target.unobserved.end());
  own.read = limited_read(std::move(own.read), target.read);
  merge_statuses(own, target);
  return own;
}

/// A step run as the reference's worker tells it, as far as the target's worker tells it: without
/// tasks and attempts, with a result and a ctx only where these are said.
std::vector<Value> limited_worker(const std::vector<Value>& target) {
  if (target.empty()) return {};
  const auto is_said = [&target](std::string_view variable) {
    return std::any_of(target.begin(), target.end(),
                       [variable](const Value& event) { return mentions(event, variable); });
  };
  const auto event_of = [](const char* type) {
    return Object{{"event_type", type},
                  {"source", "worker"},
                  {"entity_type", "step"},
                  {"entity_id", "${step}"},
                  {"step_run_id", "${step_run_id}"}};
  };
  Object payload;
  if (is_said("${result}")) payload.emplace("outcome", "${result}");
  if (is_said("${ctx}")) payload.emplace("ctx", "${ctx}");
  Object started = event_of("step.started");
  started.emplace("status", "in_progress");
  std::vector<Value> events{std::move(started)};
  for (const auto& [outcome, type] :
       {std::pair{"done", "step.done"}, std::pair{"failed", "step.failed"}}) {
    Object end = event_of(type);
    end.emplace("when", outcome);
    end.emplace("status", "${status}");
    if (!payload.empty()) end.emplace("payload", payload);
    events.emplace_back(std::move(end));
  }
  return events;
}

}  // namespace

core::Profile lens(const core::Profile& reference, const core::Profile& target) {
  core::Profile seen = reference;
  seen.name = target.name;
  seen.title = target.title;
  seen.launch.reset();
  std::erase_if(seen.capabilities, [&target](const std::string& capability) {
    return !target.capabilities.contains(capability);
  });
  seen.operations.clear();
  for (const auto& [name, own] : reference.operations) {
    const auto theirs = target.operations.find(name);
    if (theirs != target.operations.end()) {
      seen.operations.emplace(name, limited(own, theirs->second));
    }
  }
  for (const auto& [ours, theirs] : target.event_names) {
    if (theirs.empty()) seen.event_names.insert_or_assign(ours, "");
  }
  seen.worker = limited_worker(target.worker);
  seen.missing_states = target.missing_states;
  seen.interpretations = target.interpretations;
  seen.own_times = target.own_times;
  seen.own_acknowledgements = target.own_acknowledgements;
  return seen;
}

}  // namespace assay::check
