#include "harness/check/lens.h"

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/check/substitute.h"

namespace assay::check {
namespace {

using core::Mapping;
using core::OperationTemplate;

/// The first status that is no success.
constexpr int first_failure = 300;

bool is_kind(const Mapping& mapping, Mapping::Kind kind) { return mapping.kind == kind; }

/// A member of the reference's answer as the target's profile reads its own: the words that no case
/// of that mapping gives become the one that it gives otherwise.
Mapping limited_member(const std::string& name, const Mapping& target) {
  Mapping member;
  member.kind = Mapping::Kind::pointer;
  member.pointer = "/" + name;
  if (is_kind(target, Mapping::Kind::constant)) return target;
  if (!is_kind(target, Mapping::Kind::cases)) return member;
  Mapping words;
  words.kind = Mapping::Kind::cases;
  words.otherwise = target.otherwise;
  for (const Mapping::Case& each : target.cases) {
    // What the case reads may be any word.
    if (each.read) return member;
    words.cases.push_back({core::Condition::equal(member.pointer, each.gives), each.gives});
  }
  return words;
}

void add_members(const Mapping& target, Mapping& limited) {
  for (const auto& [name, member] : target.members) {
    limited.members.try_emplace(name, limited_member(name, member));
  }
  for (const Mapping& part : target.parts) add_members(part, limited);
}

/// The members that the target's profile reads of an object, and no others; nothing where it takes
/// the answer as it is.
std::optional<Mapping> limited_object(const Mapping& target) {
  if (!is_kind(target, Mapping::Kind::object) && !is_kind(target, Mapping::Kind::merged)) {
    return std::nullopt;
  }
  Mapping limited;
  limited.kind = Mapping::Kind::object;
  add_members(target, limited);
  return limited;
}

Mapping* items_in(Mapping& mapping) {
  if (is_kind(mapping, Mapping::Kind::items)) return &mapping;
  const auto items = mapping.members.find("items");
  if (items == mapping.members.end() || !is_kind(items->second, Mapping::Kind::items)) {
    return nullptr;
  }
  return &items->second;
}

std::optional<Mapping> limited_read(std::optional<Mapping> own,
                                    const std::optional<Mapping>& target) {
  if (!target) return own;
  if (!own) return limited_object(*target);
  Mapping theirs = *target;
  Mapping* items = items_in(*own);
  const Mapping* shown = items_in(theirs);
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
