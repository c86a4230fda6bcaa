"""What may stand between a client and a server: passes requests on, and every so often answers itself or hangs up.

usage: python3 intermediary.py HOST:PORT KIND PERIOD, KIND a key of WAYS; every PERIODth request (of `drop-connection`:
connection) is not passed on
"""

import http.client
import itertools
import socket
import socketserver
import sys

WAYS = {"429": (429, {"Retry-After": "0"}), "429-soon": (429, {}), "503": (503, {"Retry-After": "0"}),
        "503-bare": (503, {}), "502": (502, {}), "504": (504, {}), "408": (408, {}), "drop-request": None,
        "drop-connection": None}


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
        kind = self.server.kind
        if kind == "drop-connection" and next(self.server.connections) % self.server.period == 0:
            return
        with socket.create_connection(self.server.upstream) as upstream:
            upstream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            answers = upstream.makefile("rb")
            while (message := read_message(self.rfile)) is not None:
                if kind != "drop-connection" and next(self.server.requests) % self.server.period == 0:
                    if WAYS[kind] is None:
                        return
                    self.wfile.write(own_answer(*WAYS[kind]))
                    continue
                upstream.sendall(message[1] + message[2])
                answer = read_message(answers)
                if answer is None:
                    return
                self.wfile.write(answer[1] + answer[2])


def own_answer(status, headers):
    body = b"<html>try again</html>"
    fields = {"Content-Type": "text/html", "Content-Length": len(body), **headers}
    head = f"HTTP/1.1 {status} {http.client.responses[status]}\r\n"
    return (head + "".join(f"{name}: {value}\r\n" for name, value in fields.items()) + "\r\n").encode() + body


class Intermediary(socketserver.ThreadingTCPServer):
    request_queue_size = 512
    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, upstream, kind, period):
        super().__init__(("127.0.0.1", 0), Passage)
        self.upstream, self.kind, self.period = upstream, kind, period
        self.requests, self.connections = itertools.count(1), itertools.count(1)

    def handle_error(self, *_):
        """A client that hangs up is no news."""


if __name__ == "__main__":
    host, _, port = sys.argv[1].partition(":")
    with Intermediary((host, int(port)), sys.argv[2], int(sys.argv[3])) as proxy:
        print(f"listening on http://127.0.0.1:{proxy.server_address[1]}", flush=True)
        proxy.serve_forever()
