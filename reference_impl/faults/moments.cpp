#include "reference_impl/faults/moments.h"

#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "reference_impl/faults/log_reading.h"
#include "reference_impl/faults/rewriting.h"
#include "reference_impl/service/json_codec.h"

namespace assay::faults {
namespace {

/// Ids, for calls from many threads.
class Noted {
 public:
  void note(const std::string& id) {
    const std::lock_guard lock(mutex_);
    ids_.insert(id);
  }

  [[nodiscard]] bool has(const std::string& id) const {
    const std::lock_guard lock(mutex_);
    return ids_.contains(id);
  }

 private:
  mutable std::mutex mutex_;
  std::set<std::string> ids_;
};

std::string execution_in_body(const service::Request& request) {
  auto read = service::parse_json(request.body);
  const Value* body = std::get_if<Value>(&read);
  return body == nullptr ? "" : text_of(*body, "execution_id");
}

/// The execution that the path names, by its id and not by the way in which that was encoded.
std::string execution_in_path(service::Service& sound, const service::Request& request) {
  const std::string path = execution_path(request);
  return path.empty() ? "" : text_of(ask(sound, path), "execution_id");
}

}  // namespace

Intercept after_evict(Intercept broken) {
  return [broken = std::move(broken), evicted = std::make_shared<Noted>()](
             service::Service& sound, const service::Request& request) {
    if (is_on_route(request, "POST /control/evict")) evicted->note(execution_in_body(request));
    const std::string id = execution_in_path(sound, request);
    return !id.empty() && evicted->has(id) ? broken(sound, request) : sound.handle(request);
  };
}

Intercept refuses_second(const std::string& route, int status, const std::string& code) {
  return [=, done = std::make_shared<Noted>()](service::Service& sound,
                                               const service::Request& request) {
    if (!is_on_route(request, route)) return sound.handle(request);
    if (done->has(request.target)) {
      const auto always = [](const service::Request&, const Value&) { return true; };
      return refuses(route, always, status, code)(sound, request);
    }
    service::Reply reply = sound.handle(request);
    if (reply.status == 200 || reply.status == 201) done->note(request.target);
    return reply;
  };
}

}  // namespace assay::faults
