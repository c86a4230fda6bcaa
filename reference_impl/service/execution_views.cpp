// What can be read of an execution: one file for every view, so that they agree.
#include <algorithm>
#include <map>

#include "reference_impl/service/execution.h"
#include "reference_impl/service/paging.h"

namespace assay::service {
namespace {

Value word_or_null(std::string_view word) { return word.empty() ? Value() : Value(word); }

Value text_or_null(const std::optional<std::string_view>& text) {
  return text ? Value(*text) : Value();
}

List steps_of(const status::ExecutionFold& fold) {
  List steps;
  for (const status::Step& step : fold.steps()) {
    steps.push_back(Object{{"step", step.id}, {"state", status::word_of(step.state)}});
  }
  return steps;
}

List commands_of(const status::ExecutionFold& fold) {
  List commands;
  for (const status::Command& command : fold.commands()) {
    commands.push_back(Object{{"command_id", command.id},
                              {"step", word_or_null(command.step)},
                              {"state", status::word_of(command.state)}});
  }
  return commands;
}

List tools_of(const status::ExecutionFold& fold) {
  List tools;
  for (const status::Tool& tool : fold.tools()) {
    tools.push_back(Object{{"command_id", tool.id}, {"outcome", status::word_of(tool.outcome)}});
  }
  return tools;
}

}  // namespace

Object Execution::status_fields() {
  const status::StatusView view = live().status();
  Object fields;
  fields["execution_id"] = view.execution_id;
  fields["state"] = status::word_of(view.state);
  fields["current_step"] = text_or_null(view.current_step);
  fields["started_at"] = text_or_null(view.started_at);
  fields["ended_at"] = text_or_null(view.ended_at);
  fields["terminal_event"] = text_or_null(view.terminal_event);
  fields["completion_inferred"] = view.completion_inferred;
  return fields;
}

List Execution::anomaly_list() {
  std::map<std::int64_t, std::string> reasons;
  for (const status::Anomaly& anomaly : live().anomalies()) {
    reasons.emplace(anomaly.seq, status::text_of(anomaly.reason));
  }
  if (driving_) reasons.insert(driving_->anomalies.begin(), driving_->anomalies.end());
  List anomalies;
  for (const auto& [seq, reason] : reasons) {
    anomalies.push_back(Object{{"seq", seq}, {"reason", reason}});
  }
  return anomalies;
}

Object Execution::variable_fields() {
  live();
  return {{"workload", net_ ? net_->workload() : workload_}, {"ctx", net_ ? net_->ctx() : ctx_}};
}

Object Execution::state_fields() {
  const Object fields = status_fields();
  return {{"execution_id", fields.at("execution_id")}, {"state", fields.at("state")}};
}

Value Execution::created() {
  const std::lock_guard lock(mutex_);
  return state_fields();
}

Value Execution::status() {
  const std::lock_guard lock(mutex_);
  return status_fields();
}

status::State Execution::state() {
  const std::lock_guard lock(mutex_);
  return live().state();
}

Value Execution::detail() {
  const std::lock_guard lock(mutex_);
  Object fields = status_fields();
  const status::ExecutionFold& fold = live();
  fields["vocabulary"] = events::vocabulary_word(vocabulary_);
  fields["outcome"] = word_or_null(status::word_of(fold.outcome()));
  fields["workflow_state"] = status::word_of(fold.workflow_state());
  fields["steps"] = steps_of(fold);
  fields["commands"] = commands_of(fold);
  fields["tools"] = tools_of(fold);
  fields["anomalies"] = anomaly_list();
  return fields;
}

Value Execution::summary() {
  const std::lock_guard lock(mutex_);
  const Object fields = status_fields();
  Object entry;
  for (const char* name : {"execution_id", "state", "started_at", "ended_at", "terminal_event"}) {
    entry[name] = fields.at(name);
  }
  return entry;
}

Value Execution::variables() {
  const std::lock_guard lock(mutex_);
  return variable_fields();
}

Value Execution::marking() {
  const std::lock_guard lock(mutex_);
  live();
  if (net_) return marking_of(*net_);
  return Object{{"tokens", List{}}, {"in_flight", List{}}, {"fan_in", List{}}};
}

std::size_t Execution::page_length(const std::vector<std::size_t>& positions,
                                   std::size_t limit) const {
  std::size_t bytes = 0;
  std::size_t count = 0;
  while (count < std::min(positions.size(), limit) && (count == 0 || bytes < max_page_bytes)) {
    bytes += log_.text_at(positions[count++]).size();
  }
  return count;
}

std::string Execution::events_page(const EventFilter& filter, const Page& page,
                                   std::string_view scope) {
  const std::lock_guard lock(mutex_);
  std::vector<std::size_t> positions = log_.select(filter, page.after, page.limit + 1);
  const std::size_t count = page_length(positions, page.limit);
  const bool has_more = positions.size() > count;
  positions.resize(count);
  std::string next = "null";
  if (has_more) next = '"' + make_cursor(scope, positions.back()) + '"';
  // The stored texts are joined as they are: a page costs no parsing.
  std::string body = R"({"events":[)";
  for (std::size_t at = 0; at < positions.size(); ++at) {
    if (at > 0) body += ',';
    body += log_.text_at(positions[at]);
  }
  return body + R"(],"next":)" + next + "}";
}

Value Execution::message(std::size_t position) {
  const std::lock_guard lock(mutex_);
  const Value event = log_.event_at(position);
  const Value* payload = event.find("payload");
  Object published;
  if (const Value* reference = payload == nullptr ? nullptr : payload->find("result_ref")) {
    published.emplace("result_ref", *reference);
    if (const Value* extracted = payload->find("extracted")) {
      published.emplace("extracted", *extracted);
    }
  } else if (payload != nullptr && payload->is_object()) {
    published = payload->as_object();
  }
  return Object{{"subject", Publications::subject_of(event.string_at("event_type").value_or(""))},
                {"headers", Object{{"execution_id", id_}}},
                {"event_id", event.string_at("event_id").value_or("")},
                {"payload", std::move(published)}};
}

}  // namespace assay::service
