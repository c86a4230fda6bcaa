"""A small engine that one can only call from Python, the subject of docs/adapters.md: it runs tasks, and serves no HTTP.

ENGINE_FAULT=forgets_ends plants a fault in it: a task that has ended is started again.
"""

import os
import threading

NEXT = {
    "new": ["started"],
    "started": ["parked", "ok", "error", "stopped"],
    "parked": ["started", "stopped"],
    "ok": [],
    "error": [],
    "stopped": [],
}


class Refused(Exception):
    """The engine will not do that."""


class Engine:
    version = "0.3"

    def __init__(self):
        self._tasks = {}
        self._lock = threading.Lock()
        self._forgets_ends = os.environ.get("ENGINE_FAULT") == "forgets_ends"

    def submit(self, name):
        with self._lock:
            if name in self._tasks:
                raise Refused(f"there is a task {name}")
            self._tasks[name] = {"name": name, "phase": "new", "why": None}
            return dict(self._tasks[name])

    def task(self, name):
        with self._lock:
            return dict(self._tasks[name])

    def move(self, name, phase, why=None):
        with self._lock:
            task = self._tasks[name]
            is_over = not NEXT[task["phase"]]
            if phase not in NEXT[task["phase"]] and not (self._forgets_ends and is_over and phase == "started"):
                raise Refused(f"a task that is {task['phase']} cannot become {phase}")
            if phase == "error" and not why:
                raise Refused("an error needs a reason")
            task.update(phase=phase, why=why)
            return dict(task)
