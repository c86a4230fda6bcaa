#pragma once

namespace assay::service {

/// Ways in which real servers leave the contract above the models, for reference_impl/faults only:
/// the reference sets none. Each is consulted in one place and breaks one rule.
struct Deviations {
  // Storing events.
  bool stores_duplicates = false;             ///< a repeated event is stored again: EVT-IDEM-1
  bool stores_concurrent_duplicates = false;  ///< look-up and storing are not one step: EVT-IDEM-1
  bool conflict_overwrites = false;           ///< other content replaces what is stored: EVT-LOG-1
  bool conflict_counts_as_duplicate = false;  ///< other content is answered as stored: EVT-IDEM-1
  bool refuses_after_the_end = false;         ///< late events are 409: EVT-LOG-1
  bool takes_zoneless_time = false;        ///< a time without zone is taken for UTC: EVT-ENV-TIME
  bool takes_large_payloads = false;       ///< no cap on inputs and outcome: EVT-PAY-CAP
  bool batch_stores_what_is_good = false;  ///< a bad event leaves those before it stored
  bool seq_has_gaps = false;               ///< every second number is left out

  // Reading.
  bool page_skips_one = false;            ///< the cursor leads one item too far
  bool state_filter_knows_case = false;   ///< ?state=running is unknown
  bool type_filter_is_ignored = false;    ///< ?event_type= filters nothing: EVT-IDX-1
  bool lists_newest_first = false;        ///< events against the order of seq: EVT-ENV-SEQ
  bool list_lags_behind = false;          ///< the list shows the state at creation
  bool status_carries_variables = false;  ///< ctx and workload in the status: STM-API-NOVARS
  bool ended_at_while_running = false;    ///< ended_at is the newest event's time: STM-API-ENDED
  bool terminal_event_is_short = false;   ///< "completed" for playbook.completed: STM-API-TERM
  bool cancelled_reads_failed = false;    ///< CANCELLED is shown as FAILED: STM-VOC-1
  bool unknown_id_is_pending = false;     ///< status of an unknown execution is 200 PENDING
  bool fails_on_odd_input = false;        ///< 500 instead of 400 for what is not JSON

  // Cancel, evict, clock.
  bool cancel_is_repeated = false;       ///< cancelling the ended adds an event: STM-EXEC-T4
  bool cancel_leaves_commands = false;   ///< no command.cancelled: STM-CMD-T6
  bool rebuilt_is_not_inferred = false;  ///< completion_inferred stays false: STM-API-INFER
  bool ctx_patch_drops_null = false;     ///< null deletes the key
};

}  // namespace assay::service
