"""Runs a program and measures the most memory that it had."""

import os
import pathlib
import subprocess
import sys
import tempfile

# A process begins with the peak of who starts it, which has to be small: a test's own would hide the program's.
STARTER = """
import os, sys
_, status, usage = os.wait4(os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ), 0)
with open(sys.argv[1], "w") as peak:
    peak.write(str(usage.ru_maxrss))
sys.exit(os.waitstatus_to_exitcode(status) % 256)
"""


def run_measured(*command, **how):
    """What `subprocess.run` gives, and the peak in bytes. The program is named by its path."""
    with tempfile.TemporaryDirectory() as folder:
        peak = pathlib.Path(folder) / "peak"
        done = subprocess.run([sys.executable, "-I", "-S", "-c", STARTER, peak, *map(os.fspath, command)], **how)
        return done, int(peak.read_text()) * 1024
