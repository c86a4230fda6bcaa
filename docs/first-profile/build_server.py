#!/usr/bin/env python3
"""A small build server, the subject of docs/first-profile.md: it keeps builds and their phases, and has one fault.

usage: build_server.py [PORT]   (0, the default, takes a free one; the address is printed)
"""

import http.server
import json
import re
import sys

NEXT = {
    "queued": ["building"],
    "building": ["paused", "done", "broken", "stopped"],
    "paused": ["building", "stopped"],
    "done": [],
    "broken": ["building"],  # The fault: a broken build is built again in place, and its end is forgotten.
    "stopped": [],
}
builds = {}


def create(_, __):
    number = len(builds) + 1
    builds[number] = {"number": number, "phase": "queued"}
    return 201, builds[number]


def show(build, _):
    return 200, build


def move(build, asked):
    phase = asked.get("phase")
    if phase not in NEXT[build["phase"]]:
        return 409, {"error": f"a build that is {build['phase']} cannot become {phase}"}
    if phase == "broken" and not asked.get("log"):
        return 422, {"error": "a broken build needs a log"}
    build["phase"] = phase
    return 200, build


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, action):
        path = re.fullmatch(r"/api/builds(?:/(\d+))?(/phase)?", self.path)
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or "{}")
        build = builds.get(int(path[1])) if path and path[1] else None
        status, value = 404, {"error": "no such build"}
        if build or (path and not path[1] and action is create):
            status, value = action(build, body)
        content = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def do_GET(self):
        self.answer(show)

    def do_POST(self):
        self.answer(move if self.path.endswith("/phase") else create)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 128  # Many clients at once: the default lets five wait and loses the others.


if __name__ == "__main__":
    server = Server(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 0), Handler)
    print(f"listening on http://127.0.0.1:{server.server_address[1]}", flush=True)
    server.serve_forever()
