#include "cli/openapi_match.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace assay::cli {
namespace {

using wire::ApiCall;
using wire::ApiDocument;
using Words = std::vector<std::string_view>;

/// What servers call our members; a name of ours is always one of them.
const std::map<std::string_view, Words>& synonyms() {
  static const std::map<std::string_view, Words> names = {
      {"run_id",
       {"id", "dagrunid", "flowrunid", "jobid", "buildid", "taskid", "number", "runuuid"}},
      {"execution_id", {"id", "workflowid", "instanceid", "runid", "processinstanceid"}},
      {"uuid", {"id", "workflowid", "executionid", "workflowexecutionid"}},
      {"state", {"status", "statetype", "phase", "lifecyclestate"}},
      {"status", {"state", "statetype", "phase", "lifecyclestate"}},
      {"to", {"status", "state", "statetype", "phase", "targetstate", "newstatus"}},
      {"created_at", {"created", "createtime", "creationtime", "createdtime", "queuedat"}},
      {"started_at", {"started", "startdate", "starttime", "startedtime"}},
      {"ended_at",
       {"ended", "enddate", "endtime", "finishedat", "completedat", "finishtime", "closetime"}},
      {"diagnostic",
       {"error", "message", "errormessage", "failurereason", "reasonforincompletion"}},
      {"reason", {"note", "comment"}},
      {"error_code", {"errortype", "failurecode"}},
      {"parent_run_id", {"parentid", "parentrun"}},
      {"workload", {"input", "inputs", "parameters", "params", "conf", "variables", "payload"}},
      {"after",
       {"cursor", "pagetoken", "nexttoken", "continuationtoken", "offset", "page", "start"}},
      {"limit", {"size", "pagesize", "maxresults", "count"}},
      {"next", {"nextpagetoken", "nextcursor", "cursor", "nexttoken", "continuationtoken"}},
      {"event_id", {"id"}},
      {"event_type", {"type", "event", "name"}},
  };
  return names;
}

/// How a call is recognised: by method, and by what stands behind the path of the collection ("")
/// or of one thing ("/{}").
struct Rule {
  std::string_view operation;
  Words methods;
  /// Any of these; {} is any parameter.
  Words behind;
  /// The request has a member for a state.
  bool sets_state = false;
};

const std::vector<Rule>& rules_of(Surface surface) {
  static const std::vector<Rule> executions = {
      {"executions.start", {"POST"}, {"", "/start", "/execute", "/trigger", "/create"}},
      {"executions.status", {"GET"}, {"/{}/status", "/{}/state", "/{}"}},
      {"executions.detail", {"GET"}, {"/{}", "/{}/detail"}},
      {"executions.list", {"GET", "POST"}, {"", "/search", "/filter", "/list"}},
      {"executions.variables", {"GET"}, {"/{}/variables"}},
      {"executions.marking", {"GET"}, {"/{}/marking"}},
      {"executions.cancel",
       {"POST", "PUT", "DELETE"},
       {"/{}/cancel", "/{}/terminate", "/{}/abort", "/{}/kill", "/{}/stop", "/{}"}},
      {"executions.ctx", {"POST", "PATCH", "PUT"}, {"/{}/ctx", "/{}/context"}},
      {"executions.pause", {"POST", "PUT"}, {"/{}/pause", "/{}/suspend"}},
      {"executions.resume", {"POST", "PUT"}, {"/{}/resume"}},
      {"events.post", {"POST"}, {"/{}/events"}},
      {"events.post_batch", {"POST"}, {"/{}/events/batch"}},
      {"events.list", {"GET"}, {"/{}/events", "/{}/history"}},
  };
  static const std::vector<Rule> workflows = {
      {"workflow.start", {"POST"}, {"", "/start"}},
      {"workflow.get", {"GET"}, {"/{}", "/id/{}"}},
      {"workflow.list", {"GET"}, {""}},
      {"workflow.active", {"GET"}, {"/active", "/running"}},
      {"workflow.by_state", {"GET"}, {"/state/{}", "/status/{}"}},
      {"workflow.abort",
       {"POST", "PUT", "DELETE"},
       {"/{}/abort", "/{}/terminate", "/{}/cancel", "/{}"}},
      {"workflow.ack", {"POST", "PUT"}, {"/{}/ack", "/{}/acknowledge"}},
      {"workflow.conditions", {"POST", "PUT"}, {"/{}/conditions"}},
  };
  static const std::vector<Rule> runs = {
      {"runs.create", {"POST"}, {"", "/create", "/start", "/trigger", "/submit"}},
      {"runs.get", {"GET"}, {"/{}", "/get"}},
      {"runs.list", {"GET", "POST"}, {"", "/search", "/filter", "/list"}},
      {"runs.transition",
       {"POST", "PATCH", "PUT"},
       {"/{}/transitions", "/{}/transition", "/{}/status", "/{}/state", "/{}/set_state",
        "/{}/phase", "/{}/update", "/{}", "/update"},
       true},
      {"runs.retry", {"POST", "PUT"}, {"/{}/retry", "/{}/rerun", "/{}/restart"}},
      {"runs.next_action", {"GET"}, {"/{}/next-action", "/{}/next_action"}},
      {"runs.audit", {"GET"}, {"/{}/audit", "/{}/history", "/{}/events", "/{}/states"}},
  };
  switch (surface) {
    case Surface::executions:
      return executions;
    case Surface::workflows:
      return workflows;
    case Surface::runs:
      break;
  }
  return runs;
}

/// Calls beside the collection, by the end of their path.
const std::vector<Rule>& rules_beside(Surface surface) {
  static const std::vector<Rule> workflows = {
      {"blocks.register", {"POST"}, {"/function-blocks", "/function_blocks", "/blocks"}},
      {"definitions.register", {"POST"}, {"/workflow-definitions", "/definitions"}},
      {"jobs.list", {"GET"}, {"/jobs"}},
      {"jobs.poll", {"POST", "GET"}, {"/jobs/poll", "/tasks/poll"}},
      {"jobs.push", {"POST", "PUT"}, {"/jobs/{}/result", "/jobs/{}/complete", "/jobs/{}"}},
      {"server.health", {"GET"}, {"/healthz", "/health", "/version"}},
  };
  static const std::vector<Rule> others = {
      {"server.health", {"GET"}, {"/healthz", "/health", "/version"}}};
  return surface == Surface::workflows ? workflows : others;
}

Words nouns_of(Surface surface) {
  switch (surface) {
    case Surface::executions:
      return {"execution", "workflow", "instance", "process"};
    case Surface::workflows:
      return {"workflowexecution", "workflow", "execution"};
    case Surface::runs:
      break;
  }
  return {"run", "job", "build", "task"};
}

/// "/runs/{run_id}" as "/runs/{}".
std::string shape_of(std::string_view path) {
  std::string shape;
  bool is_inside = false;
  for (const char letter : path) {
    if (letter == '{') shape += "{}";
    is_inside = letter == '{' || (is_inside && letter != '}');
    if (!is_inside && letter != '}') shape += letter;
  }
  while (shape.size() > 1 && shape.ends_with('/')) shape.pop_back();
  return shape;
}

std::string last_word(std::string_view shape) {
  return plain_name(shape.substr(shape.rfind('/') + 1));
}

bool sets_state(const ApiCall& call) {
  return std::any_of(call.body.begin(), call.body.end(),
                     [](const auto& field) { return is_called(field.name, "to"); });
}

/// A path that ends so and has no other parameter.
bool is_beside(const std::string& shape, std::string_view end) {
  return shape.ends_with(end) &&
         shape.substr(0, shape.size() - end.size()).find('{') == std::string::npos;
}

/// The first call that fits and stands for no other operation yet.
const ApiCall* find_call(const ApiDocument& document, const Rule& rule, const std::string& base,
                         bool by_end, const std::set<const ApiCall*>& taken = {}) {
  for (const std::string_view behind : rule.behind) {
    for (const std::string_view method : rule.methods) {
      for (const ApiCall& call : document.calls) {
        const std::string shape = shape_of(call.path);
        if (taken.contains(&call)) continue;
        const bool fits = by_end ? is_beside(shape, behind) : shape == base + std::string(behind);
        if (fits && call.method == method && (!rule.sets_state || sets_state(call))) return &call;
      }
    }
  }
  return nullptr;
}

std::vector<MatchedCall> calls_below(const ApiDocument& document, Surface surface,
                                     const std::string& base) {
  std::vector<MatchedCall> matched;
  std::set<const ApiCall*> taken;
  for (const Rule& rule : rules_of(surface)) {
    const ApiCall* call = find_call(document, rule, base, false, taken);
    if (call == nullptr) continue;
    taken.insert(call);
    matched.push_back({std::string(rule.operation), call});
  }
  return matched;
}

/// How much a path looks like the collection of a surface's things.
int likeness(const ApiDocument& document, Surface surface, const std::string& base) {
  const std::string word = last_word(base);
  int score = 0;
  for (const std::string_view noun : nouns_of(surface)) {
    if (word == noun || word == std::string(noun) + "s") {
      score = std::max(score, 6);
    } else if (word.find(noun) != std::string::npos) {
      score = std::max(score, 4);
    }
  }
  if (score == 0) return 0;
  return score + 2 * static_cast<int>(calls_below(document, surface, base).size());
}

}  // namespace

