#!/usr/bin/env python3
"""Spark's record of a log is that of one machine, byte for byte but for times: on two threads, on a cluster of two
executors, from JSON, Parquet and JDBC, and when a worker is killed in the middle.

usage: assay_audit_test.py ASSAY_PROGRAM [unittest options]   (scripts/test-spark installs what it needs)
"""

import json
import os
import pathlib
import random
import re
import stat
import subprocess
import sys
import tempfile
import unittest

import pyspark

HERE = pathlib.Path(__file__).resolve().parent
ASSAY = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else None
SUBMIT = pathlib.Path(sys.executable).parent / "spark-submit"
# What differs from audit to audit.
TIMES = re.compile(r'"(started_at|digest)":"[^"]*"|"duration_ms":[0-9.e+-]+')

# Kills its worker when it is called first, once it has read something; then it is the program itself.
KILLER = """#!/usr/bin/env bash
if [ "$1" = audit ] && mkdir {flag} 2>/dev/null; then
  head -c 20000 >/dev/null
  victim=$PPID
  while [ {deep} = yes ] && ! grep -q CoarseGrainedExecutorBackend "/proc/$victim/cmdline"; do
    victim=$(awk '/^PPid/ {{ print $2 }}' "/proc/$victim/status")
  done
  kill -9 "$victim"
  sleep 30
fi
exec {assay} "$@"
"""


def event(execution, number, kind, **more):
    return {"event_id": f"{execution}-{number}", "event_type": kind, "execution_id": execution,
            "timestamp": f"2026-01-01T00:00:{number:02}Z", **more}


def execution_log(rng, number):
    """The events of one execution, about one in five of them with a fault."""
    name = f"x{number}"
    kinds = ["playbook.initialized", "command.issued", "command.claimed", "command.started", "command.completed",
             "playbook.completed"]
    fault = rng.randrange(20)
    if fault == 0:
        kinds.remove("command.started")
    elif fault == 1:
        kinds.append("playbook.failed")
    elif fault == 2:
        kinds.append("command.issued")
    events = [event(name, at + 1, kind, **({"command_id": "c"} if kind.startswith("command") else {}))
              for at, kind in enumerate(kinds)]
    if fault == 3:
        events[-1]["event_id"] = events[0]["event_id"]
    if rng.randrange(4):
        for at, each in enumerate(events):
            each["seq"] = at + 1
        if rng.randrange(3) == 0:
            rng.shuffle(events)
    return events


def mixed_log(seed, executions):
    rng = random.Random(seed)
    waiting = [execution_log(rng, number) for number in range(executions)]
    while waiting:
        at = rng.randrange(min(len(waiting), 50))
        yield waiting[at].pop(0)
        if not waiting[at]:
            waiting.pop(at)


