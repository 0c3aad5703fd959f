"""Watching processes from outside."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from math import inf
from pathlib import Path
from typing import Any

SOON = 20.0  # seconds within which anything must happen, on a busy machine too


def wait_until(holds: Callable[[], Any]) -> Any:
    deadline = time.monotonic() + SOON
    while not (found := holds()):
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.005)
    return found


def lives(pid: int) -> bool:
    """Whether a process is there, and more than a zombie that nobody has fetched."""
    if Path("/proc/self/stat").exists():
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].strip()
        except (FileNotFoundError, ProcessLookupError):
            return False
    else:
        state = subprocess.run(["ps", "-o", "state=", "-p", str(pid)], capture_output=True, text=True).stdout.strip()
    return state[:1] not in ("", "Z")


def environment_for(test_file: str, **variables: str) -> dict[str, str]:
    """The environment of a process that is to import a file of tests, and with it the modules that tests share."""
    folders = [str(Path(test_file).parent), str(Path(__file__).parent), os.environ.get("PYTHONPATH")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, folders)), **variables}


def cpu_seconds(pid: int) -> float:
    """What a process has used so far, which other work on the machine does not change; infinite if it cannot be told."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return inf
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
