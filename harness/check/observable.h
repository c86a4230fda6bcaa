#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "harness/core/pattern.h"
#include "harness/core/scenario.h"

namespace assay::check {

/// What a target shows of a thing that is expected of it.
struct Observability {
  /// Members of the answer, or of each item of a listing, that it does not show.
  const std::set<std::string, std::less<>>& unobserved;
  /// Times are the target's own: an instant is any time.
  bool own_times = false;
  /// The target acknowledges by itself: an outcome expected as `status` may be acknowledged.
  bool own_acknowledgements = false;
  /// The states that it has no word for, so that it can't show them; nullptr: none.
  const std::set<std::string, std::less<>>* missing_states = nullptr;
  /// Its names of events, empty for those that it does not have; nullptr: ours.
  const std::map<std::string, std::string, std::less<>>* event_names = nullptr;

  /// Whether every pattern stays as it is.
  [[nodiscard]] bool shows_all() const {
    return unobserved.empty() && !own_times && !own_acknowledgements && missing_states == nullptr;
  }
};

/// The part of a pattern that such a target can be held against, nothing where it is none: members
/// that it does not show are left out, and so are states that it has no word for, with the start of
/// what should be in such a state: it may be in the next one already. What must not be
/// there is kept whole or not at all, because less of it would forbid more, and so is an exact
/// object, because its shape is what is judged. Alternatives of which one would always match,
/// because nothing of it is shown or because others allow what it denies, are nothing.
[[nodiscard]] std::optional<core::Pattern> observable(const core::Pattern& pattern,
                                                      const Observability& shown);

/// The same for the patterns over a log. An event that the target does not have is not asked for.
[[nodiscard]] std::optional<core::EventExpectation> observable(
    const core::EventExpectation& expectation, const Observability& shown);

}  // namespace assay::check
