#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "reference_impl/faults/log_reading.h"
#include "reference_impl/faults/rewriting.h"
#include "reference_impl/liberties/answers.h"
#include "reference_impl/liberties/kinds.h"
#include "reference_impl/service/json_codec.h"
#include "reference_impl/service/problem.h"
#include "reference_impl/service/yaml_reader.h"

namespace assay::liberties {
namespace {

using faults::detail_route;
using faults::is_on_route;
using faults::log_route;

/// completion_inferred is true in the first answer after the state was rebuilt, and false again
/// afterwards.
class InferredOnce {
 public:
  service::Reply handle(service::Service& sound, const service::Request& request) {
    service::Reply reply = sound.handle(request);
    if (reply.status != 200) return reply;
    if (is_on_route(request, "POST /control/evict")) forget(request);
    const bool shows =
        is_on_route(request, faults::status_route) || is_on_route(request, detail_route);
    if (!shows) return reply;
    auto body = service::parse_json(reply.body);
    const Value* inferred = body ? body->find("completion_inferred") : nullptr;
    if (inferred == nullptr || *inferred != Value(true)) return reply;
    const std::lock_guard lock(mutex_);
    if (said_.insert(body->string_at("execution_id").value_or("")).second) return reply;
    body->as_object()["completion_inferred"] = false;
    reply.body = service::write_json(*body);
    return reply;
  }

 private:
  void forget(const service::Request& request) {
    const auto body = service::parse_json(request.body);
    const std::lock_guard lock(mutex_);
    if (body) said_.erase(body->string_at("execution_id").value_or(""));
  }

  std::mutex mutex_;
  std::set<std::string> said_;
};

/// The steps of a playbook, an object or a text of YAML.
std::vector<std::string> steps_of(const Value& playbook) {
  Value document = playbook;
  if (playbook.is_string()) {
    auto read = service::read_yaml(playbook.as_string());
    document = read ? *std::move(read) : Value();
  }
  std::vector<std::string> names;
  const Value* workflow = document.find("workflow");
  if (workflow == nullptr || !workflow->is_list()) return names;
  for (const Value& step : workflow->as_list()) {
    if (const auto name = step.string_at("step")) names.push_back(*name);
  }
  return names;
}

/// The detail of a driven execution lists the steps that have not begun as PENDING.
class PendingSteps {
 public:
  service::Reply handle(service::Service& sound, const service::Request& request) {
    service::Reply reply = sound.handle(request);
    if (is_on_route(request, "POST /executions") && reply.status == 201) remember(request, reply);
    if (is_on_route(request, detail_route) && reply.status == 200) add(reply);
    return reply;
  }

 private:
  void remember(const service::Request& request, const service::Reply& reply) {
    const auto asked = service::parse_json(request.body);
    const auto answered = service::parse_json(reply.body);
    const Value* playbook = asked ? asked->find("playbook") : nullptr;
    if (playbook == nullptr) return;
    const std::lock_guard lock(mutex_);
    steps_[answered.value().string_at("execution_id").value_or("")] = steps_of(*playbook);
  }

  void add(service::Reply& reply) {
    auto body = service::parse_json(reply.body);
    List* shown = body ? faults::list_at(*body, "steps") : nullptr;
    if (shown == nullptr) return;
    const std::lock_guard lock(mutex_);
    const auto known = steps_.find(body->string_at("execution_id").value_or(""));
    if (known == steps_.end()) return;
    for (const std::string& step : known->second) {
      const bool has_begun = std::any_of(shown->begin(), shown->end(), [&](const Value& item) {
        return faults::has_text(item, "step", step);
      });
      if (!has_begun) shown->push_back(Object{{"step", step}, {"state", "PENDING"}});
    }
    reply.body = service::write_json(*body);
  }

