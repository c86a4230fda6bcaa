#include "reference_impl/service/driving.h"

#include <optional>

#include "reference_impl/model/routing/playbook.h"
#include "reference_impl/service/problem.h"
#include "reference_impl/service/yaml_reader.h"

namespace assay::service {
namespace {

Refusal bad_playbook(std::string detail, const std::string& pointer) {
  return invalid("INVALID_PLAYBOOK", std::move(detail), "/playbook" + pointer);
}

std::string at_line(std::size_t line, const std::string& message) {
  return line == 0 ? message : "line " + std::to_string(line) + ": " + message;
}

Value document_of(const Value& field) {
  if (field.is_object()) return field;
  if (!field.is_string()) throw bad_playbook("a playbook is an object or a string of YAML", "");
  auto read = read_yaml(field.as_string());
  if (!read) {
    const YamlError& error = read.error();
    throw bad_playbook("the YAML is not read: " + at_line(error.line, error.message), "");
  }
  return *std::move(read);
}

/// Specification 000's name for a lifecycle event of 001, as the event closes or starts.
std::string status_matrix_name(const std::string& type, const std::string& status) {
  if (type == "playbook.started") return "playbook.initialized";
  if (type == "workflow.started") return "workflow.initialized";
  const bool succeeded = status == "success";
  if (type == "playbook.finished") return succeeded ? "playbook.completed" : "playbook.failed";
  if (type == "workflow.finished") return succeeded ? "workflow.completed" : "workflow.failed";
  return type;
}

Value token_of(const routing::Marking::Token& token) {
  return Object{{"step", token.step},
                {"step_run_id", token.step_run_id},
                {"status", token.status},
                {"args", token.args}};
}

}  // namespace

std::shared_ptr<const routing::Playbook> read_playbook_field(const Value& field,
                                                             const routing::PlaybookRules& rules) {
  auto read = routing::read_playbook(document_of(field), rules);
  if (!read) {
    const routing::PlaybookError& error = read.error();
    const std::size_t line =
        field.is_string() ? yaml_line_of(field.as_string(), error.pointer).value_or(0) : 0;
    throw bad_playbook(at_line(line, error.message), error.pointer);
  }
  return std::make_shared<const routing::Playbook>(*std::move(read));
}

routing::WorkerEvent worker_event_of(const Value& body) {
  routing::WorkerEvent event;
  event.event_type = body.string_at("event_type").value_or("");
  event.step_run_id = body.string_at("step_run_id").value_or("");
  if (const Value* iteration = body.find("iteration")) event.iteration = iteration->to_int64();
  if (const Value* payload = body.find("payload")) event.payload = *payload;
  return event;
}

Object body_of(routing::ServerEvent event, events::Vocabulary vocabulary) {
  if (vocabulary == events::Vocabulary::status_matrix) {
    event.event_type = status_matrix_name(event.event_type, event.status);
  }
  Object body;
  body["event_type"] = std::move(event.event_type);
  body["entity_type"] = std::move(event.entity_type);
  body["entity_id"] = std::move(event.entity_id);
  if (!event.parent_id.empty()) body["parent_id"] = std::move(event.parent_id);
  if (!event.step_run_id.empty()) body["step_run_id"] = std::move(event.step_run_id);
  if (event.iteration) body["iteration"] = *event.iteration;
  if (!event.status.empty()) body["status"] = std::move(event.status);
  if (!event.payload.empty()) body["payload"] = std::move(event.payload);
  return body;
}

Object marking_of(const routing::Net& net) {
  const routing::Marking marking = net.marking();
  List tokens;
  List in_flight;
  for (const auto& token : marking.tokens) {
    tokens.push_back(token_of(token));
    if (token.status == "running") in_flight.push_back(token_of(token));
  }
  List fan_in;
  for (const auto& join : marking.fan_in) {
    fan_in.push_back(Object{{"step", join.step}, {"arrived", join.arrived}});
  }
  return {{"tokens", std::move(tokens)},
          {"in_flight", std::move(in_flight)},
          {"fan_in", std::move(fan_in)}};
}

}  // namespace assay::service
