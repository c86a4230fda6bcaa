"""`assay verify` against records that it must agree with, and against records that somebody changed.

usage: verify_test.py ASSAY_PROGRAM [unittest options]
"""

import copy
import http.server
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "testing"))

from listening import Listening  # noqa: E402
from serving import Serving  # noqa: E402

ASSAY = str(pathlib.Path(sys.argv.pop(1)).resolve())

FAULT = "late-work-reopens"
CASES = ("status/completed-is-for-ever,status/cancel-running,status/ends-at-the-same-moment,"
         "events/field-attempt-refused,properties/reads-agree,properties/concurrent-transitions")


def assay(*arguments):
    return subprocess.run([ASSAY, *map(str, arguments)], capture_output=True, text=True, timeout=600,
                          env={**os.environ, "ASSAY_DOOR_TOKEN": DOOR_SECRET})


class Constant(Serving):
    """A server that answers everything alike."""

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self):
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            body = b'{"state":"RUNNING","status":"running","events":[],"next":null,"execution_id":"x"}'
            self.send_response(200 if self.command == "GET" else 201)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer

        def log_message(self, *_):
            pass

    def __init__(self):
        super().__init__(self.Handler)


DOOR_SECRET = "hunter2-and-more"
DOOR_PROFILE = """\
headers: {X-Token: "${env:ASSAY_DOOR_TOKEN}"}
setup:
  - request: POST /login
    capture: {pass: /pass, room: /room}
operations:
  executions.status: {request: "GET /door/${setup.pass}/${setup.room}/executions/${execution_id}/status"}
"""


LONG_SCENARIO = """\
id: mine/long
title: A log of more than four MiB
clauses: [EVT-LOG-1]
steps:
  - start: {}
  - repeat:
      times: 18
      steps:
        - post: {type: task.done, payload: {d: "${bytes:250000}"}}
  - expect: {events: {count: 18}}
"""
SHORT_SCENARIO = """\
id: mine/short
title: A log of one event
clauses: [EVT-LOG-1]
steps:
  - start: {}
  - post: {type: task.done}
  - expect: {events: {count: 1}}
"""


class Doorkeeper(Serving):
    """Passes on to a server what asks with the pass that its login gave (made of the client's secret)."""

    def __init__(self, upstream):
        door = f"/door/{DOOR_SECRET}-pass/7%2Feast"

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                if self.path == "/login":
                    told = json.dumps({"pass": self.headers["X-Token"] + "-pass", "room": "7/east"}).encode()
                    return self.send(200, told)
                if self.path.endswith("/status") and not self.path.startswith(door):
                    return self.send(403, b"{}")
                request = urllib.request.Request(upstream + self.path.removeprefix(door), body or None,
                                                 {"Content-Type": "application/json"}, method=self.command)
                try:
                    with urllib.request.urlopen(request) as response:
                        self.send(response.status, response.read())
                except urllib.error.HTTPError as refusal:
                    self.send(refusal.code, refusal.read())

            def send(self, status, body):
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer

            def log_message(self, *_):
                pass

        super().__init__(Handler)


