#!/usr/bin/env python3
"""An adapter for assay (docs/adapters.md): it serves the engine of engine.py, which has no HTTP.

Copy it, put your SDK in the place of `engine`, and change the three functions.
"""

import concurrent.futures
import json
import sys
import threading

import engine as sdk

engine = sdk.Engine()
speaking = threading.Lock()


def create(parameters):
    return engine.submit(parameters["run_id"])


def get(parameters):
    return engine.task(parameters["run_id"])


def move(parameters):
    return engine.move(parameters["run_id"], parameters["to"], parameters.get("diagnostic"))


OPERATIONS = {"runs.create": create, "runs.get": get, "runs.transition": move}


def say(line):
    """One line to assay. Standard output is for nothing else: print to standard error."""
    with speaking:
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()


def answer(line):
    """Performs one operation. What the engine refuses is an outcome, what breaks here is an error."""
    try:
        outcome = {"outcome": "accepted", "answer": OPERATIONS[line["operation"]](line["parameters"])}
    except sdk.Refused as refusal:
        outcome = {"outcome": "refused", "answer": {"reason": str(refusal)}}
    except KeyError as missing:
        outcome = {"outcome": "unknown", "answer": {"missing": str(missing)}}
    except Exception as broken:  # The engine is not to blame: assay counts it for nothing.
        outcome = {"error": repr(broken)}
    say({"id": line["id"], **outcome})


def main():
    greeting = json.loads(sys.stdin.readline())
    if greeting["version"] != 1:
        sys.exit(f"assay speaks version {greeting['version']} of the protocol, and this program version 1")
    say({"protocol": "assay-adapter", "version": 1, "capabilities": sorted(OPERATIONS),
         "target": {"name": "task-engine", "version": engine.version}})
    with concurrent.futures.ThreadPoolExecutor(16) as workers:  # At the end of its input it answers the rest, and ends.
        for line in sys.stdin:
            workers.submit(answer, json.loads(line))


if __name__ == "__main__":
    main()
