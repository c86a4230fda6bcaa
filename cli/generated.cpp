#include "cli/generated.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "cli/usage_error.h"
#include "harness/core/clause_table.h"
#include "harness/wire/profile_reader.h"
#include "properties/all_cores.h"
#include "properties/campaign.h"
#include "properties/draft.h"
#include "properties/recorder.h"
#include "properties/remaking.h"

namespace assay::cli {
namespace {

/// Part of the suite, so it changes only with it: a gate must not fail by the luck of a draw.
constexpr std::uint64_t suite_seed = 1;
constexpr std::uint64_t cases_of_a_family = 6;

std::string short_id(const properties::Family& family) {
  return family.id.substr(family.id.find('/') + 1);
}

bool names(const std::string& glob, const properties::Family& family) {
  return core::matches_glob(glob, family.id) || core::matches_glob(glob, short_id(family));
}

template <typename Visit>
void for_each_generated(const Visit& visit) {
  for (const properties::Family& family : properties::families()) {
    for (std::uint64_t index = 0; index < cases_of_a_family; ++index) visit(family, index);
  }
}

bool is_named(const std::string& id, const std::vector<std::string>& globs) {
  return std::any_of(globs.begin(), globs.end(),
                     [&](const auto& glob) { return core::matches_glob(glob, id); });
}

/// A glob that names nothing is answered with the nearest of all names.
bool each_names_a_case(const std::vector<std::string>& globs, const Suite& written) {
  std::vector<std::string> ids = case_ids(written);
  for (const core::Scenario& scenario : written.scenarios) ids.push_back(scenario.id);
  for (std::string& id : generated_case_ids()) ids.push_back(std::move(id));
  return std::all_of(globs.begin(), globs.end(), [&](const std::string& glob) {
    return std::any_of(ids.begin(), ids.end(),
                       [&](const auto& id) { return glob == id || core::matches_glob(glob, id); });
  });
}

/// A generated case that is wanted.
struct WantedCase {
  const properties::Family* family = nullptr;
  std::uint64_t index = 0;
};

/// The scenarios of these cases for a target, in their order. Each is recorded by itself, so all
/// cores share them out: this is what a run waits for before its first request.
std::vector<core::Scenario> record_all(const core::Profile& target,
                                       const std::vector<WantedCase>& wanted) {
  const properties::Recorder recorder(reference_profile(), target);
  std::vector<core::Scenario> scenarios(wanted.size());
  properties::share_out(wanted.size(), [&](std::size_t place) {
    const auto& [family, index] = wanted[place];
    scenarios[place] = recorder
                           .record(*family, properties::generate(*family, suite_seed, index),
                                   properties::case_id_of(*family, index))
                           .scenario;
  });
  return scenarios;
}

}  // namespace

const core::Profile& reference_profile() {
  static const core::Profile profile = [] {
    auto read = wire::read_profile(*wire::embedded_profile("reference"), "reference.yaml", {});
    return std::move(read).value();
  }();
  return profile;
}

std::vector<const properties::Family*> chosen_families(const std::vector<std::string>& globs) {
  std::vector<std::string> known;
  for (const properties::Family& family : properties::families()) known.push_back(short_id(family));
  std::vector<const properties::Family*> chosen;
  for (const properties::Family& family : properties::families()) {
    const bool is_named = std::any_of(globs.begin(), globs.end(),
                                      [&](const auto& glob) { return names(glob, family); });
    if (globs.empty() || is_named) chosen.push_back(&family);
  }
  for (const std::string& glob : globs) {
    const bool is_known = std::any_of(chosen.begin(), chosen.end(),
                                      [&](const auto* family) { return names(glob, *family); });
    if (!is_known) throw UsageError(unknown_name_text("property family", glob, known));
  }
  return chosen;
}

std::vector<GeneratedCase> generated_cases() {
  std::vector<GeneratedCase> cases;
  for_each_generated([&cases](const properties::Family& family, std::uint64_t index) {
    cases.push_back({properties::case_id_of(family, index), family.title});
  });
  return cases;
}

std::vector<std::string> generated_case_ids() {
  std::vector<std::string> ids;
  for (GeneratedCase& each : generated_cases()) ids.push_back(std::move(each.id));
  return ids;
}

Suite whole_suite(const std::string& path, const core::Profile& target,
                  const std::vector<std::string>& globs, const SuiteCache& cache) {
  if (path.empty()) {
    if (std::optional<Suite> kept = cache.load()) return *std::move(kept);
  }
  Suite suite = load_suite(path);
  if (!path.empty()) return suite;
  const bool all_are_wanted = globs.empty() || !each_names_a_case(globs, suite);
  std::vector<WantedCase> wanted;
  for_each_generated([&](const properties::Family& family, std::uint64_t index) {
    std::string id = properties::case_id_of(family, index);
    if (all_are_wanted || is_named(id, globs)) {
      wanted.push_back({&family, index});
    } else {
      suite.unrecorded.push_back(std::move(id));
    }
  });
  for (core::Scenario& scenario : record_all(target, wanted)) {
    // Nothing is left of a case that the target has no words for.
    if (!scenario.clauses.empty()) suite.scenarios.push_back(std::move(scenario));
  }
  if (all_are_wanted) cache.store(suite);
  return suite;
}

run::NextRound rounds_of(const std::string& case_id, const core::Profile& target) {
  std::shared_ptr<properties::Remaking> remaking;
  for_each_generated([&](const properties::Family& family, std::uint64_t index) {
    if (remaking || properties::case_id_of(family, index) != case_id) return;
    remaking = std::make_shared<properties::Remaking>(
        reference_profile(), target, family, properties::generate(family, suite_seed, index),
        case_id);
  });
  if (!remaking) return {};
  return [remaking](const core::CaseResult& last) { return remaking->after(last); };
}

}  // namespace assay::cli