class Folder(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def run_suite(self, name, *options, cases=CASES, exit_code=0):
        """Runs some of the suite; gives the path of its record."""
        record = self.folder / name
        selection = [word for case in cases.split(",") for word in ("--case", f"{case}*")]
        run = assay("run", "--seed", 3, "--quiet", "--no-cache", "--record", record, *selection, *options)
        self.assertEqual(run.returncode, exit_code, run.stdout + run.stderr)
        return record


class Agrees(Folder):
    def assert_agrees(self, record, *options):
        verified = assay("verify", record, *options)
        self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)
        self.assertTrue(verified.stdout.endswith("Verified\n"), verified.stdout)
        return verified.stdout

    def test_with_a_run_over_http(self):
        self.assert_agrees(self.run_suite("http.ndjson"))

    def test_with_a_run_without_a_socket(self):
        self.assert_agrees(self.run_suite("in-process.ndjson", "--in-process"))

    def test_with_failures_and_their_retries(self):
        with Listening(ASSAY, "serve", "--port", "0", "--fault", FAULT) as server:
            record = self.run_suite("faulty.ndjson", "--target", server.url, "--retries", 1, exit_code=1)
            self.assert_agrees(record, "--replay", 5)

    def test_with_reads_that_lag(self):
        self.assert_agrees(self.run_suite("lag.ndjson", "--consistency-ms", 50, cases="status/cancel-running"))

    def test_with_cases_that_do_not_apply(self):
        profile = self.deaf_profile()
        record = self.run_suite("deaf.ndjson", "--in-process", "--profile", profile, cases="status/cancel-running",
                                exit_code=4)
        self.assert_agrees(record, "--profile", profile)

    def test_with_looks_in_vain(self):
        """Of looks that decided nothing a record has none, and how many there were depends on the time."""
        with Constant() as constant:
            record = self.run_suite("constant.ndjson", "--target", constant.url, exit_code=1,
                                    cases="status/workflow-agrees-with-its-playbook,status/cancel-running")
        self.assertRegex(record.read_text(), r"\(\d+ looks\)")
        self.assert_agrees(record)

    def profile(self, name, text):
        profile = self.folder / name
        profile.write_text("name: mine\nextends: reference\n" + text)
        return profile

    def test_with_a_profile_that_cleans_up(self):
        profile = self.profile("tidy.yaml",
                               "cleanup: {execution_id: {request: 'POST /executions/${execution_id}/cancel'}}\n")
        record = self.run_suite("tidy.ndjson", "--in-process", "--profile", profile, cases="status/cancel-running")
        self.assert_agrees(record, "--profile", profile)

    def test_with_what_a_profiles_setup_captured(self):
        """A target that wants the token of its login in each path, and shows it in each answer."""
        with Listening(ASSAY, "serve", "--port", "0", "--fault", FAULT) as server, Doorkeeper(server.url) as door:
            profile = self.profile("door.yaml", DOOR_PROFILE)
            options = ("--profile", profile)
            record = self.run_suite("door.ndjson", *options, "--target", door.url, "--retries", 1,
                                    cases="status/completed-is-for-ever,status/cancel-running", exit_code=1)
        self.assertNotIn(DOOR_SECRET, record.read_text())
        lines = read_lines(record)
        run_id = lines[0]["run_id"]
        self.assertEqual(lines[0]["setup"], {run_id: {"room": "7/east", "pass": "***-pass"}})
        self.assertTrue(any(each["request"]["target"].startswith("/door/***-pass/7%2Feast/")
                            for each in lines[1]["exchanges"]))
        self.assertNotIn("cannot be derived", self.assert_agrees(record, *options))

    def test_what_setup_captured_in_the_record_of_a_merged_run(self):
        """Each shard has a setup of its own."""
        with Listening(ASSAY, "serve", "--port", "0") as server, Doorkeeper(server.url) as door:
            profile = self.profile("door.yaml", DOOR_PROFILE)
            shards = [self.run_suite(f"{number}.ndjson", "--profile", profile, "--target", door.url, "--shard",
                                     f"{number}/2", cases="status/cancel-running,status/completed-is-for-ever")
                      for number in (1, 2)]
        whole = self.folder / "whole.ndjson"
        merged = assay("merge", *shards, "-o", whole)
        self.assertEqual(merged.returncode, 0, merged.stdout + merged.stderr)
        self.assertEqual(len(read_lines(whole)[0]["setup"]), 2)
        self.assert_agrees(whole, "--profile", profile)

    def test_what_the_record_lacks_of_setup_cannot_be_derived_and_is_no_lie(self):
        profile = self.profile("setup.yaml", "setup:\n  - request: GET /healthz\n    capture: {server: /name}\n")
        record = self.run_suite("setup.ndjson", "--in-process", "--profile", profile, cases="status/cancel-running")
        lines = read_lines(record)
        del lines[0]["setup"]
        write_lines(record, lines)
        verified = assay("verify", record, "--profile", profile)
        self.assertIn("what the profile's setup was told is not recorded", verified.stdout)
        self.assertNotIn("Verified\n", verified.stdout)

    def deaf_profile(self):
        """The reference without a word for cancelling: its cases do not apply."""
        return self.profile("deaf.yaml", "without: [executions.cancel]\n")

    def test_with_long_answers(self):
        told = self.assert_agrees(self.run_suite("long.ndjson", cases="status/cancel-running,events/long-log"))
        self.assertNotIn("cannot be derived", told)

    def test_what_was_cut_cannot_be_derived_and_is_no_lie(self):
        """An answer of more than 4 MiB."""
        scenarios = self.folder / "mine"
        scenarios.mkdir()
        (scenarios / "long.yaml").write_text(LONG_SCENARIO)
        (scenarios / "short.yaml").write_text(SHORT_SCENARIO)
        record = self.run_suite("cut.ndjson", "--in-process", "--scenarios", scenarios, cases="mine/")
        self.assertLess(record.stat().st_size, 1 << 20)
        told = self.assert_agrees(record)
        self.assertIn("1 cannot be derived: what they were told is not recorded whole (mine/long)", told)