class Spark(unittest.TestCase):
    """A log of 3,000 executions; each test judges it in another way."""

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory(prefix="assay-spark-")
        cls.folder = pathlib.Path(cls.scratch.name)
        events = list(mixed_log(7, 3_000))
        cls.clean = cls.folder / "clean.ndjson"
        cls.clean.write_text("".join(json.dumps(each) + "\n" for each in events))
        lines = cls.clean.read_text().splitlines(keepends=True)
        for at in (3, 5_000, 9_000):
            lines.insert(at, ["{]\n", '"no event"\n', "\n"][at % 3])
        cls.log = cls.folder / "log.ndjson"
        cls.log.write_text("".join(lines))

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def run_program(self, *command):
        home = pathlib.Path(pyspark.__file__).parent
        return subprocess.run([str(each) for each in command], cwd=self.folder, capture_output=True, text=True,
                              timeout=500, check=False,
                              env={**os.environ, "SPARK_HOME": str(home), "PYSPARK_PYTHON": sys.executable,
                                   "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_SCALA_VERSION": "2.12"})

    def record_of(self, path):
        return TIMES.sub("", path.read_text())

    def by_one_machine(self, log):
        record = self.folder / "one.ndjson"
        done = self.run_program(ASSAY, "audit", log.name, "--record", record, "--quiet")
        self.assertEqual(done.returncode, 1, done.stderr)
        return self.record_of(record)

    def by_spark(self, master, log, *options, assay=None):
        record = self.folder / "spark.ndjson"
        record.unlink(missing_ok=True)
        done = self.run_program(SUBMIT, "--master", master, "--conf", "spark.ui.enabled=false",
                                HERE / "assay_audit.py", "--assay", assay or ASSAY, "--partitions", "7",
                                "--log-name", log.name, "-o", record, *options)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr[-5_000:])
        return self.record_of(record), done.stderr

    def with_killer(self, flag, deep):
        folder = self.folder / f"bin-{flag}"
        folder.mkdir()
        program = folder / "killer"
        program.write_text(KILLER.format(flag=self.folder / flag, deep=deep, assay=ASSAY))
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        return program

    def test_two_threads_give_the_record_of_one_machine(self):
        found, _ = self.by_spark("local[2]", self.log, self.log)
        whole = self.by_one_machine(self.log)
        self.assertIn('"verdict":"fail"', whole)
        self.assertIn("log.ndjson:4:2", whole)
        self.assertEqual(found, whole)

    def test_a_cluster_gives_it_too(self):
        found, _ = self.by_spark("local-cluster[2,1,1024]", self.log, self.log)
        self.assertEqual(found, self.by_one_machine(self.log))

    def test_a_python_worker_may_be_killed(self):
        killer = self.with_killer("python-killed", "no")
        found, said = self.by_spark("local[2,4]", self.log, self.log, assay=killer)
        self.assertTrue((self.folder / "python-killed").exists())
        self.assertIn("Lost task", said)
        self.assertEqual(found, self.by_one_machine(self.log))

    def test_an_executor_may_be_killed(self):
        killer = self.with_killer("executor-killed", "yes")
        found, said = self.by_spark("local-cluster[2,1,1024]", self.log, self.log, assay=killer)
        self.assertTrue((self.folder / "executor-killed").exists())
        self.assertIn("Lost executor", said)
        self.assertEqual(found, self.by_one_machine(self.log))

    def test_tables_give_the_record_of_their_events(self):
        columns = "event_id string, event_type string, execution_id string, timestamp string, command_id string, " \
            "seq bigint"
        convert = self.folder / "convert.py"
        convert.write_text(f"""
from pyspark.sql import SparkSession
spark = SparkSession.builder.getOrCreate()
rows = spark.read.schema({columns!r}).json({str(self.clean)!r}).coalesce(1)
rows.write.parquet({str(self.folder / "table")!r})
rows.write.jdbc("jdbc:derby:{self.folder}/derby;create=true", "events")
""")
        done = self.run_program(SUBMIT, "--master", "local[1]", "--conf", "spark.ui.enabled=false", convert)
        self.assertEqual(done.returncode, 0, done.stderr[-5_000:])
        whole = self.by_one_machine(self.clean)
        found, _ = self.by_spark("local[2]", self.clean, "--format", "parquet", self.folder / "table")
        self.assertEqual(found, whole)
        found, _ = self.by_spark("local[2]", self.clean, "--format", "jdbc", "--query", "SELECT * FROM events",
                                 "--url", f"jdbc:derby:{self.folder}/derby")
        self.assertEqual(found, whole)

    def test_the_options_of_audit_are_passed_on(self):
        record = self.folder / "some.ndjson"
        done = self.run_program(SUBMIT, "--master", "local[2]", "--conf", "spark.ui.enabled=false",
                                HERE / "assay_audit.py", "--assay", ASSAY, "--partitions", "3", "-o", record,
                                self.log, "--", "--clause", "STM-ONCE-1", "--execution", "x1")
        self.assertIn(done.returncode, (0, 1), done.stderr[-5_000:])
        selection = json.loads(record.read_text().splitlines()[0])["selection"]
        self.assertEqual(selection, ["audit", "scope=specification", "clause=STM-ONCE-1", "execution=x1"])


if __name__ == "__main__":
    unittest.main()
