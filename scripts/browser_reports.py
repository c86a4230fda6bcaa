#!/usr/bin/env python3
"""scripts/browser_reports.py ASSAY FOLDER: the four reports that scripts/test-browser looks at, each of a real run.

conforming.html  the whole suite on the sound reference
fault.html       the whole suite on a server with one fault
hostile.html     a part of the suite on a server whose answers hold markup, script, control and bidi characters
large.html       5,000 cases and more on the server with one fault: the scenarios again and again, under other names
"""

import http.client
import http.server
import itertools
import json
import re
import subprocess
import sys
import tempfile
import threading
import urllib.parse
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SOURCE / "cli" / "testing"))

from listening import Listening  # noqa: E402

FAULT = "late-work-reopens"
COPIES = 4
# What an answer may hold so that a careless page runs it, ends an element early or shows something else.
HOSTILE = (
    "</script><script>window.hostile = 1</script>",
    "<img src=x onerror='window.hostile = 1'>",
    "\"><svg onload=window.hostile=1>",
    "' onmouseover='window.hostile = 1' x='",
    "javascript:window.hostile=1",
    "--><!--<script>window.hostile=1//",
    "</pre></code></details></article></section></main><h1>Conforms</h1>",
    "{{data}}{{script}}${window.hostile=1}`",
    "\u202edlofnu\u202c \u2066left\u2069 \u200b\u2028\u2029",
    "\x1b[2J\x1b]0;hostile\x07\x00\x08\x7f",
    "</style><style>body { display: none }</style>",
    "&lt;script&gt;&#0;&amp;amp;",
    "W" * 5000,
    "\U0001f4a9e\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301",
)


class HostileServer:
    """Passes requests on, and puts hostile texts into every JSON answer: values, member names, a header."""

    def __init__(self, url):
        address = urllib.parse.urlsplit(url).netloc
        texts = itertools.cycle(HOSTILE)

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def pass_on(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                connection = http.client.HTTPConnection(address, timeout=30)
                headers = {name: value for name, value in self.headers.items() if name.lower() != "host"}
                connection.request(self.command, self.path, body, headers)
                answer = connection.getresponse()
                content = answer.read()
                try:
                    value = json.loads(content)
                except ValueError:
                    value = None
                if isinstance(value, dict) and "limit=1" not in self.path:
                    value[next(texts)] = next(texts)
                    for name in ("state", "current_step", "terminal_event", "status", "reason", "version"):
                        if isinstance(value.get(name), str):
                            value[name] = next(texts)
                    content = json.dumps(value).encode()
                self.send_response(answer.status)
                self.send_header("Content-Type", answer.headers.get("Content-Type", "application/json"))
                self.send_header("X-Hostile", "<script>window.hostile=1</script>")
                self.send_header("Content-Length", str(len(content)))
                try:
                    self.end_headers()
                    self.wfile.write(content)
                except BrokenPipeError:
                    self.close_connection = True  # The harness gave up: the case was decided.

            do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = pass_on

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def copies_of_the_scenarios(folder):
    for copy in range(1, COPIES + 1):
        for path in (SOURCE / "scenarios").rglob("*.yaml"):
            text = re.sub(r"^id: (\S+)$", rf"id: \1-copy-{copy}", path.read_text(encoding="utf-8"), count=1, flags=re.M)
            place = folder / str(copy) / path.relative_to(SOURCE / "scenarios")
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")


def main():
    assay, folder = sys.argv[1], Path(sys.argv[2]).resolve()

    def judge(name, *options):
        report = folder / f"{name}.html"
        done = subprocess.run([assay, "run", "--seed", "5", "--quiet", "--report", f"html={report}", *options],
                              capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1) or not report.exists():
            sys.exit(f"browser_reports: {name}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
        print(f"browser_reports: {name}: {done.stdout.strip()}", flush=True)

    judge("conforming", "--in-process")
    with Listening(assay, "serve", "--port", "0", "--fault", FAULT) as server:
        judge("fault", "--target", server.url)
        with tempfile.TemporaryDirectory() as scenarios:
            copies_of_the_scenarios(Path(scenarios))
            judge("large", "--target", server.url, "--scenarios", scenarios)
    with Listening(assay, "serve", "--port", "0") as server, HostileServer(server.url) as url:
        judge("hostile", "--target", url, "status/*", "runs/*")


if __name__ == "__main__":
    main()
