"""How the program ends when it may not go on: by signals, without room or anybody to write to, without memory; and what is
kept of what it did.

usage: ends_test.py ASSAY_PROGRAM [unittest options]
"""

import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ASSAY = str(pathlib.Path(sys.argv.pop(1)).resolve())
FEW = ["status/cancelled-*", "--no-cache"]
SLOW = ["status/*", "--jobs", "1", "--no-cache"]
PATIENCE_S = 60


def limited(kind, bytes_):
    return lambda: resource.setrlimit(kind, (bytes_, bytes_))


def is_gone(process_id):
    """Whether a process has ended: nobody reaps what lost its parent here, so it may stay as a zombie."""
    try:
        return pathlib.Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    except OSError:
        return True


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
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
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

    def test_what_was_launched_does_not_outlive_a_sudden_end(self):
        running = self.begun(*self.launching(), *SLOW)
        children = self.launched()
        running.kill()
        running.wait()
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
        done = self.assay("explore", "run-walks", "--cases", "1", "--report", "json=/dev/full")
        self.assertEqual(done.returncode, 6, done.stderr)

    def test_a_file_that_may_not_grow_is_told(self):
        done = self.assay("run", *FEW, "--record", "r.ndjson", preexec_fn=limited(resource.RLIMIT_FSIZE, 4_096))
        self.assertEqual(done.returncode, 6, done.stderr)
        self.assertIn("r.ndjson: File too large", done.stderr)
        self.assertIn("Selected cases pass", done.stdout)

    def test_nobody_who_reads_is_told(self):
        for verb in (["run", *FEW], ["explore", "run-walks", "--cases", "1"], ["list", "clauses"]):
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

    def test_what_never_ends_is_no_input(self):
        for arguments in (["lint", "/dev/zero"], ["run", "--profile", "/dev/zero"], ["report", "/dev/zero"],
                          ["run", "--scenarios", "/dev/zero"], ["run", *FEW, "--baseline", "/dev/zero"],
                          ["diff", "/dev/zero", "/dev/zero"], ["run", *FEW, "--last-failed", "/dev/zero"]):
            with self.subTest(arguments):
                done = self.assay(*arguments, preexec_fn=limited(resource.RLIMIT_AS, 1_000 << 20))
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn("/dev/zero: is no text", done.stderr)
        (self.folder / "tls.yaml").write_text("name: p\nextends: reference\nbase_url: https://127.0.0.1:1\ntls: {ca: /dev/zero}\n")
        self.assertEqual(self.assay("probe", "--profile", "tls.yaml").returncode, 2)
        with open(self.folder / "large.yaml", "wb") as large:
            large.truncate(65 << 20)
        self.assertIn("is larger than 64 MiB", self.assay("lint", "large.yaml").stderr)

    def test_nonsense_in_numbers_is_refused(self):
        for arguments in (["serve", "--max-event-bytes", "-1"], ["serve", "--max-batch-bytes", "0"],
                          ["serve", "--max-event-bytes", "99999999999999999999"], ["serve", "--job-timeout-ms", "99999999999999"],
                          ["run", "--consistency-ms", "700000"]):
            with self.subTest(arguments):
                self.assertEqual(self.assay(*arguments).returncode, 2)


if __name__ == "__main__":
    unittest.main(verbosity=2)
