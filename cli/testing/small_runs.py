"""Runs of specification 004 by hand: one dictionary a run, one set of allowed pairs."""

from small_http import Problem, SmallServer, page

STATUSES = ("created", "running", "waiting", "success", "failed", "denied", "timeout", "canceled")
TERMINAL = STATUSES[3:]
ALLOWED = {("created", "running"), ("running", "waiting"), ("waiting", "running"), ("waiting", "canceled"),
           ("running", "success"), ("running", "failed"), ("running", "denied"), ("running", "timeout"),
           ("running", "canceled")}
DIAGNOSTIC = ("error_code", "category", "message", "likely_cause", "suggested_fix", "retryable", "severity")
FORBIDDEN_FAMILIES = {
    "created-skips-running": lambda before, after: before == "created" and after in ("success", "canceled"),
    "waiting-ends-well": lambda before, after: (before, after) == ("waiting", "success"),
    "self-transition-taken": lambda before, after: before == after,
    "failed-runs-again": lambda before, after: before in ("failed", "timeout", "denied") and after == "running",
    "terminal-is-left": lambda before, after: before == "success" and after == "failed",
}


class Runs(SmallServer):
    def __init__(self, fault):
        super().__init__(fault)
        self.runs = {}
        self.route("POST", "/runs", self.create)
        self.route("GET", "/runs", self.list)
        self.route("GET", "/runs/{}", self.get)
        self.route("POST", "/runs/{}/transitions", self.transition)
        self.route("POST", "/runs/{}/retry", self.retry)
        self.route("GET", "/runs/{}/next-action", self.next_action)
        self.route("GET", "/runs/{}/audit", self.audit)

    def find(self, run_id):
        if run_id not in self.runs:
            raise Problem(404, "UNKNOWN_RUN")
        return self.runs[run_id]

    def make(self, run_id, parent=None):
        run = {"run_id": run_id, "status": "created", "error_code": None, "retryable": None, "diagnostic": None,
               "parent_run_id": parent and parent["run_id"], "root_run_id": parent["root_run_id"] if parent else run_id,
               "created_at": "2026-01-01T00:00:00Z", "started_at": None, "ended_at": None, "audit": []}
        self.runs[run_id] = run
        return 201, self.shown(run)

    def shown(self, run):
        return {key: value for key, value in run.items() if key != "audit"}

    def create(self, content, _query):
        run_id = content.get("run_id") or f"run-{len(self.runs)}"
        if run_id in self.runs:
            raise Problem(409, "EXISTS")
        return self.make(run_id)

    def get(self, run_id, _content, _query):
        return 200, self.shown(self.find(run_id))

    def list(self, _content, query):
        rows = [{"run_id": run["run_id"], "status": run["status"]} for run in self.runs.values()
                if run["status"] == query.get("status", [run["status"]])[0]]
        return 200, page(rows, query, "runs")

    def note(self, run, outcome, before, after, attempted, code=None):
        run["audit"].append({"event_id": f"{run['run_id']}-{len(run['audit'])}", "sequence": len(run["audit"]) + 1,
                             "run_id": run["run_id"], "outcome": outcome, "before_state": before,
                             "after_state": after, "attempted_state": attempted, "error_code": code,
                             "timestamp": "2026-01-01T00:00:00Z"})

    def move(self, run, status, content):
        before, run["status"] = run["status"], status
        diagnostic = content.get("diagnostic") if status in ("failed", "denied", "timeout") else None
        if diagnostic:
            run["diagnostic"] = diagnostic
            run["error_code"] = content.get("error_code") or diagnostic["error_code"]
            run["retryable"] = content.get("retryable", diagnostic["retryable"])
        if status in TERMINAL:
            run["ended_at"] = "2026-01-01T01:00:00Z"
        if not self.breaks("transition-without-audit"):
            self.note(run, "success", before, status, status, run["error_code"])

    def transition(self, run_id, content, _query):
        run = self.find(run_id)
        before, after = run["status"], content["to"]
        if after not in STATUSES:
            raise Problem(422, "INVALID", "/to")
        allowed = (before, after) in ALLOWED or FORBIDDEN_FAMILIES.get(self.fault, lambda *_: False)(before, after)
        if not allowed:
            if not self.breaks("refusal-without-audit"):
                self.note(run, "deny", before, before, after, "INVALID_STATE_TRANSITION")
            if before not in TERMINAL or self.breaks("terminal-run-is-failed"):
                code = "INVALID" if self.breaks("refusal-without-code") else "INVALID_STATE_TRANSITION"
                diagnostic = dict.fromkeys(DIAGNOSTIC[:5], "undefined transition") | {
                    "error_code": code, "retryable": False, "severity": "error"}
                if not self.breaks("refusal-leaves-the-run"):
                    self.move(run, "failed", {"diagnostic": diagnostic})
            raise Problem(409, "INVALID_STATE_TRANSITION", run=self.shown(run))
        diagnostic = content.get("diagnostic") or {}
        if after in ("failed", "denied", "timeout") and not all(key in diagnostic for key in DIAGNOSTIC):
            if not self.breaks("diagnostic-not-required"):
                raise Problem(422, "DIAGNOSTIC_REQUIRED")
            content = {}
        self.move(run, after, content)
        return 200, self.shown(run)

    def retry(self, run_id, _content, _query):
        run = self.find(run_id)
        if run["status"] not in ("failed", "denied", "timeout"):
            raise Problem(409, "NOT_RETRYABLE")
        if self.breaks("retry-reuses-the-id"):
            run["status"] = "created"
            return 201, self.shown(run)
        return self.make(f"{run['root_run_id']}-retry-{len(self.runs)}", run)

    def next_action(self, run_id, _content, _query):
        run = self.find(run_id)
        action = {"success": "stop", "canceled": "stop", "denied": "escalate"}.get(run["status"], "wait")
        if run["status"] in ("failed", "timeout"):
            action = "retry" if run["retryable"] else "escalate"
            if self.breaks("next-action-ignores-the-flag"):
                action = "retry"
        because = {key: run[key] for key in ("status", "error_code", "retryable")}
        return 200, {"action": action, "because": because}

    def audit(self, run_id, _content, query):
        return 200, page(self.find(run_id)["audit"], query, "events")
