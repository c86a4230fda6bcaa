#pragma once

#include <vector>

#include "reference_impl/faults/fault.h"

namespace assay::faults {

/// The faults by what they break; catalogue.h has them all.
[[nodiscard]] std::vector<Fault> inference_faults();       ///< 000: who decides the status
[[nodiscard]] std::vector<Fault> status_faults();          ///< 000: the layers and the answer
[[nodiscard]] std::vector<Fault> event_faults();           ///< 001
[[nodiscard]] std::vector<Fault> telling_faults();         ///< 001: what the log tells
[[nodiscard]] std::vector<Fault> keeping_faults();         ///< 001: what the log keeps
[[nodiscard]] std::vector<Fault> own_event_faults();       ///< 001: the server's own events
[[nodiscard]] std::vector<Fault> publication_faults();     ///< 001: messages and references
[[nodiscard]] std::vector<Fault> refused_legacy_faults();  ///< 001: what is to be refused
[[nodiscard]] std::vector<Fault> field_faults();           ///< 000 to 002: what single members show
[[nodiscard]] std::vector<Fault> lifecycle_faults();       ///< 002
[[nodiscard]] std::vector<Fault> passage_faults();         ///< 002: from state to state
[[nodiscard]] std::vector<Fault> term_faults();     ///< 002: conditions, rollback, monitoring
[[nodiscard]] std::vector<Fault> routing_faults();  ///< 003: the net and its settings
[[nodiscard]] std::vector<Fault> firing_faults();   ///< 003: what fires, waits and ends
[[nodiscard]] std::vector<Fault> token_faults();    ///< 003: from the entry to the end
[[nodiscard]] std::vector<Fault> plane_faults();    ///< 001, 003: who does what
[[nodiscard]] std::vector<Fault> run_faults();      ///< 004
[[nodiscard]] std::vector<Fault> binding_faults();  ///< the HTTP binding
[[nodiscard]] std::vector<Fault> refusal_faults();  ///< all five: what is allowed is refused
[[nodiscard]] std::vector<Fault> value_faults();    ///< what is compared, kept, looked up, counted
[[nodiscard]] std::vector<Fault> afterthought_faults();  ///< what later calls change, or hide
[[nodiscard]] std::vector<Fault> reading_faults();       ///< 000 and 004: what is shown of a move
[[nodiscard]] std::vector<Fault> deciding_faults();      ///< 000: what a status is guessed from
[[nodiscard]] std::vector<Fault> own_way_faults();       ///< 000 and 004: what nobody moves

}  // namespace assay::faults
