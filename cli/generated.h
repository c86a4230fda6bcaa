#pragma once

#include <string>
#include <vector>

#include "cli/suite.h"
#include "cli/suite_cache.h"
#include "harness/core/profile.h"
#include "harness/core/scenario.h"
#include "harness/run/rounds.h"
#include "properties/family.h"

namespace assay::cli {

/// The profile of the reference binding, by which the sound reference is asked.
[[nodiscard]] const core::Profile& reference_profile();

/// The families that a glob over their ids, or over what follows "properties/", names; all without
/// any. Throws UsageError with the nearest.
[[nodiscard]] std::vector<const properties::Family*> chosen_families(
    const std::vector<std::string>& globs);

/// A generated case of the built-in suite, recorded for no target.
struct GeneratedCase {
  std::string id;
  std::string title;
};

/// All of them, and their ids alone.
[[nodiscard]] std::vector<GeneratedCase> generated_cases();
[[nodiscard]] std::vector<std::string> generated_case_ids();

/// The scenarios at `path` (as load_suite). Part of the built-in ones are generated cases: a few of
/// each family, the same in every run, as far as the target has words for them. Recording them
/// takes longer than reading all others: where the cache has the suite it is taken from there, and
/// where `globs` say which cases are wanted only those of them are recorded.
[[nodiscard]] Suite whole_suite(const std::string& path, const core::Profile& target,
                                const std::vector<std::string>& globs,
                                const SuiteCache& cache = {});

/// Makes the generated case with that id, recorded for `target`, again without what it failed at
/// (run::NextRound); an empty function where it is no generated case. The profile outlives it.
[[nodiscard]] run::NextRound rounds_of(const std::string& case_id, const core::Profile& target);

}  // namespace assay::cli
