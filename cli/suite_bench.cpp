#include "cli/suite_bench.h"

#include <boost/asio/io_context.hpp>
#include <string>

#include "cli/specification.h"
#include "harness/run/identity.h"
#include "harness/run/scheduler.h"
#include "harness/run/session.h"
#include "harness/run/waiter.h"
#include "harness/target/clock.h"
#include "harness/target/in_process_target.h"

namespace assay::cli {

SuiteBench::SuiteBench(const Terminal& terminal)
    : profile_(load_profile("reference", terminal)), suite_(load_suite("")) {
  plan_ = run::make_plan(suite_.scenarios, {}, clause_table());
}

core::RunRecord SuiteBench::run(service::Service& service) { return run(service, plan_.cases); }

core::RunRecord SuiteBench::run_clause(std::string_view clause, service::Service& service) {
  return run(
      service,
      run::make_plan(suite_.scenarios, {.clauses = {std::string(clause)}}, clause_table()).cases);
}

core::RunRecord SuiteBench::run(service::Service& service, std::span<const core::Case> cases) {
  boost::asio::io_context io(1);
  target::InProcessTarget target(service);
  target::SystemClock clock;
  run::TimerWaiter waiter;
  profile_.profile.base_url = target.location();
  const run::RunContext context{.target = target,
                                .profile = profile_.profile,
                                .clock = clock,
                                .waiter = waiter,
                                .seed = seed,
                                .prefix = run::prefix_of_run(run::run_id_of_seed(seed))};
  run::RunOptions options;
  options.counts_coverage = false;
  return run::run_cases(io, context, cases, options).record;
}

}  // namespace assay::cli
