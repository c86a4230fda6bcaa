"""Runs of specification 004 with their audit."""

from sound_events import shown_time
from sound_http import Problem, checked_id, invalid, members, optional, page

STATUSES = ("created", "running", "waiting", "success", "failed", "denied", "timeout", "canceled")
TERMINAL = STATUSES[3:]
FAILURES = ("failed", "denied", "timeout")
TABLE = {"created": ("running",), "running": ("waiting",) + TERMINAL, "waiting": ("running", "canceled")}
TEXTS = ("error_code", "category", "message", "likely_cause", "suggested_fix")
CODE = "INVALID_STATE_TRANSITION"
FORCED = {"error_code": CODE, "category": "state", "message": "a move that the table does not have was asked for",
          "likely_cause": "the client did not know the run's status", "suggested_fix": "read the run, then retry it",
          "retryable": False, "severity": "critical"}


def is_complete(diagnostic):
    return (isinstance(diagnostic, dict) and all(isinstance(diagnostic.get(name), str) and diagnostic[name] for name in TEXTS)
            and isinstance(diagnostic.get("retryable"), bool)
            and diagnostic.get("severity") in ("info", "warn", "error", "critical"))


class Runs:
    def __init__(self, server, now, liberties):
        self.runs, self.audits, self.now, self.liberties = {}, {}, now, liberties
        server.route("POST", "/runs", self.create, "may")
        server.route("GET", "/runs", self.list)
        server.route("GET", "/runs/{}", self.get)
        server.route("POST", "/runs/{}/transitions", self.transition, "must")
        server.route("POST", "/runs/{}/retry", self.retry)
        server.route("GET", "/runs/{}/next-action", self.next_action)
        server.route("GET", "/runs/{}/audit", self.audit)

    def find(self, run_id):
        if run_id not in self.runs:
            raise Problem(404, "NO_SUCH_RUN", "there is no run of that id")
        return self.runs[run_id]

    def make(self, run_id, kind, parent=None):
        run = {"run_id": run_id, "run_kind": kind, "status": "created", "error_code": None, "retryable": None,
               "diagnostic": None, "parent_run_id": parent and parent["run_id"],
               "root_run_id": parent["root_run_id"] if parent else run_id,
               "created_at": shown_time(self.now()), "started_at": None, "ended_at": None}
        self.runs[run_id], self.audits[run_id] = run, []
        return 201, run

    def fresh_id(self):
        number = len(self.runs) + 1
        while f"run/{number}" in self.runs:
            number += 1
        return f"run/{number}"

    def create(self, content, _query):
        content = members(content)
        run_id = checked_id(content.get("run_id", self.fresh_id()), "/run_id")
        kind = optional(content, "run_kind", str, "a string")
        if run_id in self.runs:
            raise Problem(409, "RUN_EXISTS", "there is a run of that id", "/run_id")
        return self.make(run_id, kind)

    def get(self, run_id, _content, _query):
        return 200, self.find(run_id)

    def list(self, _content, query):
        if query.get("status", "created").lower() not in STATUSES:
            raise Problem(422, "NO_SUCH_STATUS", f"the statuses are {', '.join(STATUSES)}")
        rows = [{"run_id": run["run_id"], "status": run["status"], "root_run_id": run["root_run_id"]}
                if run["status"] == query.get("status", run["status"]).lower() else None for run in self.runs.values()]
        return 200, page(rows, query, "runs", "runs")

    def note(self, run, outcome, before, attempted, code):
        audit = self.audits[run["run_id"]]
        audit.append({"event_id": f"audit/{len(audit) + 1} of {run['run_id']}", "sequence": len(audit) + 1,
                      "run_id": run["run_id"], "outcome": outcome, "before_state": before,
                      "after_state": run["status"], "attempted_state": attempted, "error_code": code,
                      "timestamp": shown_time(self.now())})

    def move(self, run, to, content):
        before, run["status"] = run["status"], to
        if to == "running" and run["started_at"] is None:
            run["started_at"] = shown_time(self.now())
        if to in TERMINAL:
            run["ended_at"] = shown_time(self.now())
        if to in FAILURES or "diagnostics-of-failures-only" not in self.liberties:
            diagnostic = content.get("diagnostic") or {}
            run["diagnostic"] = content.get("diagnostic")
            run["error_code"] = content.get("error_code", diagnostic.get("error_code"))
            run["retryable"] = content.get("retryable", diagnostic.get("retryable"))
        self.note(run, "success", before, to, run["error_code"])

    def transition(self, run_id, content, _query):
        run = self.find(run_id)
        content = members(content)
        to = content.get("to")
        if not isinstance(to, str) or to not in STATUSES:
            raise invalid("/to", f"to is one of {', '.join(STATUSES)}")
        optional(content, "reason", str, "a string")
        optional(content, "error_code", str, "a string")
        optional(content, "retryable", bool, "a boolean")
        diagnostic = content.get("diagnostic")
        if to not in FAILURES or "wrong-type-is-invalid" in self.liberties:
            optional(content, "diagnostic", dict, "an object")
        before = run["status"]
        if to not in TABLE.get(before, ()):
            self.note(run, "deny", before, to, CODE)
            if before not in TERMINAL:
                self.move(run, "failed", {"diagnostic": dict(FORCED)})
            raise Problem(409, CODE, f"{before} to {to} is not a move of the table", run=dict(run))
        if to in FAILURES and not is_complete(diagnostic):
            raise Problem(422, "DIAGNOSTIC_REQUIRED", f"{to} needs a whole diagnostic", "/diagnostic")
        self.move(run, to, content)
        return 200, run

    def retry(self, run_id, _content, _query):
        run = self.find(run_id)
        if run["status"] not in FAILURES:
            raise Problem(409, "NOTHING_TO_RETRY", f"a run that is {run['status']} is not retried")
        return self.make(self.fresh_id(), run["run_kind"], run)

    def next_action(self, run_id, _content, _query):
        run = self.find(run_id)
        action = {"success": "stop", "canceled": "stop", "denied": "escalate"}.get(run["status"], "wait")
        if run["status"] in ("failed", "timeout"):
            action = "retry" if run["retryable"] else "escalate"
        return 200, {"action": action, "because": {name: run[name] for name in ("status", "error_code", "retryable")}}

    def audit(self, run_id, _content, query):
        self.find(run_id)
        return 200, page(self.audits[run_id], query, "events", f"audit {run_id}")
