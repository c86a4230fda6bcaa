"""The general rules of CONTRACT.md over HTTP: in which order a request is declined, how lists are paged, what a problem is."""

import base64
import http.server
import re
import threading
import urllib.parse

from sound_json import NoJson, TooDeep, dump, parse, whole

MEBIBYTE = 1024 * 1024


class Problem(Exception):
    """An answer that is an error (RFC 9457)."""

    def __init__(self, status, code, detail, pointer=None, **more):
        super().__init__(detail)
        self.status = status
        self.body = {"type": f"tag:sound.example,2026:{code.lower()}", "title": code.replace("_", " ").capitalize(),
                     "status": status, "detail": detail, "code": code, **more}
        if pointer is not None:
            self.body["pointer"] = pointer


def invalid(pointer, detail):
    return Problem(422, "NOT_ACCEPTABLE_CONTENT", detail, pointer)


def checked_id(value, pointer):
    if not isinstance(value, str):
        raise invalid(pointer, "an id is a string")
    if not 1 <= len(value.encode()) <= 256 or any(ord(letter) < 32 or 127 <= ord(letter) < 160 for letter in value):
        raise invalid(pointer, "an id has 1 to 256 bytes and no control character")
    return value


def optional(content, name, kind, words):
    """A member that may be absent or null."""
    value = content.get(name)
    if value is not None and (not isinstance(value, kind) or (kind is not bool and isinstance(value, bool))):
        raise invalid(f"/{name}", f"{name} is {words}")
    return value


def page(rows, query, key, scope):
    """One page; rows are only ever added at the end, so that the number of those before it is a cursor that lasts."""
    limit = query.get("limit", "100")
    if not re.fullmatch(r"[0-9]{1,4}", limit) or not 1 <= int(limit) <= 1000:
        raise Problem(422, "LIMIT_OUT_OF_RANGE", "limit is a whole number from 1 to 1000")
    start = 0
    if "after" in query:
        start = cursor_place(query["after"], scope)
    chosen = [(place, row) for place, row in enumerate(rows) if row is not None and place >= start]
    shown = chosen[:int(limit)]
    more = len(chosen) > len(shown)
    following = cursor(shown[-1][0] + 1, scope) if more else None
    return {key: [row for _, row in shown], "next": following, "shown": len(shown)}


def cursor(place, scope):
    return base64.urlsafe_b64encode(f"{scope}|{place}".encode()).decode()


def cursor_place(text, scope):
    try:
        name, _, place = base64.b64decode(text.encode(), b"-_", validate=True).decode().rpartition("|")
        if name == scope and cursor(int(place), scope) == text:
            return int(place)
    except ValueError:
        pass
    raise Problem(422, "FOREIGN_CURSOR", "after is a cursor that next gave")


class SoundServer:
    """A route table; each handler gets the decoded ids of the path, the body (None where there was none), the query."""

    def __init__(self):
        self.routes = []
        self.lock = threading.RLock()

    def route(self, method, pattern, handler, body="none", most_bytes=MEBIBYTE):
        """`body` is none, may (it can be left out) or must."""
        expression = re.compile("/".join("([^/]+)" if part == "{}" else part for part in pattern.split("/")))
        self.routes.append((method, expression, handler, body, most_bytes))

    def find(self, method, path):
        found = [(route, match) for route in self.routes if (match := route[1].fullmatch(path))]
        # What is written out goes before what stands for an id.
        found.sort(key=lambda each: len(each[1].groups()))
        if not found:
            raise Problem(404, "NO_SUCH_PATH", f"there is nothing at {path[:200]}")
        wanted = "GET" if method == "HEAD" else method
        for route, match in found:
            if route[0] == wanted:
                return route, match
        raise Problem(405, "METHOD_NOT_ALLOWED", f"{method} is not for this path",
                      allow=sorted({route[0] for route, _ in found}))

    def answer(self, method, target, headers, read_body):
        """Status and JSON of the answer."""
        try:
            path, _, query_text = target.partition("?")
            (_, _, handler, body, most_bytes), match = self.find(method, path)
            content = self.content(headers, body, most_bytes, read_body)
            ids = [path_id(group) for group in match.groups()]
            query = parse_query(query_text)
            with self.lock:
                return handler(*ids, content, query)
        except Problem as problem:
            return problem.status, problem.body

    def content(self, headers, body, most_bytes, read_body):
        length = int(headers.get("content-length", "0"))
        if length > most_bytes:
            raise Problem(413, "TOO_LARGE", f"at most {most_bytes} bytes are taken")
        if length and body != "none":
            kind, _, parameters = headers.get("content-type", "").partition(";")
            charset = re.search(r"charset=\"?([^;\"]*)", parameters, re.I)
            if kind.strip().lower() != "application/json" or (charset and charset[1].lower() != "utf-8"):
                raise Problem(415, "NOT_JSON_BY_ITS_TYPE", "a body is application/json in UTF-8")
        text = read_body()
        if not length:
            if body == "must":
                raise Problem(400, "NO_BODY", "a body is needed")
            return None
        if body == "none":
            return None
        try:
            content = parse(text)
        except NoJson as error:
            raise Problem(400, "NOT_JSON", str(error)[:300]) from error
        return content


def path_id(text):
    try:
        return urllib.parse.unquote(text, errors="strict")
    except UnicodeDecodeError:
        raise Problem(404, "NO_SUCH_ID", "no id is of such bytes") from None


def parse_query(text):
    query = {}
    for part in filter(None, text.split("&")):
        name, _, value = part.partition("=")
        query[urllib.parse.unquote_plus(name)] = urllib.parse.unquote_plus(value)
    return query


def members(content):
    """The members of a body that is an object; those that are null are as if they were not there."""
    if content is TooDeep:
        raise Problem(422, "TOO_DEEP", "JSON has at most 100 levels")
    if content is None:
        return {}
    if not isinstance(content, dict):
        raise Problem(422, "NOT_AN_OBJECT", "the body is a JSON object", "")
    return {name: value for name, value in content.items() if value is not None}


def whole_number(value, pointer, least=None):
    number = whole(value)
    if number is None or (least is not None and number < least):
        raise invalid(pointer, "a whole number" if least is None else f"a whole number from {least}")
    return number


def serve(server):
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True
        wbufsize = -1

        def respond(self):
            length = int(self.headers.get("content-length") or 0)
            taken = []

            def read_body():
                taken.append(self.rfile.read(length))
                if len(taken[0]) < length:
                    raise ConnectionError("the body was cut short")
                return taken[0]

            try:
                status, body = server.answer(self.command, self.path, self.headers, read_body)
            except ConnectionError:
                self.close_connection = True
                return
            if not taken and length:
                self.rfile.read(min(length, 16 * MEBIBYTE))
                self.close_connection = True
            content = b"" if body is None else dump(body).encode()
            self.send_response(status)
            kind = "application/problem+json" if status >= 400 else "application/json"
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.send_header("Content-Length", str(len(content)))
            if status == 405:
                self.send_header("Allow", ", ".join(body["allow"]))
            if self.close_connection:
                self.send_header("Connection", "close")
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(content)
            self.wfile.flush()

        def __getattr__(self, name):
            if name.startswith("do_"):
                return self.respond
            raise AttributeError(name)

        def log_message(self, *_):
            pass

    class Threads(http.server.ThreadingHTTPServer):
        request_queue_size = 512
        daemon_threads = True

        def handle_error(self, *_):
            """A client that hangs up is not news."""

    with Threads(("127.0.0.1", 0), Handler) as shell:
        print(f"listening on http://127.0.0.1:{shell.server_address[1]}", flush=True)
        shell.serve_forever()
