#include "reference_impl/liberties/choices.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "reference_impl/faults/intercepted.h"
#include "reference_impl/faults/log_reading.h"
#include "reference_impl/faults/rewriting.h"
#include "reference_impl/model/runs/status.h"
#include "reference_impl/service/json_codec.h"
#include "reference_impl/service/problem.h"

namespace assay::liberties {
namespace {

using faults::is_on_route;
using service::ServiceOptions;

/// A word that is none of the eight makes an undefined transition (specification 004): the sound
/// service is asked for one to `created`, which none may enter, and the audit shows the word.
class UndefinedWords {
 public:
  service::Reply handle(service::Service& sound, const service::Request& request) {
    if (is_on_route(request, "POST /runs/*/transitions")) return move(sound, request);
    service::Reply reply = sound.handle(request);
    if (is_on_route(request, "GET /runs/*/audit") && reply.status == 200) show(reply);
    return reply;
  }

 private:
  service::Reply move(service::Service& sound, const service::Request& request) {
    Value body = faults::json_of(request.body);
    const std::optional<std::string> word = body.string_at("to");
    if (!word || runs::parse_status(*word)) return sound.handle(request);
    body.as_object()["to"] = "created";
    // Nobody else's move may come between the denial and the look at it.
    const std::lock_guard lock(mutex_);
    const std::string run = request.target.substr(0, request.target.rfind('/'));
    const std::size_t before = audit_of(sound, run).size();
    service::Reply reply = sound.handle(faults::with_body(request, body));
    const List events = audit_of(sound, run);
    if (events.size() > before) words_[events[before].string_at("event_id").value_or("")] = *word;
    return reply;
  }

  static List audit_of(service::Service& sound, const std::string& run) {
    Value body = faults::ask(sound, run + "/audit?limit=1000");
    List* events = faults::list_at(body, "events");
    return events == nullptr ? List{} : std::move(*events);
  }

  void show(service::Reply& reply) {
    const std::lock_guard lock(mutex_);
    if (words_.empty()) return;
    Value body = faults::json_of(reply.body);
    faults::each_item(body, "events", [this](Value& event) {
      const auto known = words_.find(event.string_at("event_id").value_or(""));
      if (known != words_.end()) event.as_object()["attempted_state"] = known->second;
    });
    reply.body = service::write_json(body);
  }

