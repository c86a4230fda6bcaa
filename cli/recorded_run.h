#pragma once

#include <set>
#include <string>
#include <vector>

#include "cli/suite.h"
#include "cli/target_choice.h"
#include "harness/core/record.h"
#include "harness/core/scenario.h"

namespace assay::cli {

/// The cases with these ids, in the suite's order; indexes of rows, which older records have for
/// names, are understood. Throws UsageError where the suite lacks one.
[[nodiscard]] std::vector<core::Case> recorded_cases(const Suite& suite,
                                                     const std::set<std::string>& recorded);

/// Chooses the target of the record, where the command line names none: the same address, or a
/// server that is started in the same way. A record is never judged against another server in
/// silence: throws UsageError where it does not say which it was.
void choose_recorded_target(TargetChoice& choice, const core::RecordHeader& header,
                            const std::string& record);

/// Throws UsageError where the record is an audit's: no request of it can be made again.
void check_has_requests(const core::RecordHeader& header, const std::string& record);

/// Throws UsageError where a profile is not the record's: one of the same name can say other things
/// by now, or be another file's.
void check_recorded_profile(const LoadedProfile& profile, const core::RecordHeader& header,
                            const std::string& record);

}  // namespace assay::cli
