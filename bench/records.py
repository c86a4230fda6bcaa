"""Reports of large records: a run of the suite is recorded, its cases are repeated under other ids, and what comes of
that is told as text and as a page. Prints a line a figure, seconds of user time or MiB of memory at the peak.

usage: records.py ASSAY_PROGRAM CASES_OF_A_PAGE CASES_OF_A_LARGE_RECORD ROUNDS [SELECTION...]
"""

import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "cli"))
from testing.measured import run_timed  # noqa: E402


def parts_of(line):
    """A case's line before and after its id, and the id, as they stand there."""
    named = f'"id":{json.dumps(json.loads(line)["id"], ensure_ascii=False)}'
    before, after = line.split(named)
    return before, named[:-1], after


def repeat(record, cases, file):
    """Writes a record with so many cases: those of `record`, each time under other ids."""
    with record.open(newline="\n") as lines:
        header, *made, footer = lines
    made = [parts_of(line) for line in made]
    with file.open("w", newline="\n") as out:
        out.write(header)
        for number in range(cases):
            before, named, after = made[number % len(made)]
            out.write(f'{before}{named} {number // len(made)}"{after}')
        out.write(json.dumps({**json.loads(footer), "cases": cases, "digest": ""}) + "\n")


def report(assay, record, form, rounds):
    """The least seconds of user time and the least peak in MiB."""
    page = record.with_suffix(f".{form}")
    told = [run_timed(assay, "report", record, "--format", form, "-o", page, check=True)[1:] for _ in range(rounds)]
    return min(user_s for _, user_s in told), min(peak for peak, _ in told) / (1 << 20)


def main(assay, page_cases, large_cases, rounds, selection):
    with tempfile.TemporaryDirectory() as folder:
        record, many = pathlib.Path(folder) / "run.ndjson", pathlib.Path(folder) / "many.ndjson"
        subprocess.run([assay, "run", *selection, "--seed", "5", "--record", record], check=True, stdout=subprocess.DEVNULL)
        repeat(record, page_cases, many)
        print("page_user_s", f"{report(assay, many, 'html', rounds)[0]:.2f}")
        repeat(record, large_cases, many)
        print("large_mib", f"{many.stat().st_size / (1 << 20):.0f}")
        for form in ("text", "html"):
            user_s, peak_mib = report(assay, many, form, 1)
            print(f"large_{form}_user_s {user_s:.2f}\nlarge_{form}_mib {peak_mib:.0f}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]), sys.argv[5:])
