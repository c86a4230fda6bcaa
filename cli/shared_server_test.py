"""Judges one reference server that outlives the run, as real ones do: it has met earlier runs, another client works
on it meanwhile, it answers late and shows what was written later still. No verdict may depend on that.

usage: shared_server_test.py ASSAY_PROGRAM [unittest options]
"""

import http.client
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "testing"))

from listening import Listening  # noqa: E402

ASSAY = sys.argv.pop(1)

# What another client can disturb: listings, one queue of jobs, one order of events.
GOOD_PART = ["status/*", "events/*", "lifecycle/*", "runs/*", "routing/*", "api/*"]
# Every family, and every kind of wait; the whole suite against a late server is bench/late_server's.
SMALL_PART = ["status/premature-*", "status/completed-*", "status/cancel-*", "routing/exclusive-*", "runs/created-*",
              "events/duplicate-*", "lifecycle/happy-path"]


def serve(*options):
    """`assay serve`, until the end of a `with`."""
    return Listening(ASSAY, "serve", "--port", "0", *options)


class OtherClient:
    """Makes executions of every kind at 50 a second, and reads what it sees, until the end of a `with`."""

    PER_SECOND = 50

    def __init__(self, url):
        self.address = urllib.parse.urlsplit(url).netloc
        self.ended = threading.Event()
        self.made = 0
        self.thread = threading.Thread(target=self.work)

    def __enter__(self):
        self.begun = time.monotonic()
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()
        self.per_second = self.made / (time.monotonic() - self.begun)

    def work(self):
        connection = http.client.HTTPConnection(self.address)

        def call(method, path, body=None):
            headers = {"Content-Type": "application/json"} if body is not None else {}
            connection.request(method, path, json.dumps(body) if body is not None else None, headers)
            answer = connection.getresponse()
            answer.read()
            assert answer.status < 500, f"{method} {path}: {answer.status}"

        begun = time.monotonic()
        for number in itertools.count():
            if self.ended.wait(max(0, begun + number / self.PER_SECOND - time.monotonic())):
                break
            name = f"another-{number}"
            kind = number % 4
            if kind == 0:
                call("POST", "/executions", {"execution_id": name})
                call("POST", f"/executions/{name}/events", {
                    "event_id": f"{name}-1", "event_type": "playbook.initialized", "timestamp": "2026-01-01T00:00:00Z"})
            elif kind == 1:
                call("POST", "/executions", {"execution_id": name, "playbook": {"workflow": [{"step": "a"}]}})
            elif kind == 2:
                call("POST", "/workflow-execution", {"workflow": {"name": name, "steps": []}})
            else:
                call("POST", "/runs", {"run_id": name})
            call("GET", "/executions?limit=10")
            self.made += 1
        connection.close()


class SharedServer(unittest.TestCase):
    def judge(self, *arguments):
        """The exit code, the JSON report, and the verdict of each case that applied."""
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder) / "report.json"
            done = subprocess.run([ASSAY, "run", "--quiet", "--report", f"json={report}", *arguments],
                                  capture_output=True, text=True, timeout=600)
            self.assertEqual(done.stderr, "")
            result = json.loads(report.read_text())
        verdicts = {case["id"]: case["verdict"] for case in result["cases"] if case["verdict"] != "not_applicable"}
        return done.returncode, result, verdicts

    def test_another_client_changes_no_verdict(self):
        with serve() as server:
            code, _, alone = self.judge("--target", server.url, *GOOD_PART)
            self.assertEqual(code, 0)
            with OtherClient(server.url) as other:
                _, result, among_others = self.judge("--target", server.url, *GOOD_PART)
                # What a busy machine left undecided is asked once more, among the others still.
                undecided = [case["id"] for case in result["cases"] if case["verdict"] in ("inconclusive", "error")]
                self.assertLess(len(undecided), 10, undecided)
                if undecided:
                    choice = [word for case in undecided for word in ("--case", case)]
                    among_others.update(self.judge("--target", server.url, *choice)[2])
            self.assertGreater(other.made, 0)
            changed = {case: verdict for case, verdict in among_others.items() if alone.get(case) != verdict}
            self.assertEqual(changed, {})
            self.assertEqual(among_others.keys(), alone.keys())
            self.assertGreater(len(alone), 800)

    def test_a_second_run_of_one_seed_does_not_meet_the_names_of_the_first(self):
        with serve() as server:
            names = set()
            for _ in range(2):
                code, report, verdicts = self.judge("--target", server.url, "--seed", "7", "status/*")
                self.assertEqual(code, 0)
                self.assertEqual(set(verdicts.values()), {"pass"})
                self.assertEqual(report["run"]["seed"], 7)
                names.add(report["run"]["run_id"])
            self.assertEqual(len(names), 2)

    def test_a_run_id_that_is_given_again_gives_the_same_names(self):
        with serve() as server:
            chosen = ["--target", server.url, "--seed", "7", "--run-id", "mine", "status/completed-*"]
            self.assertEqual(self.judge(*chosen)[0], 0)
            code, report, verdicts = self.judge(*chosen)
            self.assertEqual(report["run"]["run_id"], "mine")
            self.assertNotIn("pass", verdicts.values())
            self.assertEqual(code, 1)

    def test_a_server_that_is_started_for_the_run_gets_the_names_of_the_seed(self):
        for how in (["--in-process"], []):
            self.assertEqual(self.judge("--seed", "26", *how, "status/completed-*")[1]["run"]["run_id"], "1a")

    def test_the_report_says_what_the_target_calls_itself(self):
        with serve() as server:
            identity = self.judge("--target", server.url, "status/completed-*")[1]["target"]["identity"]
        self.assertRegex(identity, r"^assay reference \d+\.")

    def test_reads_that_lag_change_no_verdict_where_the_run_is_told(self):
        with serve("--delay-ms", "20", "--lag-ms", "150") as server:
            code, _, verdicts = self.judge("--target", server.url, "--consistency-ms", "150", *SMALL_PART)
            self.assertEqual(set(verdicts.values()), {"pass"})
            self.assertEqual(code, 0)

    def test_a_broken_server_is_caught_through_its_lag(self):
        with serve("--lag-ms", "150", "--fault", "batch-completed-closes") as server:
            code, report, _ = self.judge("--target", server.url, "--consistency-ms", "150", "status/premature-*")
        self.assertEqual(code, 1)
        broken = {clause["id"] for clause in report["clauses"] if clause["verdict"] == "fail"}
        self.assertIn("STM-INF-BATCH", broken)


if __name__ == "__main__":
    unittest.main(verbosity=2)
