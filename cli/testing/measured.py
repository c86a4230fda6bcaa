"""Runs a program and measures the most memory that it had, and its time."""

import os
import pathlib
import subprocess
import sys
import tempfile

# A process begins with the peak of who starts it, which has to be small: a test's own would hide the program's.
STARTER = """
import os, sys
_, status, usage = os.wait4(os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ), 0)
with open(sys.argv[1], "w") as told:
    told.write(f"{usage.ru_maxrss} {usage.ru_utime}")
sys.exit(os.waitstatus_to_exitcode(status) % 256)
"""


def run_timed(*command, **how):
    """What `subprocess.run` gives, the peak in bytes, and the seconds of user time. The program is named by its path."""
    with tempfile.TemporaryDirectory() as folder:
        told = pathlib.Path(folder) / "told"
        done = subprocess.run([sys.executable, "-I", "-S", "-c", STARTER, told, *map(os.fspath, command)], **how)
        peak_kib, user_s = told.read_text().split()
        return done, int(peak_kib) * 1024, float(user_s)


def run_measured(*command, **how):
    """What `subprocess.run` gives, and the peak in bytes."""
    done, peak, _ = run_timed(*command, **how)
    return done, peak