def read_lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def write_lines(path, lines):
    path.write_text("".join(json.dumps(line, separators=(",", ":"), ensure_ascii=False, sort_keys=True) + "\n"
                            for line in lines))


def case_of(lines, verdict, with_checks=True):
    return next(line for line in lines
                if line["type"] == "case" and line["verdict"] == verdict and (line["checks"] or not with_checks))


def response_with(case, text):
    return next(each["response"] for each in case["exchanges"]
                if each.get("response") and text in each["response"].get("body", ""))


def forge_pass(lines):
    case = case_of(lines, "fail")
    case["verdict"] = "pass"
    for check in case["checks"]:
        check["verdict"] = "pass"


def forge_pass_behind_a_gap(lines):
    """What looks like a body that was not recorded whole excuses no other verdict."""
    response_with(case_of(lines, "fail"), "RUNNING")["body"] += "\ufffd"
    forge_pass(lines)


def forge_fail(lines):
    case = case_of(lines, "pass")
    case["verdict"] = case["checks"][0]["verdict"] = "fail"


def forge_undecided(lines):
    case = case_of(lines, "fail")
    case["verdict"] = "inconclusive"
    for check in case["checks"]:
        if check["verdict"] == "fail":
            check["verdict"] = "inconclusive"


def forge_doubt(lines):
    """In assay's own words, which only the digest can vouch for."""
    case = case_of(lines, "fail")
    case["verdict"] = "inconclusive"
    for check in case["checks"]:
        check.update(verdict="inconclusive", expected="", actual="",
                     reason="the target sent responses that nobody had asked for, so an answer may belong to another request")


def forge_inapplicable(lines):
    case = case_of(lines, "pass")
    case["verdict"] = "not_applicable"
    case["checks"] = []
    case["reason"] = "the profile has no executions.cancel"


def failed_check(lines):
    return next(check for check in case_of(lines, "fail")["checks"] if check["verdict"] == "fail")


def drop_failed_check(lines):
    case = case_of(lines, "fail")
    case["checks"] = [check for check in case["checks"] if check["verdict"] != "fail"]
    case["verdict"] = "pass" if case["checks"] else "not_applicable"


def add_check(lines):
    case = case_of(lines, "pass")
    case["checks"].append(copy.deepcopy(case["checks"][0]))


def blame_another_clause(lines):
    failed_check(lines)["clauses"] = ["STM-EXEC-P1"]


def credit_another_clause(lines):
    case_of(lines, "pass")["checks"][0]["clauses"].append("STM-EXEC-P1")


def answer_otherwise(lines):
    response = response_with(case_of(lines, "fail"), "RUNNING")
    response["body"] = response["body"].replace("RUNNING", "COMPLETED")


def answer_with_another_status(lines):
    case = case_of(lines, "pass")
    next(each["response"] for each in case["exchanges"] if each["request"]["method"] == "POST")["status"] = 500


