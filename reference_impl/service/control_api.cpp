#include "reference_impl/service/control_api.h"

#include "reference_impl/service/fields.h"
#include "reference_impl/service/problem.h"

namespace assay::service {
namespace {

Reply evict(const Call& call, const ExecutionStore& executions) {
  const std::string& id = Fields(call.object()).required_string("execution_id");
  executions.get(id).evict();
  return json_reply(200, Object{{"execution_id", id}});
}

Reply advance_clock(const Call& call, Environment& environment) {
  const Fields fields(call.object());
  const auto advance_ms = fields.required("advance_ms").to_int64();
  if (!advance_ms || *advance_ms < 0 || !environment.clock.advance(*advance_ms)) {
    throw invalid("INVALID_FIELD",
                  "advance_ms must be a whole number from 0 that leads to no year "
                  "beyond 2261",
                  fields.pointer_to("advance_ms"));
  }
  return json_reply(200, Object{{"now", environment.timestamp()}});
}

}  // namespace

void add_control_routes(Router& router, Environment& environment, ExecutionStore& executions) {
  const std::size_t limit = environment.options.limits.max_event_bytes;
  router.add("POST", "/control/evict", BodyRule::required, limit,
             [&](const Call& call) { return evict(call, executions); });
  router.add("POST", "/control/clock", BodyRule::required, limit,
             [&](const Call& call) { return advance_clock(call, environment); });
}

}  // namespace assay::service
