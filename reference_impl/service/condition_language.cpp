#include "reference_impl/service/condition_language.h"

#include <utility>

#include "reference_impl/model/routing/guard.h"

namespace assay::service {
namespace {

std::string message_of(const routing::GuardError& error) {
  return error.message + " (at byte " + std::to_string(error.position) + ")";
}

std::optional<std::string> check(const Value& condition) {
  const auto parsed = routing::parse_guard(condition.as_string());
  return parsed ? std::nullopt : std::optional(message_of(parsed.error()));
}

Result<bool, std::string> evaluate(const Value& condition, const Value& scope) {
  const auto parsed = routing::parse_guard(condition.as_string());
  if (!parsed) return unexpected(message_of(parsed.error()));
  routing::Scope names;
  names.show_members_of(scope);
  auto held = routing::holds(*parsed, names);
  if (!held.has_value()) return unexpected(std::move(held.error().message));
  return *held;
}

}  // namespace

lifecycle::ConditionLanguage guard_conditions() { return {.check = check, .evaluate = evaluate}; }

}  // namespace assay::service
