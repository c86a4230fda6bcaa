"""Judges small servers, written without assay's model, over HTTP: sound ones conform, and each broken one is caught
under the clause that it breaks. Those of specification 000 are accused under no MUST clause of another family either; where a
net is driven, what one clause breaks is felt in the set-up of others.

usage: broken_targets_test.py ASSAY_PROGRAM SERVER [unittest options], SERVER a key of SUITES; every run is made, whichever
tests are chosen
"""

import concurrent.futures
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ASSAY = sys.argv.pop(1)
SERVER = sys.argv.pop(1)

# What each server is spoken to by, and the least number of cases that must really be judged.
SMALL = (str(HERE / "testing" / "small.yaml"), 20)
DIALECTS = {"neops": (str(HERE / "testing" / "small_neops.yaml"), 35), "run-contract": ("run-contract", 110)}

# A race is run only where its requests come close together: few cases at once, so that nothing comes between them,
# and no other run of its server beside it. The other runs mostly wait, five at once.
RACES = {"duplicate-stored-under-concurrency": ["--jobs", "4"]}

# Server, the scenarios that its surface is judged by, and each fault with the clause that it breaks.
SUITES = {
    "executions": (["status/*", "events/duplicate-*", "events/same-id-*", "events/stored-envelope"], {
        "batch-completed-closes": "STM-INF-BATCH",
        "command-completed-closes": "STM-INF-CMD",
        "step-exit-on-end-closes": "STM-INF-STEP",
        "call-done-closes": "STM-INF-CALL",
        "lower-case-status-closes": "STM-CASE-1",
        "cancelled-shown-as-failed": "STM-VOC-1",
        "ended-at-while-running": "STM-API-ENDED",
        "wrong-terminal-event": "STM-API-TERM",
        "variables-in-the-status": "STM-API-NOVARS",
        "list-and-status-disagree": "STM-CORE-1",
        "late-event-reopens": "STM-EXEC-R1",
        "duplicate-stored-twice": "EVT-IDEM-1",
        "duplicate-stored-under-concurrency": "EVT-IDEM-1",
    }),
    "routing": (["routing/*"], {
        "exclusive-fires-all": "RTE-MODE-EXCL",
        "inclusive-fires-the-first": "RTE-MODE-INCL",
        "last-match-wins": "RTE-MODE-EXCL",
        "missing-guard-is-false": "RTE-GUARD-DEFAULT",
        "entry-step-ignored": "RTE-ENTRY-OVERRIDE",
        "denied-token-scheduled": "RTE-ADMIT-DENY",
        "quiet-with-a-sibling-in-flight": "RTE-QUIET-INFLIGHT",
        "no-match-hangs": "RTE-NOMATCH",
        "final-step-twice": "RTE-FINAL-ONCE",
        "final-step-before-quiescence": "RTE-FINAL-ONCE",
        "loop-ends-at-the-first-failure": "EVT-LOOP-ORDER",
        "empty-loop-hangs": "RTE-ROUTE-WHEN",
        "args-change-downstream": "RTE-ARGS-BIND",
        "unscheduled-start-taken": "EVT-EMIT-NOSTART",
        "repeated-outcome-routes-twice": "RTE-ROUTE-WHEN",
    }),
    "runs": (["runs/*"], {
        "created-skips-running": "RUN-NO-OTHER",
        "waiting-ends-well": "RUN-NO-OTHER",
        "self-transition-taken": "RUN-NO-OTHER",
        "failed-runs-again": "RUN-RETRY",
        "terminal-is-left": "RUN-TERMINAL",
        "terminal-run-is-failed": "RUN-TERMINAL",
        "refusal-without-audit": "RUN-INVALID-AUDIT",
        "refusal-without-code": "RUN-INVALID-CODE",
        "refusal-leaves-the-run": "RUN-INVALID-FAIL",
        "transition-without-audit": "RUN-AUDIT",
        "diagnostic-not-required": "RUN-DIAG",
        "retry-reuses-the-id": "RUN-RETRY",
        "next-action-ignores-the-flag": "RUN-ORCH",
    }),
    "lifecycle": (["lifecycle/*"], {
        "impure-failure-is-safe": "WFX-ERR-UNSAFE",
        "skipped-impure-step-taints": "WFX-ERR-SAFE",
        "lock-given-to-two": "WFX-LOCK-EXCL",
        "lock-kept-after-completion": "WFX-DONE-RELEASE",
        "lock-kept-after-failure": "WFX-ERR-SAFE",
        "lock-kept-after-abort": "WFX-API-ABORT",
        "late-result-changes-the-outcome": "WFX-TERMINAL",
        "acknowledgement-crosses-outcomes": "WFX-TERMINAL",
        "job-given-to-two": "WFX-RUN-DONE",
    }),
    "neops": (["lifecycle/*"], {
        "states-in-upper-case": "WFX-STATES",
        "impure-failure-is-safe": "WFX-ERR-UNSAFE",
        "acknowledgement-crosses-outcomes": "WFX-TERMINAL",
        "lock-given-to-two": "WFX-LOCK-EXCL",
        "lock-kept-after-completion": "WFX-DONE-RELEASE",
        "late-result-changes-the-outcome": "WFX-TERMINAL",
        "goes-back-for-a-moment": "WFX-STATES",
    }),
    "run-contract": (["runs/*"], {
        "completed-for-success": "RUN-STATUSES",
        "cancelled-for-canceled": "RUN-STATUSES",
        "waiting-ends-well": "RUN-NO-OTHER",
        "terminal-is-left": "RUN-TERMINAL",
        "refusal-without-audit": "RUN-INVALID-AUDIT",
        "diagnostic-not-required": "RUN-DIAG",
        "retry-reuses-the-id": "RUN-RETRY",
    }),
}


