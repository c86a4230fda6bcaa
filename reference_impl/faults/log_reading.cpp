#include "reference_impl/faults/log_reading.h"

#include <algorithm>
#include <utility>

#include "reference_impl/faults/rewriting.h"
#include "reference_impl/service/json_codec.h"

namespace assay::faults {

Value ask(service::Service& sound, const std::string& target) {
  const service::Reply reply = sound.handle({"GET", target, {}, ""});
  if (reply.status != 200) return {};
  auto read = service::parse_json(reply.body);
  return read ? *std::move(read) : Value();
}

std::string execution_path(const service::Request& request) {
  constexpr std::string_view above = "/executions/";
  if (!request.target.starts_with(above)) return "";
  return request.target.substr(0, request.target.find_first_of("/?", above.size()));
}

List log_of(service::Service& sound, const service::Request& request) {
  Value page = ask(sound, execution_path(request) + "/events?limit=1000");
  List* events = list_at(page, "events");
  return events == nullptr ? List() : std::move(*events);
}

Intercept alters_by_log(std::string route, ChangeByLog change) {
  return [route = std::move(route), change = std::move(change)](service::Service& sound,
                                                                const service::Request& request) {
    const auto by_log = [&](const service::Request&, Value& body) {
      change(log_of(sound, request), body);
    };
    return alters_answers(route, by_log)(sound, request);
  };
}

Intercept infers_end(std::string state, LogCondition holds) {
  return alters_by_log(status_route, [state = std::move(state), holds = std::move(holds)](
                                         const List& events, Value& body) {
    const bool is_open = has_text(body, "state", "PENDING") || has_text(body, "state", "RUNNING");
    if (!is_open || events.empty() || !holds(events)) return;
    Object& status = body.as_object();
    status["state"] = state;
    status["ended_at"] = text_of(events.back(), "timestamp");
    status["terminal_event"] = text_of(events.back(), "event_type");
  });
}

bool is_type(const Value& event, std::string_view type) {
  return has_text(event, "event_type", type);
}

std::size_t count_type(const List& events, std::string_view type) {
  return static_cast<std::size_t>(std::count_if(
      events.begin(), events.end(), [type](const Value& event) { return is_type(event, type); }));
}

bool ends_in(const List& events, std::string_view type) {
  return !events.empty() && is_type(events.back(), type);
}

std::string text_of(const Value& event, std::string_view name) {
  return event.string_at(name).value_or("");
}

std::string lowered(std::string text) {
  for (char& letter : text) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return text;
}

std::string lower_text_of(const Value& event, std::string_view name) {
  return lowered(text_of(event, name));
}

bool has_event(const List& events, std::string_view type, std::string_view name,
               std::string_view text) {
  return std::any_of(events.begin(), events.end(), [&](const Value& event) {
    return is_type(event, type) && has_text(event, name, text);
  });
}

}  // namespace assay::faults
