"""A repository of the tests whose server has a known fault. A test that imports this is called with the assay program and
the source folder, in this order."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from listening import Listening

ASSAY = str(pathlib.Path(sys.argv.pop(1)).resolve())
SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()

FAULT = "late-work-reopens"
CASES = "status/completed-is-for-ever,status/cancel-running,status/premature-batch-completed,status/names-its-fields"


def serve(*options):
    """`assay serve`, until the end of a `with`."""
    return Listening(ASSAY, "serve", "--port", "0", *options)


class Repository(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.folder = pathlib.Path(self.scratch.name)
        self.git("init", "-q")
        (self.folder / "assay.yaml").write_text(
            "case: [%s]\nseed: 7\n" % ", ".join(CASES.split(",")), encoding="utf-8")

    def git(self, *arguments):
        subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *arguments], cwd=self.folder, check=True)

    def assay(self, *arguments, **environment):
        done = subprocess.run([ASSAY, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=300,
                              env={**os.environ, **environment}, check=False)
        return done.returncode, done.stdout, done.stderr

    def make_main(self):
        """The main branch: a record of it, and the baseline of what is known to be broken."""
        with serve("--fault", FAULT) as server:
            code, _, error = self.assay("run", "--target", server.url, "--keep-going", "--record", "main.ndjson", "--quiet")
        self.assertEqual(code, 1, error)
        code, out, error = self.assay("baseline", "init", "main.ndjson", "-o", "known.yaml", "--owner", "team-engine",
                                      "--reason", "late work reopens an execution")
        self.assertEqual(code, 0, out + error)
        self.git("add", "-A")
        self.git("commit", "-qm", "main")

    def judge(self, url, *arguments, **environment):
        return self.assay("run", "--target", url, "--baseline", "known.yaml", "--record", "branch.ndjson", *arguments,
                          **environment)
