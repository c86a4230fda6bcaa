"""Workflow executions of specification 002 by hand: one loop that moves whatever can move."""

import jinja2

from small_http import Problem, SmallServer, page

ENVIRONMENT = jinja2.Environment(undefined=jinja2.ChainableUndefined)

OUTCOMES = ("COMPLETED", "FAILED_SAFE", "FAILED_UNSAFE")


class Lifecycle(SmallServer):
    def __init__(self, fault):
        super().__init__(fault)
        self.blocks, self.definitions, self.executions, self.jobs, self.locks = {}, {}, {}, [], {}
        self.route("POST", "/function-blocks", self.register)
        self.route("POST", "/workflow-definitions", self.define)
        self.route("POST", "/workflow-execution", self.start)
        self.route("GET", "/workflow-execution/id/{}", self.get)
        self.route("GET", "/workflow-execution/active", self.active)
        self.route("GET", "/workflow-execution/state/{}", self.by_state)
        self.route("DELETE", "/workflow-execution/{}", self.abort)
        self.route("POST", "/workflow-execution/{}/ack", self.acknowledge)
        self.route("GET", "/blackboard/jobs", self.list_jobs)
        self.route("POST", "/blackboard/jobs/poll", self.poll)
        self.route("POST", "/blackboard/jobs/{}/result", self.push)

    def register(self, content, _query):
        self.blocks[content["name"]] = content
        return 201, content

    def define(self, content, _query):
        self.definitions[content["name"]] = content
        return 201, content

    def find(self, uuid):
        if uuid not in self.executions:
            raise Problem(404, "UNKNOWN")
        return self.executions[uuid]

    def enter(self, execution, *states):
        for state in states:
            execution["status"] = state
            execution["history"].append({"status": state, "at": "2026-01-01T00:00:00Z"})

    def end(self, execution, outcome):
        execution["outcome"] = outcome
        self.enter(execution, outcome)
        for job in self.jobs:
            if job["uuid"] == execution["uuid"] and job["state"] == "PENDING":
                job["state"] = "WITHDRAWN"
        kept = {"lock-kept-after-completion": "COMPLETED", "lock-kept-after-failure": "FAILED_SAFE"}.get(self.fault)
        kept_by_abort = execution["aborted"] and self.breaks("lock-kept-after-abort")
        if (outcome != kept or execution["aborted"]) and not kept_by_abort:
            self.locks = {entity: holder for entity, holder in self.locks.items() if holder != execution["uuid"]}
        for other in self.executions.values():
            self.advance(other)

    def fail(self, execution):
        steps = {step["label"]: step for step in execution["steps"]}
        pure = all(self.blocks[steps[label]["functionBlock"]]["pure"] for label in execution["executed"])
        if self.breaks("skipped-impure-step-taints"):
            pure = all(self.blocks[step["functionBlock"]]["pure"] for step in execution["steps"])
        execution["isPureExecution"] = pure
        if execution["status"] == "RUNNING":
            self.enter(execution, "ERROR")
        self.end(execution, "FAILED_SAFE" if pure or self.breaks("impure-failure-is-safe") else "FAILED_UNSAFE")

    def start(self, content, _query):
        workflow = content["workflow"]
        workflow = self.definitions.get(workflow) if isinstance(workflow, str) else workflow
        uuid = f"w{len(self.executions)}"
        execution = self.executions[uuid] = {
            "uuid": uuid, "status": None, "outcome": None, "reason": None, "isPureExecution": True, "entities": [],
            "history": [], "steps": (workflow or {}).get("steps", []), "executed": [], "results": {}, "aborted": False,
            "parameters": content.get("parameters", {})}
        self.enter(execution, "NEW")
        unknown = [step["functionBlock"] for step in execution["steps"] if step["functionBlock"] not in self.blocks]
        if not execution["steps"] or unknown:
            execution["reason"] = f"unknown function block {unknown}" if unknown else "no steps"
            self.end(execution, "FAILED_SAFE")
        else:
            self.enter(execution, "VALID", "READY", "RESOURCE_DISCOVERY")
            for step in execution["steps"]:
                if step.get("acquire") or self.blocks[step["functionBlock"]].get("acquires"):
                    self.add_job(execution, "ACQUIRE", step)
            self.advance(execution)
        return 201, {"uuid": uuid, "status": execution["status"]}

    def add_job(self, execution, kind, step):
        self.jobs.append({"job_id": f"j{len(self.jobs)}", "uuid": execution["uuid"], "type": kind,
                          "label": step["label"], "functionBlock": step["functionBlock"], "state": "PENDING"})

    def open_jobs(self, execution):
        return [job for job in self.jobs if job["uuid"] == execution["uuid"] and job["state"] in ("PENDING", "POLLED")]

    def advance(self, execution):
        if execution["status"] == "RESOURCE_DISCOVERY" and not self.open_jobs(execution):
            self.enter(execution, "RESOURCES_DISCOVERED", "SCHEDULED")
        free = all(entity not in self.locks for entity in execution["entities"])
        if execution["status"] == "SCHEDULED" and (free or self.breaks("lock-given-to-two")):
            self.locks.update(dict.fromkeys(execution["entities"], execution["uuid"]))
            self.enter(execution, "LOCKING", "LOCKED", "RUNNING")
            self.next_step(execution)

    def next_step(self, execution):
        done = execution["executed"]
        remaining = execution["steps"][execution.get("position", 0):]
        for step in remaining:
            execution["position"] = execution.get("position", 0) + 1
            if step["label"] not in done and self.holds(execution, step.get("condition", True)):
                self.add_job(execution, "EXECUTE", step)
                return
        self.end(execution, "COMPLETED")

    @staticmethod
    def holds(execution, condition):
        if isinstance(condition, bool):
            return condition
        scope = {"parameters": execution["parameters"], "results": execution["results"]}
        return bool(ENVIRONMENT.compile_expression(condition.strip()[2:-2])(**scope))

    def get(self, uuid, _content, _query):
        execution = self.find(uuid)
        mine = [job for job in self.jobs if job["uuid"] == uuid]
        shown = {key: execution[key] for key in ("uuid", "status", "outcome", "reason", "isPureExecution", "entities",
                                                 "history")}
        return 200, {**shown, "jobs": {"completed": sum(job["state"] == "PUSHED" for job in mine), "total": len(mine)}}

    def listed(self, keep, query):
        rows = [{"uuid": execution["uuid"], "status": execution["status"]} for execution in self.executions.values()
                if keep(execution)]
        return 200, page(rows, query, "executions")

    def active(self, _content, query):
        return self.listed(lambda execution: execution["outcome"] is None, query)

    def by_state(self, state, _content, query):
        return self.listed(lambda execution: execution["status"] == state.upper(), query)

    def abort(self, uuid, _content, _query):
        execution = self.find(uuid)
        if execution["outcome"] is None:
            execution["aborted"] = True
            execution["executed"] += [job["label"] for job in self.open_jobs(execution)
                                      if job["type"] == "EXECUTE" and job["state"] == "POLLED"]
            self.fail(execution)
        return 200, {}

    def acknowledge(self, uuid, _content, _query):
        execution = self.find(uuid)
        if execution["status"] not in OUTCOMES:
            raise Problem(409, "NOTHING_TO_ACKNOWLEDGE")
        crossed = self.breaks("acknowledgement-crosses-outcomes") and execution["status"] == "FAILED_UNSAFE"
        self.enter(execution, "FAILED_SAFE_ACK" if crossed else execution["status"] + "_ACK")
        return 200, {}

    def list_jobs(self, _content, query):
        rows = [job for job in self.jobs if job["state"] != "WITHDRAWN"
                and job["uuid"] == query.get("uuid", [job["uuid"]])[0]]
        return 200, page(rows, query, "jobs")

    def poll(self, _content, _query):
        handed_out = ("PENDING", "POLLED") if self.breaks("job-given-to-two") else ("PENDING",)
        for job in self.jobs:
            if job["state"] in handed_out and self.executions[job["uuid"]]["outcome"] is None:
                job["state"] = "POLLED"
                return 200, job
        return 204, None

    def push(self, job_id, content, _query):
        job = next((job for job in self.jobs if job["job_id"] == job_id), None)
        if job is None:
            raise Problem(404, "UNKNOWN")
        if job["state"] != "POLLED":
            raise Problem(409, "NOT_POLLED")
        job["state"] = "PUSHED"
        job["result"] = {name: content[name] for name in ("success", "entities", "data") if name in content}
        execution = self.executions[job["uuid"]]
        if execution["outcome"] is not None:
            if self.breaks("late-result-changes-the-outcome"):
                execution["outcome"] = None
                self.end(execution, "COMPLETED")
            return 200, {}
        if job["type"] == "ACQUIRE":
            execution["entities"] = sorted({*execution["entities"], *(content.get("entities") or [])})
            if not content["success"]:
                self.fail(execution)
            else:
                self.advance(execution)
            return 200, {}
        execution["executed"].append(job["label"])
        execution["results"][job["label"]] = content.get("data")
        pure = [self.blocks[step["functionBlock"]]["pure"] for step in execution["steps"]
                if step["label"] in execution["executed"]]
        execution["isPureExecution"] = all(pure)
        if content["success"]:
            self.next_step(execution)
        else:
            self.fail(execution)
        return 200, {}
