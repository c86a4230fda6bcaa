"""A small engine whose API has a way of its own for everything: docs/profile-reference.md writes its profile."""

import http.server
import json
import re
import sys
import threading
import time
import urllib.parse

PASSWORD = "let-me-in-then"
REQUESTS_OF_A_TOKEN = 40  # then it has to be renewed
PAGE = 50

lock = threading.Lock()
tokens = {}
tickets = {}
flows = {}

# How a flow may be moved: the verb, from where, and what it does.
MOVES = {
    "begin": (("new", "held"), "active"), "hold": (("active",), "held"),
    "end": (("active",), "over"), "stop": (("active", "held"), "stopped")}


def shown(flow):
    """No word for a state: it is told by several fields."""
    state = flow["state"]
    return {"number": flow["number"], "born": flow["born"], "begun": flow["begun"], "over": flow["over"],
            "held": state == "held", "stopped": state == "stopped", "exit": flow["exit"]}


def move(flow, verb, asked):
    code = int(asked.get("exit", 0))
    sources, target = MOVES[verb]
    if flow["state"] not in sources:
        if flow["state"] in ("new", "active", "held"):
            flow.update(state="over", exit=1, over=now())  # an undefined move fails the run
        return 409, {"error": "a flow that is not " + " or ".join(sources)}
    if code and not asked.get("why"):
        return 422, {"error": "why?"}
    flow["state"] = target
    if target == "active" and flow["begun"] is None:
        flow["begun"] = now()
    if target in ("over", "stopped"):
        flow.update(over=now(), exit=code if target == "over" else None)
    return 200, shown(flow)


def now():
    return time.time_ns() // 1_000_000


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def answer(self, status, body, headers=(), kind="application/json"):
        content = (body if isinstance(body, str) else json.dumps(body)).encode()
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def is_known(self):
        token = self.headers.get("Authorization", "").removeprefix("Session ")
        left = tokens.get(token, 0)
        tokens[token] = left - 1
        return left > 0

    def handle_request(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        path, _, query = self.path.partition("?")
        with lock:
            if (self.command, path) == ("POST", "/login"):
                if urllib.parse.parse_qs(body).get("password") != [PASSWORD]:
                    return self.answer(403, "no", kind="text/plain")
                token = f"token-{len(tokens):04}-{now()}"
                tokens[token] = REQUESTS_OF_A_TOKEN
                return self.answer(204, "", [("Set-Cookie", f"session={token}; HttpOnly")])
            if not self.is_known():
                return self.answer(401, {"error": "log in"})
            return self.answer(*self.serve(path, urllib.parse.parse_qs(query), body))

    do_GET = do_POST = do_DELETE = handle_request

    def serve(self, path, query, body):
        if (self.command, path) == ("POST", "/flows"):
            number = len(flows) + 1
            flows[number] = {"number": number, "name": body, "state": "new", "born": now(), "begun": None,
                             "over": None, "exit": None}
            tickets[number] = 2  # looks until the flow is there
            return 202, "", [("Location", f"/tickets/{number}")], "text/plain"
        if (self.command, path) == ("GET", "/flows"):
            after = int(query.get("after", ["0"])[0])
            page = [flow for flow in flows.values() if flow["number"] > after]
            link = [("Link", f'</flows?after={page[PAGE - 1]["number"]}>; rel="next"')] if len(page) > PAGE else []
            return 200, {"flows": {str(flow["number"]): shown(flow) for flow in page[:PAGE]}}, link
        found = re.fullmatch(r"/(flows|tickets)/(\d+)(?:/([a-z-]+))?", path)
        number = int(found[2]) if found else 0
        if number not in flows:
            return 404, {"error": "no such thing"}
        if found[1] == "tickets":
            tickets[number] -= 1
            return 200, {"state": "done" if tickets[number] <= 0 else "queued", "flow": number}
        if self.command == "GET":
            return 200, shown(flows[number])
        verb = "stop" if self.command == "DELETE" else found[3]
        if verb not in MOVES:
            return 404, {"error": "no such verb"}
        return move(flows[number], verb, json.loads(body or "{}"))


if __name__ == "__main__":
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(f"listening on http://127.0.0.1:{server.server_address[1]}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        sys.exit(0)
