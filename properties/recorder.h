#pragma once

#include <string>
#include <vector>

#include "harness/core/profile.h"
#include "harness/core/scenario.h"
#include "properties/draft.h"
#include "properties/family.h"

namespace assay::properties {

/// A draft as a scenario: its steps, and after each literally what every watched read must show.
struct Recording {
  core::Scenario scenario;
  /// The moves that the sound reference could follow; a draft of these alone gives the same
  /// scenario.
  Draft draft;
  /// For each of them the line of its step: steps count from 1, as a check's place says.
  std::vector<int> lines;
};

/// Makes cases of drafts by asking the sound reference, twice, under other identifiers, clocks and
/// seeds. What both say is expected of every server (literal_of). A move that means nothing where
/// it stands, or that the reference declines without a clause that says so, is left out: so every
/// draft has a recording. Makes no request to any target.
class Recorder {
 public:
  /// `reference` is the profile of the reference binding. What `target` has no words for is left
  /// out. `target` outlives the recorder.
  /// The sound reference makes the choices that `target` declares.
  Recorder(const core::Profile& reference, const core::Profile& target)
      : reference_(reference), target_(target) {
    reference_.interpretations = target.interpretations;
  }

  [[nodiscard]] Recording record(const Family& family, const Draft& draft,
                                 const std::string& case_id) const;

 private:
  core::Profile reference_;
  const core::Profile& target_;
};

}  // namespace assay::properties
