#pragma once

#include <cstdint>

namespace assay::routing {

/// When the final step is scheduled: once the flow is quiescent (RTE-FINAL-ONCE), or as soon as one
/// branch has ended.
enum class FinalStepStart : std::uint8_t { at_quiescence, after_first_branch };

/// When a loop is done: once every iteration has ended (EVT-LOOP-ORDER), or once one has failed.
enum class LoopEnd : std::uint8_t { after_all_iterations, at_first_failure };

/// What a second outcome of one step run is: kept as an anomaly (RTE-ROUTE-WHEN), or routed again.
enum class RepeatedOutcome : std::uint8_t { is_anomaly, is_routed };

/// What becomes of rendered args that are larger than a token may carry: they fail the execution
/// (RTE-ARGS-REF), or the token carries them all the same, or none.
enum class OversizedArgs : std::uint8_t { fail, are_bound, are_dropped };

/// How the net settles what playbooks can't: the defaults are the specification's.
struct NetPolicy {
  FinalStepStart final_step = FinalStepStart::at_quiescence;
  LoopEnd loop_end = LoopEnd::after_all_iterations;
  RepeatedOutcome repeated_outcome = RepeatedOutcome::is_anomaly;
  OversizedArgs oversized_args = OversizedArgs::fail;
};

}  // namespace assay::routing
