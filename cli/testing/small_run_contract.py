"""The runs of small_runs with the fields of the run contract's run record and audit event, and the calls of its scaffolds."""

from small_http import page
from small_runs import Runs

# What older parts of the contract call these two statuses.
VARIANTS = {"completed-for-success": ("success", "completed"), "cancelled-for-canceled": ("canceled", "cancelled")}


class RunContract(Runs):
    def __init__(self, fault):
        super().__init__(fault)
        self.routes.clear()
        self.route("POST", "/runs", self.create)
        self.route("GET", "/runs", self.list)
        self.route("GET", "/runs/{}", self.get)
        self.route("POST", "/runs/{}/transition", self.transition)
        self.route("GET", "/runs/{}/audit", self.audit)

    def spelled(self, status):
        ours, theirs = VARIANTS.get(self.fault, (None, None))
        return theirs if status == ours else status

    def shown(self, run):
        diagnostic = run["diagnostic"]
        record = {"run_id": run["run_id"], "run_kind": "conformance", "contract_version": "v1",
                  "policy_versions": {"lanes": "1", "roles": "1"}, "status": self.spelled(run["status"]),
                  "parent_run_id": run["parent_run_id"], "root_run_id": run["root_run_id"],
                  "created_at_utc": run["created_at"], "started_at_utc": run["started_at"],
                  "completed_at_utc": run["ended_at"]}
        if run["error_code"]:
            record["error"] = {"error_code": run["error_code"], "message": "it failed", "retryable": run["retryable"]}
        if diagnostic:
            # The code stands beside it.
            record["diagnostic"] = {name: value for name, value in diagnostic.items() if name != "error_code"}
        return record

    def create(self, content, query):
        if "retry_of" in content:
            _, run = self.retry(content["retry_of"], content, query)
        else:
            _, run = self.make(f"run-{len(self.runs)}")
        return 201, {"accepted": True, "run_id": run["run_id"]}

    def list(self, _content, query):
        rows = [{"run_id": run["run_id"], "status": self.spelled(run["status"])} for run in self.runs.values()]
        rows = [row for row in rows if row["status"] == query.get("status", [row["status"]])[0]]
        return 200, page(rows, query, "items")

    def audit(self, run_id, _content, query):
        rows = [{"event_id": event["event_id"], "sequence": event["sequence"], "run_id": run_id,
                 "action_type": "system", "outcome": event["outcome"], "timestamp_utc": event["timestamp"],
                 "before_state": self.spelled(event["before_state"]), "after_state": self.spelled(event["after_state"]),
                 **({"error": {"error_code": event["error_code"]}} if event["error_code"] else {})}
                for event in self.find(run_id)["audit"]]
        return 200, page(rows, query, "items")
