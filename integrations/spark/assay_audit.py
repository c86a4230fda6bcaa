#!/usr/bin/env python3
"""Audits an event log that is too large for one machine: Spark hands each execution's events to one
`assay audit --partition`, and `assay merge` joins what the partitions came to.

usage: spark-submit assay_audit.py [options] INPUT… [-- options of assay audit]

    spark-submit assay_audit.py --assay ./assay --format parquet s3a://logs/events/ -o audit.ndjson
    spark-submit assay_audit.py --assay ./assay --format jdbc --url jdbc:postgresql://db/noetl \\
        --query 'SELECT * FROM event' -o audit.ndjson -- --profile noetl-py

Ends with the exit code of `assay merge`: 0 conforms, 1 findings, 4 no events. docs/auditing-at-scale.md
says what a cluster needs.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile
import threading

from pyspark import SparkFiles, TaskContext
from pyspark.sql import SparkSession
from pyspark.sql import functions as f

def read_rows(spark, options):
    """One column, `event`: the text of each event as it stands, or a row's columns as JSON."""
    if options.format == "json":
        return spark.read.option("lineSep", "\n").text(options.inputs).withColumnRenamed("value", "event")
    if options.format == "parquet":
        table = spark.read.parquet(*options.inputs)
    else:
        table = spark.read.format("jdbc").option("url", options.url).option("query", options.query).load()
    written = {"timestampFormat": "yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'"}  # The session's zone is UTC.
    return table.select(f.to_json(f.struct("*"), written).alias("event"))


def numbered(spark, rows):
    """Adds `number`, from 1 on: where a row stands among all, files in the order of their names."""
    piece = ["file", "block", "part"]  # What one task reads of one file.
    rows = rows.select("event", f.input_file_name().alias("file"), f.input_file_block_start().alias("block"),
                       f.spark_partition_id().alias("part"), f.monotonically_increasing_id().alias("id"))
    pieces = rows.groupBy(*piece).agg(f.min("id").alias("first"), f.count("*").alias("count")).collect()
    before, offsets = 0, []
    for file, block, part, first, count in sorted(pieces):
        offsets.append((file, block, part, before + 1 - first))
        before += count
    if not offsets:
        return rows.select("event", f.col("id").alias("number"))
    offsets = spark.createDataFrame(offsets, "file string, block bigint, part int, offset bigint")
    return rows.join(f.broadcast(offsets), piece).select("event", (f.col("id") + f.col("offset")).alias("number"))


def audit_command(options, partition, partitions):
    """What judges a partition on the machine where it is."""
    program = SparkFiles.get(pathlib.Path(options.assay).name) if options.ships else options.assay
    return [program, "audit", "--partition", f"{partition}/{partitions}", "--jobs", "1", "--memory", options.memory,
            "--log-name", options.log_name or " ".join(options.inputs or ["query"]), *options.audit]


def judge(options, partitions):
    """The function that turns a partition's lines into its partial record."""
    def judged(lines):
        command = audit_command(options, TaskContext.get().partitionId() + 1, partitions)
        said, answered = [], []
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as audit:
            readers = [threading.Thread(target=lambda: answered.append(audit.stdout.read())),
                       threading.Thread(target=lambda: said.append(audit.stderr.read()))]
            for reader in readers:
                reader.start()
            try:
                for line in lines:
                    audit.stdin.write(line.encode() + b"\n")
                audit.stdin.close()
            except BrokenPipeError:
                pass  # It says itself why it ended.
            except BaseException:
                audit.kill()  # What was not read to its end must not look like a whole partition.
                raise
            for reader in readers:
                reader.join()
        if audit.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}: exit {audit.returncode}: {said[0].decode(errors='replace')}")
        yield answered[0].decode()
    return judged


def partial_records(spark, options):
    """The partial record of each partition: the events of an execution are all in one."""
    rows = numbered(spark, read_rows(spark, options))
    event = f.col("event")
    execution = f.get_json_object(event, options.execution_at)
    seq = f.get_json_object(event, options.seq_at).cast("long")
    parted = (rows.withColumn("execution", execution).withColumn("seq", seq)
              .repartition(options.partitions, "execution")
              .sortWithinPartitions("execution", "seq", "number")
              .select(f.concat_ws("\t", f.col("number").cast("string"), event).alias("line")))
    lines = parted.rdd.map(lambda row: row["line"])
    return lines.mapPartitions(judge(options, lines.getNumPartitions())).collect()


def parse_arguments(arguments):
    """The script's own options, and behind `--` those of `assay audit`."""
    own, audit = (arguments[:arguments.index("--")], arguments[arguments.index("--") + 1:]) if "--" in arguments \
        else (arguments, [])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("inputs", nargs="*", help="files or folders that every executor can read")
    parser.add_argument("-o", "--output", required=True, help="the record to write, on the driver")
    parser.add_argument("--format", choices=["json", "parquet", "jdbc"], default="json",
                        help="json: an event a line (NDJSON), also gzipped")
    parser.add_argument("--url", help="of --format jdbc")
    parser.add_argument("--query", help="of --format jdbc: its columns are an event's members")
    parser.add_argument("--assay", default="assay", help="the program: a file of the driver, which is sent to the "
                        "executors, or the name under which they have it in PATH")
    parser.add_argument("--partitions", type=int, default=200, help="into how many parts the log is cut (200)")
    parser.add_argument("--memory", default="256MiB", help="of each assay; the rest goes to the executor's disk")
    parser.add_argument("--execution-at", default="$.execution_id", help="where an event names its execution")
    parser.add_argument("--seq-at", default="$.seq", help="where an event has its number in the execution")
    parser.add_argument("--log-name", help="what the log is called in the record (the inputs)")
    parser.add_argument("--baseline", help="for `assay merge`")
    parser.add_argument("--report", action="append", default=[], help="FORMAT=FILE, for `assay merge`")
    options = parser.parse_args(own)
    if options.format == "jdbc" and not (options.url and options.query):
        parser.error("--format jdbc needs --url and --query")
    if options.format != "jdbc" and not options.inputs:
        parser.error(f"--format {options.format} needs an input")
    options.audit = audit
    options.ships = pathlib.Path(options.assay).is_file()
    return options


def main(arguments):
    options = parse_arguments(arguments)
    spark = SparkSession.builder.appName("assay audit").config("spark.sql.session.timeZone", "UTC").getOrCreate()
    try:
        if options.ships:
            spark.sparkContext.addFile(str(pathlib.Path(options.assay).resolve()))
        records = partial_records(spark, options)
    finally:
        spark.stop()
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for number, record in enumerate(records):
            paths.append(pathlib.Path(folder) / f"partition-{number + 1}.ndjson")
            paths[-1].write_text(record, encoding="utf-8")
        merge = [options.assay, "merge", *map(str, paths), "--output", options.output]
        for report in options.report:
            merge += ["--report", report]
        if options.baseline:
            merge += ["--baseline", options.baseline]
        return subprocess.run(merge, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
