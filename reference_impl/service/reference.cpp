#include "reference_impl/service/reference.h"

#include <chrono>
#include <utility>

#include "reference_impl/service/about_api.h"
#include "reference_impl/service/condition_language.h"
#include "reference_impl/service/control_api.h"
#include "reference_impl/service/environment.h"
#include "reference_impl/service/events_api.h"
#include "reference_impl/service/execution_store.h"
#include "reference_impl/service/executions_api.h"
#include "reference_impl/service/router.h"
#include "reference_impl/service/runs_api.h"
#include "reference_impl/service/workflows_api.h"

namespace assay::service {
namespace {

WorkflowsApi::Options workflow_options(const ServiceOptions& options) {
  lifecycle::Policy policy = options.lifecycle_policy;
  policy.stuck_after = std::chrono::milliseconds(options.job_timeout_ms);
  return {.max_body_bytes = options.limits.max_event_bytes,
          .policy = policy,
          .conditions = guard_conditions()};
}

class Reference final : public Service {
 public:
  explicit Reference(ServiceOptions options)
      : environment_(std::move(options)),
        executions_(environment_),
        runs_(environment_.clock, environment_.options.ids,
              environment_.options.limits.max_event_bytes, environment_.options.run_policy),
        workflows_(environment_.clock, environment_.options.ids,
                   workflow_options(environment_.options)) {
    add_about_routes(router_, environment_);
    add_execution_routes(router_, environment_, executions_);
    add_event_routes(router_, environment_, executions_);
    add_control_routes(router_, environment_, executions_);
    runs_.add_routes(router_);
    workflows_.add_routes(router_);
  }

  Reply handle(const Request& request) override {
    Reply reply = router_.handle(request);
    ++environment_.counters.replies[static_cast<std::size_t>(reply.status / 100) % 6];
    return reply;
  }

  std::optional<Reply> refuse_head(const Request& head) override {
    return router_.refuse_head(head);
  }

 private:
  Environment environment_;
  ExecutionStore executions_;
  RunsApi runs_;
  WorkflowsApi workflows_;
  Router router_;
};

}  // namespace

std::unique_ptr<Service> make_reference(ServiceOptions options) {
  const auto around = options.around;
  auto reference = std::make_unique<Reference>(std::move(options));
  return around ? around(std::move(reference)) : std::move(reference);
}

}  // namespace assay::service
