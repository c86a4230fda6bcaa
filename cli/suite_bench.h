#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "cli/suite.h"
#include "cli/terminal.h"
#include "harness/core/record.h"
#include "harness/run/plan.h"
#include "reference_impl/service/service.h"

namespace assay::cli {

/// The whole suite, ready to be run against one service after another, in process and each time
/// with the same identifiers. Each thread has its own.
class SuiteBench {
 public:
  static constexpr std::uint64_t seed = 1;

  explicit SuiteBench(const Terminal& terminal);

  /// The whole suite.
  [[nodiscard]] core::RunRecord run(service::Service& service);

  /// Only the cases that check this clause.
  [[nodiscard]] core::RunRecord run_clause(std::string_view clause, service::Service& service);

  /// How many cases the whole suite has.
  [[nodiscard]] std::size_t size() const { return plan_.cases.size(); }

 private:
  [[nodiscard]] core::RunRecord run(service::Service& service, std::span<const core::Case> cases);

  LoadedProfile profile_;
  Suite suite_;
  run::Plan plan_;
};

}  // namespace assay::cli
