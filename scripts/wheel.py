#!/usr/bin/env python3
"""scripts/wheel.py PROGRAM FOLDER: a Python wheel that puts the program on PATH (PEP 427), and nothing else."""

import base64
import hashlib
import platform
import re
import subprocess
import sys
import zipfile
from pathlib import Path

EXECUTABLE = 0o100755
REGULAR = 0o100644


def newest_glibc(program):
    """The newest version of glibc's symbols that the program uses: the platform tag promises that one."""
    symbols = subprocess.run(["objdump", "-T", program], check=True, capture_output=True, text=True).stdout
    return max(tuple(map(int, version.split("."))) for version in re.findall(r"GLIBC_(\d+\.\d+)", symbols))


def record_line(name, content):
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n"


def main():
    program, folder = sys.argv[1:]
    said = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout
    version = re.search(r"\d+\.\d+\.\d+", said).group()
    tag = "py3-none-manylinux_{}_{}_{}".format(*newest_glibc(program), platform.machine())
    info = f"assay_conformance-{version}.dist-info"
    files = {
        f"assay_conformance-{version}.data/scripts/assay": (Path(program).read_bytes(), EXECUTABLE),
        f"{info}/METADATA": ((
            f"Metadata-Version: 2.1\nName: assay-conformance\nVersion: {version}\n"
            "Summary: The conformance harness for servers that run workflows\nRequires-Python: >=3.8\n"
        ).encode(), REGULAR),
        f"{info}/WHEEL": (
            f"Wheel-Version: 1.0\nGenerator: assay\nRoot-Is-Purelib: false\nTag: {tag}\n".encode(), REGULAR),
    }
    record = "".join(record_line(name, content) for name, (content, _) in files.items()) + f"{info}/RECORD,,\n"
    files[f"{info}/RECORD"] = (record.encode(), REGULAR)
    with zipfile.ZipFile(Path(folder) / f"assay_conformance-{version}-{tag}.whl", "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, (content, mode) in files.items():
            # A moment that is always the same: the same program gives the same bytes.
            entry = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
            entry.external_attr = mode << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, content)


if __name__ == "__main__":
    main()
