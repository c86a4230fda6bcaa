#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>

#include "reference_impl/model/lifecycle/engine.h"
#include "reference_impl/service/clock.h"
#include "reference_impl/service/ids.h"
#include "reference_impl/service/router.h"

namespace assay::service {

/// The calls under /function-blocks, /workflow-definitions, /workflow-execution and /blackboard,
/// POST /control/lock-service and POST /control/lifecycle-hold (CONTRACT "Workflow executions",
/// "The rest of the model over HTTP", specification 002), with the engine behind them.
class WorkflowsApi {
 public:
  struct Options {
    /// A larger body is 413.
    std::size_t max_body_bytes = 1U << 20U;
    lifecycle::Policy policy = {};
    /// The language of step conditions that are no booleans.
    lifecycle::ConditionLanguage conditions = {};
  };

  /// The clock must outlive this.
  WorkflowsApi(Clock& clock, IdSource ids, Options options);

  /// Adds the calls to the router, which this must outlive.
  void add_routes(Router& router);

 private:
  Reply register_block(const Call& call);
  Reply register_definition(const Call& call);
  Reply start(const Call& call);
  Reply show(const Call& call);
  Reply list_all(const Call& call);
  Reply list_active(const Call& call);
  Reply list_in_state(const Call& call);
  Reply abort(const Call& call);
  Reply acknowledge(const Call& call);
  Reply meet(const Call& call);
  Reply list_jobs(const Call& call);
  Reply poll(const Call& call);
  Reply push(const Call& call);
  Reply set_lock_service(const Call& call);
  Reply hold_lifecycle(const Call& call);

  /// The execution that the path names; throws Refusal 404.
  const lifecycle::Execution& execution_of(const Call& call);
  /// The workflow that a request names or holds; throws Refusal 422 where it is of another type.
  lifecycle::Workflow resolve(const Value& workflow) const;
  [[nodiscard]] Instant now() const;

  Clock& clock_;
  IdSource ids_;
  const std::size_t max_body_bytes_;
  const bool refuses_invalid_;
  lifecycle::ConditionLanguage conditions_;
  std::mutex mutex_;
  lifecycle::Engine engine_;
};

}  // namespace assay::service
