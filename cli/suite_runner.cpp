#include "cli/suite_runner.h"

#include "cli/generated.h"
#include "cli/in_process_run.h"
#include "cli/specification.h"
#include "harness/check/lens.h"

namespace assay::cli {

SuiteRunner::SuiteRunner(const core::Profile& target)
    : profile_(check::lens(reference_profile(), target)), suite_(load_suite("")) {
  plan_ = run::make_plan(suite_.scenarios, {}, clause_table());
}

void SuiteRunner::leave_out(const std::vector<std::string>& case_ids) {
  left_out_.insert(case_ids.begin(), case_ids.end());
}

core::RunRecord SuiteRunner::run(service::Service& service) { return run(service, plan_.cases); }

core::RunRecord SuiteRunner::run_clause(std::string_view clause, service::Service& service) {
  return run(
      service,
      run::make_plan(suite_.scenarios, {.clauses = {std::string(clause)}}, clause_table()).cases);
}

core::RunRecord SuiteRunner::run(service::Service& service, std::span<const core::Case> cases) {
  std::vector<core::Case> kept(cases.begin(), cases.end());
  std::erase_if(kept, [this](const core::Case& one) { return left_out_.contains(one.id); });
  return run_in_process(service, profile_, kept);
}

}  // namespace assay::cli
