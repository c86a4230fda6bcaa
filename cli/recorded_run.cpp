#include "cli/recorded_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/usage_error.h"
#include "harness/core/case_name.h"
#include "harness/core/secrets.h"

namespace assay::cli {

std::vector<core::Case> recorded_cases(const Suite& suite, const std::set<std::string>& recorded) {
  const std::vector<std::string> ids = case_ids(suite);
  std::set<std::string> wanted;
  // Records of before the rows of a matrix had names have their indexes.
  for (const std::string& id : recorded) wanted.insert(core::id_of_index(id, ids).value_or(id));
  std::vector<core::Case> cases;
  for (const core::Scenario& scenario : suite.scenarios) {
    for (core::Case& each : core::cases_of(scenario)) {
      if (wanted.erase(each.id) > 0) cases.push_back(std::move(each));
    }
  }
  if (!wanted.empty()) {
    throw UsageError(fmt::format("the suite has no case {}: the record is of another one",
                                 fmt::join(wanted, ", ")));
  }
  return cases;
}

void choose_recorded_target(TargetChoice& choice, const core::RecordHeader& header,
                            const std::string& record) {
  if (!choice.url.empty() || choice.in_process) return;
  const std::string& source = header.target_source;
  if (source == core::target_source::in_process) {
    choice.in_process = true;
  } else if (source == core::target_source::url || source == core::target_source::profile) {
    if (header.target.find(core::mask) != std::string::npos) {
      throw UsageError(fmt::format(
          "{}: the address of its target holds a secret, which no record has; give --target URL",
          record));
    }
    choice.url = header.target;
  } else if (source.empty()) {
    throw UsageError(
        fmt::format("{}: does not say how its target {} was come by; give --target URL or "
                    "--in-process",
                    record, header.target));
  }
}

void check_has_requests(const core::RecordHeader& header, const std::string& record) {
  if (header.target_source != "log") return;
  throw UsageError(fmt::format(
      "{}: found the record of an audit, which has no requests, expected that of a run; audit the "
      "log again to see it again",
      record));
}

void check_recorded_profile(const LoadedProfile& profile, const core::RecordHeader& header,
                            const std::string& record) {
  if (profile.digest == header.profile_digest || header.profile_digest.empty()) return;
  throw UsageError(
      fmt::format("{}: was made with another profile {} than this one; give the one that is meant "
                  "by --profile",
                  record, header.profile));
}

}  // namespace assay::cli