def ask_otherwise(lines):
    exchange = next(each for each in case_of(lines, "fail")["exchanges"] if each["request"].get("body"))
    exchange["request"]["body"] = exchange["request"]["body"].replace('"', '" ', 1)


def ask_elsewhere(lines):
    exchange = case_of(lines, "fail")["exchanges"][0]
    exchange["request"]["target"] += "x"


def drop_exchange(lines):
    case = case_of(lines, "fail")
    case["exchanges"][0] = copy.deepcopy(case["exchanges"][1])


def add_exchange(lines):
    case = case_of(lines, "pass")
    exchange = copy.deepcopy(next(each for each in case["exchanges"] if each["request"]["method"] == "POST"))
    exchange["request"]["target"] += "/else"
    case["exchanges"].append(exchange)


def rename_case(lines):
    case_of(lines, "fail")["id"] = "status/cancel-running-2"


def swap_cases(lines):
    failed, passed = case_of(lines, "fail"), case_of(lines, "pass")
    failed["id"], passed["id"] = passed["id"], failed["id"]


def drop_case(lines):
    lines.remove(case_of(lines, "fail"))


def double_case(lines):
    lines.insert(1, copy.deepcopy(case_of(lines, "pass")))


def change_seed(lines):
    lines[0]["seed"] += 1


def change_run(lines):
    lines[0]["run_id"] += "1"


def change_suite(lines):
    lines[0]["suite_digest"] = "sha256:" + 64 * "0"


def change_profile(lines):
    lines[0]["profile_digest"] = "sha256:" + 64 * "0"


def reword_what_was_expected(lines):
    failed_check(lines)["expected"] += " or so"


def reword_what_came(lines):
    failed_check(lines)["actual"] += " or so"


def move_the_place(lines):
    failed_check(lines)["at"] = "scenarios/status/cancel-running.yaml:1:1"


def retitle(lines):
    case_of(lines, "fail")["title"] += " or not"


def cut_short(lines):
    del lines[-1]


# What somebody may change who then makes the digest anew, or takes it away.
FORGERIES = [forge_pass, forge_pass_behind_a_gap, forge_fail, forge_undecided, forge_doubt, forge_inapplicable,
             drop_failed_check, add_check,
             blame_another_clause, credit_another_clause, answer_otherwise, answer_with_another_status, ask_otherwise,
             ask_elsewhere, drop_exchange, add_exchange, rename_case, swap_cases, drop_case, double_case, change_seed,
             change_run, change_suite, change_profile, reword_what_was_expected, reword_what_came, move_the_place,
             retitle, cut_short]


def date_otherwise(lines):
    lines[0]["started_at"] = "2020-01-01T00:00:00Z"


def name_another_server(lines):
    lines[0]["target_identity"] = "another server 1.0"


def expect_the_failure(lines):
    case_of(lines, "fail")["expected_fail"] = True


def inflate_sensitivity(lines):
    lines[-1]["coverage"] = []
    lines[-1]["duration_ms"] = 1


# What no verdict depends on: only the digest tells.
TOUCHES = [date_otherwise, name_another_server, expect_the_failure, inflate_sensitivity]


