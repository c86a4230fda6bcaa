"""Driven executions of specification 003 by hand. Guards are evaluated by the real Jinja2."""

import jinja2

from small_executions import Executions
from small_http import Problem

ENVIRONMENT = jinja2.Environment(undefined=jinja2.ChainableUndefined)
WORKER_EVENTS = ("step.started", "step.done", "step.failed", "loop.iteration.started", "loop.iteration.done",
                 "loop.iteration.failed", "policy.task.evaluated")


def evaluate(text, scope):
    inner = text.strip()
    if inner.startswith("{{"):
        inner = inner[2:-2]
    return ENVIRONMENT.compile_expression(inner, undefined_to_none=True)(**scope)


class Net:
    """What is open of one execution."""

    def __init__(self, playbook):
        self.steps = {step["step"]: step for step in playbook["workflow"]}
        self.spec = playbook.get("executor", {}).get("spec", {})
        self.entry = self.spec.get("entry_step", playbook["workflow"][0]["step"])
        self.pending = []
        self.decided = {}
        self.runs = {}
        self.failed = []
        self.count = 0


class Routing(Executions):
    def __init__(self, fault):
        super().__init__(fault)
        self.route("POST", "/executions/{}/ctx", self.patch)
        self.route("GET", "/executions/{}/marking", self.marking)

    def emit(self, execution, event_type, **members):
        number = len(execution.events) + 1
        event = {"event_id": f"server-{number}", "event_type": event_type, "source": "server",
                 "timestamp": "2026-01-01T12:00:00Z", **members}
        self.store(execution, event)

    def begin(self, execution, content):
        playbook = content.get("playbook")
        if not playbook:
            return
        execution.workload = {**playbook.get("workload", {}), **execution.workload}
        net = execution.net = Net(playbook)
        if net.entry not in net.steps:
            del self.executions[execution.id]
            raise Problem(422, "UNKNOWN_STEP")
        self.emit(execution, "playbook.started")
        self.emit(execution, "workflow.started")
        entry = net.entry
        if self.breaks("entry-step-ignored"):
            entry = playbook["workflow"][0]["step"]
        self.arrive(execution, entry, {})
        self.settle(execution)

    def scope(self, execution, args, event=None):
        payload = (event or {}).get("payload", {}).get("outcome")
        scope = {**execution.workload, "workload": execution.workload, "ctx": execution.ctx, "args": args}
        if event:
            scope["event"] = {"name": event["event_type"], "payload": payload}
            scope["output"] = payload
        return scope

    def decide(self, execution, step, args):
        """Whether a token is let in, and the rule that says so."""
        rules = step.get("spec", {}).get("policy", {}).get("admit", {}).get("rules", [])
        for index, rule in enumerate(rules):
            if "else" in rule:
                return rule["else"]["then"]["allow"], "else"
            if evaluate(rule["when"], self.scope(execution, args)):
                return rule["then"]["allow"], index
        return not rules, None

    def admits(self, execution, token):
        """Whether a pending token is let in; what is decided anew is recorded."""
        decision = self.decide(execution, execution.net.steps[token[0]], token[1])
        if execution.net.decided.get(id(token)) != decision:
            execution.net.decided[id(token)] = decision
            self.record_admission(execution, token[0], *decision)
        return decision[0] or self.breaks("denied-token-scheduled")

    def record_admission(self, execution, name, allow, rule):
        self.emit(execution, "policy.admit.evaluated", entity_type="policy", entity_id=name,
                  payload={"allow": allow, "rule": rule})

    def arrive(self, execution, name, args):
        net = execution.net
        joined = net.spec.get("fan_in") == "wait_all" and self.incoming(net, name) > 1
        if joined and any(token[0] == name for token in net.pending):
            return
        net.pending.append((name, args, joined))

    @staticmethod
    def incoming(net, name):
        return sum(arc["step"] == name for step in net.steps.values() for arc in step.get("next", {}).get("arcs", []))

    def upstream_is_open(self, net, name):
        """Whether anything open can still reach the step."""
        reach, frontier = set(), [run["step"] for run in net.runs.values()]
        frontier += [token[0] for token in net.pending if token[0] != name]
        while frontier:
            for arc in net.steps[frontier.pop()].get("next", {}).get("arcs", []):
                if arc["step"] not in reach:
                    reach.add(arc["step"])
                    frontier.append(arc["step"])
        return name in reach

    def schedule(self, execution, name, args):
        net = execution.net
        net.count += 1
        run_id = f"{execution.id}/run/{net.count}"
        run = net.runs[run_id] = {"step": name, "args": args, "open": [], "waiting": [], "failed": False}
        self.emit(execution, "step.scheduled", entity_type="step", entity_id=name, step_run_id=run_id,
                  payload={"args": args})
        loop = net.steps[name].get("loop")
        if loop:
            items = evaluate(loop["in"], self.scope(execution, args))
            self.emit(execution, "loop.started", entity_type="loop", entity_id=name, step_run_id=run_id)
            run["waiting"] = list(range(len(items)))
            run["loop"] = loop
            if not items and not self.breaks("empty-loop-hangs"):
                self.end_loop(execution, run_id)
            else:
                self.feed_loop(execution, run_id)

    def feed_loop(self, execution, run_id):
        run = execution.net.runs[run_id]
        spec = run["loop"].get("spec", {})
        most = spec.get("max_in_flight", 10**6) if spec.get("mode") == "parallel" else 1
        while run["waiting"] and len(run["open"]) < most:
            iteration = run["waiting"].pop(0)
            run["open"].append(iteration)
            self.emit(execution, "loop.iteration.scheduled", entity_type="loop", entity_id=run["step"],
                      step_run_id=run_id, iteration=iteration)

    def end_loop(self, execution, run_id):
        run = execution.net.runs.pop(run_id)
        status = "error" if run["failed"] else "success"
        self.emit(execution, "loop.done", entity_type="loop", entity_id=run["step"], step_run_id=run_id, status=status)
        self.route_from(execution, run, {"event_type": "loop.done"}, run["failed"])

    def route_from(self, execution, run, event, failed):
        net, step = execution.net, execution.net.steps[run["step"]]
        arcs = step.get("next", {}).get("arcs", [])
        mode = step.get("next", {}).get("spec", {}).get("mode", "exclusive")
        default = not self.breaks("missing-guard-is-false")
        matched = []
        for arc in arcs:
            holds = evaluate(arc["when"], self.scope(execution, run["args"], event)) if "when" in arc else default
            if holds:
                matched.append(arc)
                if mode == "exclusive" and self.fault not in ("exclusive-fires-all", "last-match-wins"):
                    break
        if self.breaks("inclusive-fires-the-first") and mode == "inclusive":
            matched = matched[:1]
        if self.breaks("last-match-wins") and mode == "exclusive":
            matched = matched[-1:]
        selected = [{"step": arc["step"]} for arc in matched]
        if arcs:
            self.emit(execution, "next.evaluated", entity_type="next", entity_id=run["step"],
                      payload={"mode": mode, "matched": selected, "selected": selected})
        if failed and not matched:
            net.failed.append(run["step"])
        if arcs and not matched and self.breaks("no-match-hangs"):
            net.runs["never"] = {"step": run["step"], "args": {}, "open": [], "waiting": []}
        for arc in matched:
            self.arrive(execution, arc["step"], self.bind(execution, arc, run, event))

    def bind(self, execution, arc, run, event):
        def value(template):
            if isinstance(template, dict):
                return {key: value(item) for key, item in template.items()}
            if isinstance(template, list):
                return [value(item) for item in template]
            whole = isinstance(template, str) and template.startswith("{{") and template.endswith("}}")
            return evaluate(template, self.scope(execution, run["args"], event)) if whole else template
        return value(arc.get("args", {}))

    def settle(self, execution):
        """Schedules what is enabled; where nothing is left, the final step and the end."""
        net = execution.net
        while True:
            ready = [token for token in net.pending if not (token[2] and self.upstream_is_open(net, token[0]))]
            ready = [token for token in ready if self.admits(execution, token)]
            if not ready:
                break
            net.pending = [token for token in net.pending if token is not ready[0]]
            net.decided.pop(id(ready[0]))
            self.schedule(execution, ready[0][0], ready[0][1])
        final = net.spec.get("final_step")
        quiet = not net.runs and not net.pending
        if self.breaks("quiet-with-a-sibling-in-flight"):
            quiet = any(event["event_type"] == "step.done" and not net.steps[self.step_of(execution, event)].get("next")
                        for event in execution.events)
        if self.breaks("final-step-before-quiescence") and final and net.count >= 2:
            quiet = True
        runs_of_final = sum(event["event_type"] == "step.scheduled" and event["entity_id"] == final
                            for event in execution.events)
        times = 2 if self.breaks("final-step-twice") else 1
        if quiet and final and runs_of_final < times and not self.closing_event(execution):
            args = {"execution_id": execution.id, "counts": {}, "failures": net.failed, "result_refs": []}
            self.record_admission(execution, final, True, None)
            self.schedule(execution, final, args)
        elif quiet and not self.closing_event(execution):
            status = "error" if net.failed else "success"
            self.emit(execution, "workflow.finished", entity_type="workflow", status=status)
            self.emit(execution, "playbook.finished", entity_type="playbook", status=status,
                      payload={"outcome": "failed" if net.failed else "success"})

    def step_of(self, execution, event):
        scheduled = [other for other in execution.events if other["event_type"] == "step.scheduled"
                     and other["step_run_id"] == event["step_run_id"]]
        return scheduled[0]["entity_id"]

    def post(self, execution_id, event, query):
        execution = self.find(execution_id)
        net, kind, run_id = execution.net, event["event_type"], event.get("step_run_id")
        if net is None:
            return super().post(execution_id, event, query)
        known = any(other["event_type"] == "step.scheduled" and other["step_run_id"] == run_id
                    for other in execution.events)
        if kind in ("step.started", "step.done", "step.failed") and not known:
            if not self.breaks("unscheduled-start-taken"):
                raise Problem(409, "STEP_NOT_SCHEDULED")
            return super().post(execution_id, event, query)
        if kind not in WORKER_EVENTS and not kind.startswith("task."):
            raise Problem(409, "SERVER_EVENT")
        status, result = super().post(execution_id, event, query)
        if not result["duplicate"] and not self.closing_event(execution):
            self.take(execution, event, run_id)
        return status, result

    def take(self, execution, event, run_id):
        net, kind = execution.net, event["event_type"]
        payload = event.get("payload") or {}
        if kind in ("step.done", "step.failed"):
            run = net.runs.pop(run_id, None)
            if run is None and self.breaks("repeated-outcome-routes-twice"):
                run = {"step": self.step_of(execution, event), "args": {}}
            if run is None:
                return
            execution.ctx.update(payload.get("ctx") or {})
            if self.breaks("args-change-downstream"):
                for other in net.runs.values():
                    other["args"].update(execution.ctx)
                run["args"].update({key: "changed" for key in run["args"]})
            self.route_from(execution, run, event, kind == "step.failed")
        elif kind in ("loop.iteration.done", "loop.iteration.failed") and run_id in net.runs:
            run = net.runs[run_id]
            run["open"].remove(event["iteration"])
            run["failed"] = run["failed"] or kind == "loop.iteration.failed"
            gives_up = run["failed"] and self.breaks("loop-ends-at-the-first-failure")
            if gives_up or not (run["open"] or run["waiting"]):
                self.end_loop(execution, run_id)
            else:
                self.feed_loop(execution, run_id)
        self.settle(execution)

    def patch(self, execution_id, content, _query):
        execution = self.find(execution_id)
        execution.ctx.update(content["patch"])
        if execution.net and not self.closing_event(execution):
            self.settle(execution)
        return 200, {}

    def marking(self, execution_id, _content, _query):
        execution = self.find(execution_id)
        if self.closing_event(execution):
            return 200, {"tokens": [], "in_flight": [], "fan_in": []}
        tokens = [{"step": name, "step_run_id": None, "status": "pending", "args": args}
                  for name, args, _ in execution.net.pending]
        tokens += [{"step": run["step"], "step_run_id": run_id, "status": "scheduled", "args": run["args"]}
                   for run_id, run in execution.net.runs.items()]
        return 200, {"tokens": tokens, "in_flight": [], "fan_in": []}
