#!/usr/bin/env python3
"""An adapter for assay (docs/adapters.md): Temporal through its Python SDK, as executions of specification 000 and as
runs of specification 004. Copy it for an engine that has an SDK of its own.

A workflow stands for one execution or run. It waits for the signal that says how it ends, so that every word in an
answer is the server's own: status, times and failure come from DescribeWorkflowExecution and the history.

environment: TEMPORAL_ADDRESS (host:port), TEMPORAL_NAMESPACE (default)
"""

import asyncio
import datetime
import json
import os
import sys

from temporalio import exceptions, workflow
from temporalio.api.enums.v1 import EventType
from temporalio.api.workflowservice.v1 import GetSystemInfoRequest
from temporalio.client import Client, WorkflowFailureError, WorkflowHistoryEventFilterType
from temporalio.service import RPCError, RPCStatusCode
from temporalio.worker import UnsandboxedWorkflowRunner, Worker

QUEUE = "assay"
ENDED = 10  # Seconds that a workflow may take to end once it was told to.


@workflow.defn(name="AssayWorkflow")
class Script:
    """Waits for the signal that ends it. A cancellation ends it too, as one that nobody catches does."""

    def __init__(self):
        self.end = None

    @workflow.run
    async def run(self):
        await workflow.wait_condition(lambda: self.end is not None)
        if self.end.get("failed"):
            failure = self.end["failed"]
            details = [failure["diagnostic"]] if failure.get("diagnostic") else []
            raise exceptions.ApplicationError("told to fail", *details, type=failure.get("error_code"),
                                              non_retryable=failure.get("retryable") is False)

    @workflow.signal
    def go_on(self):
        pass

    @workflow.signal
    def finish(self, end):
        self.end = end


class Refused(Exception):
    """The server will not do that."""


def instant(moment):
    return moment and moment.astimezone(datetime.timezone.utc).isoformat().replace("+00:00", "Z")


def name_of(event):
    return EventType.Name(event.event_type).removeprefix("EVENT_TYPE_")


class Temporal:
    def __init__(self, client):
        self.client = client

    async def start(self, identifier, ends=None):
        """Starts a workflow that nobody moves any more where `ends` says how it ends."""
        late = datetime.timedelta(seconds=1) if ends == "timeout" else None
        try:
            handle = await self.client.start_workflow("AssayWorkflow", id=identifier, task_queue=QUEUE,
                                                      execution_timeout=late)
        except exceptions.WorkflowAlreadyStartedError as error:
            raise Refused("a workflow of that id is running") from error
        if ends in ("COMPLETED", "FAILED", "success", "failed"):
            failure = {"error_code": "TOLD_TO_FAIL"} if ends in ("FAILED", "failed") else None
            await handle.signal("finish", {"failed": failure})

    async def show(self, identifier):
        """What the server says of a workflow; of a failed one the close event has the failure."""
        handle = self.client.get_workflow_handle(identifier)
        described = await handle.describe()
        shown = {"id": identifier, "status": described.status.name, "started_at": instant(described.start_time),
                 "ended_at": instant(described.close_time), "error_code": None, "diagnostic": None, "retryable": None,
                 "closed_by": None}
        closing = WorkflowHistoryEventFilterType.CLOSE_EVENT
        if described.close_time:
            async for event in handle.fetch_history_events(event_filter_type=closing):
                shown["closed_by"] = name_of(event)
                if shown["status"] != "FAILED":
                    continue
                failure = event.workflow_execution_failed_event_attributes.failure.application_failure_info
                details = await self.client.data_converter.decode(failure.details.payloads)
                shown["diagnostic"] = details[0] if details else None
                shown["error_code"] = failure.type or None
                shown["retryable"] = not failure.non_retryable
        return shown

    async def ended(self, identifier):
        """Waits until the worker has done what it was told to, and shows what came of it."""
        try:
            await asyncio.wait_for(self.client.get_workflow_handle(identifier).result(), ENDED)
        except WorkflowFailureError:
            pass  # Canceled, terminated or failed: what is shown says which.
        return await self.show(identifier)

    async def run_create(self, asked):
        await self.start(asked["run_id"], asked.get("ends"))
        return await self.show(asked["run_id"])

    async def run_get(self, asked):
        return await self.show(asked["run_id"])

    async def run_transition(self, asked):
        handle = self.client.get_workflow_handle(asked["run_id"])
        if asked["to"] == "running":
            await handle.signal("go_on")
            return await self.show(asked["run_id"])
        if asked["to"] == "canceled":
            await handle.cancel()
        else:
            # A diagnostic has the code and whether to try again in it (specification 004, Failure Diagnostic).
            failure = {name: (asked.get("diagnostic") or {}).get(name) for name in ("error_code", "retryable")}
            failure.update({name: asked[name] for name in ("diagnostic", "error_code", "retryable") if name in asked})
            await handle.signal("finish", {"failed": failure if asked["to"] == "failed" else None})
        return await self.ended(asked["run_id"])

    async def execution_start(self, asked):
        await self.start(asked["execution_id"], asked.get("ends"))
        return await self.show(asked["execution_id"])

    async def execution_status(self, asked):
        return await self.show(asked["execution_id"])

    async def execution_cancel(self, asked):
        before = await self.show(asked["execution_id"])
        await self.client.get_workflow_handle(asked["execution_id"]).cancel()
        return {**await self.ended(asked["execution_id"]), "already_terminal": before["status"] != "RUNNING"}

    async def events_list(self, asked):
        handle = self.client.get_workflow_handle(asked["execution_id"])
        events = [{"seq": event.event_id, "event_id": str(event.event_id), "execution_id": asked["execution_id"],
                   "event_type": name_of(event),
                   "timestamp": instant(event.event_time.ToDatetime(datetime.timezone.utc))}
                  async for event in handle.fetch_history_events()]
        return {"items": events, "next": None}