class Notices(Folder):
    def setUp(self):
        super().setUp()
        with Listening(ASSAY, "serve", "--port", "0", "--fault", FAULT) as server:
            self.record = self.run_suite("faulty.ndjson", "--target", server.url, exit_code=1,
                                         cases="status/completed-is-for-ever,status/cancel-running")

    def verify_edited(self, edit, keeps_digest):
        lines = read_lines(self.record)
        edit(lines)
        if not keeps_digest and lines[-1]["type"] == "footer":
            lines[-1]["digest"] = ""
        edited = self.folder / "edited.ndjson"
        write_lines(edited, lines)
        return assay("verify", edited)

    def test_nothing_where_nothing_was_changed(self):
        verified = self.verify_edited(lambda lines: None, keeps_digest=True)
        self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)
        verified = self.verify_edited(lambda lines: None, keeps_digest=False)
        self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)
        self.assertIn("The record has no digest", verified.stdout)

    def test_every_forgery_without_the_digest(self):
        self.assertGreaterEqual(len(FORGERIES), 20)
        for edit in FORGERIES:
            with self.subTest(edit.__name__):
                verified = self.verify_edited(edit, keeps_digest=False)
                self.assertIn(verified.returncode, (1, 2, 4), verified.stdout + verified.stderr)
                self.assertNotIn("Verified\n", verified.stdout)
                self.assertGreater(len(verified.stdout + verified.stderr), 0)

    def test_what_no_verdict_depends_on_by_the_digest(self):
        for edit in TOUCHES:
            with self.subTest(edit.__name__):
                verified = self.verify_edited(edit, keeps_digest=True)
                self.assertEqual(verified.returncode, 1, verified.stdout + verified.stderr)
                self.assertIn("its text is not the one that its digest was made of", verified.stdout)

    def test_tells_a_cut_record_and_another_suite_apart(self):
        cut = self.verify_edited(cut_short, keeps_digest=True)
        self.assertEqual(cut.returncode, 4)
        self.assertIn("the record was cut short", cut.stdout)
        other = self.verify_edited(change_suite, keeps_digest=False)
        self.assertEqual(other.returncode, 2)
        self.assertIn("was made with another suite", other.stderr)

    def test_a_server_that_behaves_otherwise_by_now(self):
        with Listening(ASSAY, "serve", "--port", "0") as server:
            verified = assay("verify", self.record, "--replay", 100, "--target", server.url)
        self.assertEqual(verified.returncode, 1, verified.stdout + verified.stderr)
        self.assertIn('the verdict is "fail", performed again "pass"', verified.stdout)


def event_logs(record):
    """Of each execution the longest listing of its events in a record: what the run was shown."""
    listings = {}
    for case in map(json.loads, record.read_text(encoding="utf-8").splitlines()):
        for exchange in case.get("exchanges", []):
            path, response = exchange["request"]["target"].partition("?")[0], exchange["response"]
            if exchange["request"]["method"] == "GET" and path.endswith("/events") and response["status"] == 200:
                events = json.loads(response["body"])["events"]
                listings[path] = max(listings.get(path, []), events, key=len)
    return [event for events in listings.values() for event in events]


def broken_clauses(record):
    checks = [check for case in map(json.loads, record.read_text(encoding="utf-8").splitlines())
              for check in case.get("checks", [])]
    return {clause for check in checks if check["verdict"] == "fail" for clause in check["clauses"]}


class Audited(Folder):
    """The log that a run saw, audited: what its server owes of events that clients posted."""

    def test_an_audit_finds_in_the_log_what_the_run_found(self):
        cases = "events/duplicate-in-sequence,events/stored-envelope,events/taxonomy-step,events/zoned-times-are-stored-in-utc"
        for fault, due in ((None, set()), ("stores-duplicates", {"EVT-IDEM-1"}),
                           ("stored-event-lacks-id", {"EVT-ENV-ID"}), ("stored-time-lacks-zone", {"EVT-ENV-TIME"})):
            with self.subTest(fault=fault):
                with Listening(ASSAY, "serve", "--port", "0", *(["--fault", fault] if fault else [])) as server:
                    self.run_suite("run.ndjson", "--target", server.url, cases=cases, exit_code=1 if fault else 0)
                events = event_logs(self.folder / "run.ndjson")
                self.assertGreater(len(events), 5)
                log = self.folder / "log.ndjson"
                log.write_text("".join(json.dumps(event) + "\n" for event in events), encoding="utf-8")
                audit = assay("audit", log, "--scope", "replay", "--record", self.folder / "audit.ndjson")
                self.assertEqual(audit.returncode, 1 if fault else 0, audit.stdout)
                self.assertEqual(broken_clauses(self.folder / "audit.ndjson"), due)
                self.assertLessEqual(due, broken_clauses(self.folder / "run.ndjson"))


if __name__ == "__main__":
    unittest.main()
