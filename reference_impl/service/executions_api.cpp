#include "reference_impl/service/executions_api.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "reference_impl/model/events/envelope.h"
#include "reference_impl/service/driving.h"
#include "reference_impl/service/fields.h"
#include "reference_impl/service/paging.h"
#include "reference_impl/service/problem.h"
#include "reference_impl/service/words.h"

namespace assay::service {
namespace {

events::Vocabulary read_vocabulary(const Fields& fields, events::Vocabulary otherwise) {
  const std::string* word = fields.optional_string("vocabulary");
  if (word == nullptr) return otherwise;
  const auto vocabulary = events::vocabulary_named(*word);
  if (!vocabulary) {
    throw invalid("UNKNOWN_VOCABULARY", "vocabulary is status-matrix or v10",
                  fields.pointer_to("vocabulary"));
  }
  return *vocabulary;
}

Reply create(const Call& call, Environment& environment, ExecutionStore& executions) {
  const Fields fields(call.object());
  const std::string* given_id = fields.optional_id("execution_id");
  const Object* workload = fields.optional_object("workload");
  const Value* playbook_field = fields.find("playbook");
  routing::PlaybookRules rules = environment.options.playbook_rules;
  rules.args_bytes = environment.options.limits.max_args_bytes;
  auto playbook = playbook_field != nullptr ? read_playbook_field(*playbook_field, rules) : nullptr;
  const auto vocabulary = read_vocabulary(
      fields, playbook ? events::Vocabulary::v10 : events::Vocabulary::status_matrix);
  std::string id = given_id != nullptr ? *given_id : environment.options.ids();
  while (given_id == nullptr && executions.contains(id)) id = environment.options.ids();
  Execution& added = executions.add(
      std::make_unique<Execution>(environment, std::move(id), vocabulary,
                                  workload != nullptr ? *workload : Object{}, std::move(playbook)));
  return json_reply(201, added.created());
}

std::optional<status::State> read_state_filter(const Query& query) {
  const auto word =
      word_filter(query, "state", {"PENDING", "RUNNING", "COMPLETED", "FAILED", "CANCELLED"});
  if (!word) return std::nullopt;
  return status::state_named(status::Layer::execution, *word);
}

Reply list(const Call& call, ExecutionStore& executions) {
  const auto state = read_state_filter(call.query);
  std::string scope = "executions";
  if (state) scope.append("?state=").append(status::word_of(*state));
  const Page page = read_page(call.query, scope);
  PageBuilder builder(page, scope);
  for (Execution* execution : executions.after(state, page.after, page.limit + 1)) {
    builder.offer(execution->number(), execution->summary());
  }
  return json_reply(200, std::move(builder).finish("executions"));
}

/// The reason that a call gives, if any; the event that carries it has a payload like any other.
std::optional<std::string> read_reason(const Call& call, const BodyLimits& limits) {
  const Fields fields(call.object());
  const std::string* reason = fields.optional_string("reason");
  if (reason == nullptr) return std::nullopt;
  const Value payload = Object{{"reason", *reason}};
  if (events::compact_json_size(payload, limits.max_payload_bytes) > limits.max_payload_bytes) {
    throw Refusal({413,
                   "EXTERNALISE_RESULT",
                   "the reason is larger than a payload may be",
                   fields.pointer_to("reason"),
                   {}});
  }
  return *reason;
}

Reply cancel(const Call& call, const Environment& environment, const ExecutionStore& executions) {
  Execution& execution = executions.get(call.parameters[0]);
  return json_reply(200, execution.cancel(read_reason(call, environment.options.limits)));
}

Reply pause(const Call& call, const Environment& environment, const ExecutionStore& executions) {
  Execution& execution = executions.get(call.parameters[0]);
  return json_reply(200, execution.pause(read_reason(call, environment.options.limits)));
}

Reply patch_ctx(const Call& call, const ExecutionStore& executions) {
  Execution& execution = executions.get(call.parameters[0]);
  return json_reply(200, execution.patch_ctx(Fields(call.object()).required_object("patch")));
}

}  // namespace

void add_execution_routes(Router& router, Environment& environment, ExecutionStore& executions) {
  const BodyLimits& limits = environment.options.limits;
  router.add("POST", "/executions", BodyRule::optional, limits.max_execution_bytes,
             [&](const Call& call) { return create(call, environment, executions); });
  router.add("GET", "/executions", BodyRule::ignored, 0,
             [&](const Call& call) { return list(call, executions); });
  router.add("GET", "/executions/{id}", BodyRule::ignored, 0, [&](const Call& call) {
    return json_reply(200, executions.get(call.parameters[0]).detail());
  });
  router.add("GET", "/executions/{id}/status", BodyRule::ignored, 0, [&](const Call& call) {
    return json_reply(200, executions.get(call.parameters[0]).status());
  });
  router.add("GET", "/executions/{id}/variables", BodyRule::ignored, 0, [&](const Call& call) {
    return json_reply(200, executions.get(call.parameters[0]).variables());
  });
  router.add("GET", "/executions/{id}/marking", BodyRule::ignored, 0, [&](const Call& call) {
    return json_reply(200, executions.get(call.parameters[0]).marking());
  });
  router.add("POST", "/executions/{id}/cancel", BodyRule::optional, limits.max_event_bytes,
             [&](const Call& call) { return cancel(call, environment, executions); });
  router.add("POST", "/executions/{id}/pause", BodyRule::optional, limits.max_event_bytes,
             [&](const Call& call) { return pause(call, environment, executions); });
  router.add("POST", "/executions/{id}/resume", BodyRule::optional, limits.max_event_bytes,
             [&](const Call& call) {
               return json_reply(200, executions.get(call.parameters[0]).resume());
             });
  router.add("POST", "/executions/{id}/ctx", BodyRule::required, limits.max_event_bytes,
             [&](const Call& call) { return patch_ctx(call, executions); });
}

}  // namespace assay::service
