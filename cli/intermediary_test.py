"""Judges the sound reference and a broken one through something that stands between: what is not the server is never held
against it, and hides no fault of its own.

usage: intermediary_test.py ASSAY_PROGRAM [unittest options]
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "testing"))

from listening import Listening  # noqa: E402

ASSAY = sys.argv.pop(1)


def judge(kind, period, *arguments, fault=None):
    """Exit code, verdicts by case, clauses that are said to be broken."""
    with Listening(ASSAY, "serve", "--port", "0", *(["--fault", fault] if fault else [])) as server, \
            Listening(sys.executable, str(HERE / "testing" / "intermediary.py"), server.url.removeprefix("http://"),
                      kind, str(period)) as between, tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        done = subprocess.run([ASSAY, "run", "--quiet", "--report", f"json={report}", "--target", between.url, *arguments],
                              capture_output=True, text=True, timeout=600)
        result = json.loads(report.read_text())
    verdicts = {case["id"]: case["verdict"] for case in result["cases"] if case["verdict"] != "not_applicable"}
    broken = {clause["id"] for clause in result["clauses"] if clause["verdict"] == "fail"}
    return done.returncode, verdicts, broken


class IntermediaryTest(unittest.TestCase):
    def assert_no_accusation(self, verdicts, broken):
        accused = [case for case, verdict in verdicts.items() if verdict in ("fail", "error")]
        self.assertEqual((accused, broken), ([], set()))

    def test_a_limiter_that_lets_enough_through_changes_no_verdict(self):
        for kind in ("429", "503"):
            with self.subTest(kind):
                code, verdicts, broken = judge(kind, 5)
                self.assert_no_accusation(verdicts, broken)
                self.assertEqual(set(verdicts.values()), {"pass"})
                self.assertEqual(code, 0)
                self.assertGreater(len(verdicts), 1000)

    def test_what_may_have_been_carried_out_is_inconclusive(self):
        for kind, period in (("503-bare", 5), ("502", 5), ("504", 5), ("drop-request", 5), ("drop-connection", 2)):
            with self.subTest(kind):
                code, verdicts, broken = judge(kind, period, "status/*", "runs/*", "api/*", "events/*")
                self.assert_no_accusation(verdicts, broken)
                self.assertIn("pass", verdicts.values())
                self.assertEqual(code, 1 if "inconclusive" in verdicts.values() else 0)

    def test_a_wall_is_no_finding(self):
        for kind in ("429-soon", "408", "503-bare"):
            with self.subTest(kind):
                code, verdicts, broken = judge(kind, 1, "status/completed-*")
                self.assert_no_accusation(verdicts, broken)
                self.assertNotIn("pass", verdicts.values())
                self.assertNotEqual(code, 0)

    def test_a_fault_is_seen_through_a_limiter(self):
        code, _, broken = judge("429", 5, "status/premature-*", fault="batch-completed-closes")
        self.assertEqual(code, 1)
        self.assertIn("STM-INF-BATCH", broken)


if __name__ == "__main__":
    unittest.main(verbosity=2)
