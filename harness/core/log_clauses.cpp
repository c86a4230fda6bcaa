#include "harness/core/log_clauses.h"

#include <algorithm>

namespace assay::core {

const std::vector<LogClause>& log_clauses() {
  static const std::vector<LogClause> clauses = {
      {"API-SEQ", {"seq"}},
      {"EVT-COR-ATTEMPT", {"attempt"}},
      {"EVT-COR-DURATION", {"duration_ms"}},
      {"EVT-COR-ITER", {"iteration"}},
      {"EVT-EMIT-NOSTART", {"event_type", "step_run_id"}},
      {"EVT-EMIT-SERVER", {"event_type"}},
      {"EVT-ENV-ENTITY", {"entity_type"}},
      {"EVT-ENV-EXEC", {"execution_id"}},
      {"EVT-ENV-ID", {"event_id"}},
      {"EVT-ENV-SEQ", {"seq"}},
      {"EVT-ENV-SOURCE", {"source"}},
      {"EVT-ENV-TIME", {"timestamp"}},
      {"EVT-ENV-TYPE", {"event_type"}},
      {"EVT-IDEM-1", {"event_id"}},
      {"EVT-LOOP-ORDER", {"event_type", "iteration", "step_run_id"}},
      {"EVT-NAME-LOWER", {"event_type"}},
      {"EVT-NAME-SHAPE", {"event_type"}},
      {"EVT-POL-NEXT", {"event_type", "payload"}},
      {"EVT-STEP-SCHED", {"event_type", "step_run_id"}},
      {"EVT-TASK-FINAL", {"event_type", "task_run_id"}},
      {"EVT-TASK-RETRY", {"attempt", "event_type", "task_run_id"}},
      {"EVT-TAX-LOOP", {"event_type", "source"}},
      {"EVT-TAX-PLAYBOOK", {"event_type", "source"}},
      {"EVT-TAX-POLICY", {"event_type", "source"}},
      {"EVT-TAX-STEP", {"event_type", "source"}},
      {"EVT-TAX-TASK", {"event_type", "source"}},
      {"EVT-TAX-WORKFLOW", {"event_type", "source"}},
      {"RTE-MODE-EXCL", {"event_type", "payload"}},
      {"RTE-QUIET-INFLIGHT", {"event_type", "status", "step_run_id"}},
      {"RTE-ROUTE-WHEN", {"entity_id", "event_type", "step_run_id"}},
      {"STM-EXEC-R1", {"event_type", "status"}},
      {"STM-ONCE-1", {"event_type", "status"}},
  };
  return clauses;
}

const LogClause* find_log_clause(std::string_view id) {
  const std::vector<LogClause>& clauses = log_clauses();
  const auto found = std::find_if(clauses.begin(), clauses.end(),
                                  [id](const LogClause& clause) { return clause.id == id; });
  return found == clauses.end() ? nullptr : &*found;
}

}  // namespace assay::core
