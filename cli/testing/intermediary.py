"""What may stand between a client and a server: passes requests on, and does something to answers, or in place of them.

Kinds that answer themselves, hang up or spoil an answer do so for every PERIODth request (`drop-connection`: connection); kinds
that only say the same in another way do it always.
"""

import gzip
import http.client
import itertools
import random
import socket
import socketserver
import struct
import threading
import time

# Answers of what is not the server: status, headers.
WAYS = {"429": (429, {"Retry-After": "0"}), "429-soon": (429, {}), "503": (503, {"Retry-After": "0"}),
        "503-bare": (503, {}), "502": (502, {}), "504": (504, {}), "408": (408, {}), "portal": (200, {})}


def head_and_body(answer):
    head, _, body = answer.partition(b"\r\n\r\n")
    return head, body


def with_fields(head, *fields):
    return b"\r\n".join([head, *fields, b"", b""])


def without(head, name):
    return b"\r\n".join(line for line in head.split(b"\r\n") if not line.lower().startswith(name.lower() + b":"))


def chunked(answer, extension=b"", trailer=b""):
    head, body = head_and_body(answer)
    if not body:
        return answer
    pieces = [body[at:at + 7] for at in range(0, len(body), 7)]
    framed = b"".join(b"%x%s\r\n%s\r\n" % (len(piece), extension, piece) for piece in pieces)
    return with_fields(without(head, b"content-length"), b"Transfer-Encoding: chunked") + framed + b"0\r\n" + trailer + b"\r\n"


def in_old_http(answer):
    head, body = head_and_body(answer)
    return with_fields(without(head.replace(b"HTTP/1.1", b"HTTP/1.0", 1), b"content-length"), b"Connection: close") + body


def in_other_case(answer):
    head, body = head_and_body(answer)
    first, *fields = head.split(b"\r\n")
    shouted = [name.upper() + b": \t " + value.strip() + b" \t" for name, _, value in (field.partition(b":") for field in fields)]
    return with_fields(b"\r\n".join([first, *shouted])) + body


def with_company(answer):
    head, body = head_and_body(answer)
    return with_fields(head, b"Via: 1.1 between", b"Set-Cookie: a=b", b"Set-Cookie: c=d", b"X-Odd: \xff\xfe \xe9",
                       *(b"X-Hop-%d: %s" % (number, b"v" * 100) for number in range(60))) + body


def with_body(answer, body, *fields):
    head, _ = head_and_body(answer)
    return with_fields(without(head, b"content-length"), b"Content-Length: %d" % len(body), *fields) + body


# The same answer, said in another way: nothing of what it says is changed.
HARMLESS = {
    "plain": lambda answer: answer,
    "chunked": chunked,
    "chunk-extensions": lambda answer: chunked(answer, b';a="b;c"'),
    "trailer": lambda answer: chunked(answer, trailer=b"X-Sum: 1\r\n"),
    "old-http": in_old_http,
    "continue": lambda answer: b"HTTP/1.1 100 Continue\r\n\r\n" + answer,
    "early-hints": lambda answer: b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" * 3 + answer,
    "other-case": in_other_case,
    "company": with_company,
    "no-reason": lambda answer: answer[:13] + answer[answer.index(b"\r"):],
    "close-said": lambda answer: with_fields(head_and_body(answer)[0], b"Connection: close") + head_and_body(answer)[1],
    "close-unsaid": lambda answer: answer,
    "answer-and-copy": lambda answer: answer + answer,
    "answer-and-late-copy": lambda answer: answer,
    "copies-from-the-fortieth": lambda answer: answer,
    "split": lambda answer: answer,
    "slow": lambda answer: answer,
}

# What a client meets before it knows: how many requests that costs depends on who is faster, and what it loses by that is undecided.
UNANNOUNCED = ["close-unsaid", "answer-and-late-copy", "copies-from-the-fortieth"]

