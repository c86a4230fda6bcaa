#include "reference_impl/service/runs_api.h"

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "reference_impl/service/fields.h"
#include "reference_impl/service/instant_json.h"
#include "reference_impl/service/paging.h"
#include "reference_impl/service/problem.h"
#include "reference_impl/service/words.h"

namespace assay::service {
namespace {

Value run_json(const runs::Run& run) {
  return Object{{"run_id", run.run_id},
                {"status", to_string(run.status)},
                {"error_code", or_null(run.error_code)},
                {"retryable", or_null(run.retryable)},
                {"diagnostic", or_null(run.diagnostic)},
                {"parent_run_id", or_null(run.parent_run_id)},
                {"root_run_id", run.root_run_id},
                {"created_at", instant_json(run.created_at)},
                {"started_at", instant_json(run.started_at)},
                {"ended_at", instant_json(run.ended_at)}};
}

Value audit_json(const std::string& run_id, const runs::AuditEvent& event) {
  return Object{{"event_id", event.event_id},
                {"sequence", event.sequence},
                {"run_id", run_id},
                {"outcome", to_string(event.outcome)},
                {"before_state", to_string(event.before)},
                {"after_state", to_string(event.after)},
                {"attempted_state", to_string(event.attempted)},
                {"error_code", or_null(event.error_code)},
                {"timestamp", instant_json(event.at)}};
}

/// Reads everything but the diagnostic's content, which is looked at only after the table.
runs::TransitionRequest read_transition(const Fields& fields) {
  runs::TransitionRequest request;
  const std::optional<runs::Status> to = runs::parse_status(fields.required_string("to"));
  if (!to) throw invalid("UNKNOWN_STATUS", "to is none of the eight statuses", "/to");
  request.to = *to;
  static_cast<void>(fields.optional_string("reason"));
  if (const std::string* code = fields.optional_string("error_code")) request.error_code = *code;
  if (fields.find("retryable") != nullptr) request.retryable = fields.required_bool("retryable");
  if (const Value* diagnostic = fields.find("diagnostic")) request.diagnostic = *diagnostic;
  return request;
}

Refusal diagnostic_refusal(runs::Status to, const runs::DiagnosticProblem& problem) {
  const char* code = runs::is_failure(to) ? "DIAGNOSTIC_REQUIRED" : "INVALID_FIELD";
  return invalid(code, problem.detail, "/diagnostic" + problem.pointer);
}

Refusal transition_refusal(const runs::Run& run) {
  Problem problem{409,
                  std::string(runs::invalid_state_transition),
                  "the transition is not defined",
                  std::nullopt,
                  {}};
  problem.members["run"] = run_json(run);
  return Refusal(std::move(problem));
}

}  // namespace

RunsApi::RunsApi(Clock& clock, IdSource ids, std::size_t max_body_bytes, runs::Policy policy)
    : clock_(clock),
      ids_(std::move(ids)),
      max_body_bytes_(max_body_bytes),
      policy_(std::move(policy)) {}

void RunsApi::add_routes(Router& router) {
  const auto add = [&](std::string_view method, std::string_view pattern, BodyRule rule,
                       Reply (RunsApi::*handler)(const Call&)) {
    router.add(method, pattern, rule, max_body_bytes_, [this, handler](const Call& call) {
      const std::lock_guard lock(mutex_);
      return (this->*handler)(call);
    });
  };
  add("POST", "/runs", BodyRule::optional, &RunsApi::create);
  add("GET", "/runs", BodyRule::ignored, &RunsApi::list);
  add("GET", "/runs/{id}", BodyRule::ignored, &RunsApi::show);
  add("POST", "/runs/{id}/transitions", BodyRule::required, &RunsApi::transition);
  add("POST", "/runs/{id}/retry", BodyRule::optional, &RunsApi::retry);
  add("GET", "/runs/{id}/next-action", BodyRule::ignored, &RunsApi::next_action);
  add("GET", "/runs/{id}/audit", BodyRule::ignored, &RunsApi::audit);
}

Reply RunsApi::create(const Call& call) {
  const Fields fields(call.object());
  const std::string* run_id = fields.optional_id("run_id");
  const std::string* kind = fields.optional_string("run_kind");
  if (run_id != nullptr && by_id_.count(*run_id) != 0) {
    throw conflict("RUN_EXISTS", "a run of this run_id exists");
  }
  return json_reply(
      201,
      run_json(store(runs::create(run_id != nullptr ? *run_id : ids_(),
                                  kind != nullptr ? std::optional(*kind) : std::nullopt, now()))));
}

Reply RunsApi::show(const Call& call) { return json_reply(200, run_json(run_of(call))); }

Reply RunsApi::list(const Call& call) {
  static const std::vector<std::string_view> words = [] {
    std::vector<std::string_view> all;
    for (const runs::Status status : runs::all_statuses) all.push_back(to_string(status));
    return all;
  }();
  const std::optional<std::string> word = word_filter(call.query, "status", words);
  const std::string scope = "runs?status=" + word.value_or("");
  const Page page = read_page(call.query, scope);
  PageBuilder builder(page, scope);
  const auto offer = [&](std::uint64_t number) {
    const runs::Run& run = runs_.at(number - 1);
    builder.offer(number, Object{{"run_id", run.run_id}, {"status", to_string(run.status)}});
  };
  if (word) {
    const Numbers& numbers = by_status_[*runs::parse_status(*word)];
    for (auto next = numbers.upper_bound(page.after); next != numbers.end() && !builder.is_full();
         ++next) {
      offer(*next);
    }
  } else {
    for (std::uint64_t number = page.after + 1; number <= runs_.size() && !builder.is_full();
         ++number) {
      offer(number);
    }
  }
  return json_reply(200, std::move(builder).finish("runs"));
}

Reply RunsApi::transition(const Call& call) {
  runs::Run& run = run_of(call);
  const runs::TransitionRequest request = read_transition(Fields(call.object()));
  const runs::Status before = run.status;
  const runs::TransitionResult result = runs::transition(run, request, now(), ids_, policy_);
  index(by_id_.at(run.run_id), before, run.status);
  if (result.outcome == runs::TransitionOutcome::refused) throw transition_refusal(run);
  if (result.problem) throw diagnostic_refusal(request.to, *result.problem);
  return json_reply(200, run_json(run));
}

Reply RunsApi::retry(const Call& call) {
  std::optional<runs::Run> again = runs::retry(run_of(call), ids_(), now(), policy_);
  if (!again) {
    throw conflict("RUN_NOT_RETRYABLE", "only a failed, denied or timed out run can be retried");
  }
  return json_reply(201, run_json(store(std::move(*again))));
}

Reply RunsApi::next_action(const Call& call) {
  const runs::Run& run = run_of(call);
  return json_reply(200, Object{{"action", to_string(runs::next_action(run, policy_))},
                                {"because", Object{{"status", to_string(run.status)},
                                                   {"error_code", or_null(run.error_code)},
                                                   {"retryable", or_null(run.retryable)}}}});
}

Reply RunsApi::audit(const Call& call) {
  const runs::Run& run = run_of(call);
  const std::string scope = "audit/" + run.run_id;
  const Page page = read_page(call.query, scope);
  PageBuilder builder(page, scope);
  for (std::size_t at = page.after; at < run.audit.size() && !builder.is_full(); ++at) {
    builder.offer(at + 1, audit_json(run.run_id, run.audit[at]));
  }
  return json_reply(200, std::move(builder).finish("events"));
}

runs::Run& RunsApi::run_of(const Call& call) {
  const auto found = by_id_.find(call.parameters.front());
  if (found == by_id_.end()) throw not_found("no run has this run_id");
  return runs_.at(found->second - 1);
}

const runs::Run& RunsApi::store(runs::Run run) {
  const std::uint64_t number = runs_.size() + 1;
  by_id_.emplace(run.run_id, number);
  index(number, run.status, run.status);
  return runs_.emplace_back(std::move(run));
}

void RunsApi::index(std::uint64_t number, runs::Status before, runs::Status after) {
  by_status_[before].erase(number);
  by_status_[after].insert(number);
}

Instant RunsApi::now() const { return Instant(std::chrono::nanoseconds(clock_.now())); }

}  // namespace assay::service
