"""Executions of specifications 000 and 001 by hand: the log is a list, every answer is read off it from the start."""

import threading

from small_http import Problem, SmallServer, page

STARTS = ("playbook.initialized", "playbook.started")
ENDS = {"playbook.completed": "COMPLETED", "playbook.failed": "FAILED", "execution.cancelled": "CANCELLED"}
LOWER_LAYER_FAULTS = {
    "batch-completed-closes": lambda event: event["event_type"] == "batch.completed",
    "command-completed-closes": lambda event: event["event_type"] == "command.completed",
    "call-done-closes": lambda event: event["event_type"] == "call.done",
    "step-exit-on-end-closes": lambda event: event["event_type"] == "step.exit" and event.get("node_name") == "end"
                                             and event.get("status") == "COMPLETED",
    "lower-case-status-closes": lambda event: event["event_type"] == "step.exit"
                                              and event.get("status") in ("completed", "failed", "case_handled"),
}
# How long a broken server looks away between asking for an event id and storing the event: long enough for a post of
# the same moment to come in on a busy machine.
RACE_SECONDS = 3.0
ENTRIES = ("step.enter", "step.scheduled", "step.started")


class Execution:
    def __init__(self, execution_id, content):
        self.id = execution_id
        self.workload = content.get("workload") or {}
        self.ctx = {}
        self.events = []
        self.net = None


class Executions(SmallServer):
    def __init__(self, fault):
        super().__init__(fault)
        self.executions = {}
        self.in_flight = {}
        self.arrival = threading.Condition(self.lock)
        self.route("POST", "/executions", self.start)
        self.route("GET", "/executions", self.list)
        self.route("GET", "/executions/{}/status", self.status)
        self.route("GET", "/executions/{}/events", self.events)
        self.route("POST", "/executions/{}/events", self.post)
        self.route("POST", "/executions/{}/events/batch", self.post_batch)
        self.route("POST", "/executions/{}/cancel", self.cancel)
        self.route("POST", "/executions/{}/ctx", self.patch)

    def find(self, execution_id):
        if execution_id not in self.executions:
            raise Problem(404, "UNKNOWN_EXECUTION")
        return self.executions[execution_id]

    def start(self, content, _query):
        execution_id = content.get("execution_id") or f"e{len(self.executions)}"
        if execution_id in self.executions:
            raise Problem(409, "EXISTS")
        execution = self.executions[execution_id] = Execution(execution_id, content)
        self.begin(execution, content)
        return 201, {"execution_id": execution_id, "state": "PENDING"}

    def begin(self, execution, content):
        """For a server that drives playbooks."""

    def known(self, execution, event):
        return [old for old in execution.events if old["event_id"] == event["event_id"]]

    def look_and_wait(self, execution, event):
        """What was known before others could come in between; waits only for a post of the same event."""
        known, key = self.known(execution, event), (execution.id, event["event_id"])
        if not known and "step_run_id" in event:  # the others need not wait for a race that no client runs
            self.in_flight[key] = self.in_flight.get(key, 0) + 1
            self.arrival.notify_all()
            self.arrival.wait_for(lambda: self.in_flight[key] > 1, RACE_SECONDS)
        return known

    def store(self, execution, event, known=None):
        known = self.known(execution, event) if known is None else known
        if known and not self.breaks("duplicate-stored-twice"):
            same = {**known[0], "seq": 0} == {**event, "execution_id": execution.id, "seq": 0}
            if not same:
                raise Problem(409, "EVENT_ID_CONFLICT")
            return {"event_id": event["event_id"], "seq": known[0]["seq"], "duplicate": True}
        stored = {**event, "execution_id": execution.id, "seq": len(execution.events) + 1}
        execution.events.append(stored)
        return {"event_id": event["event_id"], "seq": stored["seq"], "duplicate": False}

    def post(self, execution_id, event, _query):
        execution = self.find(execution_id)
        races = self.breaks("duplicate-stored-under-concurrency")
        result = self.store(execution, event, self.look_and_wait(execution, event) if races else None)
        return (200 if result["duplicate"] else 201), result

    def post_batch(self, execution_id, content, _query):
        execution = self.find(execution_id)
        results = [self.store(execution, event) for event in content["events"]]
        return (200 if all(result["duplicate"] for result in results) else 201), {"results": results}

    def closing_event(self, execution):
        """The event that closed the execution, and the state that it left it in."""
        close = None
        for event in execution.events:
            kind, state = event["event_type"], None
            if kind in ENDS:
                state = ENDS[kind]
            elif kind == "playbook.finished":
                state = {"success": "COMPLETED", "error": "FAILED"}.get(event.get("status"))
            elif LOWER_LAYER_FAULTS.get(self.fault, lambda _: False)(event):
                state = "COMPLETED"
            if state and close is None:
                close = (event, state)
            if close and self.breaks("late-event-reopens") and kind in ("step.enter", "command.issued"):
                close = None
        return close

    def summary(self, execution):
        started = next((event for event in execution.events if event["event_type"] in STARTS), None)
        close = self.closing_event(execution)
        state = close[1] if close else "RUNNING" if started else "PENDING"
        if state == "CANCELLED" and self.breaks("cancelled-shown-as-failed"):
            state = "FAILED"
        ended_at = close[0]["timestamp"] if close else None
        if not close and started and self.breaks("ended-at-while-running"):
            ended_at = execution.events[-1]["timestamp"]
        terminal_event = close[0]["event_type"] if close else None
        if close and self.breaks("wrong-terminal-event"):
            terminal_event = execution.events[-1]["event_type"] + ".late"
        return {"execution_id": execution.id, "state": state, "started_at": started and started["timestamp"],
                "ended_at": ended_at, "terminal_event": terminal_event}

    def status(self, execution_id, _content, _query):
        execution = self.find(execution_id)
        upto = len(execution.events)
        close = self.closing_event(execution)
        if close:
            upto = close[0]["seq"]
        entries = [event for event in execution.events[:upto] if event["event_type"] in ENTRIES]
        current = entries[-1].get("node_name", entries[-1].get("entity_id")) if entries else None
        answer = {**self.summary(execution), "current_step": current, "completion_inferred": False}
        if self.breaks("variables-in-the-status"):
            answer["variables"] = execution.workload
        return 200, answer

    def list(self, _content, query):
        rows = [self.summary(execution) for execution in self.executions.values()]
        if self.breaks("list-and-status-disagree"):
            rows = [{**row, "state": "RUNNING"} if row["state"] == "COMPLETED" else row for row in rows]
        if "state" in query:
            rows = [row for row in rows if row["state"] == query["state"][0].upper()]
        return 200, page(rows, query, "executions")

    def events(self, execution_id, _content, query):
        rows = self.find(execution_id).events
        for member in ("event_type", "entity_type", "entity_id"):
            if member in query:
                rows = [row for row in rows if row.get(member) == query[member][0]]
        return 200, page(rows, query, "events")

    def patch(self, execution_id, _content, _query):
        """Variables are nothing that this server shows, or decides by."""
        self.find(execution_id)
        return 200, {"execution_id": execution_id}

    def cancel(self, execution_id, _content, _query):
        execution = self.find(execution_id)
        close = self.closing_event(execution)
        if not close:
            self.store(execution, {"event_id": f"cancel-{execution_id}", "event_type": "execution.cancelled",
                                   "timestamp": "2026-01-02T00:00:00Z"})
        return 200, {"execution_id": execution_id, "state": self.summary(execution)["state"],
                     "already_terminal": close is not None}
