"""Watching processes from outside."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from math import inf
from pathlib import Path
from typing import Any

import psutil

SOON = 60.0  # seconds within which anything must happen, on a busy machine too


def wait_until(holds: Callable[[], Any]) -> Any:
    deadline = time.monotonic() + SOON
    while not (found := holds()):
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.005)
    return found


def lives(pid: int) -> bool:
    """Whether a process is there, and more than a zombie that nobody has fetched."""
    try:
        return psutil.Process(pid).status() not in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD)
    except psutil.NoSuchProcess:
        return False


def descendants(pid: int) -> set[int]:
    """Children, their children, and so on, of a process that may be gone."""
    try:
        return {child.pid for child in psutil.Process(pid).children(recursive=True)}
    except psutil.NoSuchProcess:
        return set()


def environment_for(test_file: str, **variables: str) -> dict[str, str]:
    """The environment of a process that is to import a file of tests, and with it the modules that tests share."""
    folders = [str(Path(test_file).parent), str(Path(__file__).parent), os.environ.get("PYTHONPATH")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, folders)), **variables}


def cpu_seconds(pid: int) -> float:
    """What a process has used so far, which other work on the machine does not change; infinite if it is gone."""
    try:
        times = psutil.Process(pid).cpu_times()
    except psutil.NoSuchProcess:
        return inf
    return float(times.user + times.system)
