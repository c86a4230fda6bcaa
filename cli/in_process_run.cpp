#include "cli/in_process_run.h"

#include <boost/asio/io_context.hpp>
#include <utility>

#include "harness/run/identity.h"
#include "harness/run/scheduler.h"
#include "harness/run/session.h"
#include "harness/run/waiter.h"
#include "harness/target/clock.h"
#include "harness/target/in_process_target.h"

namespace assay::cli {

core::RunRecord run_in_process(service::Service& service, core::Profile profile,
                               std::span<const core::Case> cases) {
  boost::asio::io_context io(1);
  target::InProcessTarget target(service);
  target::SystemClock clock;
  run::TimerWaiter waiter;
  profile.base_url = target.location();
  const run::RunContext context{.target = target,
                                .profile = profile,
                                .clock = clock,
                                .waiter = waiter,
                                .seed = in_process_seed,
                                .prefix = run::prefix_of_run(run::run_id_of_seed(in_process_seed))};
  run::RunOptions options;
  options.asks_first = false;
  options.counts_coverage = false;
  return run::run_cases(io, context, cases, options).record;
}

}  // namespace assay::cli
