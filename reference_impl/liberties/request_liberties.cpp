#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "reference_impl/faults/log_reading.h"
#include "reference_impl/faults/rewriting.h"
#include "reference_impl/liberties/kinds.h"
#include "reference_impl/service/json_codec.h"
#include "reference_impl/service/problem.h"
#include "reference_impl/service/words.h"

namespace assay::liberties {
namespace {

using faults::is_on_route;
using faults::post_route;

constexpr const char* batch_route = "POST /executions/*/events/batch";

service::Reply refusal(int status, const char* code, std::optional<std::string> pointer = {}) {
  return service::problem_reply(
      {status, code, "this server takes no such thing", std::move(pointer), {}});
}

/// Calls `visit` with each event that the body of a post holds, and the pointer to it.
void each_event(const service::Request& request, Value& body,
                const std::function<void(Value& event, const std::string& pointer)>& visit) {
  if (is_on_route(request, post_route)) {
    visit(body, "");
  } else if (List* events = faults::list_at(body, "events")) {
    for (std::size_t number = 0; number < events->size(); ++number) {
      visit((*events)[number], "/events/" + std::to_string(number));
    }
  }
}

bool posts_events(const service::Request& request) {
  return is_on_route(request, post_route) || is_on_route(request, batch_route);
}

/// 422 for events of which `fault` names the member at fault ("" where there is none); of what the
/// sound service refuses before it looks at them, its own answer.
faults::Intercept refuses_events(std::function<std::string(const Value& event)> fault) {
  return [fault = std::move(fault)](service::Service& sound, const service::Request& request) {
    if (!posts_events(request)) return sound.handle(request);
    auto body = service::parse_json(request.body);
    std::string at_fault;
    if (body) {
      each_event(request, *body, [&](const Value& event, const std::string& pointer) {
        const std::string member = fault(event);
        if (at_fault.empty() && !member.empty()) at_fault = pointer + member;
      });
    }
    if (at_fault.empty() ||
        faults::ask(sound, faults::execution_path(request) + "/status").is_null()) {
      return sound.handle(request);
    }
    return refusal(422, "INVALID_FIELD", at_fault);
  };
}

std::string meta_that_is_no_object(const Value& event) {
  const Value* meta = event.at_pointer("/payload/meta");
  return meta == nullptr || meta->is_null() || meta->is_object() ? "" : "/payload/meta";
}

std::string more_than_nine_digits(const Value& event) {
  const std::string time = event.string_at("timestamp").value_or("");
  const std::size_t point = time.find('.');
  if (point == std::string::npos) return "";
  const std::size_t end = std::min(time.find_first_not_of("0123456789", point + 1), time.size());
  return end - point - 1 > 9 ? "/timestamp" : "";
}

/// What an event was posted with, by execution and event id: negative numbers that are shown again.
class Negatives {
 public:
  service::Reply handle(service::Service& sound, const service::Request& request) {
    if (posts_events(request)) return sound.handle(taken(request));
    service::Reply reply = sound.handle(request);
    if (is_on_route(request, faults::log_route) && reply.status == 200) restore(request, reply);
    return reply;
  }

 private:
  static constexpr const char* fields[] = {"iteration", "duration_ms"};

  service::Request taken(const service::Request& request) {
    auto body = service::parse_json(request.body);
    if (!body) return request;
    bool changed = false;
    const std::string path = faults::execution_path(request);
    each_event(request, *body, [&](Value& event, const std::string&) {
      for (const char* field : fields) {
        Value* number = faults::member(event, field);
        const auto whole = number == nullptr ? std::nullopt : number->to_int64();
        if (!whole || *whole >= 0 || *whole == INT64_MIN) continue;
        const std::lock_guard lock(mutex_);
        known_[path + "\n" + event.string_at("event_id").value_or("") + "\n" + field] = *whole;
        *number = -*whole;
        changed = true;
      }
    });
    if (!changed) return request;
    service::Request positive = request;
    positive.body = service::write_json(*body);
    return positive;
  }