# In place of every so manieth answer: bytes that are no whole answer, or none that says anything; the connection ends.
SPOILED = {
    "cut-head": lambda answer: answer[:20],
    "cut-body": lambda answer: answer[:-3],
    "garbage": lambda _: random.Random(7).randbytes(300),
    "other-protocol": lambda _: b"SSH-2.0-OpenSSH_9.2\r\n",
    "nothing": lambda _: b"",
    "reset": lambda answer: answer[:30],
    "two-lengths": lambda answer: with_fields(head_and_body(answer)[0], b"Content-Length: 1") + head_and_body(answer)[1],
    "folded": lambda answer: with_fields(head_and_body(answer)[0], b"X-A: 1", b" Content-Length: 3", b"Bad Name: x") + b"{}",
    "long-head": lambda answer: with_fields(head_and_body(answer)[0], b"X-Long: " + b"x" * 100_000),
    "long-body": lambda answer: with_body(answer, b'"' + b"x" * 9_000_000 + b'"'),
    "many-values": lambda answer: with_body(answer, b"[" + b"0," * 300_000 + b"0]"),
    "deep": lambda answer: with_body(answer, b"[" * 50_000 + b"]" * 50_000),
    "gzip": lambda answer: with_body(answer, gzip.compress(head_and_body(answer)[1]), b"Content-Encoding: gzip"),
    "switch": lambda _: b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    "endless-interim": lambda answer: b"HTTP/1.1 100 Continue\r\n\r\n" * 2_000 + answer,
    "endless-trailer": lambda answer: chunked(answer, trailer=b"X-T: 1\r\n" * 20_000),
    "hang": lambda answer: answer[:10],
}


def read_message(stream):
    """The first line, the headers as they are, and the body; None at the end."""
    first = stream.readline(65_537)
    if not first:
        return None
    head = [first]
    length = 0
    while True:
        line = stream.readline(65_537)
        head.append(line)
        if line in (b"\r\n", b"\n", b""):
            break
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            length = int(value)
    return first, b"".join(head), stream.read(length)


class Passage(socketserver.StreamRequestHandler):
    disable_nagle_algorithm = True

    def handle(self):
        kind, is_due = self.server.kind, self.server.is_due
        if kind == "drop-connection" and is_due():
            return
        with socket.create_connection(self.server.upstream) as upstream:
            upstream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            answers = upstream.makefile("rb")
            while (message := read_message(self.rfile)) is not None:
                if kind in WAYS and is_due():
                    self.wfile.write(own_answer(*WAYS[kind]))
                    continue
                if kind == "drop-request" and is_due():
                    return
                upstream.sendall(message[1] + message[2])
                answer = read_message(answers)
                if answer is None or not self.give(answer[1] + answer[2]):
                    return

    def give(self, answer):
        """Passes an answer on, each kind in its way; false where the connection ends with it."""
        kind = self.server.kind
        if kind in SPOILED and self.server.is_due():
            self.wfile.write(SPOILED[kind](answer))
            if kind == "hang":
                self.server.ended.wait(2)
            if kind == "reset":
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            return False
        said = HARMLESS.get(kind, HARMLESS["plain"])(answer)
        if kind == "split":
            for at in range(0, len(said), 40):
                self.wfile.write(said[at:at + 40])
        else:
            time.sleep(0.02 if kind == "slow" else 0)
            self.wfile.write(said)
        if kind == "answer-and-late-copy":
            time.sleep(0.001)
            self.wfile.write(said)
        # By then a client has learned that it may use connections again at once.
        if kind == "copies-from-the-fortieth" and next(self.server.turns) >= 40:
            time.sleep(0.01)
            self.wfile.write(said)
        return kind not in ("old-http", "close-said", "close-unsaid")


def own_answer(status, headers):
    body = b"<html>try again</html>"
    fields = {"Content-Type": "text/html", "Content-Length": len(body), **headers}
    head = f"HTTP/1.1 {status} {http.client.responses[status]}\r\n"
    return (head + "".join(f"{name}: {value}\r\n" for name, value in fields.items()) + "\r\n").encode() + body


class Intermediary(socketserver.ThreadingTCPServer):
    """Stands before the server at `upstream` ("http://HOST:PORT") for as long as the `with` lasts."""
    request_queue_size = 512
    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, upstream, kind, period=1):
        super().__init__(("127.0.0.1", 0), Passage)
        host, _, port = upstream.removeprefix("http://").partition(":")
        self.upstream, self.kind, self.period = (host, int(port)), kind, period
        self.turns = itertools.count(1)
        self.ended = threading.Event()
        self.url = f"http://127.0.0.1:{self.server_address[1]}"

    def is_due(self):
        return next(self.turns) % self.period == 0

    def __enter__(self):
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.shutdown()
        self.server_close()

    def handle_error(self, *_):
        """A client that hangs up is not news."""
