#include "reference_impl/faults/workflow_calls.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "reference_impl/faults/log_reading.h"
#include "reference_impl/faults/moments.h"
#include "reference_impl/service/json_codec.h"

namespace assay::faults {
namespace {

constexpr const char* start_route = "POST /workflow-execution";
constexpr const char* definition_route = "POST /workflow-definitions";
constexpr const char* abort_route = "DELETE /workflow-execution/*";
constexpr const char* ack_route = "POST /workflow-execution/*/ack";
constexpr const char* poll_route = "POST /blackboard/jobs/poll";
constexpr const char* result_route = "POST /blackboard/jobs/*/result";

std::string last_segment(const service::Request& request) {
  return request.target.substr(request.target.rfind('/') + 1);
}

std::string job_in_path(const service::Request& request) {
  return last_segment({"", request.target.substr(0, request.target.rfind('/')), {}, ""});
}

Value execution_of(service::Service& sound, const std::string& uuid) {
  return ask(sound, "/workflow-execution/id/" + uuid);
}

bool has_outcome(const Value& execution) {
  const Value* outcome = execution.find("outcome");
  return outcome != nullptr && outcome->is_string();
}

void confuse(Value& body, const std::string& from, const std::string& to) {
  const auto confuse_member = [&](Value& item, std::string_view name) {
    replace_text(item, name, from, to);
    replace_text(item, name, from + "_ACK", to + "_ACK");
  };
  confuse_member(body, "status");
  confuse_member(body, "outcome");
  each_item(body, "history", [&](Value& entry) { confuse_member(entry, "status"); });
}

/// The execution has that outcome from now on.
void reopen(Value& body, const std::string& outcome) {
  body.as_object()["status"] = outcome;
  body.as_object()["outcome"] = outcome;
  if (List* history = list_at(body, "history"); history != nullptr && !history->empty()) {
    Value entry = history->back();
    entry.as_object()["status"] = outcome;
    history->push_back(std::move(entry));
  }
}

/// Shows the outcomes that are kept under a uuid.
Intercept shows_kept_outcomes(const std::shared_ptr<Memory>& outcomes) {
  return changes_execution([outcomes](const service::Request&, Value& body) {
    if (const auto outcome = outcomes->find(text_of(body, "uuid"))) {
      reopen(body, outcome->as_string());
    }
  });
}

/// Jobs to be handed out, for calls from many threads.
class Jobs {
 public:
  void add(Value job) {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  std::optional<Value> take() {
    const std::lock_guard lock(mutex_);
    if (jobs_.empty()) return std::nullopt;
    Value job = std::move(jobs_.front());
    jobs_.pop_front();
    return job;
  }

 private:
  std::mutex mutex_;
  std::deque<Value> jobs_;
};

service::Reply json_answer(const Value& body) {
  return {200, "application/json", service::write_json(body), {}};
}

bool is_polled(service::Service& sound, const Value& job) {
  Value page = ask(sound, "/blackboard/jobs?limit=1000&state=POLLED&uuid=" + text_of(job, "uuid"));
  const List* jobs = list_at(page, "jobs");
  return jobs != nullptr && std::any_of(jobs->begin(), jobs->end(), [&](const Value& listed) {
           return has_text(listed, "job_id", text_of(job, "job_id"));
         });
}

}  // namespace

Intercept changes_execution(ChangeBody change) {
  return alters_answers_on({workflow_route, abort_route, ack_route}, std::move(change));
}

Intercept omits(const std::string& state) {
  return changes_execution([state](const service::Request&, Value& body) {
    remove_items(body, "history",
                 [&](const Value& entry) { return has_text(entry, "status", state); });
    const List* history = list_at(body, "history");
    if (history == nullptr || history->empty()) return;
    body.as_object()["status"] = text_of(history->back(), "status");
  });
}

Intercept confuses_outcome(const std::string& from, const std::string& to,
                           const std::function<bool(const Value& body)>& applies) {
  return changes_execution([=](const service::Request&, Value& body) {
    if (has_text(body, "outcome", from) && applies(body)) confuse(body, from, to);
  });
}

Intercept changes_definitions(const std::function<void(List& steps)>& change) {
  return [change](service::Service& sound, const service::Request& request) {
    Value body = json_of(request.body);
    Value* definition = is_on_route(request, definition_route) ? &body : nullptr;
    if (is_on_route(request, start_route)) definition = member(body, "workflow");
    List* steps = definition == nullptr ? nullptr : list_at(*definition, "steps");
    if (steps == nullptr) return sound.handle(request);
    change(*steps);
    return sound.handle(with_body(request, body));
  };
}

Intercept takes_unknown_blocks() {
  return [](service::Service& sound, const service::Request& request) {
    if (is_on_route(request, start_route)) {
      Value body = json_of(request.body);
      if (Value* workflow = member(body, "workflow")) {
        each_item(*workflow, "steps", [&](const Value& step) {
          const Value block = Object{{"name", text_of(step, "functionBlock")}, {"pure", false}};
          service::Request registers = with_body(request, block);
          registers.target = "/function-blocks";
          static_cast<void>(sound.handle(registers));
        });
      }
    }
    return sound.handle(request);
  };
}

Intercept takes_failures_for_successes(const std::string& type) {
  return [type, polled = std::make_shared<Memory>()](service::Service& sound,
                                                     const service::Request& request) {
    const bool is_meant =
        is_on_route(request, result_route) && polled->find(job_in_path(request)) == Value(type);
    Value result = json_of(request.body);
    if (is_meant && result.is_object() && result.find("success") != nullptr) {
      result.as_object()["success"] = true;
      return sound.handle(with_body(request, result));
    }
    service::Reply reply = sound.handle(request);
    if (is_on_route(request, poll_route) && reply.status == 200) {
      const Value job = json_of(reply.body);
      polled->keep(text_of(job, "job_id"), text_of(job, "type"));
    }
    return reply;
  };
}

Intercept takes_late_results() {
  return [polled = std::make_shared<Memory>(), outcomes = std::make_shared<Memory>()](
             service::Service& sound, const service::Request& request) {
    const auto uuid =
        is_on_route(request, result_route) ? polled->find(job_in_path(request)) : std::nullopt;
    const bool is_late = uuid && has_outcome(execution_of(sound, uuid->as_string()));
    service::Reply reply = shows_kept_outcomes(outcomes)(sound, request);
    if (is_late && reply.status == 200) {
      const Value result = json_of(request.body);
      const bool success = *result.find("success") == Value(true);
      outcomes->keep(uuid->as_string(), success ? "COMPLETED" : "FAILED_UNSAFE");
    }
    if (is_on_route(request, poll_route) && reply.status == 200) {
      const Value job = json_of(reply.body);
      polled->keep(text_of(job, "job_id"), text_of(job, "uuid"));
    }
    return reply;
  };
}

Intercept aborts_what_has_ended() {
  return [outcomes = std::make_shared<Memory>()](service::Service& sound,
                                                 const service::Request& request) {
    if (is_on_route(request, abort_route)) {
      const std::string uuid = last_segment(request);
      if (has_outcome(execution_of(sound, uuid))) outcomes->keep(uuid, "FAILED_UNSAFE");
    }
    return shows_kept_outcomes(outcomes)(sound, request);
  };
}

Intercept hands_out_withdrawn_jobs() {
  return [withdrawn = std::make_shared<Jobs>()](service::Service& sound,
                                                const service::Request& request) {
    if (is_on_route(request, poll_route)) {
      if (auto job = withdrawn->take()) return json_answer(*job);
    }
    if (is_on_route(request, abort_route)) {
      Value page = ask(sound, "/blackboard/jobs?state=PENDING&uuid=" + last_segment(request));
      each_item(page, "jobs", [&](Value& job) {
        job.as_object()["state"] = "POLLED";
        withdrawn->add(job);
      });
    }
    return sound.handle(request);
  };
}

Intercept hands_out_twice() {
  return
      [again = std::make_shared<Jobs>()](service::Service& sound, const service::Request& request) {
        if (!is_on_route(request, poll_route)) return sound.handle(request);
        if (const auto job = again->take(); job && is_polled(sound, *job)) return json_answer(*job);
        service::Reply reply = sound.handle(request);
        if (reply.status == 200) again->add(json_of(reply.body));
        return reply;
      };
}

bool share_an_entity(const Value& one, const Value& other) {
  const Value* left = one.find("entities");
  const Value* right = other.find("entities");
  if (left == nullptr || right == nullptr || !left->is_list() || !right->is_list()) return false;
  return std::any_of(left->as_list().begin(), left->as_list().end(), [&](const Value& entity) {
    return std::find(right->as_list().begin(), right->as_list().end(), entity) !=
           right->as_list().end();
  });
}

Intercept lists_ended_as_active() {
  return [](service::Service& sound, const service::Request& request) {
    const auto add_ended = [&](const service::Request&, Value& body) {
      List* listed = list_at(body, "executions");
      if (listed == nullptr) return;
      for (const char* state : {"COMPLETED", "FAILED_SAFE", "FAILED_UNSAFE"}) {
        Value page = ask(sound, "/workflow-execution/state/" + std::string(state) + "?limit=1000");
        each_item(page, "executions", [&](const Value& ended) { listed->push_back(ended); });
      }
    };
    return alters_answers("GET /workflow-execution/active", add_ended)(sound, request);
  };
}

}  // namespace assay::faults
