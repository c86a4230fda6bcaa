#include "reference_impl/faults/storing.h"

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "reference_impl/faults/log_reading.h"
#include "reference_impl/faults/moments.h"
#include "reference_impl/faults/rewriting.h"
#include "reference_impl/service/json_codec.h"

namespace assay::faults {
namespace {

/// Stands behind the id of an event that is stored again; listings leave it out.
constexpr std::string_view again = "#again";
/// How long an event that was sent is not known yet.
constexpr std::int64_t storing_takes_ms = 20;

bool is_duplicate(const service::Reply& reply) {
  const Value body = json_of(reply.body);
  const Value* duplicate = body.find("duplicate");
  return reply.status == 200 && duplicate != nullptr && *duplicate == Value(true);
}

bool is_conflict(const service::Reply& reply) {
  return reply.status == 409 && has_text(json_of(reply.body), "code", "EVENT_ID_CONFLICT");
}

/// Posts the event under an id that is not taken; the answer names its own.
service::Reply store_again(service::Service& sound, const service::Request& request) {
  Value event = json_of(request.body);
  const std::string event_id = text_of(event, "event_id");
  service::Reply reply;
  std::string alias = event_id;
  do {
    alias += again;
    event.as_object()["event_id"] = alias;
    reply = sound.handle(with_body(request, event));
  } while (is_duplicate(reply) || is_conflict(reply));
  Value answer = json_of(reply.body);
  if (replace_text(answer, "event_id", alias, event_id)) reply.body = service::write_json(answer);
  return reply;
}

/// The request, with the marks of store_again taken out of what is listed.
service::Reply unmarked(service::Service& sound, const service::Request& request) {
  return changes_log([](List& events) {
    for (Value& event : events) {
      Value* id = member(event, "event_id");
      if (id != nullptr && id->is_string())
        *id = id->as_string().substr(0, id->as_string().find(again));
    }
  })(sound, request);
}

/// A point of time as a fault remembers it.
std::int64_t milliseconds_now() {
  const auto since_start = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(since_start).count();
}

/// The answer to an event that is stored: a duplicate of it.
service::Reply duplicate_reply(service::Service& sound, const service::Request& request,
                               const std::string& event_id) {
  Value seq;
  for (const Value& event : log_of(sound, request)) {
    if (has_text(event, "event_id", event_id)) seq = *event.find("seq");
  }
  const Value body = Object{{"event_id", event_id}, {"seq", seq}, {"duplicate", true}};
  return {200, "application/json", service::write_json(body), {}};
}

/// The number of the event that a batch was refused for.
std::optional<std::size_t> event_at_fault(const service::Reply& reply) {
  constexpr std::string_view above = "/events/";
  const std::string pointer = text_of(json_of(reply.body), "pointer");
  if (reply.status < 400 || !pointer.starts_with(above)) return std::nullopt;
  return std::strtoul(pointer.c_str() + above.size(), nullptr, 10);
}

}  // namespace

Intercept stores_duplicates() {
  return [](service::Service& sound, const service::Request& request) {
    service::Reply reply = unmarked(sound, request);
    const bool is_repeated = is_on_route(request, post_route) && is_duplicate(reply);
    return is_repeated ? store_again(sound, request) : reply;
  };
}

Intercept stores_concurrent_duplicates() {
  return [begun = std::make_shared<Memory>()](service::Service& sound,
                                              const service::Request& request) {
    if (!is_on_route(request, post_route)) return unmarked(sound, request);
    const std::string what = request.target + "\n" + text_of(json_of(request.body), "event_id");
    const std::optional<Value> earlier = begun->find(what);
    begun->keep(what, milliseconds_now());
    const bool is_unknown_yet =
        earlier && milliseconds_now() - *earlier->to_int64() < storing_takes_ms;
    return is_unknown_yet ? store_again(sound, request) : sound.handle(request);
  };
}

Intercept overwrites_on_conflict() {
  return [replaced = std::make_shared<Memory>()](service::Service& sound,
                                                 const service::Request& request) {
    const std::string path = execution_path(request) + "\n";
    service::Reply reply = changes_log([&](List& events) {
      for (Value& event : events) {
        std::optional<Value> other = replaced->find(path + text_of(event, "event_id"));
        if (!other) continue;
        other->as_object()["seq"] = *event.find("seq");
        event = *std::move(other);
      }
    })(sound, request);
    if (!is_on_route(request, post_route) || !is_conflict(reply)) return reply;
    Value event = json_of(request.body);
    const std::string event_id = text_of(event, "event_id");
    replaced->keep(path + event_id, std::move(event));
    return duplicate_reply(sound, request, event_id);
  };
}

Intercept takes_conflicts_for_duplicates() {
  return [](service::Service& sound, const service::Request& request) {
    service::Reply reply = sound.handle(request);
    if (!is_on_route(request, post_route) || !is_conflict(reply)) return reply;
    return duplicate_reply(sound, request, text_of(json_of(request.body), "event_id"));
  };
}

Intercept stores_what_is_good() {
  return [](service::Service& sound, const service::Request& request) {
    service::Reply reply = sound.handle(request);
    const std::optional<std::size_t> bad = event_at_fault(reply);
    if (!is_on_route(request, batch_route) || !bad) return reply;
    Value batch = json_of(request.body);
    if (List* events = list_at(batch, "events"); events != nullptr && *bad < events->size()) {
      events->resize(*bad);
      static_cast<void>(sound.handle(with_body(request, batch)));
    }
    return reply;
  };
}

}  // namespace assay::faults
