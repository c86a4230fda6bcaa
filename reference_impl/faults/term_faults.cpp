#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <utility>

#include "reference_impl/faults/families.h"
#include "reference_impl/faults/log_reading.h"
#include "reference_impl/faults/moments.h"
#include "reference_impl/faults/rewriting.h"
#include "reference_impl/faults/workflow_calls.h"

namespace assay::faults {
namespace {

constexpr const char* submission_route = "POST /workflow-execution";
constexpr const char* conditions_route = "POST /workflow-execution/*/conditions";
constexpr const char* list_route = "GET /workflow-execution";

bool has_been_in(const Value& execution, std::string_view state) {
  const Value* history = execution.find("history");
  if (history == nullptr || !history->is_list()) return false;
  const List& entries = history->as_list();
  return std::any_of(entries.begin(), entries.end(),
                     [state](const Value& entry) { return has_text(entry, "status", state); });
}

bool has_rolled_back(const Value& execution) { return has_been_in(execution, "ROLLBACK"); }

/// A submission without this member is what is taken.
Intercept ignores_term(const std::string& name) {
  return alters_requests(submission_route, [name](Value& body) { body.as_object().erase(name); });
}

/// Where only some of the awaited conditions are named, `instead` says which count.
using Named = std::function<List(const List& awaited, const List& met)>;
Intercept misreads_conditions(const Named& instead) {
  return [instead, awaited = std::make_shared<Memory>()](service::Service& sound,
                                                         const service::Request& request) {
    Value body = json_of(request.body);
    if (is_on_route(request, conditions_route)) {
      const std::string path = request.target.substr(0, request.target.rfind('/'));
      const auto all = awaited->find(path.substr(path.rfind('/') + 1));
      List* met = list_at(body, "met");
      if (all && met != nullptr && !met->empty() && met->size() < all->as_list().size()) {
        *met = instead(all->as_list(), *met);
        return sound.handle(with_body(request, body));
      }
    }
    service::Reply reply = sound.handle(request);
    const List* names = list_at(body, "await");
    if (is_on_route(request, submission_route) && reply.status == 201 && names != nullptr) {
      awaited->keep(text_of(json_of(reply.body), "uuid"), *names);
    }
    return reply;
  };
}

std::vector<Fault> condition_faults() {
  return {
      {"conditions-are-not-awaited", "WFX-VALID-BLOCK",
       "An execution that awaits conditions goes on at once", ignores_term("await")},
      {"first-condition-is-enough", "WFX-VALID-BLOCK",
       "The first condition that is met counts for all",
       [] {
         return misreads_conditions([](const List& awaited, const List&) { return awaited; });
       }},
      {"conditions-are-met-at-once-or-never", "WFX-VALID-BLOCK",
       "Conditions count only where one call names all of them",
       [] { return misreads_conditions([](const List&, const List&) { return List{}; }); }},
      {"blocked-is-not-in-the-history", "WFX-VALID-BLOCK",
       "An execution is shown as VALID while it awaits conditions", omits("BLOCKED_WAITING")},
  };
}

std::vector<Fault> rollback_faults() {
  return {
      {"rollback-is-not-read", "WFX-ERR-ROLLBACK", "An execution is never rolled back",
       ignores_term("rollback")},
      {"rollback-without-being-asked", "WFX-ERR-ROLLBACK",
       "Every impure failure is rolled back where the blocks allow it",
       alters_requests(submission_route,
                       [](Value& body) { body.as_object().insert_or_assign("rollback", true); })},
      {"every-block-can-be-undone", "WFX-ERR-ROLLBACK",
       "An execution is rolled back whatever its function blocks say",
       alters_requests("POST /function-blocks",
                       [](Value& body) { body.as_object().insert_or_assign("rollback", true); })},
      {"oldest-step-is-undone-first", "WFX-ERR-ROLLBACK",
       "A rollback begins with the step that was executed first",
       [](service::ServiceOptions& options) {
         options.lifecycle_policy.undo_order = lifecycle::UndoOrder::oldest_first;
       }},
      {"undone-is-called-unsafe", "WFX-ROLL-SAFE", "A rollback that succeeds ends FAILED_UNSAFE",
       confuses_outcome("FAILED_SAFE", "FAILED_UNSAFE", has_rolled_back)},
      {"undone-is-called-completed", "WFX-ROLL-SAFE", "A rollback that succeeds ends COMPLETED",
       confuses_outcome("FAILED_SAFE", "COMPLETED", has_rolled_back)},
      {"undone-stays-in-rollback", "WFX-ROLL-SAFE",
       "An execution is shown as ROLLBACK after the last step was undone",
       changes_execution([](const service::Request&, Value& body) {
         if (!has_rolled_back(body) || !has_text(body, "outcome", "FAILED_SAFE")) return;
         body.as_object()["status"] = "ROLLBACK";
         body.as_object()["outcome"] = Value();
         remove_items(body, "history",
                      [](const Value& entry) { return has_text(entry, "status", "FAILED_SAFE"); });
       })},
      {"failed-rollback-is-safe", "WFX-ROLL-UNSAFE", "A rollback that fails ends FAILED_SAFE",
       confuses_outcome("FAILED_UNSAFE", "FAILED_SAFE", has_rolled_back)},
      {"failed-undo-is-taken-for-done", "WFX-ROLL-UNSAFE",
       "A failed ROLLBACK job is taken for a success",
       [] { return takes_failures_for_successes("ROLLBACK"); }},
      {"aborted-rollback-is-safe", "WFX-ROLL-UNSAFE", "An abort during a rollback ends FAILED_SAFE",
       confuses_outcome("FAILED_UNSAFE", "FAILED_SAFE",
                        [](const Value& body) {
                          return has_rolled_back(body) && text_of(body, "reason") == "aborted";
                        })},
  };
}

/// The list of all leaves out what is in one of these states.
Intercept lists_none_in(std::vector<std::string> states) {
  return alters_answers(
      list_route, [states = std::move(states)](const service::Request&, Value& body) {
        remove_items(body, "executions", [&](const Value& item) {
          return std::find(states.begin(), states.end(), text_of(item, "status")) != states.end();
        });
      });
}

/// Whoever has once said why it waits for the lock service is in LOCKING for good.
Intercept never_leaves_locking() {
  return [waiting = std::make_shared<Memory>()](service::Service& sound,
                                                const service::Request& request) {
    return changes_execution([&](const service::Request&, Value& body) {
      const std::string uuid = text_of(body, "uuid");
      if (has_text(body, "status", "LOCKING") && !text_of(body, "reason").empty()) {
        waiting->keep(uuid);
      }
      if (waiting->has(uuid)) body.as_object()["status"] = "LOCKING";
    })(sound, request);
  };
}

/// What a silent lock service is told by.
Intercept tells_silence_by(const Value& reason) {
  return changes_execution([reason](const service::Request&, Value& body) {
    if (has_text(body, "status", "LOCKING")) body.as_object()["reason"] = reason;
  });
}

std::vector<Fault> list_of_all_faults() {
  return {
      {"list-of-all-has-the-active-only", "WFX-LIST-ALL",
       "The list of all executions leaves out those that have ended",
       lists_none_in({"COMPLETED", "FAILED_SAFE", "FAILED_UNSAFE", "COMPLETED_ACK",
                      "FAILED_SAFE_ACK", "FAILED_UNSAFE_ACK"})},
      {"list-of-all-lacks-the-acknowledged", "WFX-LIST-ALL",
       "An acknowledged execution is gone from the list of all",
       lists_none_in({"COMPLETED_ACK", "FAILED_SAFE_ACK", "FAILED_UNSAFE_ACK"})},
      {"list-of-all-lacks-failures", "WFX-LIST-ALL",
       "A failed execution is gone from the list of all",
       lists_none_in({"FAILED_SAFE", "FAILED_UNSAFE"})},
  };
}

std::vector<Fault> silence_faults() {
  return {
      {"silence-of-the-lock-service-is-not-told", "WFX-LOCK-STUCK",
       "An execution waits for a silent lock service without a reason", tells_silence_by(Value())},
      {"silence-of-the-lock-service-is-told-by-nothing", "WFX-LOCK-STUCK",
       "The reason why an execution waits for a silent lock service is empty",
       tells_silence_by("")},
      {"silence-of-the-lock-service-is-for-ever", "WFX-LOCK-STUCK",
       "An execution that waited for the lock service stays in LOCKING when it is back",
       never_leaves_locking},
  };
}

}  // namespace

std::vector<Fault> term_faults() {
  std::vector<Fault> all;
  for (const auto family :
       {condition_faults, rollback_faults, list_of_all_faults, silence_faults}) {
    std::vector<Fault> some = family();
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace assay::faults
