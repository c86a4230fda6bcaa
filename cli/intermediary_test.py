"""Judges the sound reference and a broken one through something that stands between: what is not the server is never held
against it, and hides no fault of its own.

usage: intermediary_test.py ASSAY_PROGRAM [unittest options]
"""

import concurrent.futures
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "testing"))

from intermediary import HARMLESS, SPOILED, UNANNOUNCED, Intermediary  # noqa: E402
from listening import Listening  # noqa: E402
from measured import run_measured  # noqa: E402

ASSAY = str(pathlib.Path(sys.argv.pop(1)).resolve())
FAULT = "batch-completed-closes"
FEW = ["status/premature-*", "status/cancelled-*", "runs/from-*", "runs/retry-of-*", "api/pages-of-two*", "api/malformed-json*", "events/duplicate-says-so*"]
# Where answers are spoiled, no case waits long for what never comes.
SHORT = "{connect_ms: 5000, request_ms: 1500, within_ms: 1000}"
# However long an answer is.
MOST_BYTES = 192 << 20


def judge(url, *arguments, limits="{}"):
    """Exit code, verdicts by case, clauses that are said to be broken."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "p.yaml").write_text(f"name: between\nextends: reference\nlimits: {limits}\n")
        done, peak_bytes = run_measured(ASSAY, "run", "--quiet", "--report", f"json={folder}/report.json", "--profile",
                                        f"{folder}/p.yaml", "--target", url, *arguments, capture_output=True, text=True,
                                        timeout=300)
        if peak_bytes > MOST_BYTES:
            raise AssertionError(f"it took {peak_bytes >> 20} MiB")
        # Where the first look meets no server at all, nothing is judged.
        report = (folder / "report.json").read_text() if done.returncode != 3 else '{"cases": [], "clauses": []}'
    result = json.loads(report)
    verdicts = {case["id"]: case["verdict"] for case in result["cases"] if case["verdict"] != "not_applicable"}
    broken = {clause["id"] for clause in result["clauses"] if clause["verdict"] == "fail"}
    return done.returncode, verdicts, broken


class IntermediaryTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sound = cls.enterClassContext(Listening(ASSAY, "serve", "--port", "0"))
        cls.faulty = cls.enterClassContext(Listening(ASSAY, "serve", "--port", "0", "--fault", FAULT))

    def assert_no_accusation(self, verdicts, broken):
        accused = [case for case, verdict in verdicts.items() if verdict in ("fail", "error")]
        self.assertEqual((accused, broken), ([], set()))

    def for_each(self, kinds, check):
        """Several at once: they mostly wait."""
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            for kind, future in [(kind, pool.submit(check, kind)) for kind in kinds]:
                with self.subTest(kind):
                    future.result()

    def through(self, server, kind, period, *arguments):
        with Intermediary(server.url, kind, period) as between:
            return judge(between.url, *arguments, limits=SHORT if kind in SPOILED else "{}")

    def test_a_limiter_that_lets_enough_through_changes_no_verdict(self):
        def check(kind):
            # Of its own: some of these cases stop the clock or the lock service for everybody.
            with Listening(ASSAY, "serve", "--port", "0") as server:
                code, verdicts, broken = self.through(server, kind, 5, "--quick")
            self.assert_no_accusation(verdicts, broken)
            self.assertEqual(set(verdicts.values()), {"pass"})
            self.assertEqual(code, 0)
            self.assertGreater(len(verdicts), 100)
        self.for_each(["429", "503"], check)

    def test_what_says_the_same_in_another_way_changes_no_verdict(self):
        def check(kind):
            code, verdicts, broken = self.through(self.sound, kind, 1, *FEW)
            self.assert_no_accusation(verdicts, broken)
            self.assertEqual(set(verdicts.values()), {"pass"})
            self.assertEqual(code, 0)
            code, _, broken = self.through(self.faulty, kind, 1, FEW[0])
            self.assertEqual(code, 1)
            self.assertIn("STM-INF-BATCH", broken)
        self.for_each([kind for kind in HARMLESS if kind not in UNANNOUNCED], check)

    def test_what_may_have_been_carried_out_is_inconclusive(self):
        def check(kind):
            code, verdicts, broken = self.through(self.sound, kind, 7, *FEW)
            self.assert_no_accusation(verdicts, broken)
            # 3: where eight cases got no answer one after the other, and then nobody else did.
            self.assertTrue(code in (1, 3) or set(verdicts.values()) == {"pass"}, code)
            code, _, _ = self.through(self.faulty, kind, 7, FEW[0])
            self.assertNotEqual(code, 0)
        self.for_each(["503-bare", "502", "504", "408", "portal", "drop-request", "drop-connection", *UNANNOUNCED,
                       *SPOILED], check)

    def test_that_connections_are_not_kept_is_said(self):
        for kind, said in (("close-unsaid", "closed kept connections without saying so"),
                           ("answer-and-late-copy", "sent responses that nobody had asked for"),
                           ("copies-from-the-fortieth", "sent responses that nobody had asked for")):
            with (self.subTest(kind), Intermediary(self.sound.url, kind) as between,
                  tempfile.TemporaryDirectory() as folder):
                done = subprocess.run([ASSAY, "run", "--quiet", "--target", between.url, *FEW, "--record", f"{folder}/r.ndjson",
                                       "--report", f"json={folder}/r.json"], capture_output=True, text=True, timeout=300)
                self.assertIn(done.returncode, (0, 1), done.stdout)
                self.assertIn(said, done.stdout)
                report = json.loads(pathlib.Path(folder, "r.json").read_text())
                self.assertIn(said, report["run"]["notes"][0])
                again = subprocess.run([ASSAY, "report", f"{folder}/r.ndjson"], capture_output=True, text=True, timeout=300)
                self.assertIn(said, again.stdout)
                # That nothing was concluded from what may be other requests' answers is no forgery. 4: it is so of all of them.
                verified = subprocess.run([ASSAY, "verify", f"{folder}/r.ndjson"], capture_output=True, text=True, timeout=300)
                self.assertIn(verified.returncode, (0, 4), verified.stdout)
                self.assertNotIn("was edited", verified.stdout)

    def test_a_wall_is_no_finding(self):
        def check(kind):
            code, verdicts, broken = self.through(self.sound, kind, 1, "status/completed-*")
            self.assert_no_accusation(verdicts, broken)
            self.assertNotIn("pass", verdicts.values())
            self.assertNotEqual(code, 0)
        self.for_each(["429-soon", "408", "503-bare", "portal", "nothing", "garbage", "cut-body"], check)

    def test_exploring_and_probing_through_it_finds_nothing_either(self):
        def check(kind):
            with Intermediary(self.sound.url, kind, 7) as between:
                explored = subprocess.run([ASSAY, "explore", "run-walks", "--cases", "2", "--target", between.url],
                                          capture_output=True, text=True, timeout=300)
                probed = subprocess.run([ASSAY, "probe", "--target", between.url], capture_output=True, text=True, timeout=300)
            self.assertIn("0 causes of failure", explored.stdout + explored.stderr)
            self.assertIn(probed.returncode, (0, 1))
        self.for_each(["reset", "garbage", "cut-body", "many-values", "old-http", "answer-and-copy"], check)


if __name__ == "__main__":
    unittest.main(verbosity=2)
