"""A pull request's gate, as CI uses it: a repository with a server that has a known fault, its baseline and the record of
its main branch. Each way in which the server can change must end with the right exit code and name the right lines.

usage: gate_test.py ASSAY_PROGRAM SOURCE_FOLDER [unittest options]
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import threading
import unittest
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "testing"))

from proxy import Proxy  # noqa: E402
from repository import ASSAY, FAULT, SOURCE, Repository, serve  # noqa: E402

FAULTY_CASE = "status/completed-is-for-ever[step.enter]"


def altering(url, change):
    """A proxy that lets `change` alter the value of each answer to a GET."""

    def alter(method, path, content):
        return json.dumps(change(path, json.loads(content))).encode() if method == "GET" else content

    return Proxy(url, alter)


def is_status(path):
    return path.endswith("/status")


class Gate(Repository):
    def test_nothing_changed(self):
        self.make_main()
        with serve("--fault", FAULT) as server:
            code, out, error = self.judge(server.url)
        self.assertEqual(code, 0, out + error)
        code, out, _ = self.assay("diff", "main.ndjson", "branch.ndjson")
        self.assertEqual(code, 0)
        self.assertIn("no difference", out)

    def test_the_fault_is_mended(self):
        self.make_main()
        with serve() as server:
            code, out, error = self.judge(server.url)
        self.assertEqual(code, 5, out + error)
        match = re.search(r"known\.yaml:(\d+):\d+: .*delete lines (\d+) to (\d+)", out)
        self.assertIsNotNone(match, out)
        lines = (self.folder / "known.yaml").read_text(encoding="utf-8").splitlines()
        self.assertIn("- case:", lines[int(match[2]) - 1])
        self.assertEqual(match[1], match[2])
        # `update` deletes just these.
        code, out, error = self.assay("baseline", "update", "branch.ndjson", "known.yaml", "--dry-run")
        self.assertEqual(code, 0, error)
        self.assertIn("-    clause: STM-EXEC-R1", out)
        self.assertEqual((self.folder / "known.yaml").read_text(encoding="utf-8").splitlines(), lines)
        self.assertEqual(self.assay("baseline", "update", "branch.ndjson", "known.yaml")[0], 0)
        code, out, _ = self.assay("baseline", "check", "branch.ndjson", "known.yaml")
        self.assertEqual(code, 0, out)

    def test_a_baseline_takes_a_reason_for_each_clause(self):
        self.make_main()
        code, out, error = self.assay("baseline", "init", "main.ndjson", "--reason", "STM-EXEC-R1=it reopens", "--reason", "others",
                                      "--reason", "RUN-T1=unused")
        self.assertEqual(code, 0, error)
        reasons = dict(re.findall(r"clause: (\S+)\n(?:    seen: .*\n)?    reason: \"(.*)\"", out))
        self.assertEqual(reasons["STM-EXEC-R1"], "it reopens", out)
        self.assertNotIn("RUN-T1", out)
        self.assertEqual(error, "assay: note: --reason RUN-T1: no case of the record breaks it\n")
        code, _, error = self.assay("baseline", "init", "main.ndjson", "--reason", "STM-EXEC-R11=it reopens")
        self.assertEqual(code, 2)
        self.assertIn('--reason: unknown clause "STM-EXEC-R11"; did you mean "STM-EXEC-R1"?', error)

    def test_another_fault_comes_and_the_diff_names_its_clause_alone(self):
        self.make_main()

        def no_end(path, answer):
            if is_status(path) and isinstance(answer, dict):
                answer.pop("terminal_event", None)
            return answer

        with serve("--fault", FAULT) as server, altering(server.url, no_end) as proxy:
            code, out, error = self.judge(proxy.url, "--case", "status/names-its-fields", "--case", FAULTY_CASE)
            self.assertEqual(code, 1, out + error)
        with serve("--fault", FAULT) as server:
            self.assay("run", "--target", server.url, "--record", "main.ndjson", "--quiet", "--case",
                       "status/names-its-fields", "--case", FAULTY_CASE)
        code, out, _ = self.assay("diff", "main.ndjson", "branch.ndjson", "--format", "json")
        self.assertEqual(code, 1)
        diff = json.loads(out)
        self.assertIn("STM-API-FIELDS", {each["clause"] for each in diff["newly_failing"]})
        self.assertNotIn("STM-EXEC-R1", {each["clause"] for each in diff["newly_failing"]})
        self.assertEqual(diff["fixed"], [])

    def test_the_fault_shows_another_way(self):
        self.make_main()
        ended = set()

        def reads_pending(path, answer):
            if not is_status(path):
                return answer
            if answer.get("terminal_event"):
                ended.add(answer["execution_id"])
            if answer.get("state") == "RUNNING" and answer["execution_id"] in ended:
                answer["state"] = "PENDING"
            return answer

        with serve("--fault", FAULT) as server, altering(server.url, reads_pending) as proxy:
            code, out, error = self.judge(proxy.url)
        self.assertEqual(code, 1, out + error)
        self.assertIn('seen now: executions.status /state: "COMPLETED" -> "PENDING"', out)
        code, out, _ = self.assay("diff", "main.ndjson", "branch.ndjson")
        self.assertEqual(code, 1)
        self.assertIn("failing another way (1 clause): STM-EXEC-R1", out)
        self.assertIn("why the target answers differently now", out)

    def test_a_red_gate_says_what_is_new(self):
        self.make_main()

        def reads_running(path, answer):
            if is_status(path) and answer.get("terminal_event") == "execution.cancelled":
                answer["state"] = "RUNNING"
            return answer

        case = "status/cancel-running"
        with serve("--fault", FAULT) as server, altering(server.url, reads_running) as proxy:
            code, out, error = self.judge(proxy.url, "--case", case, "--case", FAULTY_CASE, "--quiet")
            self.assertEqual(code, 1, out + error)
            self.assertRegex(out, rf"(?m)^new: STM-\S+: .*: {case}$")
            self.assertNotIn("STM-EXEC-R1: ", out)
            out = self.judge(proxy.url, "--case", case, "--case", FAULTY_CASE)[1]
            self.assertRegex(out, r"\nNew, not in the baseline: \d cause")
            out = self.assay("run", "--target", proxy.url, "--against", "main.ndjson", "--case", case, "--quiet")[1]
            self.assertNotIn("baseline:", out)
        with serve() as server:
            code, out, _ = self.judge(server.url, "--quiet")
        self.assertEqual(code, 5)
        self.assertRegex(out, r"(?m)^baseline: known.yaml:\d+:\d+: ")

    def test_the_first_baseline_says_what_it_is_made_of(self):
        self.make_main()
        code, out, error = self.assay("baseline", "init", "main.ndjson", "-o", "other.yaml", "--reason", "STM-ONCE-1=no end")
        self.assertEqual(code, 0, error)
        self.assertRegex(out, r"other\.yaml: \d+ entries for \d clauses: .*STM-EXEC-R1 \(\d\)")
        self.assertIn("  the reason of STM-ONCE-1 is also given to what breaks by the same cause: STM-API-TERM", out)

    def test_the_record_of_main_alone_gates(self):
        self.make_main()
        with serve("--fault", FAULT) as server:
            code, out, error = self.assay("run", "--target", server.url, "--against", "main.ndjson")
            self.assertEqual(code, 0, out + error)
        with serve() as server:
            self.assertEqual(self.assay("run", "--target", server.url, "--against", "main.ndjson")[0], 0)
        with serve("--fault", "cancel-reads-running") as server:
            self.assertEqual(self.assay("run", "--target", server.url, "--against", "main.ndjson")[0], 1)

    def test_an_old_index_is_understood(self):
        with serve() as server:
            code, _, error = self.assay("run", "--target", server.url, "--case", "status/completed-is-for-ever[4]")
        self.assertEqual(code, 0, error)
        self.assertIn("status/completed-is-for-ever[4] is now called status/completed-is-for-ever[step.enter]", error)


class Flakiness(Repository):
    def test_a_race_is_flaky_with_its_rate(self):
        names = []
        for number, options in enumerate(([], ["--fault", "cancel-reads-running"], [])):
            with serve(*options) as server:
                self.assay("run", "--target", server.url, "--record", f"{number}.ndjson", "--quiet", "--case", "status/cancel-running")
            names.append(f"{number}.ndjson")
        code, out, _ = self.assay("flaky", *names)
        self.assertEqual(code, 0)
        self.assertEqual(out, "status/cancel-running  did not pass 1 of 3 times: 33 % (95 % interval 6 to 79 %)\n")
        self.assertIn("no flaky case", self.assay("flaky", names[0], names[2])[1])

    def race(self, url):
        """A server in which the first execution of two that is cancelled is shown as running."""
        cancelled = {}

        def lose_every_second_time(path, answer):
            if is_status(path) and answer.get("terminal_event") == "execution.cancelled":
                number = cancelled.setdefault(answer["execution_id"], len(cancelled))
                if number % 2 == 0:
                    answer["state"] = "RUNNING"
            return answer

        return altering(url, lose_every_second_time)

    def judge_race(self, name, *arguments):
        with serve() as server, self.race(server.url) as proxy:
            return self.assay("run", "--target", proxy.url, "--record", name, "--case", "status/cancel-running", "--case",
                              "status/names-its-fields", "--retries", "3", *arguments)

    def test_only_what_failed_is_run_again_and_the_gate_does_as_told(self):
        rate = "run again 3 times, passed 2: does not pass in 50 % (95 % interval 15 to 85 %)"
        code, out, error = self.judge_race("fail.ndjson")
        self.assertEqual(code, 1, out + error)
        self.assertIn(rate, out)
        self.assertIn('"CANCELLED"', out)  # The first failure is kept.
        code, out, error = self.judge_race("warn.ndjson", "--flaky", "warn", "--quiet")
        self.assertEqual(code, 0, out + error)
        self.assertTrue(out.startswith("Flaky  1 case passed only when it was run again, which --flaky warn lets"), out)
        cases = [json.loads(line) for line in (self.folder / "warn.ndjson").read_text(encoding="utf-8").splitlines()]
        retries = {each["id"]: [again["verdict"] for again in each["retries"]] for each in cases if each["type"] == "case"}
        self.assertEqual(retries, {"status/cancel-running": ["pass", "fail", "pass"], "status/names-its-fields": []})
        self.assertEqual(self.assay("report", "warn.ndjson")[0], 0)
        self.assertIn("did not pass 2 of 4 times: 50 %", self.assay("flaky", "warn.ndjson")[1])

    def test_what_is_flaky_is_known_to_diff_and_baseline(self):
        self.assertEqual(self.judge_race("warn.ndjson", "--flaky", "warn", "--quiet")[0], 0)
        with serve() as server:
            self.assay("run", "--target", server.url, "--record", "main.ndjson", "--quiet", "--case", "status/cancel-running",
                       "--case", "status/names-its-fields")
        code, out, _ = self.assay("diff", "main.ndjson", "warn.ndjson")
        self.assertEqual(code, 0, out)
        self.assertIn("status/cancel-running: does not pass in 50 % (95 % interval 15 to 85 %)", out)
        self.assertEqual(self.assay("diff", "warn.ndjson", "main.ndjson", "--format", "json")[0], 0)
        self.assertEqual(json.loads(self.assay("diff", "warn.ndjson", "main.ndjson", "--format", "json")[1])["fixed"], [])
        self.assertEqual(self.judge_race("fail.ndjson", "--quiet")[0], 1)
        self.assertEqual(self.assay("diff", "main.ndjson", "fail.ndjson")[0], 1)
        self.assay("baseline", "init", "fail.ndjson", "-o", "known.yaml")
        self.assertIn("sometimes: true", (self.folder / "known.yaml").read_text(encoding="utf-8"))
        with serve() as server:  # It may pass as well.
            self.assertEqual(self.judge(server.url, "--quiet", "--case", "status/cancel-running")[0], 0)

    def test_a_case_that_fails_in_different_ways_is_a_race(self):
        case = "status/cancel-running"
        names = []
        for number, word in enumerate(("RUNNING", "PENDING", "RUNNING")):

            def alter(path, answer, word=word):
                if is_status(path) and answer.get("terminal_event") == "execution.cancelled":
                    answer["state"] = word
                return answer

            with serve() as server, altering(server.url, alter) as proxy:
                names.append(f"{number}.ndjson")
                self.assay("run", "--target", proxy.url, "--record", names[-1], "--quiet", "--case", case)
        code, out, _ = self.assay("flaky", *names)
        self.assertEqual(code, 0)
        self.assertIn(f"{case}  did not pass 3 of 3 times: 100 %", out)
        self.assertIn("  fails in 2 different ways\n  2 times  ", out)
        self.assertIn('"CANCELLED" -> "PENDING"', out)
        code, _, error = self.assay("baseline", "init", *names[:2], "-o", "known.yaml")
        self.assertEqual(code, 0, error)
        text = (self.folder / "known.yaml").read_text(encoding="utf-8")
        self.assertIn("sometimes: true", text)
        self.assertIn('-> \\"PENDING\\"', text)
        for name in names:
            code, out, _ = self.assay("baseline", "check", name, "known.yaml")
            self.assertEqual(code, 0, out)
            self.assay("baseline", "update", name, "known.yaml")
        self.assertEqual((self.folder / "known.yaml").read_text(encoding="utf-8"), text)
        with serve() as server:
            self.assay("run", "--target", server.url, "--profile", "reference-late", "--record", "other.ndjson", "--quiet",
                       "--case", case)
        code, _, error = self.assay("baseline", "init", names[0], "other.ndjson")
        self.assertEqual(code, 2)
        self.assertIn("other.ndjson: another profile than 0.ndjson", error)

    def test_a_race_in_one_record_is_told_and_no_way_of_it_is_lost(self):
        case = "runs/audit-at-the-same-moment[n=1]"
        late = {}

        def reopen(path, answer):
            if path.startswith("/runs/") and path.count("/") == 2 and answer.get("status") in ("success", "canceled"):
                answer["status"] = late["word"]
            return answer

        with serve() as server, altering(server.url, reopen) as proxy:
            for name, late["word"] in (("one.ndjson", "failed"), ("two.ndjson", "waiting")):
                self.assay("run", "--target", proxy.url, "--record", name, "--quiet", "--case", case)
        code, _, error = self.assay("baseline", "init", "one.ndjson", "-o", "known.yaml")
        self.assertEqual(code, 0, error)
        self.assertIn("note: 1 case fails that sends requests at the same moment: another run may show another way", error)
        self.assertIn("so this may be a race", self.assay("diff", "one.ndjson", "two.ndjson")[1])
        self.assay("baseline", "update", "two.ndjson", "known.yaml")
        for name in ("one.ndjson", "two.ndjson"):
            code, out, _ = self.assay("baseline", "check", name, "known.yaml")
            self.assertEqual(code, 0, out)

    def test_what_always_fails_is_not_flaky(self):
        with serve("--fault", "cancel-reads-running") as server:
            code, out, error = self.assay("run", "--target", server.url, "--case", "status/cancel-running", "--retries", "2",
                                          "--flaky", "warn")
        self.assertEqual(code, 1, out + error)
        self.assertIn("run again 2 times, never passed", out)

    def test_a_policy_without_retries_is_a_mistake(self):
        code, _, error = self.assay("run", "--in-process", "--flaky", "warn")
        self.assertEqual(code, 2)
        self.assertIn("--retries", error)


class Upgrade(Repository):
    def test_a_newer_suite_is_previewed_with_the_patch_for_the_baseline(self):
        scenario = ("id: own/{0}\ntitle: {0}\nclauses: [STM-EXEC-R1]\nsteps:\n  - start: {{}}\n  - post: {{type: playbook.initialized}}\n"
                    "  - post: {{type: playbook.completed}}\n{1}  - expect: {{status: {{state: COMPLETED}}, clause: STM-EXEC-R1}}\n")
        late = "  - post: {type: step.enter, node_name: late}\n"
        versions = {"old": {"a": scenario.format("a", "")},
                    "new": {"a": scenario.format("a", late), "b": scenario.format("b", late)}}
        (self.folder / "assay.yaml").write_text("seed: 7\n", encoding="utf-8")
        with serve("--fault", FAULT) as server:
            for version, files in versions.items():
                (self.folder / version).mkdir()
                for name, text in files.items():
                    (self.folder / version / f"{name}.yaml").write_text(text, encoding="utf-8")
                self.assay("run", "--target", server.url, "--scenarios", version, "--record", f"{version}.ndjson", "--quiet")
        (self.folder / "known.yaml").write_text("expected_failures: []\n", encoding="utf-8")
        code, out, error = self.assay("diff", "old.ndjson", "new.ndjson", "--baseline", "known.yaml")
        self.assertEqual(code, 1, error)
        self.assertIn("upgrade preview", out)
        self.assertRegex(out, r"(?s)STM-EXEC-R1  own/a\n    now executions.*?\n    why the case asks something else now")
        self.assertRegex(out, r"(?s)STM-EXEC-R1  own/b\n    now executions.*?\n    why the case is new")
        self.assertIn("new cases (1)\n  own/b\n", out)
        patch = json.loads(self.assay("diff", "old.ndjson", "new.ndjson", "--baseline", "known.yaml", "--format", "json")[1])["baseline_patch"]
        subprocess.run(["git", "apply", "-p0"], cwd=self.folder, input=patch, text=True, check=True)
        code, out, error = self.assay("baseline", "check", "new.ndjson", "known.yaml")
        self.assertEqual(code, 0, out + error)
        # The target that changed is told apart from the suite that did.
        with serve() as server:
            self.assay("run", "--target", server.url, "--scenarios", "new", "--record", "mended.ndjson", "--quiet")
        out = self.assay("diff", "new.ndjson", "mended.ndjson")[1]
        self.assertNotIn("upgrade preview", out)
        self.assertIn("why the target answers differently now", out)


class Shards(Repository):
    def run_shard(self, url, number, count, *more):
        code, _, error = self.assay("run", "--target", url, "--shard", f"{number}/{count}", "--record",
                                    f"s{number}.ndjson", "--quiet", *more)
        self.assertIn(code, (0, 1), error)
        return f"s{number}.ndjson"

    def verdicts(self, name):
        lines = (self.folder / name).read_text(encoding="utf-8").splitlines()
        cases = [json.loads(line) for line in lines]
        return [(each["id"], each["verdict"], [check["verdict"] for check in each["checks"]])
                for each in cases if each["type"] == "case"]

    def test_three_shards_are_one_run(self):
        with serve("--fault", FAULT) as server:
            self.assay("run", "--target", server.url, "--record", "whole.ndjson", "--quiet")
            for more in ([], ["--durations-from", "whole.ndjson"]):
                parts = [self.run_shard(server.url, number, 3, *more) for number in (1, 2, 3)]
                code, out, error = self.assay("merge", *parts, "-o", "merged.ndjson")
                self.assertEqual(code, 1, out + error)
                self.assertEqual(self.verdicts("merged.ndjson"), self.verdicts("whole.ndjson"))
                code, out, error = self.assay("verify", "merged.ndjson")
                self.assertEqual(code, 0, out + error)
            whole = self.assay("report", "whole.ndjson", "--format", "json")[1]
            merged = self.assay("report", "merged.ndjson", "--format", "json")[1]
            self.assertEqual(json.loads(whole)["summary"], json.loads(merged)["summary"])
            self.assertEqual(json.loads(whole)["coverage"], json.loads(merged)["coverage"])

    def test_what_is_no_whole_run_is_refused(self):
        with serve() as server:
            parts = [self.run_shard(server.url, number, 3) for number in (1, 2, 3)]
            code, _, error = self.assay("run", "--target", server.url, "--shard", "3/3", "--seed", "8", "--record",
                                        "foreign.ndjson", "--quiet")
            self.assertEqual(code, 0, error)
            self.assay("run", "--target", server.url, "--record", "whole.ndjson", "--quiet")
        lines = (self.folder / parts[2]).read_text(encoding="utf-8").splitlines(keepends=True)
        (self.folder / "cut.ndjson").write_text("".join(lines[:-1]), encoding="utf-8")
        for records, reason in (
            ([parts[0], parts[1]], "shard 3/3 is missing"),
            ([*parts, parts[1]], "shard 2/3 comes twice"),
            ([parts[0], parts[1], "foreign.ndjson"], "foreign.ndjson: another seed than s1.ndjson: 8, not 7"),
            ([parts[0], parts[1], "cut.ndjson"], "cut.ndjson: cut short after"),
            (["whole.ndjson"], "whole.ndjson: not the record of a shard"),
        ):
            code, _, error = self.assay("merge", *records, "-o", "merged.ndjson")
            self.assertEqual(code, 2)
            self.assertIn(reason, error)
        self.assertFalse((self.folder / "merged.ndjson").exists())


class Surroundings(Repository):
    def test_the_command_line_wins_over_the_environment_and_that_over_the_file(self):
        (self.folder / "assay.yaml").write_text("target: http://127.0.0.1:1\nquiet: true\nbaseline: known.yaml\n",
                                                encoding="utf-8")
        inner = self.folder / "inner"
        inner.mkdir()
        done = subprocess.run([ASSAY, "config"], cwd=inner, capture_output=True, text=True, check=True,
                              env={**os.environ, "ASSAY_TARGET": "http://127.0.0.1:2"})
        self.assertIn("target = http://127.0.0.1:2  (ASSAY_TARGET)", done.stdout)
        self.assertRegex(done.stdout, r"baseline = \S+/known\.yaml  \(\S+/assay\.yaml:3:11\)")
        (self.folder / "assay.yaml").write_text("target: http://127.0.0.1:1\n", encoding="utf-8")
        self.assertIn("127.0.0.1:1:", self.assay("run")[2])
        self.assertIn("127.0.0.1:2:", self.assay("run", ASSAY_TARGET="http://127.0.0.1:2")[2])
        self.assertIn("127.0.0.1:3:", self.assay("run", "--target", "http://127.0.0.1:3",
                                                 ASSAY_TARGET="http://127.0.0.1:2")[2])

    def test_a_wrong_member_of_the_file_is_named_with_its_place(self):
        (self.folder / "assay.yaml").write_text("seed: 7\ntarge: x\n", encoding="utf-8")
        code, _, error = self.assay("run")
        self.assertEqual(code, 2)
        self.assertIn('assay.yaml:2:1: unknown option "targe"; did you mean "target"?', error)

    def test_a_target_that_starts_is_waited_for(self):
        with serve() as server:
            port = urllib.parse.urlsplit(server.url).port
        late = threading.Timer(1.5, lambda: started.append(subprocess.Popen(
            [ASSAY, "serve", "--port", str(port)], stdout=subprocess.DEVNULL)))
        started = []
        late.start()
        try:
            code, _, error = self.assay("run", "--target", f"http://127.0.0.1:{port}", "--wait", "30", "--quiet", "--case",
                                        "status/names-its-fields")
            self.assertEqual(code, 0, error)
        finally:
            late.join()
            for process in started:
                process.terminate()
                process.wait(timeout=30)

    def test_quiet_still_says_why(self):
        with serve("--fault", FAULT) as server:
            code, out, _ = self.assay("run", "--target", server.url, "--quiet")
        self.assertEqual(code, 1)
        self.assertEqual(len(out.splitlines()), 1)
        self.assertIn("Does not conform", out)

    def test_only_what_failed_last_is_run(self):
        with serve("--fault", FAULT) as server:
            self.assay("run", "--target", server.url, "--record", "main.ndjson", "--quiet")
            code, out, error = self.assay("run", "--target", server.url, "--last-failed", "main.ndjson", "--list")
        self.assertEqual(code, 0, error)
        self.assertEqual([line.split("  ")[0] for line in out.splitlines()],
                         [FAULTY_CASE, FAULTY_CASE.replace("step.enter", "command.issued")])

    def test_a_script_is_shown_with_its_values_and_runs(self):
        code, out, error = self.assay("show", FAULTY_CASE)
        self.assertEqual(code, 0, error)
        self.assertIn(FAULTY_CASE, out)
        self.assertIn("step.enter", out)
        self.assertNotIn("command.issued", out)
        (self.folder / "one.yaml").write_text(out, encoding="utf-8")
        (self.folder / "assay.yaml").unlink()
        with serve("--fault", FAULT) as server:
            self.assertEqual(self.assay("run", "--target", server.url, "--scenarios", "one.yaml", "--quiet")[0], 1)

    def test_the_slowest_cases_are_named(self):
        code, out, error = self.assay("run", "--in-process", "--quiet", "--durations", "2")
        self.assertEqual(code, 0, error)
        self.assertEqual(len(re.findall(r"^ +[\d.]+ ms  status/", out, re.M)), 2)


class Repro(Repository):
    def test_the_script_shows_the_fault_with_curl_alone(self):
        with serve("--fault", FAULT) as server:
            self.assay("run", "--target", server.url, "--record", "main.ndjson", "--quiet")
            code, out, error = self.assay("repro", "main.ndjson", FAULTY_CASE, "-o", "bug")
            self.assertEqual(code, 0, error)
            har = json.loads((self.folder / "bug/exchanges.har").read_text(encoding="utf-8"))
            self.assertGreater(len(har["log"]["entries"]), 3)
            self.assertTrue((self.folder / "bug/scenario.yaml").exists())
            for _ in range(2):  # Names are fresh each time.
                done = subprocess.run(["sh", "bug/repro.sh", server.url], cwd=self.folder, capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        with serve() as server:
            done = subprocess.run(["sh", "bug/repro.sh", server.url], cwd=self.folder, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        # Where the steps that lead to it are answered otherwise, nothing is shown.
        script = (self.folder / "bug/repro.sh").read_text(encoding="utf-8")
        (self.folder / "bug/repro.sh").write_text(script.replace("/events'", "/no-events'"), encoding="utf-8")
        with serve("--fault", FAULT) as server:
            done = subprocess.run(["sh", "bug/repro.sh", server.url], cwd=self.folder, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
            self.assertIn("this shows nothing", done.stderr)
        done = subprocess.run(["sh", "bug/repro.sh", "http://127.0.0.1:1"], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)


class Matrix(Repository):
    def test_versions_stand_side_by_side(self):
        for name, options in (("a", []), ("b", ["--fault", FAULT])):
            with serve(*options) as server:
                self.assay("run", "--target", server.url, "--record", f"{name}.ndjson", "--quiet")
        code, out, _ = self.assay("matrix", "a.ndjson", "b.ndjson")
        self.assertEqual(code, 0)
        self.assertRegex(out, r"(?m)^\* STM-EXEC-R1 +MUST +holds +broken")
        self.assertIn("**STM-EXEC-R1**", self.assay("matrix", "a.ndjson", "b.ndjson", "--format", "markdown")[1])
        self.assertIn('<td class="broken">broken</td>', self.assay("matrix", "a.ndjson", "b.ndjson", "--format", "html")[1])


class Formats(Repository):
    def test_what_ci_servers_read(self):
        with serve("--fault", FAULT) as server:
            self.assay("run", "--target", server.url, "--record", "main.ndjson", "--quiet")
        github = self.assay("report", "main.ndjson", "--format", "github")[1]
        self.assertRegex(github, r"(?m)^::error title=STM-EXEC-R1 fail::expected .*%0Aactual ")
        issues = json.loads(self.assay("report", "main.ndjson", "--format", "gitlab")[1])
        self.assertEqual(len({each["fingerprint"] for each in issues}), len(issues))
        self.assertEqual({each["severity"] for each in issues}, {"critical"})
        tap = self.assay("report", "main.ndjson", "--format", "tap")[1].splitlines()
        self.assertEqual(tap[0], "TAP version 14")
        tests = [line for line in tap if re.match(r"(not )?ok \d+ - ", line)]
        self.assertEqual(tap[1], f"1..{len(tests)}")
        self.assertEqual([line for line in tests if line.startswith("not")], [line for line in tests if re.search(r"completed-is-for-ever\[(step.enter|command.issued)\]", line)])


class Integrations(Repository):
    """What a runner of each CI server would do, with the variables that it sets."""

    def setUp(self):
        super().setUp()
        tools = self.folder / "tools"
        tools.mkdir()
        (tools / "assay").symlink_to(ASSAY)
        (tools / "gh").write_text(
            "#!/bin/sh\necho \"$*\" >>\"$GH_LOG\"\ncase \"$*\" in *paginate*) cat \"$GH_KNOWN\";; esac\n", encoding="utf-8")
        (tools / "gh").chmod(0o755)
        self.environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}

    def shell(self, command, **environment):
        return subprocess.run(["bash", "-c", command], cwd=self.folder, capture_output=True, text=True, timeout=300,
                              check=False, env={**self.environment, **environment})

    def test_the_action_annotates_summarises_and_replaces_its_comment(self):
        self.make_main()
        runner = self.folder / "runner"
        runner.mkdir()
        action = SOURCE / "integrations/github"
        with serve("--fault", "cancel-reads-running") as server:
            done = self.shell(str(action / "judge"), RUNNER_TEMP=str(runner), GITHUB_OUTPUT=str(runner / "output"),
                              GITHUB_STEP_SUMMARY=str(runner / "summary"), ASSAY_TARGET=server.url, ASSAY_WAIT="30",
                              INPUT_BASELINE="known.yaml", INPUT_AGAINST="main.ndjson", INPUT_ARGUMENTS="--jobs 4")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("exit-code=1\n", (runner / "output").read_text(encoding="utf-8"))
        self.assertIn("::error title=", done.stdout)
        self.assertIn("conform", (runner / "summary").read_text(encoding="utf-8"))
        comment = (runner / "assay/comment.md").read_text(encoding="utf-8")
        self.assertTrue(comment.startswith("<!-- assay -->\n"))
        self.assertIn("### newly failing", comment)
        for known, verb in (("", "--method POST repos/o/r/issues/3/comments"), ("41\n", "--method PATCH repos/o/r/issues/comments/41")):
            (self.folder / "known-comment").write_text(known, encoding="utf-8")
            log = self.folder / "gh.log"
            log.unlink(missing_ok=True)
            done = self.shell(str(action / "comment"), GITHUB_REPOSITORY="o/r", PULL_REQUEST="3", GH_LOG=str(log),
                              GH_KNOWN=str(self.folder / "known-comment"), COMMENT_FILE=str(runner / "assay/comment.md"))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(verb, log.read_text(encoding="utf-8"))

    def test_the_commands_for_gitlab_and_jenkins_write_what_these_read(self):
        gitlab = (SOURCE / "integrations/gitlab/assay.gitlab-ci.yml").read_text(encoding="utf-8")
        jenkins = (SOURCE / "integrations/jenkins/Jenkinsfile").read_text(encoding="utf-8")
        commands = re.findall(r"^    - (assay .*)$", gitlab, re.M) + re.findall(r"sh '(assay .*)'", jenkins)
        self.assertEqual(len(commands), 2)
        with serve("--fault", FAULT) as server:
            for command in commands:
                for name in ("junit.xml", "codequality.json"):
                    (self.folder / name).unlink(missing_ok=True)
                done = self.shell(command, ASSAY_TARGET=server.url, ASSAY_WAIT="30")
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn("<testsuites", (self.folder / "junit.xml").read_text(encoding="utf-8"))
                if "codequality" in command:
                    self.assertTrue(json.loads((self.folder / "codequality.json").read_text(encoding="utf-8")))

    def test_the_hook_lints_a_baseline(self):
        hook = (SOURCE / "integrations/pre-commit/hooks.yaml").read_text(encoding="utf-8")
        entry = re.search(r"^ +entry: (.*)$", hook, re.M)[1]
        pattern = re.search(r"^ +files: '(.*)'$", hook, re.M)[1]
        self.make_main()
        self.assertRegex("known.yaml", pattern)
        self.assertEqual(self.shell(f"{entry} known.yaml").returncode, 0)
        text = (self.folder / "known.yaml").read_text(encoding="utf-8")
        (self.folder / "known.yaml").write_text(re.sub(r" +expires: .*\n", "", text), encoding="utf-8")
        done = self.shell(f"{entry} known.yaml")
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn('needs an "expires"', done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