std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char letter : name) {
    const auto byte = static_cast<unsigned char>(letter);
    if (std::isalnum(byte) != 0) plain += static_cast<char>(std::tolower(byte));
  }
  return plain;
}

bool is_called(std::string_view field, std::string_view ours) {
  const std::string plain = plain_name(field);
  if (plain == plain_name(ours)) return true;
  const auto found = synonyms().find(ours);
  return found != synonyms().end() &&
         std::find(found->second.begin(), found->second.end(), plain) != found->second.end();
}

std::vector<std::string> path_parameters(std::string_view path) {
  std::vector<std::string> names;
  for (std::size_t open = path.find('{'); open != std::string_view::npos;
       open = path.find('{', open + 1)) {
    const std::size_t close = path.find('}', open);
    if (close == std::string_view::npos) break;
    names.emplace_back(path.substr(open + 1, close - open - 1));
  }
  return names;
}

std::vector<MatchedCall> match_calls(const ApiDocument& document, Surface surface) {
  std::set<std::string> bases;
  for (const ApiCall& call : document.calls) {
    std::string shape = shape_of(call.path);
    bases.insert(shape);
    for (const std::string_view end : {"/{}", "/id/{}", "/create", "/get"}) {
      if (shape.ends_with(end)) bases.insert(shape.substr(0, shape.size() - end.size()));
    }
  }
  std::string best;
  int most = 0;
  for (const std::string& base : bases) {
    const int score = likeness(document, surface, base);
    if (score > most) {
      most = score;
      best = base;
    }
  }
  std::vector<MatchedCall> matched;
  if (most > 0) matched = calls_below(document, surface, best);
  if (matched.empty()) return matched;
  for (const Rule& rule : rules_beside(surface)) {
    const ApiCall* call = find_call(document, rule, "", true);
    if (call != nullptr) matched.push_back({std::string(rule.operation), call});
  }
  return matched;
}

Surface likely_surface(const ApiDocument& document) {
  Surface best = Surface::executions;
  std::size_t most = 0;
  for (const Surface surface : {Surface::executions, Surface::runs, Surface::workflows}) {
    const std::size_t count = match_calls(document, surface).size();
    if (count > most) {
      most = count;
      best = surface;
    }
  }
  return best;
}

}  // namespace assay::cli
