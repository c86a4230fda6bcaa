"""A proxy of the tests: passes requests on, and may alter what comes back."""

import http.client
import http.server
import urllib.parse

from serving import Serving


class Proxy(Serving):
    """Passes on every request; `change` gets its method and path with the content of a JSON answer, and gives what is passed
    back. `headers` are added to each answer."""

    def __init__(self, url, change, headers=()):
        address = urllib.parse.urlsplit(url).netloc

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def pass_on(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                connection = http.client.HTTPConnection(address, timeout=30)
                sent = {name: value for name, value in self.headers.items() if name.lower() != "host"}
                connection.request(self.command, self.path, body, sent)
                answer = connection.getresponse()
                content = answer.read()
                kind = answer.headers.get("Content-Type", "application/json")
                if "json" in kind and content:
                    content = change(self.command, self.path, content)
                self.send_response(answer.status)
                for name, value in (("Content-Type", kind), ("Content-Length", str(len(content))), *headers):
                    self.send_header(name, value)
                connection.close()
                try:
                    self.end_headers()
                    self.wfile.write(content)
                except BrokenPipeError:
                    self.close_connection = True  # The harness gave up: the case was decided.

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = pass_on

            def log_message(self, *_):
                pass

        super().__init__(Handler)
