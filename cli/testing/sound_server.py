"""A sound server for assay to acquit, written from CONTRACT.md and the specifications alone: replay executions of specifications 000
and 001, and runs of specification 004, by the reference's binding to the letter. It has its own ids (with a slash), its own texts,
and more members than the contract names. What it takes beyond that, it is told:

usage: python3 sound_server.py [LIBERTY…]
"""

import sys

import sound_events
from sound_executions import Executions
from sound_http import SoundServer, serve
from sound_runs import Runs

LIBERTIES = {
    "ended-steps-stay": "a step that ended and is entered again stays as it ended, and the event is an anomaly",
    "times-in-milliseconds": "a time has three digits of a second where it needs none",
    "newest-first": "steps, commands, tools and anomalies begin with the newest, and cancels with the last command",
    "bare-answers": "ctx and evict answer {}",
    "reasons-in-meta": "the reason of a cancel is in payload.meta",
    "diagnostics-of-failures-only": "a diagnostic and a code that come with another status than a failure are passed over",
    "wrong-type-is-invalid": "a diagnostic of a wrong type is a fault of the field, not DIAGNOSTIC_REQUIRED",
}


def openapi(routes):
    paths = {}
    for method, expression, *_ in routes:
        path = expression.pattern.replace("([^/]+)", "{id}")
        paths.setdefault(path, {})[method.lower()] = {"responses": {"default": {"description": "as CONTRACT.md says"}}}
    return {"openapi": "3.1.0", "info": {"title": "sound", "version": "1"}, "paths": paths}


def main(liberties):
    unknown = liberties - LIBERTIES.keys()
    if unknown:
        sys.exit(f"no liberty {', '.join(sorted(unknown))}; there are {', '.join(LIBERTIES)}")
    if "times-in-milliseconds" in liberties:
        sound_events.fewest_digits = 3
    sound = SoundServer()
    executions = Executions(sound, liberties)
    Runs(sound, executions.now, liberties)
    sound.route("GET", "/healthz", lambda _content, _query: (200, {"status": "ok", "name": "sound", "version": "1"}))
    sound.route("GET", "/openapi.json", lambda _content, _query: (200, openapi(sound.routes)))
    sound.route("GET", "/metrics", lambda _content, _query: (200, {}))
    serve(sound)


if __name__ == "__main__":
    main(set(sys.argv[1:]))
