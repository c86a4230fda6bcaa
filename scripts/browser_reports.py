#!/usr/bin/env python3
"""scripts/browser_reports.py ASSAY FOLDER: the four reports that scripts/test-browser looks at, each of a real run.

conforming.html  the whole suite on the sound reference
fault.html       the whole suite on a server with one fault
hostile.html     a part of the suite on a server whose answers hold markup, script, control and bidi characters
large.html       5,000 cases and more on the server with one fault: the scenarios again and again, under other names
"""

import itertools
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SOURCE / "cli" / "testing"))

from listening import Listening  # noqa: E402
from proxy import Proxy  # noqa: E402

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


def hostile_server(url):
    """Passes requests on, and puts hostile texts into every JSON answer: values, member names, a header."""
    texts = itertools.cycle(HOSTILE)

    def change(_, path, content):
        value = json.loads(content)
        if not isinstance(value, dict) or "limit=1" in path:
            return content
        value[next(texts)] = next(texts)
        for name in ("state", "current_step", "terminal_event", "status", "reason", "version"):
            if isinstance(value.get(name), str):
                value[name] = next(texts)
        return json.dumps(value).encode()

    return Proxy(url, change, headers=[("X-Hostile", "<script>window.hostile=1</script>")])


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
    with Listening(assay, "serve", "--port", "0") as server, hostile_server(server.url) as hostile:
        judge("hostile", "--target", hostile.url, "status/*", "runs/*")


if __name__ == "__main__":
    main()