  std::mutex mutex_;
  std::map<std::string, std::vector<std::string>> steps_;
};

template <typename Memory>
faults::Intercept remembering() {
  auto memory = std::make_shared<Memory>();
  return [memory](service::Service& sound, const service::Request& request) {
    return memory->handle(sound, request);
  };
}

/// command.issued and command.cancelled are the server's own where it drives.
service::Reply issues_commands_itself(service::Service& sound, const service::Request& request) {
  const bool is_batch = is_on_route(request, "POST /executions/*/events/batch");
  if (!is_batch && !is_on_route(request, faults::post_route)) return sound.handle(request);
  auto body = service::parse_json(request.body);
  if (!body) return sound.handle(request);
  const auto is_servers = [](const Value& event) {
    return faults::is_type(event, "command.issued") || faults::is_type(event, "command.cancelled");
  };
  const List* events = is_batch ? faults::list_at(*body, "events") : nullptr;
  const bool applies =
      is_batch ? events != nullptr && std::any_of(events->begin(), events->end(), is_servers)
               : is_servers(*body);
  if (!applies || !is_driven(faults::log_of(sound, request))) return sound.handle(request);
  return service::problem_reply({409, "SERVER_EVENT", "the server issues commands", {}, {}});
}

void show_args(Object& event) {
  if (event["event_type"] != Value("next.evaluated")) return;
  const auto payload = event.find("payload");
  if (payload == event.end()) return;
  faults::each_item(payload->second, "selected", [](Value& selected) {
    if (selected.is_object()) selected.as_object().try_emplace("args", Object{});
  });
}

/// The reason of a failure in payload.error, that of a cancel in payload.meta.
void move_reason(Object& event) {
  if (event["source"] != Value("server")) return;
  const auto payload = event.find("payload");
  if (payload == event.end() || !payload->second.is_object()) return;
  Object& members = payload->second.as_object();
  const auto reason = members.find("reason");
  if (reason == members.end()) return;
  if (event["event_type"] == Value("execution.cancelled")) {
    members["meta"] = Object{{"reason", reason->second}};
  } else if (event["event_type"] == Value("playbook.finished") ||
             event["event_type"] == Value("playbook.failed")) {
    members["error"] = Object{{"message", reason->second}};
  } else {
    return;
  }
  members.erase("reason");
}

}  // namespace

std::vector<Liberty> driven_liberties() {
  return {
      {"inferred-once",
       "completion_inferred is true in the answer that rebuilt the state, and false again "
       "afterwards",
       "\"false while live state answers\"; evict \"drops the live state; the next read rebuilds "
       "it\"",
       {},
       {},
       remembering<InferredOnce>},
      {"pending-steps-listed",
       "A driven execution lists the steps that have not begun as PENDING",
       "\"steps:[{step, state}]\"; specification 000 has PENDING",
       {},
       {},
       remembering<PendingSteps>},
      {"command-issued-is-servers",
       "command.issued and command.cancelled from a driven worker are 409 SERVER_EVENT",
       "\"a server event from a client → 409\"; specification 000's owner of both is the server",
       {},
       issues_commands_itself},
      {"args-always-shown",
       "selected of next.evaluated has args also where the arc has none",
       "\"selected:[{step, args?}]\"",
       {on_items(log_route, "events", show_args)}},
      {"in-flight-as-ids",
       "in_flight of the marking holds the step_run_ids",
       "\"in_flight:[...]\", \"in_flight lists the running ones\"",
       {on_success("GET /executions/*/marking",
                   [](Value& body) {
                     faults::each_item(body, "in_flight", [](Value& item) {
                       const Value* id = item.find("step_run_id");
                       if (id != nullptr) item = Value(*id);
                     });
                   })}},
      {"state-at-acceptance",
       "POST /executions says PENDING and POST /workflow-execution NEW: the state when the record "
       "was made",
       "\"201 {execution_id, state}\", \"201 {uuid, status}\": of which moment is not said",
       {on_success("POST /executions", [](Value& body) { body.as_object()["state"] = "PENDING"; }),
        on_success("POST /workflow-execution",
                   [](Value& body) { body.as_object()["status"] = "NEW"; })}},
      {"reasons-elsewhere",
       "The reason of a failure is in payload.error.message, that of a cancel in payload.meta",
       "\"with the reason in playbook.finished\"; specification 001: \"payload.error (structured "
       "error)\", \"payload.meta\"",
       {on_items(log_route, "events", move_reason)}},
  };
}

}  // namespace assay::liberties