def judge(server, globs, fault=None, options=()):
    """Exit code and JSON report of a run against a freshly started small server."""
    command = [sys.executable, str(HERE / "testing" / "small_server.py"), server, *([fault] if fault else [])]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        url = process.stdout.readline().split()[-1]
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder) / "report.json"
            profile, _ = DIALECTS.get(server, SMALL)
            run = subprocess.run([ASSAY, "run", *globs, "--profile", profile, "--target", url, *RACES.get(fault, []),
                                  *options, "--report", f"json={report}"], capture_output=True, text=True)
            return run.returncode, json.loads(report.read_text()), run.stdout + run.stderr
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


class BrokenTargets(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        globs, faults = SUITES[SERVER]
        cls.pool = concurrent.futures.ThreadPoolExecutor(1 if RACES.keys() & faults.keys() else 5)
        cls.runs = {None: cls.pool.submit(judge, SERVER, globs)}
        for fault, clause in faults.items():
            # Only where accusations of others count is it worth the time that a broken server keeps their cases waiting.
            options = [] if SERVER == "executions" else ["--clause", clause]
            cls.runs[fault] = cls.pool.submit(judge, SERVER, globs, fault, options)

    @classmethod
    def tearDownClass(cls):
        cls.pool.shutdown()

    def sound(self):
        code, report, output = self.runs[None].result()
        failed = [case["id"] for case in report["cases"] if case["verdict"] not in ("pass", "not_applicable")]
        self.assertEqual(failed, [], output[-3000:])
        self.assertEqual(code, 0, output[-3000:])
        self.assertGreater(report["summary"]["pass"], DIALECTS.get(SERVER, SMALL)[1])

    def broken(self, fault, clause):
        code, report, _ = self.runs[fault].result()
        failed = {row["id"] for row in report["clauses"] if row["verdict"] == "fail" and row["level"] == "MUST"}
        every = {row["id"] for row in report["clauses"] if row["verdict"] == "fail"}
        self.assertIn(clause, every, f"{fault} is not caught under {clause}")
        level = next(row["level"] for row in report["clauses"] if row["id"] == clause)
        if level == "MUST":  # what is only allowed to be otherwise informs, and decides no exit code
            self.assertEqual(code, 1, f"{fault} is caught, but the run conforms")
        if SERVER != "executions":
            return
        family = clause.split("-")[0]
        others = {name for name in failed if name.split("-")[0] != family}
        self.assertEqual(others, set(), f"{fault} breaks {clause}, but others are accused")


def add_tests():
    BrokenTargets.test_sound = BrokenTargets.sound
    for fault, clause in SUITES[SERVER][1].items():
        setattr(BrokenTargets, f"test_{fault}".replace("-", "_"),
                lambda self, fault=fault, clause=clause: self.broken(fault, clause))


add_tests()

if __name__ == "__main__":
    unittest.main()
