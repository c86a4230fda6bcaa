"""Replay executions: the log is what there is, and every answer is its fold."""

import fractions

from sound_events import now_time, same_content, shown_time, stored_form
from sound_fold import Fold
from sound_http import MEBIBYTE, Problem, checked_id, invalid, members, optional, page, whole_number
from sound_json import TooDeep

STATES = ("PENDING", "RUNNING", "COMPLETED", "FAILED", "CANCELLED")
TERMINAL = STATES[2:]


class Execution:
    def __init__(self, execution_id, vocabulary, workload, liberties):
        self.liberties = liberties
        self.id, self.vocabulary, self.workload = execution_id, vocabulary, workload
        self.ctx, self.events, self.by_id = {}, [], {}
        self.folded, self.inferred = None, False

    def fold(self):
        if self.folded is None:
            self.folded = Fold(self.events, self.liberties)
        return self.folded

    def append(self, event, now):
        stored = {**event, "seq": len(self.events) + 1, "stored_at": shown_time(now)}
        self.fold().take(stored)
        self.events.append(stored)
        self.by_id[event["event_id"]] = stored
        return stored


class Executions:
    def __init__(self, server, liberties):
        self.executions, self.liberties = {}, liberties
        self.frozen = None
        for method, pattern, handler, body, most_bytes in (
                ("POST", "/executions", self.start, "may", MEBIBYTE),
                ("GET", "/executions", self.list, "none", MEBIBYTE),
                ("GET", "/executions/{}", self.detail, "none", MEBIBYTE),
                ("GET", "/executions/{}/status", self.status, "none", MEBIBYTE),
                ("GET", "/executions/{}/events", self.events, "none", MEBIBYTE),
                ("GET", "/executions/{}/variables", self.variables, "none", MEBIBYTE),
                ("GET", "/executions/{}/marking", self.marking, "none", MEBIBYTE),
                ("POST", "/executions/{}/events", self.post, "must", MEBIBYTE),
                ("POST", "/executions/{}/events/batch", self.post_batch, "must", 8 * MEBIBYTE),
                ("POST", "/executions/{}/cancel", self.cancel, "may", MEBIBYTE),
                ("POST", "/executions/{}/ctx", self.patch, "must", MEBIBYTE),
                ("POST", "/control/evict", self.evict, "must", MEBIBYTE),
                ("POST", "/control/clock", self.clock, "must", MEBIBYTE)):
            server.route(method, pattern, handler, body, most_bytes)

    def now(self):
        return now_time() if self.frozen is None else self.frozen

    def find(self, execution_id):
        if execution_id not in self.executions:
            raise Problem(404, "NO_SUCH_EXECUTION", "there is no execution of that id")
        return self.executions[execution_id]

    def start(self, content, _query):
        content = members(content)
        execution_id = content.get("execution_id")
        if execution_id is None:
            execution_id = f"execution/{len(self.executions) + 1}"
        checked_id(execution_id, "/execution_id")
        vocabulary = content.get("vocabulary", "status-matrix")
        if vocabulary not in ("status-matrix", "v10"):
            raise invalid("/vocabulary", "the vocabularies are status-matrix and v10")
        workload = optional(content, "workload", dict, "an object") or {}
        if "playbook" in content:
            raise invalid("/playbook", "this server drives no playbook")
        if execution_id in self.executions:
            raise Problem(409, "EXECUTION_EXISTS", "there is an execution of that id", "/execution_id")
        self.executions[execution_id] = Execution(execution_id, vocabulary, workload, self.liberties)
        return 201, {"execution_id": execution_id, "state": "PENDING", "vocabulary": vocabulary}

    def summary(self, execution):
        fold = execution.fold()
        return {"execution_id": execution.id, "state": fold.state, "started_at": fold.started_at,
                "ended_at": fold.ended_at, "terminal_event": fold.terminal_event}

    def full_status(self, execution):
        fold = execution.fold()
        return {**self.summary(execution), "current_step": fold.current_step,
                "completion_inferred": execution.inferred}

    def status(self, execution_id, _content, _query):
        return 200, self.full_status(self.find(execution_id))

    def detail(self, execution_id, _content, _query):
        execution = self.find(execution_id)
        fold = execution.fold()
        return 200, {**self.full_status(execution), "vocabulary": execution.vocabulary, "outcome": fold.outcome,
                     "workflow_state": fold.workflow_state, "stored_events": len(execution.events),
                     "steps": self.ordered({"step": step, "state": state} for step, state in fold.steps.items()),
                     "commands": self.ordered(fold.commands.values()),
                     "tools": self.ordered({"command_id": key, "outcome": word} for key, word in fold.tools.items()),
                     "anomalies": self.ordered(fold.anomalies)}

    def ordered(self, rows):
        return list(rows)[::-1 if "newest-first" in self.liberties else 1]

    def done(self, execution):
        """What is answered to a call for which CONTRACT.md gives no more than 200."""
        return 200, {} if "bare-answers" in self.liberties else {"execution_id": execution.id,
                                                                 "state": execution.fold().state}

    def list(self, _content, query):
        rows = [self.summary(execution) for execution in self.executions.values()]
        if "state" in query:
            wanted = query["state"].upper()
            if wanted not in STATES:
                raise Problem(422, "NO_SUCH_STATE", f"the states are {', '.join(STATES)}")
            rows = [row if row["state"] == wanted else None for row in rows]
        return 200, page(rows, query, "executions", "executions")

    def events(self, execution_id, _content, query):
        rows = self.find(execution_id).events
        for member in ("event_type", "entity_type", "entity_id"):
            if query.get(member) == "":
                raise Problem(422, "EMPTY_FILTER", f"{member} is empty")
            if member in query:
                rows = [row if row and row.get(member) == query[member] else None for row in rows]
        return 200, page(rows, query, "events", f"events {execution_id}")

    def variables(self, execution_id, _content, _query):
        execution = self.find(execution_id)
        return 200, {"workload": execution.workload, "ctx": execution.ctx}

    def marking(self, execution_id, _content, _query):
        self.find(execution_id)
        return 200, {"tokens": [], "in_flight": [], "fan_in": []}

    def take(self, execution, event, earlier=()):
        """The stored event that this one repeats, None where it is new."""
        known = execution.by_id.get(event["event_id"]) or next(
            (other for other in earlier if other["event_id"] == event["event_id"]), None)
        if known is not None and not same_content(known, event):
            return known, True
        return known, False

    @staticmethod
    def result(stored, duplicate):
        return {"event_id": stored["event_id"], "seq": stored["seq"], "duplicate": duplicate}

    def post(self, execution_id, content, _query):
        execution = self.find(execution_id)
        if content is TooDeep:
            members(content)
        event = stored_form(content, execution_id)
        known, conflict = self.take(execution, event)
        if conflict:
            raise Problem(409, "EVENT_ID_CONFLICT", "another event has that id", "/event_id")
        stored = known or execution.append(event, self.now())
        return (200 if known else 201), self.result(stored, known is not None)

    def post_batch(self, execution_id, content, _query):
        execution = self.find(execution_id)
        batch = members(content).get("events")
        if not isinstance(batch, list) or not batch:
            raise invalid("/events", "events is a list of at least one")
        events, known = [], []
        for place, each in enumerate(batch):
            event = stored_form(each, execution_id, f"/events/{place}")
            old, conflict = self.take(execution, event, events)
            if conflict:
                raise Problem(409, "EVENT_ID_CONFLICT", "another event has that id", f"/events/{place}/event_id")
            events.append(event)
            known.append(old is not None)
        results = []
        for event, is_known in zip(events, known):
            stored = execution.by_id[event["event_id"]] if is_known else execution.append(event, self.now())
            results.append(self.result(stored, is_known))
        return (200 if all(known) else 201), {"results": results}

    def cancel(self, execution_id, content, _query):
        execution = self.find(execution_id)
        reason = optional(members(content), "reason", str, "a string")
        ended = execution.fold().state in TERMINAL
        if not ended:
            waiting = [key for key, command in execution.fold().commands.items()
                       if command["state"] in ("ISSUED", "CLAIMED")]
            payload = {"meta": {"reason": reason}} if "reasons-in-meta" in self.liberties else {"reason": reason}
            self.emit(execution, "execution.cancelled", {"payload": payload} if reason is not None else {})
            for command in self.ordered(waiting):
                self.emit(execution, "command.cancelled", {
                    "command_id": command, "node_name": execution.fold().commands[command]["step"]})
        return 200, {"execution_id": execution_id, "state": execution.fold().state, "already_terminal": ended}

    def emit(self, execution, kind, more):
        number = len(execution.events) + 1
        while f"server:{number}" in execution.by_id:
            number += 1
        event = {"event_id": f"server:{number}", "event_type": kind, "timestamp": shown_time(self.now()),
                 "execution_id": execution.id, "source": "server"}
        event.update({name: value for name, value in more.items() if value is not None})
        execution.append(event, self.now())

    def patch(self, execution_id, content, _query):
        execution = self.find(execution_id)
        patch = members(content).get("patch")
        if not isinstance(patch, dict):
            raise invalid("/patch", "patch is an object")
        execution.ctx.update(patch)
        return self.done(execution)

    def evict(self, content, _query):
        content = members(content)
        execution = self.find(checked_id(content.get("execution_id"), "/execution_id"))
        execution.folded = None
        execution.inferred = execution.fold().state in TERMINAL
        return self.done(execution)

    def clock(self, content, _query):
        advance_ms = whole_number(members(content).get("advance_ms"), "/advance_ms", 0)
        later = self.now() + fractions.Fraction(advance_ms, 1000)
        if later >= 315_537_897_600:
            raise invalid("/advance_ms", "the clock ends with the year 9999")
        self.frozen = later
        return 200, {"now": shown_time(later)}
