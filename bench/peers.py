"""The same requests, each with one check of its status, by assay and by what others send scripted requests with: newman,
Step CI and Hurl. Prints a line a program: its name, requests a second of the whole process (the best of the rounds,
which the programs take by turns) and MiB of memory at the peak; or its name, "missing" and why.

usage: peers.py ASSAY_PROGRAM URL REQUESTS ROUNDS, URL the address of the status that is asked for. The peers are
installed below build/peers.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "cli"))
from testing.measured import run_measured  # noqa: E402

PEERS = ROOT / "build" / "peers"
NODE_PACKAGES = {"newman": "6.2.2", "stepci": "2.8.2"}
HURL = "8.0.1"


class Missing(Exception):
    """Why a peer cannot be had."""


def install(*command):
    try:
        subprocess.run(command, check=True, capture_output=True, text=True)
    except FileNotFoundError as error:
        raise Missing(f"no {error.filename}") from error
    except subprocess.CalledProcessError as error:
        lines = [line for line in error.stderr.splitlines() if "error" in line.lower()]
        raise Missing(f"{command[0]}: {lines[0].strip() if lines else 'failed'}") from error


def node_program(name):
    """A program of npm's, installed once in the version that is named above."""
    program = PEERS / name / "node_modules" / ".bin" / name
    if not program.exists():
        install("npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", str(PEERS / name),
                f"{name}@{NODE_PACKAGES[name]}")
    return program


def hurl_program():
    program = PEERS / "hurl" / "bin" / "hurl"
    if not program.exists():
        install("cargo", "install", "hurl", "--version", HURL, "--locked", "--root", str(PEERS / "hurl"))
    return program


def by_assay(assay, url, requests, folder):
    base, path = url.split("/executions/", 1)
    (folder / "statuses.yaml").write_text(json.dumps({
        "id": "bench/statuses", "title": "The same status, asked for again and again", "clauses": ["STM-API-NOVARS"],
        "steps": [{"repeat": {"times": requests, "steps": [
            {"request": {"method": "GET", "path": f"/executions/{path}"}, "response": {"status": 200}}]}}]}))
    return [assay, "run", "--scenarios", str(folder), "--target", base]


def by_newman(_, url, requests, folder):
    (folder / "collection.json").write_text(json.dumps({
        "info": {"name": "statuses", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
        "item": [{"name": "status", "request": {"method": "GET", "url": url}, "event": [{"listen": "test", "script": {
            "exec": ["pm.test('status', () => pm.response.to.have.status(200));"]}}]}]}))
    return [node_program("newman"), "run", str(folder / "collection.json"), "-n", str(requests), "-r", "json",
            "--reporter-json-export", str(folder / "newman.json")]


def by_step_ci(_, url, requests, folder):
    step = {"name": "status", "http": {"url": url, "method": "GET", "check": {"status": 200}}}
    (folder / "workflow.yml").write_text(json.dumps({
        "version": "1.1", "name": "statuses", "tests": {"statuses": {"steps": [step] * requests}}}))
    return [node_program("stepci"), "run", str(folder / "workflow.yml")]


def by_hurl(_, url, requests, folder):
    (folder / "statuses.hurl").write_text(f"GET {url}\nHTTP 200\n\n" * requests)
    return [hurl_program(), "--test", str(folder / "statuses.hurl")]


PROGRAMS = {"assay": by_assay, "newman": by_newman, "stepci": by_step_ci, "hurl": by_hurl}


def measure(command):
    """Seconds and the peak in bytes of a run in which every check holds."""
    begin = time.monotonic()
    # Step CI says where it was used to a host of its own, unless it is told not to.
    environment = {**os.environ, "STEPCI_DISABLE_ANALYTICS": "1"}
    done, peak = run_measured(*command, capture_output=True, text=True, env=environment)
    seconds = time.monotonic() - begin
    if done.returncode != 0:
        said = (done.stdout + done.stderr).strip().splitlines()
        raise Missing(f"exit {done.returncode}: {said[-1] if said else 'nothing said'}")
    return seconds, peak


def main(assay, url, requests, rounds):
    best = {}
    missing = {}
    for _ in range(rounds):
        for name, prepare in PROGRAMS.items():
            if name in missing:
                continue
            with tempfile.TemporaryDirectory() as folder:
                try:
                    seconds, peak = measure(prepare(assay, url, requests, pathlib.Path(folder)))
                except Missing as why:
                    missing[name] = why
                    continue
            best[name] = min(best.get(name, (seconds, peak)), (seconds, peak))
    for name in PROGRAMS:
        if name in missing:
            print(name, "missing", missing[name])
        else:
            seconds, peak = best[name]
            print(f"{name} {requests / seconds:.0f} {peak / (1 << 20):.0f}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
