#include "cli/sensitivity.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <thread>
#include <utility>

#include "cli/generated.h"
#include "cli/in_process_run.h"
#include "cli/reference.h"
#include "harness/check/lens.h"
#include "harness/check/sensitivity.h"
#include "reference_impl/faults/catalogue.h"
#include "reference_impl/service/reference.h"

namespace assay::cli {
namespace {

/// The worst verdict of a case's checks of a clause; not_applicable where there is none.
core::Verdict verdict_of(const core::RunRecord& record, std::string_view clause) {
  core::Verdict verdict = core::Verdict::not_applicable;
  for (const core::CaseResult& result : record.cases) {
    for (const core::Check& check : result.checks) {
      const auto& clauses = check.clauses;
      if (std::find(clauses.begin(), clauses.end(), clause) == clauses.end()) continue;
      verdict = core::merge(verdict, check.verdict);
    }
  }
  return verdict;
}

/// The cases that were made for a clause before those that name many, and written ones before
/// generated ones: what notices a fault comes early.
std::vector<const core::Case*> likeliest_first(const std::vector<std::size_t>& indices,
                                               std::span<const core::Case> cases) {
  std::vector<const core::Case*> ordered;
  for (const std::size_t index : indices) ordered.push_back(&cases[index]);
  const auto rank = [](const core::Case* one) {
    return std::pair(core::has_tag(*one->scenario, "first-fail"), one->scenario->clauses.size());
  };
  std::stable_sort(ordered.begin(), ordered.end(), [&rank](const auto* left, const auto* right) {
    return rank(left) < rank(right);
  });
  return ordered;
}

/// Looks for a case that notices each fault.
class Hunt {
 public:
  Hunt(const core::Profile& target, Noticed known, const std::stop_token& stop, Terminal& terminal)
      : lens_(check::lens(reference_profile(), target)),
        noticed_(std::move(known)),
        stop_(stop),
        progress_(terminal) {}

  void add(const faults::Fault& fault, const std::vector<const core::Case*>& cases) {
    Noticed::Cases& known = noticed_.faults[std::string(fault.id)];
    const bool is_open = std::any_of(cases.begin(), cases.end(), [&known](const auto* one) {
      return !known.missed.contains(one->id);
    });
    if (is_open && !is_caught(known, cases)) open_.push_back({&fault, &cases, &known});
  }

  /// Whether anything was tried.
  bool work() {
    std::vector<std::future<void>> workers;
    const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
    for (std::size_t count = 0; count < std::min(cores, open_.size()); ++count) {
      workers.push_back(std::async(std::launch::async, [this] { take_faults(); }));
    }
    for (std::future<void>& worker : workers) worker.get();
    return !open_.empty();
  }

  [[nodiscard]] bool is_caught(const faults::Fault& fault,
                               const std::vector<const core::Case*>& cases) const {
    const auto known = noticed_.faults.find(fault.id);
    return known != noticed_.faults.end() && is_caught(known->second, cases);
  }

  [[nodiscard]] const Noticed& noticed() const { return noticed_; }

 private:
  struct Open {
    const faults::Fault* fault;
    const std::vector<const core::Case*>* cases;
    Noticed::Cases* known;
  };

  static bool is_caught(const Noticed::Cases& known, const std::vector<const core::Case*>& cases) {
    return std::any_of(cases.begin(), cases.end(),
                       [&known](const auto* one) { return known.caught.contains(one->id); });
  }

  void take_faults() {
    for (std::size_t index = next_++; index < open_.size(); index = next_++) {
      show(index);
      const Open& open = open_[index];
      for (const core::Case* one : *open.cases) {
        if (stop_.stop_requested()) return;
        if (open.known->missed.contains(one->id)) continue;
        if (notices(*one, *open.fault)) {
          open.known->caught.insert(one->id);
          break;
        }
        open.known->missed.insert(one->id);
      }
    }
  }

  bool notices(const core::Case& one, const faults::Fault& fault) {
    const std::unique_ptr<service::Service> broken =
        faults::make_broken(fault, reference_options(in_process_seed, lens_));
    const core::RunRecord record = run_in_process(*broken, lens_, std::span(&one, 1));
    return verdict_of(record, fault.clause) == core::Verdict::fail && clears_the_sound(one, fault);
  }

