#!/usr/bin/env python3
"""installed_test.py CMAKE BUILD_FOLDER: builds the example from an installed copy, and looks at what GoogleTest says of
a server that conforms and of one that does not."""

import os
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

CMAKE, BUILD = sys.argv[1], sys.argv[2]
EXAMPLE = Path(__file__).parent / "example"


def call(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        folder = Path(cls.scratch.name)
        for command in ([CMAKE, "--install", BUILD, "--prefix", folder / "installed"],
                        [CMAKE, "-S", EXAMPLE, "-B", folder / "built", "-G", "Ninja",
                         f"-DCMAKE_PREFIX_PATH={folder / 'installed'}"],
                        [CMAKE, "--build", folder / "built"]):
            done = call(*map(str, command))
            assert done.returncode == 0, done.stdout + done.stderr
        cls.installed = folder / "installed"
        cls.program = folder / "built" / "conformance"
        cls.environment = {**os.environ, "PATH": f"{cls.installed / 'bin'}:{os.environ['PATH']}"}

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def judged(self, *arguments):
        """The exit code, and each test that ran with its failure or nothing."""
        report = Path(self.scratch.name) / "report.xml"
        done = call(self.program, *arguments, f"--gtest_output=xml:{report}", env=self.environment)
        tests = {}
        for test in ElementTree.parse(report).iter("testcase"):
            if test.get("status") == "run":
                failure = test.find("failure")
                tests[test.get("name")] = None if failure is None else failure.get("message")
        return done.returncode, tests

    def test_a_server_that_conforms_passes_the_cases_of_the_filter_and_no_others(self):
        server = subprocess.Popen([self.installed / "bin" / "assay", "serve", "--port", "0"],
                                  stdout=subprocess.PIPE, text=True)
        try:
            url = re.search(r"http://\S+", server.stdout.readline()).group()
            code, tests = self.judged(url, "--gtest_filter=assay.status/p*:-*batch*")
        finally:
            server.terminate()
            server.wait()
            server.stdout.close()
        self.assertEqual(code, 0)
        self.assertIn("status/pending_before_start", tests)
        self.assertTrue(all(name.startswith("status/p") and "batch" not in name for name in tests))
        self.assertEqual(set(tests.values()), {None})

    def test_a_handler_that_knows_nothing_fails_with_what_was_expected(self):
        code, tests = self.judged("--gtest_filter=assay.status/pending_before_start")
        self.assertEqual(code, 1)
        self.assertEqual(list(tests), ["status/pending_before_start"])
        self.assertIn("404", tests["status/pending_before_start"])

    def test_a_server_that_is_not_there_passes_nothing(self):
        code, tests = self.judged("http://127.0.0.1:1", "--gtest_filter=assay.status/pending_before_start")
        self.assertEqual(code, 1)
        self.assertIn("was not judged", tests["status/pending_before_start"])

    def test_man_pages_and_completions_are_there(self):
        share = self.installed / "share"
        self.assertIn("Judge a server", (share / "man" / "man1" / "assay-run.1").read_text())
        self.assertIn("complete", (share / "bash-completion" / "completions" / "assay").read_text())
        self.assertIn("complete", (share / "fish" / "vendor_completions.d" / "assay.fish").read_text())
        self.assertTrue((share / "zsh" / "vendor-completions" / "_assay").read_text().startswith("#compdef assay\n"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
