"""Explores and probes the sound reference and a broken one through an intermediary of every kind: what is sound is never accused,
what is broken never passes, and neither time nor memory grows with what an answer is spoiled by.

usage: chaos_test.py ASSAY_PROGRAM [unittest options]
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

from intermediary import HARMLESS, SPOILED, UNANNOUNCED, WAYS, Intermediary  # noqa: E402
from listening import Listening  # noqa: E402
from measured import run_measured  # noqa: E402

ASSAY = str(pathlib.Path(sys.argv.pop(1)).resolve())
FAULT = "accepts-retry-in-place"
# What it breaks, whatever else shows it.
CLAUSES = {"RUN-INVALID-REJECT", "RUN-NO-OTHER"}
FAMILY = ["run-walks", "--seed", "7", "--cases", "4"]
HARMLESS_KINDS = sorted(HARMLESS.keys() - {*UNANNOUNCED})
# What says itself that it did nothing is asked again.
LIMITING = ["429", "503"]
HOSTILE = sorted({*WAYS, *SPOILED, *UNANNOUNCED, "drop-request", "drop-connection"} - {*LIMITING})
# Where answers are spoiled, no case waits long for what never comes.
SHORT = "{connect_ms: 5000, request_ms: 800, within_ms: 100}"
# However long it takes on a busy machine: what waits for ever is ended by it.
PATIENCE_S = 120
MOST_BYTES = 192 << 20


def accused_in(found):
    return {clause for finding in found["findings"] for clause in finding["clauses"]}


class ChaosTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sound = cls.enterClassContext(Listening(ASSAY, "serve", "--port", "0"))
        cls.faulty = cls.enterClassContext(Listening(ASSAY, "serve", "--port", "0", "--fault", FAULT))
        folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.profiles = {True: folder / "short.yaml", False: folder / "p.yaml"}
        for is_short, path in cls.profiles.items():
            path.write_text(f"name: chaos\nextends: reference\nlimits: {SHORT if is_short else '{}'}\n")
        # Without an intermediary: what every way to the broken server is held against.
        done = subprocess.run([ASSAY, "explore", *FAMILY, "--json", "--profile", cls.profiles[False], "--target", cls.faulty.url],
                              capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        cls.direct = accused_in(json.loads(done.stdout))

    def assay(self, server, kind, period, verb, *arguments):
        """Exit code and the result as JSON; nothing where the first look met no server at all."""
        with Intermediary(server.url, kind, period) as between:
            done, peak_bytes = run_measured(ASSAY, verb, *arguments, "--json", "--profile",
                                            self.profiles[kind in SPOILED], "--target", between.url,
                                            capture_output=True, text=True, timeout=PATIENCE_S)
        self.assertLess(peak_bytes, MOST_BYTES)
        self.assertIn(done.returncode, (0, 1, 3), done.stderr)
        return done.returncode, json.loads(done.stdout) if done.stdout else None

    def explore(self, server, kind, period):
        """Exit code, clauses that are accused, undecided cases."""
        code, found = self.assay(server, kind, period, "explore", *FAMILY)
        if found is None:
            self.assertEqual(code, 3)
            return code, set(), 0
        return code, accused_in(found), sum(family["undecided"] for family in found["families"])

    def for_each(self, kinds, check):
        """Several at once: they mostly wait."""
        with concurrent.futures.ThreadPoolExecutor(6) as pool:
            for kind, future in [(kind, pool.submit(check, kind)) for kind in kinds]:
                with self.subTest(kind):
                    future.result()

    def test_exploring_without_an_intermediary_accuses_what_is_broken(self):
        self.assertLessEqual(CLAUSES, self.direct)

    def test_exploring_through_what_says_the_same_in_another_way_is_as_without_it(self):
        def check(kind):
            self.assertEqual(self.explore(self.sound, kind, 5), (0, set(), 0))
            code, accused, _ = self.explore(self.faulty, kind, 5)
            self.assertEqual(code, 1)
            # An answer that came to the second sending of what changes something blames nobody.
            self.assertEqual(accused, accused & self.direct if kind in LIMITING else self.direct)
        self.for_each([*HARMLESS_KINDS, *LIMITING], check)

    def test_exploring_through_what_spoils_answers_accuses_nobody_and_clears_nobody(self):
        def check(kind):
            code, accused, undecided = self.explore(self.sound, kind, 7)
            self.assertEqual(accused, set())
            self.assertEqual(code == 0, undecided == 0 and code != 3)
            self.assertNotEqual(self.explore(self.faulty, kind, 7)[0], 0)
        self.for_each(HOSTILE, check)

    def test_exploring_a_wall_finds_and_proves_nothing(self):
        def check(kind):
            code, accused, _ = self.explore(self.sound, kind, 1)
            self.assertEqual(accused, set())
            self.assertNotEqual(code, 0)
        self.for_each(sorted({*HOSTILE} - {*UNANNOUNCED}), check)

    def test_probing_says_what_came(self):
        def check(kind):
            # Of its own: workers share one queue, and one would poll another's job.
            with Listening(ASSAY, "serve", "--port", "0") as server:
                code, probed = self.assay(server, kind, 7, "probe")
            # What changes the whole server is not asked for.
            unanswered = [each["operation"] for each in probed or [] if each["acceptance"] not in ("accepted", "refused")
                          and not each["operation"].startswith("control.")]
            self.assertEqual(code == 0, unanswered == [] and probed is not None)
            if kind in HARMLESS_KINDS or kind in LIMITING:
                self.assertEqual((code, unanswered), (0, []))
        self.for_each([*HARMLESS_KINDS, *LIMITING, *HOSTILE], check)

    def test_probing_a_wall_is_no_success(self):
        def check(kind):
            self.assertNotEqual(self.assay(self.sound, kind, 1, "probe")[0], 0)
        self.for_each(sorted({*HOSTILE} - {*UNANNOUNCED}), check)


if __name__ == "__main__":
    unittest.main(verbosity=2)
