#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "reference_impl/faults/log_reading.h"
#include "reference_impl/faults/rewriting.h"
#include "reference_impl/liberties/answers.h"
#include "reference_impl/liberties/kinds.h"
#include "reference_impl/model/routing/policy.h"
#include "reference_impl/service/json_codec.h"

namespace assay::liberties {
namespace {

using faults::is_on_route;

Liberty settles(std::string_view id, std::string_view title, std::string_view words,
                void (*configure)(service::ServiceOptions& options)) {
  return {.id = id, .title = title, .words = words, .configure = configure};
}

/// playbook.paused stands in a replay's log too, once a pause.
class PausedReplays {
 public:
  service::Reply handle(service::Service& sound, const service::Request& request) {
    service::Reply reply = sound.handle(request);
    const bool pauses = is_on_route(request, "POST /executions/*/pause");
    if (reply.status != 200 || (!pauses && !is_on_route(request, "POST /executions/*/resume"))) {
      return reply;
    }
    const std::string path = faults::execution_path(request);
    const std::lock_guard lock(mutex_);
    if (!pauses) {
      paused_.erase(path);
    } else if (!is_driven(faults::log_of(sound, request)) && paused_.insert(path).second) {
      append(sound, path, faults::json_of(request.body));
    }
    return reply;
  }

 private:
  void append(service::Service& sound, const std::string& path, const Value& asked) {
    Object payload;
    if (const Value* reason = asked.find("reason")) payload["reason"] = *reason;
    const Value event = Object{{"event_id", "server-pause-" + std::to_string(++appended_)},
                               {"event_type", "playbook.paused"},
                               {"timestamp", "2026-01-01T00:00:00Z"},
                               {"source", "server"},
                               {"payload", std::move(payload)}};
    static_cast<void>(sound.handle({"POST",
                                    path + "/events",
                                    {{"Content-Type", "application/json"}},
                                    service::write_json(event)}));
  }

  std::mutex mutex_;
  std::set<std::string> paused_;
  int appended_ = 0;
};

faults::Intercept pauses_replays() {
  auto memory = std::make_shared<PausedReplays>();
  return [memory](service::Service& sound, const service::Request& request) {
    return memory->handle(sound, request);
  };
}

/// The step_run_id of a token is made when it is scheduled.
void hide_ids_of_pending(Value& marking) {
  faults::each_item(marking, "tokens", [](Value& token) {
    if (faults::has_text(token, "status", "pending")) token.as_object()["step_run_id"] = nullptr;
  });
}

std::vector<Liberty> token_liberties() {
  return {
      settles("tokens-in-reverse",
              "Of the arcs of an inclusive step the last one's token is admitted first, and of "
              "waiting tokens the newest",
              "\"one downstream token per match\": no order among them",
              [](service::ServiceOptions& options) {
                options.net_policy.token_order = routing::TokenOrder::newest_first;
              }),
      settles(
          "every-patch-asks-again",
          "A patch of ctx that changes nothing has the waiting tokens asked again",
          "\"tokens that wait for admission are evaluated again\"; specification 003: admission "
          "is evaluated per step",
          [](service::ServiceOptions& options) {
            options.net_policy.readmission = routing::Readmission::on_every_patch;
          }),
      settles(
          "iteration-ctx-stays-out", "payload.ctx of an iteration's outcome is not merged",
          "\"payload.outcome of step.done is what guards see …, and payload.ctx is merged\": of "
          "step.done",
          [](service::ServiceOptions& options) {
            options.net_policy.iteration_ctx = routing::IterationCtx::stays_out;
          }),
      settles("first-arrival-wins",
              "Of arguments of one name that meet at a join those of the first arrival stand",
              "Nothing is said of args at a join",
              [](service::ServiceOptions& options) {
                options.net_policy.joined_args = routing::JoinedArgs::first_arrival;
              }),
      {.id = "run-id-at-scheduling",
       .title = "A token has no step_run_id in the marking while it is pending",
       .words = "\"{step, step_run_id, status, args}; status is pending, scheduled or running\": a "
                "step run is scheduled",
       .changes = {on_success("GET /executions/*/marking", hide_ids_of_pending)}},
      {.id = "rule-left-out",
       .title = "policy.admit.evaluated has no rule where none decided",
       .words = "\"the index of the rule that decided, \"else\", or null where none is there\"; "
                "\"null for an optional field means absent\"",
       .changes = {on_items(faults::log_route, "events",
                            [](Object& event) {
                              Value* payload = &event["payload"];
                              if (event["event_type"] != Value("policy.admit.evaluated") ||
                                  !payload->is_object())
                                return;
                              const Value* rule = payload->find("rule");
                              if (rule != nullptr && rule->is_null())
                                payload->as_object().erase("rule");
                            })}},
  };
}

std::vector<Liberty> end_liberties() {
  return {
      settles("counts-of-steps-not-runs",
              "The counts of the final summary are of steps, each once, and not of step runs",
              "\"counts:{steps_done, steps_failed, branches}\"",
              [](service::ServiceOptions& options) {
                options.net_policy.summary_counts = routing::SummaryCounts::steps;
              }),
      settles("long-summary-fails", "A final summary over the cap of args fails the execution",
              "\"a token's bound args at 65,536 …; rendered ones fail the execution\"",
              [](service::ServiceOptions& options) {
                options.net_policy.long_summary = routing::LongSummary::fails;
              }),
  };
}

std::vector<Liberty> pause_liberties() {
  return {
      settles("paused-at-gates",
              "playbook.paused is appended when every token there is waits for admission",
              "Specification 001, 5.1: the server MUST emit \"playbook.paused (if applicable)\"",
              [](service::ServiceOptions& options) {
                options.net_policy.closed_gates = routing::ClosedGates::are_paused;
              }),
      settles("ends-during-a-pause",
              "An execution with nothing left to schedule ends during a pause",
              "\"schedules nothing more, what is in flight goes on\": of its end nothing is said",
              [](service::ServiceOptions& options) {
                options.net_policy.paused_end = routing::PausedEnd::at_once;
              }),
      settles("admission-during-a-pause",
              "Tokens that arrive during a pause are asked for admission at once",
              "\"schedules nothing more\": admission is asked before that",
              [](service::ServiceOptions& options) {
                options.net_policy.paused_admission = routing::PausedAdmission::at_once;
              }),
      {.id = "paused-replays",
       .title = "The pause of a replay appends playbook.paused",
       .words = "\"a driven execution appends playbook.paused\": of a replay nothing is said",
       .make = pauses_replays},
  };
}

}  // namespace

std::vector<Liberty> net_liberties() {
  std::vector<Liberty> all = token_liberties();
  for (const auto kind : {end_liberties, pause_liberties}) {
    const std::vector<Liberty> more = kind();
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

}  // namespace assay::liberties
