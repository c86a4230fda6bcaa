#include "cli/lacked_cases.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "harness/run/plan.h"
#include "reports/wording.h"

namespace assay::cli {
namespace {

/// An operation and a parameter.
using Lacked = std::pair<std::string, std::string>;

class LackedParameters {
 public:
  explicit LackedParameters(const core::Profile& profile) : profile_(profile) {}

  /// Those that the steps give and the profile lacks. A read that needs one only leaves its
  /// expectation less.
  std::set<Lacked> of(const std::vector<core::Step>& steps) {
    collect(steps);
    return std::exchange(found_, {});
  }

 private:
  void collect(const std::vector<core::Step>& steps) {
    for (const core::Step& step : steps) {
      if (const auto* operate = std::get_if<core::Operate>(&step.action)) {
        collect(operate->operation.name, operate->operation.parameters);
      } else if (const auto* together = std::get_if<core::Together>(&step.action)) {
        for (const auto& branch : together->branches) collect(branch);
      } else if (const auto* repeat = std::get_if<core::Repeat>(&step.action)) {
        collect(repeat->steps);
      }
    }
  }

  void collect(const std::string& operation, const Object& parameters) {
    const auto form = profile_.operations.find(operation);
    if (form == profile_.operations.end()) return;
    for (const auto& [name, value] : parameters) {
      if (form->second.lacks.contains(name)) found_.emplace(operation, name);
    }
  }

  const core::Profile& profile_;
  std::set<Lacked> found_;
};

}  // namespace

std::vector<core::Diagnostic> notes_on_lacks(const core::Profile& profile,
                                             std::span<const core::Scenario> scenarios) {
  LackedParameters lacked(profile);
  std::map<Lacked, std::size_t> lost;
  std::size_t all = 0;
  for (const core::Scenario& scenario : scenarios) {
    if (!run::missing_for(scenario, profile).empty()) continue;
    const std::size_t cases = core::cases_of(scenario).size();
    all += cases;
    for (const Lacked& each : lacked.of(scenario.steps)) lost[each] += cases;
  }
  std::vector<core::Diagnostic> notes;
  for (const auto& [each, cases] : lost) {
    const auto& [operation, parameter] = each;
    notes.push_back(
        {profile.operations.at(operation).at,
         fmt::format("note: {} lacks {}, so {} of {} {} not apply; where they mean the same "
                     "without it, leave it out of the request instead",
                     operation, parameter, reports::count_text(cases),
                     reports::counted(all, "case"), cases == 1 ? "does" : "do")});
  }
  return notes;
}

}  // namespace assay::cli
