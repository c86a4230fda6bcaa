#include "cli/property_hunt.h"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <optional>
#include <span>
#include <vector>

#include "cli/generated.h"
#include "cli/reference.h"
#include "harness/run/identity.h"
#include "harness/run/scheduler.h"
#include "harness/run/session.h"
#include "harness/run/waiter.h"
#include "harness/target/clock.h"
#include "harness/target/in_process_target.h"
#include "properties/campaign.h"
#include "reference_impl/faults/catalogue.h"
#include "reference_impl/service/service.h"

namespace assay::cli {
namespace {

constexpr std::uint64_t hunt_seed = 1;
/// A server keeps all that it was given, and its lists grow: after so many cases comes a new one.
constexpr std::uint64_t cases_of_a_server = 50;

/// A broken server of its own, in process, and all that cases need to be run on it.
struct Prey {
  explicit Prey(const faults::Fault& fault)
      : profile(profile_showing(fault)),
        service(faults::make_broken(fault, reference_options(hunt_seed, profile))),
        target(*service) {}

  boost::asio::io_context io{1};
  core::Profile profile;
  std::unique_ptr<service::Service> service;
  target::InProcessTarget target;
  target::SystemClock clock;
  run::TimerWaiter waiter;
  run::RunContext context{.target = target,
                          .profile = profile,
                          .clock = clock,
                          .waiter = waiter,
                          .seed = hunt_seed,
                          .prefix = run::prefix_of_run(run::run_id_of_seed(hunt_seed))};
};

bool accuses(const core::CaseResult& result, std::string_view clause) {
  return std::any_of(result.checks.begin(), result.checks.end(), [clause](const auto& check) {
    return check.verdict == core::Verdict::fail &&
           std::find(check.clauses.begin(), check.clauses.end(), clause) != check.clauses.end();
  });
}

std::vector<const properties::Family*> families_for(std::string_view clause) {
  std::vector<const properties::Family*> chosen;
  for (const properties::Family& family : properties::families()) {
    const auto& clauses = family.clauses;
    if (std::find(clauses.begin(), clauses.end(), clause) != clauses.end()) {
      chosen.push_back(&family);
    }
  }
  return chosen;
}

}  // namespace

const properties::Recording& PropertyHunt::recording(const faults::Fault& fault,
                                                     const properties::Family& family,
                                                     std::uint64_t index) {
  const std::tuple key{fault.under.choice, &family, index};
  {
    const std::scoped_lock lock(mutex_);
    const auto kept = recordings_.find(key);
    if (kept != recordings_.end()) return *kept->second;
  }
  // Made outside of the lock: where two threads make the same one, the first is kept.
  const core::Profile target = profile_showing(fault);
  const properties::Recorder recorder(reference_profile(), target);
  const properties::Draft draft = properties::generate(family, hunt_seed, index);
  auto made = std::make_unique<properties::Recording>(
      recorder.record(family, draft, properties::case_id_of(family, index)));
  const std::scoped_lock lock(mutex_);
  return *recordings_.emplace(key, std::move(made)).first->second;
}

Catch PropertyHunt::hunt(const faults::Fault& fault) {
  Catch caught;
  const std::vector<const properties::Family*> families = families_for(fault.clause);
  if (families.empty()) return caught;
  std::optional<Prey> prey;
  run::RunOptions options;
  options.asks_first = false;
  options.counts_coverage = false;
  for (std::uint64_t index = 0; caught.commands < most_commands_; ++index) {
    for (const properties::Family* family : families) {
      if (stop_.stop_requested()) return caught;
      if (caught.cases % cases_of_a_server == 0) prey.emplace(fault);
      const core::Scenario& scenario = recording(fault, *family, index).scenario;
      const core::Case one{scenario.id, &scenario, {}};
      const run::RunOutcome outcome =
          run::run_cases(prey->io, prey->context, std::span(&one, 1), options);
      ++caught.cases;
      caught.commands += properties::commands_of(scenario);
      if (outcome.record.cases.empty() || !accuses(outcome.record.cases[0], fault.clause)) continue;
      caught.family = family->id;
      caught.smallest = smallest(fault, *family, index);
      return caught;
    }
  }
  return caught;
}

std::size_t PropertyHunt::smallest(const faults::Fault& fault, const properties::Family& family,
                                   std::uint64_t index) const {
  Prey prey(fault);
  properties::CampaignOptions options;
  options.seed = hunt_seed;
  options.first_case = index;
  options.cases = 1;
  options.most_causes = 1;
  options.stop = stop_;
  const properties::Family* one = &family;
  const properties::CampaignOutcome outcome = properties::run_campaign(
      prey.io, prey.context, reference_profile(), std::span(&one, 1), options);
  if (outcome.findings.empty()) return 0;
  return properties::commands_of(outcome.findings.front().scenario);
}

}  // namespace assay::cli
