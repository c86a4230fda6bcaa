"""Shows what the scripts of real servers share (scripts/targets/common.sh)."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

COMMON = pathlib.Path(__file__).resolve().parent / "targets" / "common.sh"


class Processes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "bin").mkdir()

    def bash(self, script):
        """What a target's script prints that has an empty folder for its run."""
        path = f"{self.folder / 'bin'}:{os.environ['PATH']}"
        given = f'. "{COMMON}"; target=server; home="{self.folder}"; run="$home"; {script}'
        return subprocess.run(
            ["bash", "-euc", given], env={**os.environ, "PATH": path}, capture_output=True, text=True, timeout=60
        ).stdout.split()

    def slow_setsid(self):
        """A busy machine: it is a while until a program has a process group of its own."""
        program = self.folder / "bin" / "setsid"
        program.write_text(f'#!/bin/sh\nsleep 0.4\nexec {shutil.which("setsid")} "$@"\n')
        program.chmod(0o755)

    def test_what_was_started_is_running_also_where_it_takes_a_while(self):
        self.slow_setsid()
        said = self.bash("start one sleep 50; is_running one && echo runs; stop one; is_running one || echo ended")
        self.assertEqual(said, ["runs", "ended"])

    def test_what_ended_at_once_is_not_running(self):
        said = self.bash("start one false; sleep 0.2; is_running one || echo ended")
        self.assertEqual(said, ["ended"])


if __name__ == "__main__":
    unittest.main()
