#pragma once

#include "reference_impl/faults/fault.h"

namespace assay::faults {

/// A repeated event is stored again.
[[nodiscard]] Intercept stores_duplicates();
/// An event that comes while the same is being stored, a few milliseconds long, is stored again.
[[nodiscard]] Intercept stores_concurrent_duplicates();
/// Other content under a known event_id takes the place of what is stored, in listings.
[[nodiscard]] Intercept overwrites_on_conflict();
/// Other content under a known event_id is answered as a duplicate.
[[nodiscard]] Intercept takes_conflicts_for_duplicates();
/// The events before a bad one of a batch are stored.
[[nodiscard]] Intercept stores_what_is_good();

}  // namespace assay::faults
