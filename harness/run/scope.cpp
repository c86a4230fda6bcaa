#include "harness/run/scope.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "base/encoding.h"
#include "harness/run/session.h"

namespace assay::run {
namespace {

/// Enough for every play of a script; the numbers in between are simply not used.
constexpr std::int64_t events_of_a_play = 1'000;

constexpr std::int64_t most_repeats = 100'000;

}  // namespace

Scope::Scope(const core::Case& one, const Identity& identity) : identity_(&identity) {
  for (const auto& [name, value] : one.variables) variables_.insert_or_assign(name, value);
  variables_.insert_or_assign("case", Value(one.id));
  bring("unique", identity.unique());
  name_subject("main", identity.subject("main"));
}

void Scope::set(const std::string& name, Value value) {
  variables_.insert_or_assign(name, std::move(value));
  brought_.erase(name);
}

void Scope::bring(const std::string& name, Value value) {
  variables_.insert_or_assign(name, std::move(value));
  brought_.insert(name);
}

check::Variables Scope::path_variables() const {
  check::Variables encoded = variables_;
  for (const std::string& name : brought_) {
    Value& value = encoded.at(name);
    if (value.is_string()) value = percent_encoded(value.as_string());
  }
  return encoded;
}

std::string Scope::subject(std::string_view name) const {
  const auto found = variables_.find(fmt::format("id:{}", name));
  if (found != variables_.end() && found->second.is_string()) return found->second.as_string();
  return identity_->subject(name);
}

void Scope::name_subject(const std::string& name, const Value& id) {
  bring("id:" + name, id);
  // A matrix column called id is the scenario's own.
  if (name == "main" && (!variables_.contains("id") || brought_.contains("id"))) bring("id", id);
}

bool Scope::is_own(std::string_view id) const {
  return std::any_of(variables_.begin(), variables_.end(), [id](const auto& variable) {
    return variable.first.starts_with("id:") && variable.second == Value(id);
  });
}

void Scope::adopt(const Scope& branch) {
  for (const auto& [name, value] : branch.variables_) {
    const auto own = variables_.find(name);
    if (name == "i" || (own != variables_.end() && own->second == value)) continue;
    variables_.insert_or_assign(name, value);
    if (branch.brought_.contains(name)) brought_.insert(name);
  }
}

std::int64_t repeat_count(const Value& times, const check::Variables& variables) {
  const Value count = check::substitute(times, variables);
  const auto number = count.is_number() ? count.to_int64() : std::nullopt;
  if (number && *number >= 0 && *number <= most_repeats) return *number;
  throw check::SubstitutionError(
      fmt::format("a repeat's times must be a whole number from 0 to {}", most_repeats));
}

std::int64_t event_allotment(const std::vector<core::Step>& steps,
                             const check::Variables& variables) {
  std::int64_t sum = 0;
  for (const core::Step& step : steps) {
    if (const auto* post = std::get_if<core::Post>(&step.action)) {
      sum += static_cast<std::int64_t>(post->events.size());
    } else if (std::holds_alternative<core::Play>(step.action)) {
      sum += events_of_a_play;
    } else if (const auto* repeat = std::get_if<core::Repeat>(&step.action)) {
      sum += repeat_count(repeat->times, variables) * event_allotment(repeat->steps, variables);
    } else if (const auto* together = std::get_if<core::Together>(&step.action)) {
      for (const auto& branch : together->branches) sum += event_allotment(branch, variables);
    }
  }
  return sum;
}

}  // namespace assay::run
