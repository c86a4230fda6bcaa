#include "reference_impl/service/events_api.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reference_impl/model/events/envelope.h"
#include "reference_impl/service/fields.h"
#include "reference_impl/service/paging.h"
#include "reference_impl/service/problem.h"

namespace assay::service {
namespace {

Refusal refusal_of(const events::EventError& error, const std::string& pointer) {
  const int status = error.kind == events::EventError::Kind::too_large ? 413 : 422;
  return Refusal({status, error.code, error.message, pointer + error.pointer, {}});
}

/// `pointer` is where the event stands in the body.
events::Event read_event(const Value& body, const std::string& execution_id,
                         const ServiceOptions& options, const std::string& pointer) {
  events::ReadOptions how;
  how.execution_id = execution_id;
  how.reject_legacy = options.legacy == LegacyPolicy::reject;
  how.takes_unknown_types = options.event_policy.takes_unknown_types;
  how.payload_cap_bytes = options.limits.max_payload_bytes;
  how.inputs_or_outcome_cap_bytes = options.limits.max_inputs_or_outcome_bytes;
  auto read = events::read_event(body, how);
  if (!read) throw refusal_of(read.error(), pointer);
  return *std::move(read);
}

events::Event read_one_of_batch(const Value& body, const std::string& execution_id,
                                const ServiceOptions& options, const std::string& pointer) {
  const std::size_t limit = options.limits.max_event_bytes;
  if (events::compact_json_size(body, limit) > limit) {
    throw Refusal({413, "BODY_TOO_LARGE", "an event of the batch is too large", pointer, {}});
  }
  return read_event(body, execution_id, options, pointer);
}

Value answer_of(const Posted& posted) {
  return Object{
      {"event_id", posted.event_id}, {"seq", posted.seq}, {"duplicate", posted.is_duplicate}};
}

Reply post_event(const Call& call, const ServiceOptions& options,
                 const ExecutionStore& executions) {
  Execution& execution = executions.get(call.parameters[0]);
  const Posted posted = execution.post(read_event(call.body(), execution.id(), options, ""));
  return json_reply(posted.is_duplicate ? 200 : 201, answer_of(posted));
}

Reply post_batch(const Call& call, const ServiceOptions& options,
                 const ExecutionStore& executions) {
  Execution& execution = executions.get(call.parameters[0]);
  const List& bodies = Fields(call.object()).required_list("events");
  if (bodies.empty()) throw invalid("EMPTY_BATCH", "events has no event", "/events");
  std::vector<events::Event> batch;
  batch.reserve(bodies.size());
  for (std::size_t number = 0; number < bodies.size(); ++number) {
    batch.push_back(read_one_of_batch(bodies[number], execution.id(), options,
                                      "/events/" + std::to_string(number)));
  }
  List results;
  bool is_all_duplicates = true;
  for (const Posted& posted : execution.post_batch(std::move(batch))) {
    is_all_duplicates = is_all_duplicates && posted.is_duplicate;
    results.push_back(answer_of(posted));
  }
  return json_reply(is_all_duplicates ? 200 : 201, Object{{"results", std::move(results)}});
}

Reply list_events(const Call& call, const ExecutionStore& executions) {
  Execution& execution = executions.get(call.parameters[0]);
  EventFilter filter;
  filter.event_type = call.query.get("event_type");
  filter.entity_type = call.query.get("entity_type");
  filter.entity_id = call.query.get("entity_id");
  std::string scope = "events\n" + execution.id();
  for (const auto* narrowed : {&filter.event_type, &filter.entity_type, &filter.entity_id}) {
    scope.append("\n").append(narrowed->has_value() ? "=" + **narrowed : "");
  }
  const Page page = read_page(call.query, scope);
  return {200, "application/json", execution.events_page(filter, page, scope), {}};
}

Reply list_published(const Call& call, const Environment& environment,
                     const ExecutionStore& executions) {
  const std::optional<std::string> topic = call.query.get("topic");
  const std::string scope = "published" + (topic ? "?topic=" + *topic : "");
  const Page page = read_page(call.query, scope);
  List messages;
  Value next;
  std::size_t bytes = 0;
  std::uint64_t last = 0;
  for (const auto& [number, entry] :
       environment.publications.after(topic, page.after, page.limit + 1)) {
    if (messages.size() == page.limit || bytes > max_page_bytes) {
      next = make_cursor(scope, last);
      break;
    }
    messages.push_back(executions.at(entry.execution).message(entry.position));
    bytes += events::compact_json_size(messages.back());
    last = number;
  }
  return json_reply(200, Object{{"messages", std::move(messages)}, {"next", std::move(next)}});
}

}  // namespace

void add_event_routes(Router& router, Environment& environment, ExecutionStore& executions) {
  const ServiceOptions& options = environment.options;
  router.add("POST", "/executions/{id}/events", BodyRule::required, options.limits.max_event_bytes,
             [&](const Call& call) { return post_event(call, options, executions); });
  router.add("GET", "/executions/{id}/events", BodyRule::ignored, 0,
             [&](const Call& call) { return list_events(call, executions); });
  router.add("POST", "/executions/{id}/events/batch", BodyRule::required,
             options.limits.max_batch_bytes,
             [&](const Call& call) { return post_batch(call, options, executions); });
  router.add("GET", "/published", BodyRule::ignored, 0,
             [&](const Call& call) { return list_published(call, environment, executions); });
}

}  // namespace assay::service
