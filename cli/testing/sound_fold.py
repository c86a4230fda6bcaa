"""What a log means (specification 000): five layers, each of them folded by itself."""

STARTS = ("playbook.initialized", "playbook.started")
ENDS = {"playbook.completed": ("COMPLETED", "success"), "playbook.failed": ("FAILED", "failed"),
        "execution.cancelled": ("CANCELLED", "cancelled")}
FINISHES = {"success": ("COMPLETED", "success"), "error": ("FAILED", "failed")}
ENTRIES = ("step.enter", "step.scheduled", "step.started")
COMMANDS = {"command.issued": (("PENDING",), "ISSUED"), "command.claimed": (("ISSUED",), "CLAIMED"),
            "command.started": (("CLAIMED",), "RUNNING"), "command.completed": (("RUNNING",), "COMPLETED"),
            "command.failed": (("RUNNING",), "FAILED"), "command.cancelled": (("ISSUED", "CLAIMED"), "CANCELLED")}
WORKFLOWS = {"workflow.initialized": ("PENDING", "RUNNING"), "workflow.started": ("PENDING", "RUNNING"),
             "workflow.completed": ("RUNNING", "COMPLETED"), "workflow.failed": ("RUNNING", "FAILED")}


def step_of(event):
    return event.get("node_name", event.get("entity_id"))


class Fold:
    def __init__(self, events, liberties):
        self.liberties = liberties
        self.state, self.outcome, self.workflow_state = "PENDING", None, "PENDING"
        self.started_at = self.ended_at = self.terminal_event = self.current_step = None
        self.steps, self.commands, self.tools, self.anomalies = {}, {}, {}, []
        self.iterations, self.ended_runs, self.last_call = {}, set(), {}
        for event in events:
            self.take(event)

    def odd(self, event, reason):
        self.anomalies.append({"seq": event["seq"], "reason": reason, "event_id": event["event_id"]})

    def take(self, event):
        kind = event["event_type"]
        if kind in STARTS or kind in ENDS or kind == "playbook.finished":
            self.take_lifecycle(event, kind)
        elif kind in WORKFLOWS or kind == "workflow.finished":
            self.take_workflow(event, kind)
        elif kind.startswith("step."):
            self.take_step(event, kind)
        elif kind in COMMANDS:
            self.take_command(event, kind)
        elif kind in ("call.done", "call.error"):
            self.take_call(event, kind)
        elif kind in ("task.done", "task.failed"):
            self.end_run(event, "task", event.get("task_run_id"))
        elif kind.startswith("loop."):
            self.take_loop(event, kind)
        if kind in ENTRIES and not self.ended_at:
            self.current_step = step_of(event) or self.current_step

    def take_lifecycle(self, event, kind):
        if kind in STARTS:
            again = self.started_at is not None
            self.started_at = self.started_at or event["timestamp"]
            if self.ended_at or again:
                self.odd(event, "an execution starts once, before its end")
            else:
                self.state = "RUNNING"
            return
        ends = FINISHES.get(event.get("status")) if kind == "playbook.finished" else ENDS[kind]
        if ends is None:
            self.odd(event, "playbook.finished closes with status success or error")
        elif self.ended_at:
            self.odd(event, "the execution had ended")
        else:
            self.state, self.outcome = ends
            self.ended_at, self.terminal_event = event["timestamp"], kind
            if kind == "playbook.finished" and event.get("payload", {}).get("outcome") == "partial":
                self.outcome = "partial"

    def take_workflow(self, event, kind):
        if kind == "workflow.finished":
            after = {"success": "COMPLETED", "error": "FAILED"}.get(event.get("status"))
            before = "RUNNING"
        else:
            before, after = WORKFLOWS[kind]
        if after and self.workflow_state == before:
            self.workflow_state = after
        else:
            self.odd(event, f"a workflow that is {self.workflow_state} has no {kind}")

    def begin_step(self, event, step):
        state = self.steps.get(step, "PENDING")
        if state in ("PENDING", "RUNNING") or "ended-steps-stay" not in self.liberties:
            self.steps[step] = "RUNNING"
        else:
            self.odd(event, f"the step is {state} and stays so")

    def end_step(self, event, step, state):
        if self.steps.get(step) == "RUNNING":
            self.steps[step] = state
        else:
            self.odd(event, f"the step is {self.steps.get(step, 'PENDING')}")

    def end_run(self, event, kind, run):
        """Whether this is the first outcome of a run that has an id."""
        if run is None:
            return True
        if (kind, run) in self.ended_runs:
            self.odd(event, f"the {kind} run has its outcome")
            return False
        self.ended_runs.add((kind, run))
        return True

    def take_step(self, event, kind):
        step = step_of(event)
        if kind in ENTRIES:
            if step is not None:
                self.begin_step(event, step)
        elif kind in ("step.done", "step.failed"):
            if self.end_run(event, "step", event.get("step_run_id")) and step is not None:
                self.end_step(event, step, "COMPLETED" if kind == "step.done" else "FAILED")
        elif kind == "step.exit" and "iteration" not in event and "iteration_id" not in event:
            word = event.get("status", "").upper()
            word = {"SUCCESS": "COMPLETED", "ERROR": "FAILED"}.get(word, word)
            if step is not None and word in ("COMPLETED", "FAILED", "CASE_HANDLED"):
                self.end_step(event, step, word)
            else:
                self.odd(event, "step.exit names no step, or no state that a step ends in")

    def take_command(self, event, kind):
        before, after = COMMANDS[kind]
        command = event.get("command_id")
        known = self.commands.get(command)
        state = known["state"] if known else "PENDING"
        if command is not None and state not in before:
            self.odd(event, f"a command that is {state} has no {kind}")
            return
        if kind == "command.issued" and step_of(event) is not None:
            self.begin_step(event, step_of(event))
        if known:
            known["state"] = after
        elif command is not None:
            self.commands[command] = {"command_id": command, "step": step_of(event), "state": after}

    def take_call(self, event, kind):
        command = event.get("command_id")
        if command is None:
            return
        if command in self.tools:
            self.odd(event, "the tool has its outcome")
            return
        outcome = event.get("payload", {}).get("outcome")
        word = outcome.get("status") if isinstance(outcome, dict) else None
        word = word.upper() if isinstance(word, str) and kind == "call.done" else ""
        self.tools[command] = "ERROR" if kind == "call.error" else word if word in ("BREAK", "NOOP") else "OK"

    def take_loop(self, event, kind):
        loop = (event.get("step_run_id"), step_of(event))
        if kind == "loop.done":
            if any(key[0] == loop and state == "open" for key, state in self.iterations.items()):
                self.odd(event, "an iteration is still open")
            return
        if not kind.startswith("loop.iteration."):
            return
        iteration = event.get("iteration")
        key = (loop, str(iteration) if iteration is not None else event.get("iteration_id"))
        state = self.iterations.get(key)
        if kind == "loop.iteration.scheduled":
            self.iterations.setdefault(key, "open")
        elif kind in ("loop.iteration.done", "loop.iteration.failed"):
            if state == "open":
                self.iterations[key] = "ended"
            else:
                self.odd(event, "the iteration is not open")