  std::mutex mutex_;
  std::map<std::string, std::string> words_;
};

faults::Intercept takes_unknown_words_for_undefined() {
  auto words = std::make_shared<UndefinedWords>();
  return [words](service::Service& sound, const service::Request& request) {
    return words->handle(sound, request);
  };
}

service::Reply has_no_acknowledgements(service::Service& sound, const service::Request& request) {
  if (!is_on_route(request, "POST /workflow-execution/*/ack")) return sound.handle(request);
  return service::problem_reply({404, "NOT_FOUND", "there is no such path", {}, {}});
}

/// What is said to be down gives no answer.
void answers_nothing(Value& body) {
  const Value* available = body.find("available");
  if (available == nullptr || *available != Value(false) || body.find("mode") != nullptr) return;
  body.as_object()["mode"] = "hang";
}

bool after_completion_only(lifecycle::Ending ending, std::size_t /*executed_steps*/) {
  return ending == lifecycle::Ending::completion;
}

std::vector<OtherChoice> execution_choices() {
  return {
      {"end_from_pending", "ignored",
       [](ServiceOptions& options) { options.fold_policy.closes_from_pending = false; }},
      {"second_closing_event", "refused",
       [](ServiceOptions& options) { options.event_policy.takes_second_end = false; }},
      {"late_events", "refused",
       [](ServiceOptions& options) { options.event_policy.takes_late_events = false; }},
      {"repeated_cancel", "refused",
       [](ServiceOptions& options) { options.event_policy.takes_second_cancel = false; }},
      {"unknown_event_types", "refused",
       [](ServiceOptions& options) { options.event_policy.takes_unknown_types = false; }},
      {"legacy_events", "reject",
       [](ServiceOptions& options) { options.legacy = service::LegacyPolicy::reject; }},
      {"step_exit", "after_call",
       [](ServiceOptions& options) { options.fold_policy.exit_stands_alone = false; }},
      {"iteration_scheduled_by_worker", "taken",
       [](ServiceOptions& options) {
         options.net_policy.iteration_scheduling = routing::IterationScheduling::by_worker_too;
       }},
  };
}

std::vector<OtherChoice> workflow_choices() {
  return {
      {"invalid_submission", "refused",
       [](ServiceOptions& options) {
         options.lifecycle_policy.invalid_submission = lifecycle::InvalidSubmission::is_refused;
       }},
      {"abort_outcome", "always_unsafe",
       [](ServiceOptions& options) {
         options.lifecycle_policy.abort_outcome = lifecycle::AbortOutcome::always_unsafe;
       }},
      {"acknowledgement", "absent", nullptr,
       [] { return faults::Intercept(has_no_acknowledgements); }},
      {"failed_end_locks", "kept",
       [](ServiceOptions& options) {
         options.lifecycle_policy.locks.releases = after_completion_only;
       }},
      {"failed_acquire", "by_error",
       [](ServiceOptions& options) {
         options.lifecycle_policy.failed_acquire = lifecycle::FailedAcquire::by_error;
       }},
      {"lock_service_down", "waits", nullptr,
       [] { return faults::alters_requests("POST /control/lock-service", answers_nothing); }},
  };
}

std::vector<OtherChoice> routing_choices() {
  return {
      {"denied_token", "discard",
       [](ServiceOptions& options) {
         options.playbook_rules.defaults.denied_token = routing::DeniedToken::discard;
       }},
      {"closed_gate", "completes",
       [](ServiceOptions& options) { options.playbook_rules.defaults.gates_hold = false; }},
      {"guard_error", "no_match",
       [](ServiceOptions& options) {
         options.net_policy.failing_guard = routing::FailingGuard::is_false;
       }},
      {"admit_without_match", "allows",
       [](ServiceOptions& options) {
         options.net_policy.unmatched_admission = routing::UnmatchedAdmission::allows;
       }},
      {"fan_in", "wait_all",
       [](ServiceOptions& options) {
         options.playbook_rules.defaults.fan_in = routing::FanInPolicy::wait_all;
       }},
      {"status_policy", "fail_fast",
       [](ServiceOptions& options) {
         options.playbook_rules.defaults.status_policy = routing::StatusPolicy::fail_fast;
       }},
      {"status_policy", "allow_partial",
       [](ServiceOptions& options) {
         options.playbook_rules.defaults.status_policy = routing::StatusPolicy::allow_partial;
       }},
      {"partial_state", "failed",
       [](ServiceOptions& options) {
         options.net_policy.partial_end = routing::PartialEnd::is_error;
         options.fold_policy.partial_is_success = false;
       }},
      {"loop_failure", "stops",
       [](ServiceOptions& options) {
         options.net_policy.loop_end = routing::LoopEnd::at_first_failure_in_sequence;
       }},
      {"final_step_failure", "partial",
       [](ServiceOptions& options) {
         options.playbook_rules.defaults.final_failure = routing::FinalFailure::partial;
       }},
      {"final_step_after_failure", "skipped",
       [](ServiceOptions& options) {
         options.net_policy.final_step_after_failure = routing::FinalStepAfterFailure::is_skipped;
       }},
      {"root_sections", "required",
       [](ServiceOptions& options) { options.playbook_rules.needs_root_sections = true; }},
  };
}

std::vector<OtherChoice> run_choices() {
  return {
      {"table_or_diagnostic", "diagnostic",
       [](ServiceOptions& options) { options.run_policy.diagnostic_comes_first = true; }},
      {"unknown_run_status", "undefined", nullptr, takes_unknown_words_for_undefined},
      {"retry_of_success_and_canceled", "made",
       [](ServiceOptions& options) { options.run_policy.may_be_retried = runs::is_terminal; }},
      {"denied_and_retryable", "retry",
       [](ServiceOptions& options) { options.run_policy.retries_denied = true; }},
      {"severity_words", "any",
       [](ServiceOptions& options) { options.run_policy.takes_any_severity = true; }},
  };
}

std::vector<OtherChoice> all_choices() {
  std::vector<OtherChoice> all;
  for (const auto kind : {execution_choices, workflow_choices, routing_choices, run_choices}) {
    const std::vector<OtherChoice> some = kind();
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

}  // namespace

std::span<const OtherChoice> other_choices() {
  static const std::vector<OtherChoice> all = all_choices();
  return all;
}

void take_choices(const Choices& declared, ServiceOptions& options) {
  std::vector<faults::MakeIntercept> before;
  for (const OtherChoice& other : other_choices()) {
    const auto found = declared.find(other.key);
    if (found == declared.end() || found->second != other.choice) continue;
    if (other.configure != nullptr) other.configure(options);
    if (other.make != nullptr) before.push_back(other.make);
  }
  if (before.empty()) return;
  options.around = [before](std::unique_ptr<service::Service> reference) {
    for (const faults::MakeIntercept make : before) {
      reference = faults::intercepted(std::move(reference), make());
    }
    return reference;
  };
}

}  // namespace assay::liberties
