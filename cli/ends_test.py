"""How the program ends when it may not go on: by signals, without room or anybody to write to, without memory; and what is
kept of what it did.

usage: ends_test.py ASSAY_PROGRAM [unittest options]
"""

import concurrent.futures
import http.client
import http.server
import json
import os
import pathlib
import pty
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "testing"))

from measured import run_measured  # noqa: E402

ASSAY = str(pathlib.Path(sys.argv.pop(1)).resolve())
FEW = ["status/cancelled-*", "--no-cache"]
SLOW = ["status/*", "--jobs", "1", "--no-cache"]
PATIENCE_S = 60
NOBODY = 65_534
STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


# Answers nothing, minds no signal and no end of its input, and has a child that does likewise.
STUBBORN_ADAPTER = """
import json, os, signal, subprocess, sys, time
for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGPIPE):
    signal.signal(number, signal.SIG_IGN)
sys.stdin.readline()
print(json.dumps({"protocol": "assay-adapter", "version": 1, "capabilities": ["runs.create"]}), flush=True)
sys.stdin.readline()
child = subprocess.Popen(["sleep", "600"])
with open("pids.new", "w") as pids:
    print(os.getpid(), child.pid, file=pids)
os.rename("pids.new", "pids")
while True:
    time.sleep(600)
"""


def limited(kind, bytes_):
    return lambda: resource.setrlimit(kind, (bytes_, bytes_))


def without_threads():
    """Lets the program make no thread; root has no such limit."""
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))


def is_gone(process_id):
    """Whether a process has ended: nobody reaps what lost its parent here, so it may stay as a zombie."""
    try:
        return pathlib.Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    except OSError:
        return True


class Keeper(http.server.BaseHTTPRequestHandler):
    """Executions that never end, kept until they are deleted."""
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def answer(self):
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or "{}")
        path = self.path.partition("?")[0]
        identity = body.get("execution_id", path.split("/")[2] if path.count("/") > 1 else "")
        if path == "/end":
            self.server.is_torn_down = True
            self.server.over.set()
        elif (self.command, path) == ("POST", "/executions"):
            self.server.kept.add(identity)
            self.server.has_kept = True
        elif self.command == "DELETE":
            self.server.kept.discard(identity)
        elif self.command == "GET" and path.endswith("/status"):
            self.server.is_awaited.set()
            self.server.over.wait(PATIENCE_S)  # No case comes to an end, and so none is found to fail.
        reply = json.dumps({"execution_id": identity, "state": "RUNNING", "executions": [], "events": [], "next": None}).encode()
        self.send_response(201 if self.command == "POST" else 200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    do_GET = do_POST = do_DELETE = answer

    def log_message(self, *_):
        """Nothing."""


class KeeperServer(http.server.ThreadingHTTPServer):
    request_queue_size = 512
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Keeper)
        self.kept = set()
        self.has_kept = False
        self.is_torn_down = False
        self.is_awaited = threading.Event()
        self.over = threading.Event()
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()

    def handle_error(self, *_):
        """A client that hangs up is not news."""


class EndsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def assay(self, *arguments, **how):
        return subprocess.run([ASSAY, *arguments], stdout=how.pop("stdout", subprocess.PIPE), stderr=subprocess.PIPE, text=True,
                              cwd=self.folder, timeout=300, **how)

    def until(self, holds):
        end = time.monotonic() + PATIENCE_S
        while not holds():
            self.assertLess(time.monotonic(), end, "too late")
            time.sleep(0.02)

    def begun(self, *arguments):
        """A run that is under way: at least one case is in its record."""
        record = self.folder / "run.ndjson"
        running = subprocess.Popen([ASSAY, "run", *arguments, "--record", str(record)], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, cwd=self.folder)
        self.addCleanup(running.stdout.close)
        self.addCleanup(running.stderr.close)
        self.addCleanup(running.kill)
        self.until(lambda: record.exists() and record.read_text().count("\n") > 2)
        return running

    def launching(self):
        """A profile that starts the reference slowed down, and whatever tells its process."""
        (self.folder / "server.sh").write_text(f"echo $$ > shell.pid\n{ASSAY} serve --port 0 --delay-ms 20 &\n"
                                               "echo $! > server.pid\nwait\n")
        (self.folder / "p.yaml").write_text("name: launching\nextends: reference\n"
                                            "launch: {command: [sh, server.sh], ready_line: 'listening on '}\n")
        return ["--profile", "p.yaml"]

    def launched(self):
        return [int((self.folder / name).read_text()) for name in ("shell.pid", "server.pid")]

    def test_a_signal_ends_a_run_with_what_was_judged(self):
        for number in STOPS:
            with self.subTest(number.name):
                (self.folder / "run.ndjson").unlink(missing_ok=True)
                running = self.begun(*self.launching(), *SLOW)
                children = self.launched()
                running.send_signal(number)
                out, _ = running.communicate(timeout=PATIENCE_S)
                self.assertEqual(running.returncode, 4, out)
                self.assertIn("incomplete", out.lower())
                self.assertEqual(self.assay("report", "run.ndjson").returncode, 4)
                self.until(lambda children=children: all(is_gone(child) for child in children))

    def test_a_signal_leaves_nothing_on_the_server(self):
        (self.folder / "p.yaml").write_text(
            "name: keeper\nextends: reference\nsetup: [{request: POST /begin}]\nteardown: [{request: POST /end}]\n"
            "cleanup: {execution_id: {request: 'DELETE /executions/${execution_id}'}}\n"
            "limits: {within_ms: 60000, request_ms: 60000}\n")
        for number, verb, said in ((signal.SIGINT, ["run", "status/completed-*", "--no-cache"], "(?i)incomplete"),
                                   (signal.SIGTERM, ["explore", "lower-layers-never-close", "--cases", "8"], r"\(stopped\)"),
                                   (signal.SIGINT, ["probe"], r"assay: interrupted after [1-9]\d* of \d\d operations; incomplete"),
                                   (signal.SIGTERM, ["probe", "--json"], "interrupted after"),
                                   (signal.SIGHUP, ["probe"], "interrupted after")):
            with self.subTest(verb[0], signal=number.name):
                server = KeeperServer()
                self.addCleanup(server.server_close)
                self.addCleanup(server.shutdown)
                running = subprocess.Popen([ASSAY, *verb, "--profile", "p.yaml", "--target", server.url], cwd=self.folder, text=True,
                                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                self.addCleanup(running.stdout.close)
                self.addCleanup(running.kill)
                # What waits for an answer is given up, to be cleaned up in time.
                self.assertTrue(server.is_awaited.wait(PATIENCE_S))
                running.send_signal(number)
                out, _ = running.communicate(timeout=PATIENCE_S)
                self.assertEqual(running.returncode, 4, out)
                self.assertRegex(out, said)
                self.assertTrue(server.has_kept)
                self.assertEqual(server.kept, set())
                self.assertTrue(server.is_torn_down)

    def ended_by(self, number, sign, *verb):
        """Exit code and output of what gets a signal once its progress, which a terminal alone is shown, has a sign."""
        seen, terminal = pty.openpty()
        running = subprocess.Popen([ASSAY, *verb], stdout=subprocess.PIPE, stderr=terminal, text=True, cwd=self.folder,
                                   env={**os.environ, "TERM": "xterm"})
        self.addCleanup(running.kill)
        os.close(terminal)
        shown = ""
        while not re.search(sign, shown):
            shown += os.read(seen, 4096).decode()
        running.send_signal(number)
        out, _ = running.communicate(timeout=PATIENCE_S)
        os.close(seen)
        return running.returncode, out

    def test_a_signal_ends_exploring_and_the_selftest_with_what_was_judged(self):
        for verb, sign, said in ((["explore", "--cases", "1000000"], r"\d+ cases", r"(?s)run-walks.*\(stopped\)"),
                                 (["selftest", "--own-clause", "--property-commands", "0", "--liberties-markdown", "page.md"],
                                  r"[3-9] of \d+ faults",
                                  r"(?s)([1-9]\d*) of \1 faults caught.*Interrupted after \1 of \d+ servers; incomplete"),
                                 # A hunt by generated cases that none of them ends.
                                 (["selftest", "--fault", "longest-run-id-is-refused", "--own-clause", "--property-commands",
                                   "1000000000"], r"0 of 1 faults", r"Interrupted after 0 of 1 servers; incomplete")):
            # All signals at once: it takes no longer than one.
            with concurrent.futures.ThreadPoolExecutor(len(STOPS)) as pool:
                ends = [(number, pool.submit(self.ended_by, number, sign, *verb)) for number in STOPS]
            for number, end in ends:
                with self.subTest(verb[0], signal=number.name):
                    code, out = end.result()
                    self.assertEqual(code, 4, out)
                    self.assertRegex(out, said)
        self.assertFalse((self.folder / "page.md").exists())

    def test_a_signal_ends_the_audit_of_a_log_that_grows(self):
        def event(number, kind):
            return json.dumps({"event_id": str(number), "event_type": kind, "execution_id": "x",
                               "timestamp": "2026-01-01T00:00:00Z"}) + "\n"
        log = self.folder / "growing.ndjson"
        log.write_text(event(1, "playbook.completed"))
        record = self.folder / "followed.ndjson"
        with subprocess.Popen([ASSAY, "audit", str(log), "--follow", "--record", str(record)], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as audit:
            with log.open("a") as growing:
                growing.write(event(2, "playbook.failed") + '{"event_id": "half a li')
            said = audit.stdout.readline()  # Comes while the audit goes on.
            self.assertIn("fail  STM-ONCE-1: playbook.failed closes an execution that event 1 closed", said)
            self.assertIn(f"{log}:2:1  execution x", said)
            self.assertIsNone(audit.poll())
            audit.send_signal(signal.SIGTERM)
            out, err = audit.communicate(timeout=PATIENCE_S)
        self.assertEqual(audit.returncode, 1, err)
        self.assertIn("read 2 events of 1 execution", err)
        self.assertIn("Does not conform", out)
        self.assertIn('"type":"footer"', record.read_text())

    def test_a_signal_ends_an_audit_with_what_was_read(self):
        for jobs in ("1", "2"):
            with self.subTest(jobs), subprocess.Popen([ASSAY, "audit", "-", "--jobs", jobs, "--record", "cut.ndjson"], text=True,
                                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                                      cwd=self.folder) as audit:
                ends = "".join(json.dumps({"event_id": f"{number}-{kind}", "event_type": kind, "execution_id": str(number),
                                           "timestamp": "2026-01-01T00:00:00Z"}) + "\n"
                               for number in range(100_000) for kind in ("playbook.completed",))
                audit.stdin.write(ends + '{"event_id": "half a li')
                audit.stdin.flush()
                audit.send_signal(signal.SIGINT)
                out, err = audit.stdout.read(), audit.stderr.read()
                self.assertEqual(audit.wait(timeout=PATIENCE_S), 4, out + err)
                self.assertIn("Interrupted", out)
                self.assertNotIn("log/readable", out)
                self.assertNotIn('"type":"footer"', (self.folder / "cut.ndjson").read_text())

    def test_what_was_launched_does_not_outlive_a_sudden_end(self):
        running = self.begun(*self.launching(), *SLOW)
        children = self.launched()
        running.kill()
        running.wait()
        self.until(lambda: all(is_gone(child) for child in children))

    def test_an_adapter_does_not_outlive_a_sudden_end(self):
        (self.folder / "adapter.py").write_text(STUBBORN_ADAPTER)
        (self.folder / "p.yaml").write_text(f"name: adapted\nadapter: {{command: [{sys.executable}, adapter.py]}}\n"
                                            "capabilities: [runs.create]\n"
                                            "operations: {runs.create: {read: {object: {run_id: /name}}}}\n")
        with subprocess.Popen([ASSAY, "run", "runs/*", "--profile", "p.yaml", "--no-cache"], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True, cwd=self.folder) as running:
            pids = self.folder / "pids"
            self.until(lambda: pids.exists() and pids.read_text().endswith("\n") or running.poll() is not None)
            self.assertIsNone(running.poll(), running.returncode)
            children = [int(word) for word in pids.read_text().split()]
            self.assertEqual([is_gone(child) for child in children], [False, False])
            running.kill()
        self.until(lambda: all(is_gone(child) for child in children))

    def test_a_signal_that_was_ignored_stays_so(self):
        running = subprocess.Popen([ASSAY, "run", *FEW], stdout=subprocess.PIPE, text=True,
                                   preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        running.send_signal(signal.SIGHUP)
        out, _ = running.communicate(timeout=PATIENCE_S)
        self.assertEqual(running.returncode, 0, out)

    def test_no_room_to_write_is_told_and_the_report_stands(self):
        for arguments in (["--record", "/dev/full"], ["--report", "html=/dev/full", "--report", "junit=j.xml"]):
            with self.subTest(arguments):
                done = self.assay("run", *FEW, *arguments)
                self.assertEqual(done.returncode, 6)
                self.assertIn("/dev/full: No space left on device", done.stderr)
                self.assertIn("Selected cases pass", done.stdout)
        self.assertTrue((self.folder / "j.xml").read_text())
        log = self.folder / "log.ndjson"
        log.write_text('{"event_id": "1", "event_type": "playbook.completed", "execution_id": "x"}\n')
        for arguments in (["explore", "run-walks", "--cases", "1", "--report", "json=/dev/full"],
                          ["audit", str(log), "--record", "/dev/full"],
                          ["selftest", "--fault", "batch-completed-closes", "--own-clause", "--property-commands", "0",
                           "--markdown", "/dev/full"]):
            with self.subTest(arguments):
                done = self.assay(*arguments)
                self.assertEqual(done.returncode, 6, done.stderr)
                self.assertIn("/dev/full: No space left on device", done.stderr)

    def test_a_file_that_may_not_grow_is_told(self):
        done = self.assay("run", *FEW, "--record", "r.ndjson", preexec_fn=limited(resource.RLIMIT_FSIZE, 4_096))
        self.assertEqual(done.returncode, 6, done.stderr)
        self.assertIn("r.ndjson: File too large", done.stderr)
        self.assertIn("Selected cases pass", done.stdout)

    def test_a_record_in_a_pipe_is_one(self):
        done = self.assay("run", *FEW, "--quiet", "--record", "/dev/stderr")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual([line.count('"type":"header"') for line in done.stderr.splitlines()].count(1), 1)
        (self.folder / "r.ndjson").write_text(done.stderr)
        self.assertEqual(self.assay("report", "r.ndjson").returncode, 0)

    def test_nobody_who_reads_is_told(self):
        for verb in (["run", *FEW], ["explore", "run-walks", "--cases", "1"], ["list", "clauses"], ["audit", "/dev/null"]):
            with self.subTest(verb[0]):
                reader, writer = os.pipe()
                os.close(reader)
                done = self.assay(*verb, stdout=writer)
                os.close(writer)
                self.assertEqual(done.returncode, 6, done.stderr)
                self.assertIn("standard output: Broken pipe", done.stderr)

    def test_a_closed_output_is_told_and_no_file_takes_its_place(self):
        done = subprocess.run(["sh", "-c", '"$0" run "$@" >&-', ASSAY, *FEW, "--report", "json=r.json"], stderr=subprocess.PIPE,
                              text=True, cwd=self.folder, timeout=300)
        self.assertEqual(done.returncode, 6, done.stderr)
        self.assertIn("standard output: Bad file descriptor", done.stderr)
        self.assertTrue((self.folder / "r.json").read_text().startswith("{"))
        for closed in ("2>&-", "<&-", "<&- 2>&-"):
            done = subprocess.run(["sh", "-c", f'"$0" run "$@" {closed}', ASSAY, *FEW], stdout=subprocess.PIPE, text=True,
                                  cwd=self.folder, timeout=300)
            self.assertEqual(done.returncode, 0, closed)

    def test_no_memory_is_told(self):
        for mebibytes in (60, 85, 100, 150, 300):
            with self.subTest(mebibytes):
                done = self.assay("run", *FEW, preexec_fn=limited(resource.RLIMIT_AS, mebibytes << 20))
                # Half a change in the reference must blame nobody: no 1. 127: the loader itself had no room.
                self.assertIn(done.returncode, (0, 6, 127), done.stderr)
                self.assertTrue(done.returncode == 0 or done.stderr)

    def test_no_descriptors_are_told(self):
        server = KeeperServer()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        # Of the embedded server, and of one elsewhere: what is wanting is never the target's.
        for target in ([], ["--target", server.url, "--jobs", "8"]):
            for count in (5, 7, 9, 12):
                with self.subTest(target=target, count=count):
                    done = self.assay("run", *FEW, *target, preexec_fn=limited(resource.RLIMIT_NOFILE, count))
                    self.assertIn(done.returncode, (1, 6) if target else (6,), done.stdout + done.stderr)
                    if done.returncode == 6:
                        self.assertIn("Too many open files", done.stdout + done.stderr)

    def test_no_threads_are_told(self):
        with tempfile.TemporaryDirectory() as folder:
            # Nobody may look into a clone below the home of root.
            os.chmod(folder, 0o755)
            program = shutil.copy(ASSAY, folder)
            for verb in (["run", *FEW], ["explore", "run-walks", "--cases", "1"], ["serve", "--port", "0"]):
                with self.subTest(verb[0]):
                    done = subprocess.run([program, *verb], capture_output=True, text=True, timeout=PATIENCE_S,
                                          cwd=folder, preexec_fn=without_threads)
                    self.assertEqual(done.returncode, 6, done.stderr)
                    self.assertIn("no thread", done.stderr)

    def test_a_server_without_descriptors_goes_on_serving(self):
        serving = subprocess.Popen([ASSAY, "serve", "--port", "0"], stdout=subprocess.PIPE, text=True,
                                   preexec_fn=limited(resource.RLIMIT_NOFILE, 16))
        self.addCleanup(serving.stdout.close)
        self.addCleanup(serving.kill)
        address = urllib.parse.urlsplit(serving.stdout.readline().split()[-1])
        idle = [http.client.HTTPConnection(address.hostname, address.port, timeout=PATIENCE_S) for _ in range(40)]
        for client in idle:
            self.addCleanup(client.close)
            client.request("GET", "/healthz")
            self.assertEqual(client.getresponse().read() != b"", True)
        serving.send_signal(signal.SIGTERM)
        self.assertEqual(serving.wait(timeout=PATIENCE_S), 0)

    def press(self, host, port):
        """As much as a server takes of what fills its memory: long heads without an end, and long bodies of small values."""
        held = []
        body = b"[" + b"0," * 1_000_000 + b"0]"
        head = b"POST /executions/x/events/batch HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n" % len(body)
        for number in range(400):
            try:
                client = socket.create_connection((host, port), timeout=1)
                held.append(client)
                client.sendall(head + body if number % 20 == 0 else b"GET / HTTP/1.1\r\nX-Long: " + b"x" * 50_000)
            except OSError:
                continue  # Refused, or not taken.
        for client in held:
            client.close()

    def test_a_server_without_memory_refuses_clients_and_goes_on(self):
        has_listened = []
        for mebibytes in (60, 80, 90, 100, 110, 130, 160, 200, 250, 300):
            with self.subTest(mebibytes), subprocess.Popen([ASSAY, "serve", "--port", "0"], stdout=subprocess.PIPE, text=True,
                                                           stderr=subprocess.PIPE,
                                                           preexec_fn=limited(resource.RLIMIT_AS, mebibytes << 20)) as serving:
                self.addCleanup(serving.kill)
                line = serving.stdout.readline()
                if not line:  # There was no room to begin. 127: not even for the loader.
                    self.assertIn(serving.wait(timeout=PATIENCE_S), (6, 127))
                    self.assertTrue(serving.stderr.read())
                    continue
                has_listened.append(mebibytes)
                address = urllib.parse.urlsplit(line.split()[-1])
                self.press(address.hostname, address.port)
                self.assertIsNone(serving.poll(), serving.returncode)
                serving.send_signal(signal.SIGTERM)
                self.assertEqual(serving.wait(timeout=PATIENCE_S), 0)
        self.assertIn(300, has_listened)

    def test_idle_connections_starve_nobody(self):
        idle = HERE.parent / "bench" / "idle_connections"
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        count = 10_000 if most == resource.RLIM_INFINITY else min(10_000, most - 200)
        done = subprocess.run([sys.executable, idle, ASSAY, str(count)], capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f"{count} idle connections", done.stdout)

    def test_what_never_ends_is_no_input(self):
        for arguments in (["lint", "/dev/zero"], ["run", "--profile", "/dev/zero"], ["report", "/dev/zero"],
                          ["run", "--scenarios", "/dev/zero"], ["run", *FEW, "--baseline", "/dev/zero"],
                          ["diff", "/dev/zero", "/dev/zero"], ["run", *FEW, "--last-failed", "/dev/zero"]):
            with self.subTest(arguments):
                done = self.assay(*arguments, preexec_fn=limited(resource.RLIMIT_AS, 1_000 << 20))
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn("/dev/zero: is not text", done.stderr)
        (self.folder / "tls.yaml").write_text("name: p\nextends: reference\nbase_url: https://127.0.0.1:1\ntls: {ca: /dev/zero}\n")
        self.assertEqual(self.assay("probe", "--profile", "tls.yaml").returncode, 2)
        with open(self.folder / "large.yaml", "wb") as large:
            large.truncate(65 << 20)
        self.assertIn("is larger than 64 MiB", self.assay("lint", "large.yaml").stderr)

    def peak_bytes(self, *arguments):
        """The most memory that the program had; it must end well."""
        done, peak_bytes = run_measured(ASSAY, *arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                        cwd=self.folder, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr)
        return peak_bytes

    def test_a_record_is_read_without_being_held(self):
        self.assertEqual(self.assay("run", "runs/*", "--no-cache", "--shard", "1/1", "--record", "small.ndjson").returncode, 0)
        lines = [json.loads(line) for line in (self.folder / "small.ndjson").read_text().splitlines()]
        # None of them large by itself: one at a time is in memory.
        cases = [line for line in lines if line["type"] == "case" and 0 < len(line["exchanges"]) < 40]
        padding = " " * (24_000_000 // sum(len(case["exchanges"]) for case in cases))
        for case in cases:
            for exchange in case["exchanges"]:
                exchange["response"]["body"] += padding
        lines[-1]["digest"] = ""
        large = self.folder / "large.ndjson"
        large.write_text("".join(json.dumps(line) + "\n" for line in lines))
        self.assertGreater(large.stat().st_size, 22_000_000)
        self.assertGreater(len(cases), 50)
        for verb in (*(["report", "{}", "--format", name] for name in ("text", "json", "junit", "html")), ["verify", "{}"],
                     ["diff", "{}", "{}"], ["merge", "{}", "-o", "merged.ndjson", "--report", "json=merged.json"],
                     ["matrix", "{}"], ["flaky", "{}"], ["baseline", "init", "{}"], ["repro", "{}", cases[0]["id"], "-o", "bundle"]):
            with self.subTest(verb):
                small, held = (self.peak_bytes(*(word.format(name) for word in verb)) for name in ("small.ndjson", "large.ndjson"))
                self.assertLess(held - small, 8_000_000)
        self.assertGreater((self.folder / "merged.ndjson").stat().st_size, 22_000_000)

    def test_nonsense_in_numbers_is_refused(self):
        for arguments in (["serve", "--max-event-bytes", "-1"], ["serve", "--max-batch-bytes", "0"],
                          ["serve", "--max-event-bytes", "99999999999999999999"], ["serve", "--job-timeout-ms", "99999999999999"],
                          ["run", "--consistency-ms", "700000"]):
            with self.subTest(arguments):
                self.assertEqual(self.assay(*arguments).returncode, 2)

    def test_no_verb_takes_nonsense_for_a_number(self):
        verbs = re.findall(r"^  (\w+)  ", self.assay("--help").stdout.partition("Subcommands:")[2], re.M)
        options = [(verb, option) for verb in verbs
                   for option in re.findall(r"^ +(--[a-z-]+) (?:UINT|INT|FLOAT)", self.assay(verb, "--help").stdout, re.M)]
        self.assertGreater(len(options), 30)
        for verb, option in options:
            for value in ("-1", "nan", "1e400", "x", ""):
                with self.subTest(f"{verb} {option}={value}"):
                    done = self.assay(verb, f"{option}={value}")
                    self.assertEqual(done.returncode, 2, done.stdout)
                    self.assertIn(option, done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