  /// What accuses the sound reference too shows nothing of a fault.
  bool clears_the_sound(const core::Case& one, const faults::Fault& fault) {
    {
      const std::scoped_lock lock(mutex_);
      const auto known = sound_.find(&one);
      if (known != sound_.end()) {
        return verdict_of(known->second, fault.clause) == core::Verdict::pass;
      }
    }
    const std::unique_ptr<service::Service> sound =
        service::make_reference(reference_options(in_process_seed, lens_));
    core::RunRecord record = run_in_process(*sound, lens_, std::span(&one, 1));
    for (core::CaseResult& result : record.cases) result.exchanges.clear();
    const bool passes = verdict_of(record, fault.clause) == core::Verdict::pass;
    const std::scoped_lock lock(mutex_);
    sound_.insert_or_assign(&one, std::move(record));
    return passes;
  }

  void show(std::size_t index) {
    const std::scoped_lock lock(mutex_);
    progress_.show(
        fmt::format("what would have been noticed: fault {} of {}", index + 1, open_.size()));
  }

  const core::Profile lens_;
  Noticed noticed_;
  std::stop_token stop_;
  ProgressLine progress_;
  std::vector<Open> open_;
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;
  std::map<const core::Case*, core::RunRecord> sound_;
};

std::vector<std::string> why_not_shown(const core::Sensitivity& sensitivity,
                                       const std::vector<const core::Case*>& cases,
                                       const core::Profile& target) {
  if (sensitivity.known == 0) return {"the zoo knows no way to break it"};
  std::vector<std::string> reasons = check::hidden_by(sensitivity.clause, cases, target);
  if (reasons.empty()) {
    reasons.emplace_back("the cases that passed would have passed just the same");
  }
  return reasons;
}

using CasesByClause = std::map<std::string, std::vector<const core::Case*>, std::less<>>;

core::Sensitivity sensitivity_of(const std::string& clause,
                                 const std::vector<const core::Case*>& holding, const Hunt& hunt,
                                 const core::Profile& target) {
  core::Sensitivity sensitivity;
  sensitivity.clause = clause;
  for (const faults::Fault& fault : faults::faults()) {
    if (fault.clause != clause) continue;
    ++sensitivity.known;
    if (hunt.is_caught(fault, holding)) sensitivity.caught.emplace_back(fault.id);
  }
  if (sensitivity.caught.empty()) {
    sensitivity.hidden_by = why_not_shown(sensitivity, holding, target);
  }
  return sensitivity;
}

std::vector<core::Sensitivity> measure(const CasesByClause& by_clause, const core::Profile& target,
                                       const SensitivityCache& cache, const std::stop_token& stop,
                                       Terminal& terminal) {
  Hunt hunt(target, cache.load(), stop, terminal);
  for (const faults::Fault& fault : faults::faults()) {
    const auto holding = by_clause.find(fault.clause);
    if (holding != by_clause.end()) hunt.add(fault, holding->second);
  }
  if (hunt.work()) cache.store(hunt.noticed());
  std::vector<core::Sensitivity> all;
  for (const auto& [clause, holding] : by_clause) {
    all.push_back(sensitivity_of(clause, holding, hunt, target));
  }
  return all;
}

}  // namespace

std::optional<std::vector<core::Sensitivity>> measure_sensitivity(
    const core::RunRecord& record, std::span<const core::Case> cases, const core::Profile& target,
    const SensitivityCache& cache, const std::stop_token& stop, Terminal& terminal) {
  CasesByClause by_clause;
  for (const auto& [clause, indices] : check::holding_cases(record, cases)) {
    by_clause.emplace(clause, likeliest_first(indices, cases));
  }
  std::vector<core::Sensitivity> all = measure(by_clause, target, cache, stop, terminal);
  if (stop.stop_requested()) return std::nullopt;
  return all;
}

core::Sensitivity possible_sensitivity(const std::string& clause, std::span<const core::Case> cases,
                                       const core::Profile& target, const SensitivityCache& cache,
                                       Terminal& terminal) {
  std::vector<std::size_t> indices(cases.size());
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  const CasesByClause by_clause = {{clause, likeliest_first(indices, cases)}};
  return measure(by_clause, target, cache, {}, terminal).front();
}

}  // namespace assay::cli
