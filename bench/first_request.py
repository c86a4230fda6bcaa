#!/usr/bin/env python3
"""Prints the milliseconds from the start of a run of the whole suite to its first request, the least of so many.

usage: bench/first_request.py ASSAY ROUNDS
The first round also keeps the suite as it is recorded, which the others find.
"""

import os
import socket
import subprocess
import sys
import tempfile
import time


def first_request_s(assay, environment):
    """Listens for it, takes it, and ends the run."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(60)
        begin = time.monotonic()
        run = subprocess.Popen([assay, "run", "--target", f"http://127.0.0.1:{server.getsockname()[1]}"],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
        try:
            connection, _ = server.accept()
            with connection:
                connection.settimeout(60)
                connection.recv(1)
                return time.monotonic() - begin
        finally:
            run.kill()
            run.wait()


def main():
    assay, rounds = sys.argv[1], int(sys.argv[2])
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "XDG_CACHE_HOME": cache}
        recorded = first_request_s(assay, environment)
        kept = min(first_request_s(assay, environment) for _ in range(rounds))
    print(f"recorded_ms {1000 * recorded:.0f}")
    print(f"kept_ms {1000 * kept:.0f}")


main()
