"""The pages of docs: their commands, in their order, and what they show.

usage: pages_test.py ASSAY_PROGRAM SOURCE_FOLDER [unittest options]
"""

import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "testing"))

from repository import ASSAY, CASES, FAULT, SOURCE, Repository, serve  # noqa: E402


class Pages(Repository):
    """Pages of the docs: their commands, in their order, in a new repository."""

    def run_page(self, page, fewest, cases=CASES):
        blocks = re.findall(r"^```sh\n(.*?)^```", (SOURCE / page).read_text(encoding="utf-8"), re.M | re.S)
        self.assertGreaterEqual(len(blocks), fewest)
        with serve("--fault", FAULT) as server:
            script = "set -e\nassay() { command \"$ASSAY_PROGRAM\" \"$@\"; }\n" + "\n".join(blocks)
            done = subprocess.run(["bash", "-c", script], cwd=self.folder, capture_output=True, text=True, timeout=600,
                                  check=False, env={**os.environ, "ASSAY_PROGRAM": ASSAY, "TARGET": server.url,
                                                    "ASSAY_CASE": cases,
                                                    "GIT_AUTHOR_NAME": "t", "GIT_AUTHOR_EMAIL": "t@example.org",
                                                    "GIT_COMMITTER_NAME": "t", "GIT_COMMITTER_EMAIL": "t@example.org"})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_the_whole_flow_runs(self):
        self.run_page("docs/gating.md", 6)

    def test_the_job_for_github_gives_what_the_action_takes(self):
        page = (SOURCE / "docs/ci.md").read_text(encoding="utf-8")
        action = (SOURCE / "integrations/github/action.yml").read_text(encoding="utf-8")
        taken = re.findall(r"^  (\S+):$", action.split("outputs:")[0], re.M)
        job = re.search(r"^```yaml\n(.*?)^```", page, re.M | re.S)[1]
        given = re.findall(r"^          (\S+):", job.split("uses: ./integrations/github")[1], re.M)
        self.assertEqual(given, ["target", "profile", "baseline"])
        self.assertLessEqual(set(given), set(taken))
        table = re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`.*?) \|", page, re.M)))
        self.assertEqual(sorted(table), sorted(taken))
        self.assertIn("sudo dpkg -i", job)

    def test_a_server_is_judged(self):
        out = self.run_page("docs/judging-a-server.md", 6)
        self.assertIn("Does not conform", out)

    def test_a_first_profile_finds_the_fault(self):
        shutil.copy(SOURCE / "docs/first-profile/build_server.py", self.folder)
        out = self.run_page("docs/first-profile.md", 6, "runs/*,properties/run-walks*")
        self.assertEqual(len(re.findall(r"^fail ", out, re.M)), 6, out)  # "Six findings."
        # Cases run side by side: a build's number is any.
        self.assert_shown("docs/first-profile.md", out, 11, re.compile(r"(builds/|number )\d+"))

    def test_an_adapter_serves_an_engine_without_http(self):
        for name in ("engine.py", "adapter.py", "tasks.yaml"):
            shutil.copy(SOURCE / "docs/adapter-example" / name, self.folder)
        out = self.run_page("docs/adapters.md", 5, "runs/*,properties/run-walks*")
        self.assertEqual(len(re.findall(r"^fail ", out, re.M)), 6, out)  # Three, then those and the planted fault, seen under three clauses.
        self.assert_shown("docs/adapters.md", out, 4)
        self.assertIn("the fault is there\nthe fault is not there\n", out)
        record = json.loads((self.folder / "tasks.ndjson").read_text(encoding="utf-8").splitlines()[0])
        self.assertEqual(record["target"], "adapter: python3 adapter.py")
        self.assertEqual(record["target_identity"], "task-engine 0.3")

    def test_an_engine_is_judged_from_its_openapi_document(self):
        shutil.copy(SOURCE / "docs/first-engine/job_server.py", self.folder)
        out = self.run_page("docs/first-engine.md", 4, "runs/*,properties/run-walks*")
        self.assert_shown("docs/first-engine.md", out, 15, re.compile(r"(jobs/)\d+"))

    def test_an_engine_with_habits_of_its_own_is_judged(self):
        for name in ("flow_server.py", "flows.yaml"):
            shutil.copy(SOURCE / "docs/profile-example" / name, self.folder)
        out = self.run_page("docs/profile-reference.md", 1)
        self.assert_shown("docs/profile-reference.md", out, 2, re.compile(r"()\d+"))
        self.assertNotIn("let-me-in-then", out)

    def assert_shown(self, page, out, fewest, numbered=re.compile(r"()\0")):
        """What the page shows is what the program says, but for numbers of the run's own."""
        text = (SOURCE / page).read_text(encoding="utf-8")
        shown = re.findall(r"^    (.*)$", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), re.M)
        self.assertGreaterEqual(len(shown), fewest)
        said = numbered.sub(r"\g<1>#", out)
        for line in shown:
            self.assertIn(numbered.sub(r"\g<1>#", line.split("…")[0].rstrip()), said)

    def test_a_first_scenario_passes_and_fails(self):
        out = self.run_page("docs/first-scenario.md", 4, "mine/*")
        self.assertIn("2 of 2 selected cases pass", out)
        self.assertIn("1 of 1 tested MUST clause is broken", out)
        self.assertIn("would have caught 2 of 10 known ways", out)

    def test_a_clause_is_added(self):
        self.assertIn("1 of 1 faults caught", self.run_page("docs/adding-a-clause.md", 4))

    def test_partitions_of_a_log_are_audited(self):
        out = self.run_page("docs/auditing-at-scale.md", 1)
        self.assertIn("the records are the same", out)
        self.assertIn("merged.ndjson: 59 cases of 2 partitions", out)
        self.partitions_that_are_no_whole_are_refused()

    def partitions_that_are_no_whole_are_refused(self):
        first, second = (f"partition-{number}.ndjson" for number in (0, 1))
        cut = self.folder / "cut.ndjson"
        cut.write_text("".join((self.folder / second).read_text(encoding="utf-8").splitlines(keepends=True)[:2]),
                       encoding="utf-8")
        other = self.folder / "other.ndjson"
        other.write_text((self.folder / second).read_text(encoding="utf-8").replace("scope=specification", "scope=replay"),
                         encoding="utf-8")
        for records, said in (((first,), "partition 2/2 is missing"),
                              ((first, first, second), f"{first}: partition 1/2 comes twice, {first} is it too"),
                              ((first, "cut.ndjson"), "cut.ndjson: cut short"),
                              ((first, "other.ndjson"), "other.ndjson: another selection of events or clauses"),
                              ((first, "whole.ndjson"), "whole.ndjson: no record of a partition, as the first is")):
            done = subprocess.run([ASSAY, "merge", *records, "-o", "joined.ndjson"], cwd=self.folder,
                                  capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn(said, done.stderr)
        self.assertFalse((self.folder / "joined.ndjson").exists())

    def test_a_log_is_audited(self):
        out = self.run_page("docs/auditing-logs.md", 3)
        self.assertEqual(out.count("Does not conform"), 7, out)
        page = (SOURCE / "docs/auditing-logs.md").read_text(encoding="utf-8")
        for line in re.findall(r"^    (fail .*)$", page, re.M):
            self.assertIn(line, out)
        known = (self.folder / "known.yaml").read_text(encoding="utf-8")
        self.assertIn("log/command-completed", known)
        for verb in ("verify", "replay"):
            done = subprocess.run([ASSAY, verb, "audit.ndjson"], cwd=self.folder, capture_output=True, text=True,
                                  timeout=60, check=False)
            self.assertEqual(done.returncode, 2)
            self.assertIn("found the record of an audit", done.stderr)
        self.audits_end_as_the_page_says()

    def audits_end_as_the_page_says(self):
        sound = (self.folder / "events.ndjson").read_bytes().split(b"\n")[0] + b"\n"
        whole = (self.folder / "events.ndjson.gz").read_bytes()
        for content, code, said in (
                (sound, 0, "selected cases pass"), (b"[" + sound.strip() + b"]", 0, "selected cases pass"),
                (b"", 4, "Nothing proven"), (sound + b"{\n", 1, "Not proven"),
                (whole[:len(whole) // 2], 6, "broken gzip: cut short"), (None, 2, "No such file")):
            log = self.folder / "log"
            log.unlink(missing_ok=True)
            if content is not None:
                log.write_bytes(content)
            done = subprocess.run([ASSAY, "audit", "log"], cwd=self.folder, capture_output=True, text=True,
                                  timeout=60, check=False)
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)
            self.assertIn(said, done.stdout + done.stderr)
        self.what_excludes_each_other_is_refused()

    def what_excludes_each_other_is_refused(self):
        for options, said in (
                (["--query", "noetl"], "--postgres and --query need each other"),
                (["--postgres", "dbname=x"], "--postgres and --query need each other"),
                (["--postgres", "dbname=x", "--query", "noetl", "events.ndjson"], "--postgres and files exclude each other"),
                (["--postgres", "dbname=x", "--query", "noetle"], 'unknown query "noetle"; did you mean "noetl"?'),
                (["--partition", "3/2"], "expected I/N, such as 2/3"),
                (["--partition", "1/2", "events.ndjson"], "--partition reads standard input"),
                (["--partition", "1/2", "--report", "html=x.html"], "--partition makes no report"),
                (["--follow", "events.ndjson", "events.ndjson"], "--follow reads one file or standard input"),
                (["--memory", "1KiB", "events.ndjson"], "--memory"),
                (["--profile", "run-contract", "events.ndjson"], "does not say how its events are read")):
            done = subprocess.run([ASSAY, "audit", *options], cwd=self.folder, capture_output=True, text=True, timeout=60,
                                  stdin=subprocess.DEVNULL, check=False)
            self.assertEqual(done.returncode, 2, f"{options}: {done.stdout}{done.stderr}")
            self.assertIn(said, done.stderr)

    def test_a_report_is_read(self):
        out = self.run_page("docs/reading-a-report.md", 3)
        digest = hashlib.sha256((self.folder / "run.ndjson").read_bytes()).hexdigest()
        self.assertIn(f"{digest}  run.ndjson", out)
        statement = (self.folder / "statement.md").read_text(encoding="utf-8")
        self.assertIn(f"sha256:{digest}", statement)
        self.assertIn("**Does not conform.**", statement)
        self.assertIn("| Run by | `team engine, build 17` |", statement)


if __name__ == "__main__":
    unittest.main(verbosity=2)
