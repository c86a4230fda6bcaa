#include <algorithm>
#include <string>

#include "reference_impl/faults/rewriting.h"
#include "reference_impl/liberties/kinds.h"

namespace assay::liberties {
namespace {

/// The block's entities in one order.
void sort_acquires(Value& block) {
  List* entities = faults::list_at(block, "acquires");
  if (entities == nullptr) return;
  const bool are_texts = std::all_of(entities->begin(), entities->end(),
                                     [](const Value& entity) { return entity.is_string(); });
  if (!are_texts) return;
  std::sort(entities->begin(), entities->end(), [](const Value& left, const Value& right) {
    return left.as_string() < right.as_string();
  });
}

}  // namespace

std::vector<Liberty> workflow_liberties() {
  return {
      {"acquires-is-a-set",
       "A block with its acquires in another order is the same block",
       "\"same again → 200\"; entities are a set of locks",
       {},
       faults::alters_requests("POST /function-blocks", sort_acquires)},
      {.id = "reported-entities-only",
       .title = "Entities that an ACQUIRE job's result names replace the declared ones",
       .words = "Specification 002: workers \"return the entities needed\"; \"entities?\"",
       .configure =
           [](service::ServiceOptions& options) {
             options.lifecycle_policy.found_entities =
                 lifecycle::FoundEntities::instead_of_declared;
           }},
      {.id = "newest-job-first",
       .title = "A poll gives the newest PENDING job",
       .words = "\"200 one job\": which one is not said",
       .configure =
           [](service::ServiceOptions& options) {
             options.lifecycle_policy.job_order = lifecycle::JobOrder::newest_first;
           }},
      {.id = "late-result-leaves-polled",
       .title = "The late result of a POLLED job leaves it POLLED",
       .words = "\"After an abort a POLLED job's late result is 200 without effect\"",
       .configure =
           [](service::ServiceOptions& options) {
             options.lifecycle_policy.late_result = lifecycle::LateResult::is_ignored;
           }},
      {.id = "late-result-hidden",
       .title = "The late result of a job whose execution has ended is not shown",
       .words =
           "\"jobs show result (null, else {success, entities?, data?})\"; \"200 without effect\"",
       .configure =
           [](service::ServiceOptions& options) {
             options.lifecycle_policy.late_result = lifecycle::LateResult::is_hidden;
           }},
      {.id = "undo-missing-passes-rollback",
       .title = "An execution whose impure steps cannot all be undone passes ROLLBACK",
       .words = "\"an executed impure block that cannot be undone → FAILED_UNSAFE\"",
       .configure =
           [](service::ServiceOptions& options) {
             options.lifecycle_policy.undo_missing = lifecycle::UndoMissing::passes_rollback;
           }},
      {.id = "hang-frees-entities",
       .title = "While the lock service hangs an execution in LOCKING holds nothing",
       .words = "\"hang leaves executions in LOCKING\": of entities nothing is said",
       .configure =
           [](service::ServiceOptions& options) {
             options.lifecycle_policy.hanging_locks = lifecycle::HangingLocks::are_freed;
           }},
      {.id = "moved-hold-lets-go",
       .title = "A hold that moves to another state lets go of those held at the first",
       .words = "\"executions stop when they enter that state, until null\"",
       .configure =
           [](service::ServiceOptions& options) {
             options.lifecycle_policy.moved_hold = lifecycle::MovedHold::lets_them_go;
           }},
  };
}

}  // namespace assay::liberties
