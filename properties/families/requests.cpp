// The reference binding: requests that no client should send, and what is left as it was.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "properties/families/families.h"
#include "properties/families/patterns.h"
#include "properties/families/steps.h"

namespace assay::properties::request_families {
namespace {

using core::RawRequest;
using core::Step;

constexpr std::size_t most_event_bytes = 1'048'576;

Step raw(std::string method, std::string path) {
  Step step;
  RawRequest request;
  request.method = std::move(method);
  request.path = std::move(path);
  step.action = std::move(request);
  return step;
}

Step raw_json(std::string path, Value json) {
  Step step = raw("POST", std::move(path));
  std::get<RawRequest>(step.action).json = std::move(json);
  return step;
}

Step raw_text(std::string path, std::string text, std::string type = "application/json") {
  Step step = raw("POST", std::move(path));
  auto& request = std::get<RawRequest>(step.action);
  request.text = std::move(text);
  request.headers.push_back({"Content-Type", std::move(type)});
  return step;
}

/// Where something may be posted.
std::string post_path(std::uint8_t operand) {
  return pick(operand, {"/executions/${id:main}/events", "/executions",
                        "/executions/${id:main}/events/batch", "/executions/${id:main}/cancel",
                        "/executions/${id:main}/ctx", "/control/evict", "/control/clock",
                        "/control/lock-service", "/runs", "/runs/${id:run}/transitions",
                        "/function-blocks", "/workflow-definitions", "/workflow-execution"});
}

std::string deep(std::size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); }

Step malformed(const Move& move) {
  static const std::vector<std::string> texts = {"{",
                                                 R"({"a":1,"a":2})",
                                                 R"({"event_id":"\ud800"})",
                                                 "[1,2",
                                                 "nul",
                                                 "{'a':1}",
                                                 "{} {}",
                                                 R"({"a":01})",
                                                 "{\"a\":\"\t\"}",
                                                 "{,}",
                                                 "[1,]",
                                                 "NaN",
                                                 deep(101),
                                                 R"("text")",
                                                 "[]",
                                                 "17"};
  return raw_text(post_path(move.operands[0]), texts[move.operands[1] % texts.size()]);
}

Step other_type(const Move& move) {
  return raw_text(post_path(move.operands[0]), "{}",
                  pick(move.operands[1], {"text/plain", "application/x-www-form-urlencoded",
                                          "application/xml", "application/jsonx"}));
}

Step wrong_method(const Move& move) {
  return raw(pick(move.operands[0], {"DELETE", "PUT", "PATCH"}),
             pick(move.operands[1], {"/executions", "/runs", "/healthz", "/executions/${id:main}",
                                     "/executions/${id:main}/events", "/runs/${id:run}"}));
}

Step unknown(const Move& move) {
  if (move.operands[1] % 2 == 0) {
    return raw("GET", pick(move.operands[0],
                           {"/executions/no-${unique}/status", "/executions/no-${unique}",
                            "/executions/no-${unique}/events", "/executions/no-${unique}/variables",
                            "/executions/no-${unique}/marking", "/runs/no-${unique}",
                            "/runs/no-${unique}/audit", "/runs/no-${unique}/next-action",
                            "/workflow-execution/id/no-${unique}", "/nowhere",
                            "/executions/no-${unique}%20x/status", "/runs/no-${unique}%F0%9F%92%A9",
                            "/executions/no%2D${unique}", "/runs/no-${unique}%2Fx/audit"}));
  }
  const std::string path =
      pick(move.operands[0], {"/executions/no-${unique}/cancel", "/executions/no-${unique}/events",
                              "/executions/no-${unique}/ctx", "/runs/no-${unique}/retry",
                              "/runs/no-${unique}/transitions", "/control/evict",
                              "/workflow-execution/no-${unique}/ack",
                              "/blackboard/jobs/no-${unique}/result", "/nowhere"});
  return raw_json(path, Object{{"execution_id", "no-${unique}"}});
}

Step limits(const Move& move) {
  const std::string list =
      pick(move.operands[0],
           {"/executions/${id:main}/events", "/executions", "/runs", "/runs/${id:run}/audit",
            "/workflow-execution/active", "/blackboard/jobs"});
  return raw("GET", list + "?" +
                        pick(move.operands[1], {"limit=0", "limit=1001", "limit=-1", "limit=ten",
                                                "limit=", "limit=1.5", "after=foreign",
                                                "after=", "after=0000000000000000-1"}));
}

Step filter(const Move& move) {
  return raw("GET", pick(move.operands[0], {"/executions?state=DONE", "/runs?status=done",
                                            "/executions?state=", "/workflow-execution/state/DONE",
                                            "/blackboard/jobs?state=DONE", "/runs?status=cancelled",
                                            "/executions?state=CANCELED"}));
}

Step conflict(const Move& move) {
  if (move.operands[0] % 2 == 1) return raw_json("/runs", Object{{"run_id", "${id:run}"}});
  return raw_json("/executions", Object{{"execution_id", "${id:main}"}});
}

/// Well-formed bodies that say nothing that could be done.
Step invalid_body(const Move& move) {
  static const std::vector<std::pair<std::string, Value>> bodies = {
      {"/control/clock", Object{{"advance_ms", -1}}},
      {"/control/clock", Object{{"advance_ms", "1"}}},
      {"/control/lock-service", Object{{"available", "no"}}},
      {"/control/evict", Object{{"execution_id", 1}}},
      {"/executions", Object{{"execution_id", ""}}},
      {"/executions", Object{{"playbook", 1}}},
      {"/executions", Object{{"vocabulary", "latin"}}},
      {"/executions", Object{{"workload", List{}}}},
      {"/executions/${id:main}/events", Object{{"event_type", "step.started"}}},
      {"/executions/${id:main}/events/batch", Object{{"events", List{}}}},
      {"/executions/${id:main}/events/batch", Object{{"events", List{1}}}},
      {"/executions/${id:main}/ctx", Object{{"patch", 1}}},
      {"/executions/${id:main}/cancel", Object{{"reason", 1}}},
      {"/runs", Object{{"run_id", List{}}}},
      {"/runs/${id:run}/transitions", Object{{"to", "done"}}},
      {"/runs/${id:run}/transitions", Object{}},
      {"/function-blocks", Object{{"name", "n-${unique}"}}},
      {"/workflow-definitions", Object{{"name", "n-${unique}"}, {"steps", 1}}},
      {"/workflow-execution", Object{{"workflow", 1}}},
  };
  const std::size_t index = move.operands[0] + std::size_t{16} * (move.operands[1] % 2);
  const auto& [path, body] = bodies[index % bodies.size()];
  return raw_json(path, body);
}

bool is_large(const Step& step) {
  const auto* request = std::get_if<RawRequest>(&step.action);
  return request != nullptr && request->text && request->text->size() >= most_event_bytes;
}

/// An event of exactly the size that is allowed, or a byte more; once in a case.
std::optional<Step> large(const Move& move, const View& view) {
  if (std::any_of(view.steps().begin(), view.steps().end(), is_large)) return std::nullopt;
  std::string text =
      R"({"event_id":"large","event_type":"cache.warmed","timestamp":"2026-01-01T00:00:00Z")";
  text += R"(,"payload":{"meta":{}},"filler":")";
  text.append(most_event_bytes + (move.operands[0] % 2 == 0 ? 1 : 0) - text.size() - 2, 'x');
  text += R"("})";
  return raw_text("/executions/${id:main}/events", std::move(text));
}

