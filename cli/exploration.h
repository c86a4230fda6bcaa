#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/value.h"
#include "cli/suite.h"
#include "cli/target_choice.h"
#include "harness/check/model_coverage.h"
#include "harness/core/record.h"
#include "harness/core/verdict.h"
#include "harness/run/session.h"
#include "harness/target/clock.h"
#include "properties/campaign.h"

namespace boost::asio {
class io_context;
}  // namespace boost::asio

namespace assay::cli {

/// What an exploration found, and how it says so.
class Exploration {
 public:
  /// "assay run --profile … --target …": what runs a saved case again.
  std::string command;
  double duration_ms = 0;
  bool is_deterministic = true;
  /// Somebody ended it before its time: what was not found then proves nothing.
  bool was_interrupted = false;
  /// As in core::RecordFooter.
  std::vector<std::string> notes;
  /// The families that were asked for; empty: all.
  std::vector<std::string> selection;

  void begin(const LoadedProfile& profile, const ReadyTarget& ready, const target::Clock& clock,
             std::uint64_t seed);

  /// Runs saved cases before any new one is made.
  void run_corpus(boost::asio::io_context& io, const run::RunContext& context,
                  const std::string& folder, const std::stop_token& stop);

  /// Notes the clauses that a case has checked, and what it exercised of the model; the case itself
  /// is forgotten.
  void add(const core::CaseResult& result);

  void conclude(properties::CampaignOutcome outcome) { outcome_ = std::move(outcome); }

  /// Writes each finding's smallest case as a scenario; throws UsageError.
  void save(const std::string& folder);

  [[nodiscard]] std::string text() const;
  [[nodiscard]] Value json() const;
  /// One case a family that found nothing, one a finding, one a saved case.
  [[nodiscard]] core::RunRecord record() const;
  /// That of the record, as for a run: what could not be decided is not green. A second time that
  /// sent other requests is the harness's fault.
  [[nodiscard]] core::ExitCode exit_code() const;

 private:
  struct SavedCase {
    std::string id;
    /// FIXED, FAILED or ERROR.
    std::string word;
    core::CaseResult result;
  };

  [[nodiscard]] core::RecordFooter footer() const;

  core::RecordHeader header_;
  std::optional<check::ModelCoverage> coverage_;
  properties::CampaignOutcome outcome_;
  std::vector<SavedCase> corpus_;
  /// The clauses whose checks passed, by family.
  std::map<std::string, std::map<std::string, std::uint64_t>> passed_;
  /// Where each finding was saved; as many as findings, or none.
  std::vector<std::string> files_;
};

}  // namespace assay::cli
