#include "reference_impl/model/events/event_view.h"

namespace assay::events {

namespace {

std::string_view text_of(const Value* value) {
  return value != nullptr && value->is_string() ? std::string_view(value->as_string())
                                                : std::string_view();
}

}  // namespace

EventView::EventView(const Value& body)
    : body_(&body), type_(text_of(body.find("event_type"))), kind_(kind_of(type_)) {}

std::string_view EventView::text(std::string_view field) const {
  return text_of(body_->find(field));
}

std::optional<std::int64_t> EventView::integer(std::string_view field) const {
  const Value* value = body_->find(field);
  return value != nullptr ? value->to_int64() : std::nullopt;
}

const Value* EventView::payload(std::string_view pointer) const {
  const Value* payload = body_->find("payload");
  return payload != nullptr ? payload->at_pointer(pointer) : nullptr;
}

std::string_view EventView::payload_text(std::string_view pointer) const {
  return text_of(payload(pointer));
}

bool EventView::has(std::string_view field) const {
  const Value* value = body_->find(field);
  return value != nullptr && !value->is_null();
}

}  // namespace assay::events
