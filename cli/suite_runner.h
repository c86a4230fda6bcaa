#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/suite.h"
#include "harness/core/profile.h"
#include "harness/core/record.h"
#include "harness/run/plan.h"
#include "reference_impl/service/service.h"

namespace assay::cli {

/// The whole suite, ready to be run against one service after another, in process and each time
/// with the same identifiers. Each thread has its own.
class SuiteRunner {
 public:
  /// Servers are seen through the lens of this profile (check::lens); the reference's hides
  /// nothing.
  explicit SuiteRunner(const core::Profile& target);

  /// Runs these no more.
  void leave_out(const std::vector<std::string>& case_ids);

  /// The whole suite.
  [[nodiscard]] core::RunRecord run(service::Service& service);

  /// Only the cases that check this clause.
  [[nodiscard]] core::RunRecord run_clause(std::string_view clause, service::Service& service);

  /// As what its servers are judged.
  [[nodiscard]] const core::Profile& profile() const { return profile_; }

  /// How many cases the whole suite has.
  [[nodiscard]] std::size_t size() const { return plan_.cases.size(); }

 private:
  [[nodiscard]] core::RunRecord run(service::Service& service, std::span<const core::Case> cases);

  core::Profile profile_;
  std::set<std::string> left_out_;
  Suite suite_;
  run::Plan plan_;
};

}  // namespace assay::cli
