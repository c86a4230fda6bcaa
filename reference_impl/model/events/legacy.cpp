#include "reference_impl/model/events/legacy.h"

#include <string_view>
#include <utility>

#include "reference_impl/model/events/words.h"

namespace assay::events {

namespace {

enum class Ending { unknown, done, failed };

Ending ending_of(std::string_view status) {
  const std::string word = upper_case(status);
  if (word == "ERROR" || word == "FAILED" || word == "CANCELLED") return Ending::failed;
  if (word == "SUCCESS" || word == "COMPLETED" || word == "OK") return Ending::done;
  return Ending::unknown;
}

std::string_view ending_verb(const EventView& event) {
  Ending ending = ending_of(event.text("status"));
  if (ending == Ending::unknown) ending = ending_of(event.payload_text("/outcome/status"));
  if (ending == Ending::unknown) {
    const Value* error = event.payload("/error");
    ending = error != nullptr && !error->is_null() ? Ending::failed : Ending::done;
  }
  return ending == Ending::failed ? "failed" : "done";
}

bool decides_for_task(const EventView& event) {
  return event.payload("/action") != nullptr || event.payload("/matched_rule_index") != nullptr ||
         event.text("entity_type") == "policy";
}

std::string with_verb(std::string_view prefix, std::string_view verb, const EventView& event) {
  return std::string(prefix).append(verb == "processed" ? ending_verb(event) : verb);
}

}  // namespace

std::optional<std::string> standard_name_of_legacy(const EventView& event) {
  const std::string_view type = event.type();
  const std::string_view entity = type.substr(0, type.find('.'));
  const std::string_view verb = type.substr(type.rfind('.') + 1);
  if (type == "tool.started" || type == "tool.processed" || entity == "sink") {
    return with_verb("task.", verb, event);
  }
  if (entity == "retry") return with_verb("task.attempt.", verb, event);
  if (entity == "case") return decides_for_task(event) ? "policy.task.evaluated" : "next.evaluated";
  return std::nullopt;
}

void normalize_legacy(Value& body, const std::string& standard_name) {
  Object& members = body.as_object();
  Value legacy_type = std::exchange(members["event_type"], Value(standard_name));
  if (members.contains("event_alias")) members["event_alias"] = alias_of(standard_name);
  Value& payload = members.try_emplace("payload", Object{}).first->second;
  Value& meta = payload.as_object().try_emplace("meta", Object{}).first->second;
  if (meta.is_null()) meta = Object{};
  if (!meta.is_object()) meta = Object{{"value", std::exchange(meta, nullptr)}};
  meta.as_object()["legacy_type"] = std::move(legacy_type);
}

}  // namespace assay::events
