"""One event: what specification 001 and CONTRACT.md let it be, and what is stored of it."""

import datetime
import fractions
import re

from sound_http import Problem, checked_id, invalid, whole_number
from sound_json import dump, same

NAME = re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*){1,2}")
TIME = re.compile(r"(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:\d\d)", re.ASCII)
TEXTS = ("parent_id", "workflow_run_id", "step_run_id", "task_run_id", "command_id", "node_name", "iteration_id", "entity_id")
ENTITIES = ("playbook", "workflow", "step", "task", "loop", "next", "policy", "result")
STATUSES = ("in_progress", "success", "error", "skipped", "paused")
LAYER_WORDS = ("PENDING", "RUNNING", "COMPLETED", "FAILED", "CASE_HANDLED", "ISSUED", "CLAIMED", "CANCELLED")
MOST_FIELD_BYTES = 65_536
MOST_PAYLOAD_BYTES = 262_144
EPOCH = datetime.datetime(1, 1, 1)
# How many digits of a second are shown at least; set once, before anything is shown.
fewest_digits = 0


def instant(text, pointer):
    """Seconds since the year 1, exact."""
    match = TIME.fullmatch(text) if isinstance(text, str) else None
    if not match:
        raise invalid(pointer, "a time is RFC 3339 with its zone")
    year, month, day, hour, minute, second = map(int, match.groups()[:6])
    zone = match[8].upper()
    offset = 0
    if zone != "Z":
        hours, minutes = int(zone[1:3]), int(zone[4:6])
        if hours > 23 or minutes > 59:
            raise invalid(pointer, "there is no such zone")
        offset = (hours * 60 + minutes) * (-60 if zone[0] == "-" else 60)
    try:
        whole = datetime.datetime(year, month, day, hour, minute) - EPOCH
    except ValueError:
        raise invalid(pointer, "there is no such time") from None
    if second > 60:
        raise invalid(pointer, "there is no such second")
    seconds = whole.days * 86_400 + whole.seconds + second - offset
    if not 0 <= seconds < (datetime.datetime(9999, 12, 31, 23, 59, 59) - EPOCH).total_seconds() + 1:
        raise invalid(pointer, "the year is outside 0001 to 9999")
    digits = (match[7] or "")[:9]
    return fractions.Fraction(seconds) + (fractions.Fraction(int(digits), 10 ** len(digits)) if digits else 0)


def shown_time(moment):
    """In UTC, with as many digits as are needed and never less than fewest_digits."""
    whole = int(moment)
    nanoseconds = int((moment - whole) * 10 ** 9)
    text = (EPOCH + datetime.timedelta(seconds=whole)).isoformat(timespec="seconds")
    digits = f"{nanoseconds:09d}".rstrip("0").ljust(fewest_digits, "0")
    return f"{text}.{digits}Z" if digits else f"{text}Z"


def now_time():
    return fractions.Fraction(round((datetime.datetime.utcnow() - EPOCH).total_seconds() * 1000), 1000)


def alias_of(event_type):
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[._]", event_type))


def legacy_name(event, status):
    """The standard name of a legacy event, None for every other."""
    entity, _, verb = event.partition(".")
    ended = "failed" if status == "error" else "done"
    if event in ("tool.started", "tool.processed"):
        return "task.started" if verb == "started" else f"task.{ended}"
    if event in ("retry.started", "retry.processed"):
        return "task.attempt.started" if verb == "started" else f"task.attempt.{ended}"
    if entity == "sink":
        return {"started": "task.started", "failed": "task.failed"}.get(verb, f"task.{ended}")
    if entity == "case":
        return "next.evaluated"
    return None


def check_payload(payload, pointer):
    if not isinstance(payload, dict):
        raise invalid(pointer, "payload is an object")
    for name in ("error", "result_ref"):
        if payload.get(name) is not None and not isinstance(payload[name], dict):
            raise invalid(f"{pointer}/{name}", f"{name} is an object")
    for name in ("inputs", "outcome"):
        if len(dump(payload.get(name)).encode()) > MOST_FIELD_BYTES:
            raise Problem(413, "EXTERNALISE_RESULT", f"{name} is over {MOST_FIELD_BYTES} bytes", f"{pointer}/{name}")
    if len(dump(payload).encode()) > MOST_PAYLOAD_BYTES:
        raise Problem(413, "EXTERNALISE_RESULT", f"the payload is over {MOST_PAYLOAD_BYTES} bytes", pointer)


def check_fields(event, execution_id, base):
    if event.get("execution_id", execution_id) != execution_id:
        raise invalid(f"{base}/execution_id", "the event is of another execution")
    if event.get("source", "server") not in ("server", "worker"):
        raise invalid(f"{base}/source", "source is server or worker")
    if "entity_type" in event and event["entity_type"] not in ENTITIES:
        raise invalid(f"{base}/entity_type", f"entity_type is one of {', '.join(ENTITIES)}")
    for name in TEXTS:
        if name in event:
            checked_id(event[name], f"{base}/{name}")
    for name, least in (("iteration", 0), ("attempt", 1), ("duration_ms", 0)):
        if name in event:
            whole_number(event[name], f"{base}/{name}", least)
    status = event.get("status")
    if status is not None and not (isinstance(status, str) and (status in STATUSES or status.upper() in LAYER_WORDS)):
        raise invalid(f"{base}/status", "status is a word of specification 001 or of specification 000's layers")


def stored_form(event, execution_id, base=""):
    """What is stored of an event, but for its seq. Raises Problem where it is none."""
    if not isinstance(event, dict):
        raise invalid(base, "an event is an object")
    event = {name: value for name, value in event.items() if value is not None and name != "seq"}
    checked_id(event.get("event_id"), f"{base}/event_id")
    kind = event.get("event_type")
    if not isinstance(kind, str) or not NAME.fullmatch(kind):
        raise invalid(f"{base}/event_type", "an event type is two or three segments of a-z, 0-9 and _")
    moment = instant(event.get("timestamp"), f"{base}/timestamp")
    if event.get("event_alias", alias_of(kind)) != alias_of(kind):
        raise invalid(f"{base}/event_alias", "the alias is another type's")
    check_fields(event, execution_id, base)
    if "payload" in event:
        check_payload(event["payload"], f"{base}/payload")
    event.update(execution_id=execution_id, timestamp=shown_time(moment))
    standard = legacy_name(kind, event.get("status"))
    if standard:
        payload = dict(event.get("payload", {}))
        meta = payload.get("meta")
        payload["meta"] = {**(meta if isinstance(meta, dict) else {"meta": meta} if meta else {}), "legacy_type": kind}
        event.update(event_type=standard, payload=payload)
        event.pop("event_alias", None)
    return event


def same_content(stored, event):
    """Whether a stored event has the content of one that comes again (of stored_form)."""
    return same({name: value for name, value in stored.items() if name not in ("seq", "stored_at")}, event)