OPERATIONS = {
    "runs.create": Temporal.run_create,
    "runs.get": Temporal.run_get,
    "runs.transition": Temporal.run_transition,
    "executions.start": Temporal.execution_start,
    "executions.status": Temporal.execution_status,
    "executions.cancel": Temporal.execution_cancel,
    "events.list": Temporal.events_list,
}


async def outcome(temporal, line):
    try:
        answer = await OPERATIONS[line["operation"]](temporal, line["parameters"])
        return {"outcome": "accepted", "answer": answer}
    except Refused as refusal:
        return {"outcome": "refused", "answer": {"reason": str(refusal)}}
    except RPCError as error:
        # A workflow that has ended is "not found" to a signal; its message says which of the two it is.
        if error.status == RPCStatusCode.NOT_FOUND and "completed" in error.message.lower():
            return {"outcome": "refused", "answer": {"reason": error.message}}
        if error.status == RPCStatusCode.NOT_FOUND:
            return {"outcome": "unknown", "answer": {"reason": error.message}}
        return {"error": f"{error.status.name}: {error.message}"}
    except Exception as error:
        return {"error": repr(error)}


def say(line):
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


async def answer(temporal, line):
    say({"id": line["id"], **await outcome(temporal, line)})


async def serve():
    lines = asyncio.StreamReader(limit=1 << 26)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    json.loads(await lines.readline())
    client = await Client.connect(os.environ["TEMPORAL_ADDRESS"],
                                  namespace=os.environ.get("TEMPORAL_NAMESPACE", "default"))
    info = await client.workflow_service.get_system_info(GetSystemInfoRequest())
    say({"protocol": "assay-adapter", "version": 1, "capabilities": sorted(OPERATIONS),
         "target": {"name": "temporal", "version": info.server_version or "test server"}})
    temporal = Temporal(client)
    async with Worker(client, task_queue=QUEUE, workflows=[Script], workflow_runner=UnsandboxedWorkflowRunner()):
        under_way = set()
        while line := await lines.readline():
            task = asyncio.create_task(answer(temporal, json.loads(line)))
            under_way.add(task)
            task.add_done_callback(under_way.discard)
        await asyncio.gather(*under_way)


if __name__ == "__main__":
    asyncio.run(serve())
