#pragma once

namespace assay::routing {

/// Ways to break the net, each against one rule, all off. For reference_impl/faults only: a broken
/// server shows that its rule is judged. The net consults each in exactly one place.
struct Deviations {
  bool exclusive_fires_all = false;            ///< against RTE-MODE-EXCL
  bool last_match_wins = false;                ///< against RTE-MODE-EXCL
  bool inclusive_fires_first_only = false;     ///< against RTE-MODE-INCL
  bool missing_guard_is_false = false;         ///< against RTE-GUARD-DEFAULT
  bool entry_step_ignored = false;             ///< against RTE-ENTRY-OVERRIDE
  bool denied_token_scheduled = false;         ///< against RTE-ADMIT-DENY
  bool quiescence_ignores_in_flight = false;   ///< against RTE-QUIET-INFLIGHT, once a branch ended
  bool no_match_hangs = false;                 ///< against RTE-NOMATCH
  bool final_step_twice = false;               ///< against RTE-FINAL-ONCE
  bool final_step_before_quiescence = false;   ///< against RTE-FINAL-ONCE, once a branch ended
  bool loop_done_after_first_failure = false;  ///< against EVT-LOOP-ORDER
  bool empty_loop_hangs = false;               ///< against RTE-QUIET-DONE
  bool args_changed_downstream = false;        ///< against RTE-ARGS-BIND
  bool unscheduled_step_accepted = false;      ///< against EVT-EMIT-NOSTART
  bool repeated_outcome_routes = false;        ///< against RTE-ROUTE-WHEN
};

}  // namespace assay::routing
