// How a workflow execution passes from state to state, and what is shown of it on its way.
#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include "reference_impl/faults/families.h"
#include "reference_impl/faults/log_reading.h"
#include "reference_impl/faults/rewriting.h"
#include "reference_impl/faults/workflow_calls.h"

namespace assay::faults {
namespace {

using EditHistory = std::function<void(List& history)>;

/// Changes the history that is shown of an execution.
Intercept edits_history(const EditHistory& edit) {
  return alters_answers(workflow_route, [edit](const service::Request&, Value& body) {
    if (List* history = list_at(body, "history")) edit(*history);
  });
}

List::iterator entry_of(List& history, std::string_view state) {
  return std::find_if(history.begin(), history.end(),
                      [state](const Value& entry) { return has_text(entry, "status", state); });
}

/// Behind the state the history has another entry, of the state `next`.
Intercept passes_through(const std::string& state, const std::string& next) {
  return edits_history([=](List& history) {
    const auto entry = entry_of(history, state);
    if (entry == history.end()) return;
    Value another = *entry;
    another.as_object()["status"] = next;
    history.insert(std::next(entry), another);
  });
}

/// The state and the one behind it change places.
Intercept passes_late(const std::string& state) {
  return edits_history([=](List& history) {
    const auto entry = entry_of(history, state);
    if (entry != history.end() && std::next(entry) != history.end()) {
      std::iter_swap(entry, std::next(entry));
    }
  });
}

/// It failed before it was valid: the history has its beginning and its end alone.
void insert_valid(List& history) {
  if (history.size() != 2 || !has_text(history.back(), "status", "FAILED_SAFE")) return;
  Value valid = history.front();
  valid.as_object()["status"] = "VALID";
  history.insert(std::next(history.begin()), valid);
}

std::vector<Fault> passing_faults() {
  return {
      {"begins-twice", "WFX-INIT", "NEW is in the history twice", passes_through("NEW", "NEW")},
      {"fails-only-once-it-is-valid", "WFX-NEW-FAIL",
       "An execution of something invalid is in its history as VALID before it fails",
       edits_history(insert_valid)},
      {"waits-without-a-condition", "WFX-VALID-READY",
       "Between VALID and READY the history has BLOCKED_WAITING, though nothing is awaited",
       passes_through("VALID", "BLOCKED_WAITING")},
      {"ready-behind-its-discovery", "WFX-READY-DISC",
       "READY is in the history behind RESOURCE_DISCOVERY", passes_late("READY")},
      {"scheduled-before-all-is-discovered", "WFX-DISC-SCHED",
       "SCHEDULED is in the history before RESOURCES_DISCOVERED",
       passes_late("RESOURCES_DISCOVERED")},
      {"locks-in-two-tries", "WFX-SCHED-LOCKING", "LOCKING is in the history twice",
       passes_through("LOCKING", "LOCKING")},
  };
}

/// Shows another status while the execution is as `holds` says.
Intercept shows_status(const std::string& from, const std::string& to,
                       const std::function<bool(const Value& execution)>& holds) {
  return alters_answers(workflow_route, [=](const service::Request&, Value& body) {
    if (holds(body)) replace_text(body, "status", from, to);
  });
}

bool in_any_case(const Value& /*execution*/) { return true; }

bool was_aborted(const Value& execution) { return has_text(execution, "reason", "aborted"); }

/// Shows an execution as SCHEDULED while one that completed, and was not acknowledged, had one of
/// its entities.
Intercept waits_for_acknowledgements() {
  return [](service::Service& sound, const service::Request& request) {
    const auto change = [&](const service::Request&, Value& body) {
      const List* entities = list_at(body, "entities");
      if (entities == nullptr || entities->empty()) return;
      if (!has_text(body, "status", "RUNNING")) return;
      Value completed = ask(sound, "/workflow-execution/state/COMPLETED?limit=1000");
      each_item(completed, "executions", [&](Value& one) {
        const Value other = ask(sound, "/workflow-execution/id/" + text_of(one, "uuid"));
        if (share_an_entity(other, body)) body.as_object()["status"] = "SCHEDULED";
      });
    };
    return alters_answers(workflow_route, change)(sound, request);
  };
}

std::vector<Fault> shown_status_faults() {
  return {
      {"acknowledged-has-another-name", "WFX-STATES", "COMPLETED_ACK is written ACKNOWLEDGED",
       shows_status("COMPLETED_ACK", "ACKNOWLEDGED", in_any_case)},
      {"who-waits-has-failed", "WFX-SCHED-WAIT",
       "An execution that waits for a lock is shown as FAILED_SAFE",
       shows_status("SCHEDULED", "FAILED_SAFE", in_any_case)},
      {"runs-with-its-first-result", "WFX-LOCKED-RUN",
       "An execution is shown as LOCKED until the first of its jobs is done",
       shows_status("RUNNING", "LOCKED",
                    [](const Value& execution) {
                      const Value* completed = execution.at_pointer("/jobs/completed");
                      return completed != nullptr && *completed == Value(0);
                    })},
      {"nothing-to-do-never-completes", "WFX-RUN-DONE",
       "An execution of which every step was skipped is shown as RUNNING",
       shows_status("COMPLETED", "RUNNING",
                    [](const Value& execution) {
                      const Value* total = execution.at_pointer("/jobs/total");
                      return total != nullptr && *total == Value(0);
                    })},
      {"locks-go-with-the-acknowledgement", "WFX-DONE-RELEASE",
       "A completed execution keeps its locks until it is acknowledged",
       waits_for_acknowledgements()},
      {"pure-abort-is-unsafe", "WFX-ERR-SAFE",
       "An abort ends FAILED_UNSAFE though every executed step was pure",
       confuses_outcome("FAILED_SAFE", "FAILED_UNSAFE", was_aborted)},
      {"impure-abort-is-safe", "WFX-ERR-UNSAFE",
       "An abort ends FAILED_SAFE though an impure step was executed",
       confuses_outcome("FAILED_UNSAFE", "FAILED_SAFE", was_aborted)},
  };
}

/// What was acknowledged is still in the list of its outcome.
Intercept lists_acknowledged() {
  constexpr const char* route = "GET /workflow-execution/state/*";
  return [](service::Service& sound, const service::Request& request) {
    const std::string path = request.target.substr(0, request.target.find('?'));
    const std::string state = path.substr(path.rfind('/') + 1);
    const bool is_meant = is_on_route(request, route) && state == "COMPLETED";
    if (!is_meant) return sound.handle(request);
    return alters_answers(route, [&](const service::Request&, Value& body) {
      List* listed = list_at(body, "executions");
      Value acknowledged = ask(sound, path + "_ACK?limit=1000");
      each_item(acknowledged, "executions", [&](Value& execution) {
        execution.as_object()["status"] = state;
        if (listed != nullptr) listed->push_back(execution);
      });
    })(sound, request);
  };
}

std::vector<Fault> shown_elsewhere_faults() {
  return {
      {"detail-has-a-urn-for-its-id", "WFX-API-ID",
       "The detail of an execution has urn:uuid: before its id",
       alters_answers(workflow_route,
                      [](const service::Request&, Value& body) {
                        body.as_object()["uuid"] = "urn:uuid:" + text_of(body, "uuid");
                      })},
      {"acknowledged-stay-listed", "WFX-API-STATE",
       "An execution stays in the list of COMPLETED once it is acknowledged", lists_acknowledged()},
  };
}

}  // namespace

std::vector<Fault> passage_faults() {
  std::vector<Fault> all;
  for (const auto family : {passing_faults, shown_status_faults, shown_elsewhere_faults}) {
    std::vector<Fault> some = family();
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace assay::faults
