"""Judges a sound server that other hands wrote, from CONTRACT.md and the specifications alone, in another language and with
liberties of its own: nothing that it does may be held against it. And one that is broken where it is easy to see, so that an
acquittal is worth something.

usage: sound_server_test.py ASSAY_PROGRAM [unittest options]
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ASSAY = sys.argv.pop(1)
sys.path.insert(0, str(HERE / "testing"))

def judge(*choice, liberties=(), broken=""):
    """Exit code, and for each case that is not passed or not applicable its first finding."""
    command = [sys.executable, str(HERE / "testing" / "sound_server.py"), *liberties]
    if broken:
        command = [sys.executable, "-c", broken]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=HERE / "testing")
    try:
        url = server.stdout.readline().split()[-1]
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder) / "report.json"
            done = subprocess.run([ASSAY, "run", *choice, "--quiet", "--profile", str(HERE / "testing" / "sound.yaml"),
                                   "--target", url, "--report", f"json={report}"], capture_output=True, text=True, timeout=900)
            result = json.loads(report.read_text())
    finally:
        server.kill()
        server.wait()
        server.stdout.close()
    findings = {case["id"]: case["findings"][0] for case in result["cases"] if case["verdict"] not in ("pass", "not_applicable")}
    return done.returncode, findings, result["summary"]["pass"]


class SoundServer(unittest.TestCase):
    maxDiff = 4000

    def accused(self, findings):
        return {case: (finding["clause"], finding["expected"], finding["actual"]) for case, finding in findings.items()
                if finding["verdict"] in ("fail", "error")}

    def test_is_accused_of_nothing(self):
        _, findings, passed = judge()
        self.assertEqual(self.accused(findings), {})
        self.assertGreater(passed, 950)

    def test_is_accused_of_none_of_its_liberties(self):
        from sound_server import LIBERTIES
        _, findings, _ = judge(liberties=sorted(LIBERTIES))
        self.assertEqual(self.accused(findings), {})

    def test_that_forgets_its_end_is_accused(self):
        forgetful = ("import sys; sys.argv = ['sound_server.py']; import sound_fold\n"
                     "sound_fold.ENDS['playbook.failed'] = ('COMPLETED', 'success')\n"
                     "import sound_server; sound_server.main(set())")
        code, findings, _ = judge("status/failed-*", broken=forgetful)
        self.assertEqual(code, 1)
        self.assertIn("STM-EXEC-T3", {finding["clause"] for finding in findings.values()})


if __name__ == "__main__":
    unittest.main(verbosity=2)
