#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>

#include "base/words.h"
#include "reference_impl/model/runs/run.h"
#include "reference_impl/service/clock.h"
#include "reference_impl/service/ids.h"
#include "reference_impl/service/router.h"

namespace assay::service {

/// The calls under /runs (CONTRACT "Runs", specification 004) and the runs behind them.
class RunsApi {
 public:
  /// The clock must outlive this. A body over the limit is 413. `rules` other than the default are
  /// for reference_impl/faults.
  RunsApi(Clock& clock, IdSource ids, std::size_t max_body_bytes, runs::Policy policy = {});

  /// Adds the calls to the router, which this must outlive.
  void add_routes(Router& router);

 private:
  using Numbers = std::set<std::uint64_t>;

  Reply create(const Call& call);
  Reply show(const Call& call);
  Reply list(const Call& call);
  Reply transition(const Call& call);
  Reply retry(const Call& call);
  Reply next_action(const Call& call);
  Reply audit(const Call& call);

  /// The run that the path names; throws Refusal 404.
  runs::Run& run_of(const Call& call);
  const runs::Run& store(runs::Run run);
  void index(std::uint64_t number, runs::Status before, runs::Status after);
  [[nodiscard]] Instant now() const;

  Clock& clock_;
  IdSource ids_;
  const std::size_t max_body_bytes_;
  const runs::Policy policy_;
  std::mutex mutex_;
  std::deque<runs::Run> runs_;  // in the order of creation; a run's number is its place, from 1
  std::unordered_map<std::string, std::uint64_t> by_id_;
  EnumTable<runs::Status::canceled, Numbers> by_status_;
};

}  // namespace assay::service
