"""Shows what scripts/unless_passed remembers, and that nothing else is taken for it."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent


class UnlessPassed(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name) / "tree"
        (self.root / "scripts").mkdir(parents=True)
        shutil.copy(HERE / "unless_passed", self.root / "scripts")
        subprocess.run(["git", "init", "-q", self.root], check=True)
        self.runs = pathlib.Path(folder.name) / "runs"
        self.cache = pathlib.Path(folder.name) / "cache"
        (self.root / "data.yaml").write_text("a: 1\n")
        self.write_program(code=0)

    def write_program(self, code, line=""):
        program = self.root / "program"
        program.write_text(f"#!/bin/sh\n{line}\necho run >> {self.runs}\nexit {code}\n")
        program.chmod(0o755)

    def run_it(self, *arguments, **variables):
        """Exit code, and how often the program ran in all."""
        environment = {**os.environ, "ASSAY_TEST_AGAIN": "", "XDG_CACHE_HOME": str(self.cache), **variables}
        code = subprocess.run([sys.executable, self.root / "scripts" / "unless_passed", *arguments,
                               self.root / "program"], env=environment, stdout=subprocess.DEVNULL).returncode
        return code, len(self.runs.read_text().splitlines()) if self.runs.exists() else 0

    def test_what_passed_is_not_run_again(self):
        self.assertEqual(self.run_it(), (0, 1))
        self.assertEqual(self.run_it(), (0, 1))

    def test_what_failed_is(self):
        self.write_program(code=3)
        self.assertEqual(self.run_it(), (3, 1))
        self.assertEqual(self.run_it(), (3, 2))

    def test_another_program_is_run(self):
        self.run_it()
        self.write_program(code=0, line="# other")
        self.assertEqual(self.run_it(), (0, 2))

    def test_other_data_are_read(self):
        self.run_it()
        (self.root / "data.yaml").write_text("a: 2\n")
        self.assertEqual(self.run_it(), (0, 2))
        (self.root / "more.yaml").write_text("")
        self.assertEqual(self.run_it(), (0, 3))

    def test_what_changes_its_own_data_did_not_pass_with_them(self):
        self.write_program(code=0, line=f"echo more >> {self.root}/data.yaml")
        self.run_it()
        (self.root / "data.yaml").write_text("a: 1\n")
        self.assertEqual(self.run_it(), (0, 2))

    def test_sources_and_documents_are_no_data(self):
        self.run_it()
        (self.root / "README.md").write_text("other\n")
        (self.root / "a.cpp").write_text("int a;\n")
        self.assertEqual(self.run_it(), (0, 1))

    def test_another_program_that_it_starts_counts(self):
        started = self.root.parent / "started"
        started.write_text("1")
        self.assertEqual(self.run_it("--with", started), (0, 1))
        self.assertEqual(self.run_it("--with", started), (0, 1))
        started.write_text("2")
        self.assertEqual(self.run_it("--with", started), (0, 2))

    def test_another_share_of_the_tests_is_another_test(self):
        self.run_it(GTEST_SHARD_INDEX="0")
        self.assertEqual(self.run_it(GTEST_SHARD_INDEX="1"), (0, 2))

    def test_all_are_run_again_when_asked(self):
        self.run_it()
        self.assertEqual(self.run_it(ASSAY_TEST_AGAIN="1"), (0, 2))

    def test_outside_a_repository_nothing_is_remembered(self):
        shutil.rmtree(self.root / ".git")
        self.run_it(GIT_CEILING_DIRECTORIES=str(self.root.parent))
        self.assertEqual(self.run_it(GIT_CEILING_DIRECTORIES=str(self.root.parent)), (0, 2))


if __name__ == "__main__":
    unittest.main()
