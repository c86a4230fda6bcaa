"""A server of the tests, in the process of the test."""

import http.server
import threading


class Server(http.server.ThreadingHTTPServer):
    """Cases come side by side; the default lets five clients wait and loses the others."""

    request_queue_size = 128
    daemon_threads = True


class Serving:
    """A handler that serves on a free port, until the end of a `with`."""

    def __init__(self, handler):
        self.server = Server(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
