"""The HTTP part of the small servers that assay is tried on: one route table, JSON in and out."""

import http.server
import json
import re
import sys
import threading
import urllib.parse


class Problem(Exception):
    """An answer that is an error: its status, its code and, where a field is at fault, its pointer."""

    def __init__(self, status, code, pointer=None, **more):
        super().__init__(code)
        self.status = status
        self.body = {"type": "about:blank", "title": code, "status": status, "detail": code, "code": code, **more}
        if pointer is not None:
            self.body["pointer"] = pointer


def page(items, query, key):
    """One page of a list whose cursor is the number of items before it."""
    start = int(query.get("after", ["0"])[0])
    limit = int(query.get("limit", ["100"])[0])
    last = start + limit >= len(items)
    return {key: items[start:start + limit], "next": None if last else str(start + limit)}


class SmallServer:
    """Answers requests one at a time by the first route that matches."""

    def __init__(self, fault):
        self.fault = fault
        self.routes = []
        self.lock = threading.Lock()

    def route(self, method, pattern, handler):
        expression = "^" + re.sub(r"\{\}", "([^/]+)", pattern) + "$"
        self.routes.append((method, re.compile(expression), handler))

    def breaks(self, fault):
        return self.fault == fault

    def answer(self, method, target, body):
        path, _, query_text = target.partition("?")
        query = urllib.parse.parse_qs(query_text)
        try:
            for route_method, expression, handler in self.routes:
                match = expression.match(path)
                if match and route_method == method:
                    arguments = [urllib.parse.unquote(group) for group in match.groups()]
                    content = json.loads(body) if body else {}
                    with self.lock:
                        return handler(*arguments, content, query)
            raise Problem(404, "NOT_FOUND")
        except Problem as problem:
            return problem.status, problem.body
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            return 422, Problem(422, "INVALID", detail=str(error)).body


def serve(server):
    """Serves until killed; the first line of output says where."""

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True
        wbufsize = -1

        def respond(self):
            length = int(self.headers.get("content-length", "0"))
            status, body = server.answer(self.command, self.path, self.rfile.read(length))
            content = b"" if body is None else json.dumps(body).encode()
            self.send_response(status)
            kind = "application/problem+json" if status >= 400 else "application/json"
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
            self.wfile.flush()

        do_GET = do_POST = do_DELETE = do_PUT = do_PATCH = respond

        def log_message(self, *_):
            pass

    class Threads(http.server.ThreadingHTTPServer):
        request_queue_size = 256
        daemon_threads = True

    with Threads(("127.0.0.1", 0), Handler) as shell:
        print(f"listening on http://127.0.0.1:{shell.server_address[1]}", flush=True)
        try:
            shell.serve_forever()
        except KeyboardInterrupt:
            sys.exit(0)
