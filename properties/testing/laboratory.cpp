#include "properties/testing/laboratory.h"

#include <boost/asio/io_context.hpp>
#include <stdexcept>
#include <vector>

#include "harness/run/identity.h"
#include "harness/run/waiter.h"
#include "harness/target/clock.h"
#include "harness/target/in_process_target.h"
#include "harness/wire/profile_reader.h"
#include "reference_impl/faults/catalogue.h"
#include "reference_impl/service/reference.h"

namespace assay::properties::testing {
namespace {

class FixedClock final : public service::Clock {
 public:
  [[nodiscard]] std::int64_t now() override { return 1'800'000'000'000'000'000; }
};

core::Profile reference_profile() {
  auto read = wire::read_profile(*wire::embedded_profile("reference"), "reference.yaml", {});
  return std::move(read).value();
}

std::unique_ptr<service::Service> make_service(std::string_view fault) {
  service::ServiceOptions options;
  options.clock = std::make_shared<FixedClock>();
  if (fault.empty()) return service::make_reference(std::move(options));
  for (const faults::Fault& each : faults::faults()) {
    if (each.id == fault) return faults::make_broken(each, std::move(options));
  }
  throw std::invalid_argument("no such fault: " + std::string(fault));
}

}  // namespace

Laboratory::Laboratory(std::string_view fault)
    : profile_(reference_profile()), service_(make_service(fault)) {}

CampaignOutcome Laboratory::run(const CampaignOptions& options, std::string_view family) {
  boost::asio::io_context io(1);
  target::InProcessTarget target(*service_);
  target::SystemClock clock;
  run::TimerWaiter waiter;
  const run::RunContext context{.target = target,
                                .profile = profile_,
                                .clock = clock,
                                .waiter = waiter,
                                .seed = options.seed,
                                .prefix = run::prefix_of_run(run::run_id_of_seed(options.seed))};
  std::vector<const Family*> chosen;
  for (const Family& each : families()) {
    if (family.empty() || each.id == family) chosen.push_back(&each);
  }
  return run_campaign(io, context, profile_, chosen, options);
}

}  // namespace assay::properties::testing
