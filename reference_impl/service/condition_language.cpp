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
  const auto* error = std::get_if<routing::GuardError>(&parsed);
  return error == nullptr ? std::nullopt : std::optional(message_of(*error));
}

std::variant<bool, std::string> evaluate(const Value& condition, const Value& scope) {
  const auto parsed = routing::parse_guard(condition.as_string());
  if (const auto* error = std::get_if<routing::GuardError>(&parsed)) return message_of(*error);
  routing::Scope names;
  names.show_members_of(scope);
  auto held = routing::holds(std::get<routing::Guard>(parsed), names);
  if (auto* error = std::get_if<routing::EvaluationError>(&held)) return std::move(error->message);
  return std::get<bool>(held);
}

}  // namespace

lifecycle::ConditionLanguage guard_conditions() { return {.check = check, .evaluate = evaluate}; }

}  // namespace assay::service