  void restore(const service::Request& request, service::Reply& reply) {
    const std::lock_guard lock(mutex_);
    if (known_.empty()) return;
    auto body = service::parse_json(reply.body);
    if (!body) return;
    const std::string path = faults::execution_path(request);
    faults::each_item(*body, "events", [&](Value& event) {
      for (const char* field : fields) {
        const auto known =
            known_.find(path + "\n" + event.string_at("event_id").value_or("") + "\n" + field);
        if (known != known_.end()) event.as_object()[field] = known->second;
      }
    });
    reply.body = service::write_json(*body);
  }

  std::mutex mutex_;
  std::map<std::string, std::int64_t> known_;
};

faults::Intercept keeps_negatives() {
  auto negatives = std::make_shared<Negatives>();
  return [negatives](service::Service& sound, const service::Request& request) {
    return negatives->handle(sound, request);
  };
}

/// A legacy event with an error is a failed one, whatever its status says.
service::Reply error_beats_status(service::Service& sound, const service::Request& request) {
  if (!posts_events(request)) return sound.handle(request);
  auto body = service::parse_json(request.body);
  if (!body) return sound.handle(request);
  bool changed = false;
  each_event(request, *body, [&changed](Value& event, const std::string&) {
    const Value* error = event.at_pointer("/payload/error");
    if (error == nullptr || error->is_null() || event.find("event_alias") != nullptr) return;
    const std::string type = event.string_at("event_type").value_or("");
    const bool is_attempt = type == "retry.processed";
    if (!is_attempt && type != "tool.processed" && type != "sink.processed") return;
    Value* meta = faults::member(*faults::member(event, "payload"), "meta");
    if (meta != nullptr && !meta->is_object()) return;
    event.as_object()["event_type"] = is_attempt ? "task.attempt.failed" : "task.failed";
    Value& payload = event.as_object()["payload"];
    if (meta == nullptr) payload.as_object()["meta"] = Object{};
    payload.as_object()["meta"].as_object()["legacy_type"] = type;
    changed = true;
  });
  if (!changed) return sound.handle(request);
  service::Request failed = request;
  failed.body = service::write_json(*body);
  return sound.handle(failed);
}

std::string* header_of(service::Request& request, std::string_view name) {
  for (service::Header& header : request.headers) {
    if (service::lower_case(header.name) == name) return &header.value;
  }
  return nullptr;
}

service::Reply takes_text_json(service::Service& sound, const service::Request& request) {
  service::Request changed = request;
  std::string* type = header_of(changed, "content-type");
  if (type != nullptr && service::lower_case(type->substr(0, type->find(';'))) == "text/json") {
    *type = "application/json";
  }
  return sound.handle(changed);
}

service::Reply refuses_charsets(service::Service& sound, const service::Request& request) {
  service::Request changed = request;
  const std::string* type = header_of(changed, "content-type");
  const std::string words = type == nullptr ? "" : service::lower_case(*type);
  const std::size_t charset = words.find("charset=");
  if (charset == std::string::npos || request.body.empty() || words.find("utf-8") < words.size()) {
    return sound.handle(request);
  }
  // Path, method and length are asked before.
  if (auto refused = sound.refuse_head(request)) return *refused;
  if (request.method != "POST") return sound.handle(request);
  return refusal(415, "CHARSET_NOT_UTF_8");
}

service::Reply small_limit(service::Service& sound, const service::Request& request) {
  constexpr std::size_t limit = 512U << 10U;
  const bool is_small = request.method == "POST" && !posts_events(request) &&
                        !is_on_route(request, "POST /executions");
  if (!is_small || request.body.size() <= limit) return sound.handle(request);
  if (auto refused = sound.refuse_head(request)) return *refused;
  return refusal(413, "BODY_TOO_LARGE");
}

/// The depth of a JSON text where a scalar is a level too.
std::size_t depth_of(std::string_view text) {
  std::size_t depth = 0;
  std::size_t deepest = 0;
  bool in_text = false;
  for (std::size_t index = 0; index < text.size(); ++index) {
    const char byte = text[index];
    if (in_text) {
      if (byte == '\\') ++index;
      if (byte == '"') in_text = false;
    } else if (byte == '[' || byte == '{') {
      deepest = std::max(deepest, ++depth);
    } else if (byte == ']' || byte == '}') {
      if (depth > 0) --depth;
    } else if (byte != ' ' && byte != '\n' && byte != '\r' && byte != '\t') {
      if (byte != ',' && byte != ':') deepest = std::max(deepest, depth + 1);
      in_text = byte == '"';
    }
  }
  return deepest;
}

service::Reply scalars_are_levels(service::Service& sound, const service::Request& request) {
  if (request.method != "POST" || depth_of(request.body) <= service::max_json_depth) {
    return sound.handle(request);
  }
  // Where the body is no JSON, or the id is unknown, the sound service says so; a deeper text than
  // this one tells whether it would have been read.
  if (!service::parse_json(request.body)) {
    return sound.handle(request);
  }
  service::Request deeper = request;
  deeper.body =
      std::string(service::max_json_depth + 1, '[') + std::string(service::max_json_depth + 1, ']');
  return sound.handle(deeper);
}

service::Reply passes_unused_bodies(service::Service& sound, const service::Request& request) {
  const bool takes_none = is_on_route(request, "POST /workflow-execution/*/ack") ||
                          is_on_route(request, "POST /runs/*/retry");
  if (!takes_none || request.body.empty()) return sound.handle(request);
  const auto body = service::parse_json(request.body);
  if (!body || body->is_object()) return sound.handle(request);
  service::Request changed = request;
  changed.body = "{}";
  return sound.handle(changed);
}

service::Reply refuses_head(service::Service& sound, const service::Request& request) {
  service::Reply reply = sound.handle(request);
  return request.method != "HEAD" || reply.status == 404 ? reply
                                                         : refusal(405, "METHOD_NOT_ALLOWED");
}

service::Reply refuses_long_reasons(service::Service& sound, const service::Request& request) {
  service::Reply reply = sound.handle(request);
  const bool takes_reason = is_on_route(request, "POST /executions/*/cancel") ||
                            is_on_route(request, "POST /executions/*/pause");
  const bool is_long = reply.status == 413 &&
                       faults::has_text(faults::json_of(reply.body), "code", "EXTERNALISE_RESULT");
  return takes_reason && is_long ? refusal(422, "REASON_TOO_LONG", "/reason") : reply;
}

}  // namespace

std::vector<Liberty> request_liberties() {
  return {
      {.id = "head-refused",
       .title = "HEAD is 405",
       .words = "\"405 wrong method\"; HEAD is named nowhere",
       .intercept = refuses_head},
      {.id = "long-reason-is-422",
       .title = "A reason over the cap of a payload is 422",
       .words = "\"an event over it is 413\": a reason is not an event",
       .intercept = refuses_long_reasons},
      {"own-meta",
       "payload.meta that is not an object is refused",
       "Specification 001: payload.meta is \"free-form metadata\"",
       {},
       refuses_events(meta_that_is_no_object)},
      {"ten-digits-refused",
       "A time with more than nine fraction digits is refused",
       "\"up to nine fraction digits kept\": of more nothing is said",
       {},
       refuses_events(more_than_nine_digits)},
      {"negative-whole-numbers",
       "Negative iteration and duration_ms are stored",
       "\"422 if present with a type or value that [it] excludes\"; specification 001 says int",
       {},
       {},
       keeps_negatives},
      {"error-beats-status",
       "tool.processed, retry.processed and sink.processed with payload.error are failures, also "
       "with status success",
       "Specification 001, 4: \"task.done / task.failed\"; which of two signs decides is not said",
       {},
       error_beats_status},
      {"text-json",
       "text/json counts as JSON",
       "\"415 not JSON by its content type\"",
       {},
       takes_text_json},
      {"foreign-charset-refused",
       "Another charset than UTF-8 is 415",
       "\"JSON in and out, UTF-8\"",
       {},
       refuses_charsets},
      {"small-limit-elsewhere",
       "Bodies that are not an event, a batch or a playbook may have 512 KiB",
       "\"413 body over the limit (1 MiB an event, 8 MiB a batch; settable)\"",
       {},
       small_limit},
      {"scalar-is-a-level",
       "100 arrays with a number inside are too deep",
       "\"JSON deeper than 100 levels\": what a level is is not said",
       {},
       scalars_are_levels},
      {"unused-body-passed",
       "ack and retry pass over JSON that is not an object",
       "These calls name no body",
       {},
       passes_unused_bodies},
  };
}

}  // namespace assay::liberties
