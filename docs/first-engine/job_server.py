#!/usr/bin/env python3
"""A small job server with an OpenAPI document, the subject of docs/first-engine.md. It has one fault.

usage: job_server.py [PORT]   (0, the default, takes a free one; the address is printed)
"""

import http.server
import json
import re
import sys
import threading

NEXT = {
    "QUEUED": ["RUNNING"],
    "RUNNING": ["HELD", "FINISHED", "FAILED", "KILLED"],
    "HELD": ["RUNNING", "KILLED"],
    "FINISHED": [],
    "FAILED": ["RUNNING"],  # The fault: a failed job runs again in place, and that it failed is forgotten.
    "KILLED": [],
}
JOB = {
    "type": "object",
    "required": ["id", "status"],
    "properties": {
        "id": {"type": "integer"},
        "status": {"type": "string", "enum": list(NEXT)},
        "message": {"type": "string"},
    },
}


def call(answer, body=None, parameters=()):
    described = {
        "parameters": [{"name": name, "in": where, "schema": {"type": kind}} for name, where, kind in parameters],
        "responses": {"200": {"description": "OK", "content": {"application/json": {"schema": answer}}},
                      "409": {"description": "Not in this status"}},
    }
    if body:
        described["requestBody"] = {"content": {"application/json": {"schema": body}}}
    return described


IN_PROJECT = ("project", "path", "string")
OF_JOB = (IN_PROJECT, ("jobId", "path", "integer"))
DOCUMENT = {
    "openapi": "3.0.3",
    "info": {"title": "Job server", "version": "1.4"},
    "paths": {
        "/api/projects/{project}/jobs": {
            "post": call(JOB, {"type": "object", "required": ["image"], "properties": {"image": {"type": "string"}}},
                         (IN_PROJECT,)),
            "get": call({"type": "object", "properties": {"jobs": {"type": "array", "items": JOB}}}, None,
                        (IN_PROJECT, ("status", "query", "string"), ("offset", "query", "integer"),
                         ("limit", "query", "integer"))),
        },
        "/api/projects/{project}/jobs/{jobId}": {
            "get": call(JOB, None, OF_JOB),
            "patch": call(JOB, {"type": "object", "properties": {name: JOB["properties"][name] for name in
                                                                  ("status", "message")}}, OF_JOB),
        },
        "/api/projects": {"get": call({"type": "array", "items": {"type": "string"}})},
    },
}
jobs = []
lock = threading.Lock()


def created(asked):
    if not str(asked.get("image", "")).startswith("registry/"):
        return 400, {"error": "an image is registry/NAME"}
    jobs.append({"id": len(jobs) + 1, "status": "QUEUED", "message": None})
    return 200, jobs[-1]


def moved(job, asked):
    status = asked.get("status")
    if status not in NEXT[job["status"]]:
        return 409, {"error": f"a job that is {job['status']} cannot become {status}"}
    if status == "FAILED" and not asked.get("message"):
        return 422, {"error": "a job that failed says why"}
    job.update(status=status, message=asked.get("message"))
    return 200, job


def answer(method, target, asked):
    path, _, query = target.partition("?")
    options = dict(part.split("=", 1) for part in query.split("&") if "=" in part)
    if path == "/openapi.json":
        return 200, DOCUMENT
    found = re.fullmatch(r"/api/projects/demo/jobs(?:/(\d+))?", path)
    if not found or (found[1] and not 0 < int(found[1]) <= len(jobs)):
        return 404, {"error": "no such project or job"}
    if found[1]:
        job = jobs[int(found[1]) - 1]
        return (200, job) if method == "GET" else moved(job, asked)
    if method == "POST":
        return created(asked)
    shown = [job for job in jobs if options.get("status") in (None, job["status"])]
    start = int(options.get("offset", 0))
    return 200, {"jobs": shown[start:start + int(options.get("limit", 20))]}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def handle_call(self):
        asked = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or "{}")
        with lock:
            status, value = answer(self.command, self.path, asked)
            content = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_PATCH = handle_call

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 128  # Many clients at once: the default lets five wait and loses the others.


if __name__ == "__main__":
    server = Server(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 0), Handler)
    print(f"listening on http://127.0.0.1:{server.server_address[1]}", flush=True)
    server.serve_forever()
