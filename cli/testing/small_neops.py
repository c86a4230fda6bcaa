"""The workflow executions of small_lifecycle in the spelling that the neops engine documents: lower-case states, packages
and versions, a blackboard with its own field names, and outcomes that the engine acknowledges by itself."""

import json

from small_http import Problem
from small_lifecycle import OUTCOMES, Lifecycle


def full_name(part):
    return f"{part['package']}/{part['name']}:{part['version']}"


class Neops(Lifecycle):
    def __init__(self, fault):
        super().__init__(fault)
        self.routes.clear()
        self.workers = []
        self.route("POST", "/workers/register", self.register_worker)
        self.route("POST", "/workers/{}/unregister", self.unregister_worker)
        self.route("POST", "/function-blocks/register", self.register_block)
        self.route("POST", "/workflow-definition", self.define_workflow)
        self.route("POST", "/workflow-execution", self.execute)
        self.route("GET", "/workflow-execution/id/{}", self.get)
        self.route("GET", "/workflow-execution/active", self.active)
        self.route("GET", "/workflow-execution/state/{}", self.by_state)
        self.route("DELETE", "/workflow-execution/{}", self.abort)
        self.route("GET", "/blackboard/jobs", self.list_jobs)
        self.route("POST", "/blackboard/job", self.poll)
        self.route("POST", "/blackboard/job/{}/result", self.push_result)
        self.route("GET", "/health/", lambda _content, _query: (200, {"status": "ok"}))

    def register_worker(self, _content, _query):
        self.workers.append(f"worker-{len(self.workers)}")
        return 201, {"uuid": self.workers[-1]}

    def unregister_worker(self, worker, _content, _query):
        if worker not in self.workers:
            raise Problem(404, "UNKNOWN_WORKER")
        return 200, {}

    def register_block(self, content, query):
        if content["workerUuid"] not in self.workers:
            raise Problem(404, "UNKNOWN_WORKER")
        self.register({"name": full_name(content), "pure": content["isPure"]}, query)
        return 201, {}

    def define_workflow(self, content, query):
        workflow = content["workflow"]
        if full_name(workflow) in self.definitions:
            raise Problem(409, "ALREADY_EXISTS")
        steps = [{**step, "condition": self.literal(step["condition"])} if "condition" in step else step
                 for step in workflow["steps"]]
        return self.define({"name": full_name(workflow), "steps": steps}, query)

    @staticmethod
    def literal(condition):
        """A JMESPath literal; nothing else of that language is needed."""
        if not (condition.startswith("`") and condition.endswith("`")):
            raise Problem(422, "CONDITION")
        return json.loads(condition[1:-1])

    def execute(self, content, query):
        if not isinstance(content["workflow"], str):
            raise Problem(422, "WORKFLOW")
        status, made = self.start(content, query)
        return status, {"uuid": made["uuid"]}

    def get(self, uuid, content, query):
        """As the engine shows it; an ended execution is acknowledged once its outcome was seen."""
        execution = self.find(uuid)
        _, whole = super().get(uuid, content, query)
        if execution["status"] in OUTCOMES:
            self.acknowledge(uuid, content, query)
        if whole["status"] == "RUNNING" and self.breaks("goes-back-for-a-moment") and not execution.get("went_back"):
            execution["went_back"] = True
            whole["status"] = "VALID"
        jobs = [self.shown_job(job) for job in self.jobs if job["uuid"] == uuid]
        return 200, {"uuid": uuid, "status": self.spelled(whole["status"]), "reason": whole["reason"],
                     "isPureExecution": whole["isPureExecution"], "jobs": jobs}

    def spelled(self, status):
        return status if self.breaks("states-in-upper-case") else status.lower()

    def listed(self, keep, _query):
        return 200, [{"uuid": execution["uuid"], "status": self.spelled(execution["status"])}
                     for execution in self.executions.values() if keep(execution)]

    @staticmethod
    def shown_job(job):
        return {"uuid": job["job_id"], "workflowExecutionUuid": job["uuid"], "type": job["type"],
                "label": job["label"], "functionBlock": job["functionBlock"], "state": job["state"]}

    def list_jobs(self, _content, _query):
        return 200, [self.shown_job(job) for job in self.jobs if job["state"] != "WITHDRAWN"]

    def poll(self, content, query):
        status, job = super().poll(content, query)
        return status, job and self.shown_job(job)

    def push_result(self, job_id, content, query):
        return self.push(job_id, {**content, "entities": content.get("acquires")}, query)