Step odd_id(const Move& move, const View& view) {
  const std::string id =
      pick(move.operands[0], {"UPPER", "Größe", "a/b", "a b", "%41", "?#&", "..", "ẞ"});
  return operate("executions.start",
                 {{"execution_id", fmt::format("{}-${{unique}}-{}", id, view.steps().size())}});
}

std::optional<Step> request_of(std::string_view kind, const Move& move, const View& view) {
  if (kind == "malformed") return malformed(move);
  if (kind == "content type") return other_type(move);
  if (kind == "method") return wrong_method(move);
  if (kind == "unknown") return unknown(move);
  if (kind == "limits") return limits(move);
  if (kind == "filter") return filter(move);
  if (kind == "conflict") return conflict(move);
  if (kind == "invalid") return invalid_body(move);
  if (kind == "large") return large(move, view);
  return odd_id(move, view);
}

/// What is asked of the answer beside its status is said by what the client would like to have.
std::optional<Step> step_of(std::string_view kind, const Move& move, const View& view) {
  std::optional<Step> step = request_of(kind, move, view);
  if (!step) return step;
  auto* request = std::get_if<RawRequest>(&step->action);
  if (request == nullptr) return step;
  const std::uint8_t way = move.operands[3] % 4;
  if (way == 2) request->headers.push_back({"Accept", "application/problem+json"});
  if (way == 3) request->headers.push_back({"Accept", "*/*"});
  return step;
}

