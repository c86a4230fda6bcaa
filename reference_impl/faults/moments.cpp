#include "reference_impl/faults/moments.h"

#include <memory>
#include <string>
#include <utility>

#include "reference_impl/faults/log_reading.h"
#include "reference_impl/faults/rewriting.h"
#include "reference_impl/service/json_codec.h"

namespace assay::faults {
namespace {

std::string execution_in_body(const service::Request& request) {
  const auto body = service::parse_json(request.body);
  return body ? text_of(*body, "execution_id") : "";
}

/// The execution that the path names, by its id and not by the way in which that was encoded.
std::string execution_in_path(service::Service& sound, const service::Request& request) {
  const std::string path = execution_path(request);
  return path.empty() ? "" : text_of(ask(sound, path), "execution_id");
}

}  // namespace

void Memory::keep(const std::string& id, Value value) {
  const std::lock_guard lock(mutex_);
  kept_.insert_or_assign(id, std::move(value));
}

std::optional<Value> Memory::find(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  const auto found = kept_.find(id);
  return found == kept_.end() ? std::nullopt : std::optional(found->second);
}

void Memory::forget(const std::string& id) {
  const std::lock_guard lock(mutex_);
  kept_.erase(id);
}

Intercept after_evict(Intercept broken) {
  return [broken = std::move(broken), evicted = std::make_shared<Memory>()](
             service::Service& sound, const service::Request& request) {
    if (is_on_route(request, "POST /control/evict")) evicted->keep(execution_in_body(request));
    const std::string id = execution_in_path(sound, request);
    return !id.empty() && evicted->has(id) ? broken(sound, request) : sound.handle(request);
  };
}

Intercept refuses_second(const std::string& route, int status, const std::string& code) {
  return [=, done = std::make_shared<Memory>()](service::Service& sound,
                                                const service::Request& request) {
    if (!is_on_route(request, route)) return sound.handle(request);
    if (done->has(request.target)) {
      const auto always = [](const service::Request&, const Value&) { return true; };
      return refuses(route, always, status, code)(sound, request);
    }
    service::Reply reply = sound.handle(request);
    if (reply.status == 200 || reply.status == 201) done->keep(request.target);
    return reply;
  };
}

}  // namespace assay::faults