std::string accept_of(const RawRequest& request) {
  for (const core::Header& header : request.headers) {
    if (header.name == "Accept") return header.value;
  }
  return {};
}

std::vector<std::string> answer_of(const TakenStep& taken) {
  using core::Acceptance;
  const auto* request = std::get_if<RawRequest>(&taken.step.action);
  if (request == nullptr) {
    return taken.step.as.empty() ? std::vector<std::string>{"API-IDS"} : std::vector<std::string>{};
  }
  if (taken.acceptance == Acceptance::accepted) {
    return is_large(taken.step) ? std::vector<std::string>{"API-VALID"}
                                : std::vector<std::string>{};
  }
  const std::string accept = accept_of(*request);
  if (accept == "*/*") return {"API-NO5XX"};
  if (accept == "application/problem+json") return {"API-PROBLEM"};
  if (taken.acceptance == Acceptance::unknown) return {"API-UNKNOWN"};
  const std::string& path = request->path;
  if (path.find("stat") != std::string::npos && path.find("limit") == std::string::npos &&
      request->method == "GET") {
    return {"API-FILTER"};
  }
  const bool names_what_exists =
      request->json && (request->json->string_at("execution_id") == "${id:main}" ||
                        request->json->string_at("run_id") == "${id:run}");
  return {names_what_exists ? "API-CONFLICT" : "API-VALID"};
}

std::vector<std::string> answer_members_of(const TakenStep& taken) {
  if (taken.made != "executions.start" || !taken.step.as.empty()) return {};
  return {"execution_id"};
}

/// A request that was declined has stored nothing.
std::vector<Observation> observe(const TakenStep& taken) {
  const auto* request = std::get_if<RawRequest>(&taken.step.action);
  if (request == nullptr || request->method != "POST") return {};
  const std::string& path = request->path;
  if (path.find("${id:run}") != std::string::npos) {
    return {{"runs.get", {"status"}, {"API-VALID"}, {}, "run"}};
  }
  if (path.find("${id:main}") == std::string::npos) return {};
  Observation log{"events.list", {}, {"API-VALID"}};
  const Value* items = taken.view.read("events.list").find("items");
  log.rule = length(items != nullptr && items->is_list() ? items->as_list().size() : 0);
  return {log};
}

Opening open(const Draft& /*draft*/) {
  return {std::nullopt,
          {operate("executions.start", {}, "main"), operate("runs.create", {}, "run", "run")}};
}

}  // namespace

std::vector<Family> all() {
  Family family;
  family.id = "properties/hostile-requests";
  family.title = "What no client should send is declined as it deserves, and nothing is changed";
  family.clauses = {"API-CONFLICT", "API-FILTER",  "API-IDS",  "API-NO5XX",
                    "API-PROBLEM",  "API-UNKNOWN", "API-VALID"};
  family.kinds = {
      {"malformed", 6}, {"content type", 2}, {"method", 2},  {"unknown", 6}, {"limits", 3},
      {"filter", 3},    {"conflict", 2},     {"invalid", 6}, {"large", 1},   {"id", 2}};
  family.needs = {"binding.reference"};
  family.open = open;
  family.step = step_of;
  family.answer = answer_of;
  family.answer_members = answer_members_of;
  family.observe = observe;
  return {family};
}

}  // namespace assay::properties::request_families
