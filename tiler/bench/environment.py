"""On what a benchmark was measured: versions, machine and commit; nothing that names a person or a host."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import time
from collections.abc import Mapping
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from tiler import version
from tiler.version import __version__

DISTRIBUTION = "tiler-bench"

_PACKAGE = Path(version.__file__).parent


@cache
def surroundings() -> Mapping[str, Any]:
    """`versions` and `environment` of this process, as records have them; the same until it ends."""
    return {"versions": versions(), "environment": environment()}


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def busy_cores(seconds: float = 0.15) -> float:
    """How many cores are at work right now, this process apart; it sleeps meanwhile. The load average where /proc cannot tell."""
    try:
        before = _ticks()
        time.sleep(seconds)
        after = _ticks()
    except (OSError, ValueError, IndexError):
        return os.getloadavg()[0]
    total, idle = (new - old for new, old in zip(after, before, strict=True))
    return (os.cpu_count() or 1) * (1 - idle / total) if total else 0.0


def _ticks() -> tuple[int, int]:
    """All ticks of all cores since the start of the machine, and the idle ones among them."""
    with open("/proc/stat") as file:
        ticks = [int(word) for word in file.readline().split()[1:9]]
    return sum(ticks), ticks[3] + ticks[4]


def versions() -> dict[str, str]:
    """The versions of Tiler, Python and those of the required packages that are installed."""
    found = {"tiler": __version__, "python": platform.python_version()}
    try:
        required = metadata.requires(DISTRIBUTION) or []
    except metadata.PackageNotFoundError:  # A bare copy of the package.
        required = ["numpy"]
    for requirement in sorted(required):
        name = re.split(r"[^\w.-]", requirement, maxsplit=1)[0]
        try:
            if "extra ==" not in requirement:
                found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def environment() -> dict[str, Any]:
    """Platform, processor, cores this process may use, memory in MiB, and the commit of the code."""
    return {
        "platform": f"{platform.system()} {platform.release()} {platform.machine()}",
        "cpu": _cpu(),
        "cores": cores(),
        "memory_megabytes": os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 20,
        "commit": _commit(),
    }


def _cpu() -> str:
    try:
        match = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:
        match = None
    return match[1].strip() if match else platform.processor() or platform.machine()


def _commit() -> str | None:
    """The commit of the checkout this package lies in, with `+changes` if files differ from it; None outside a checkout."""
    root = _PACKAGE.parent
    if not (root / ".git").exists():
        return None
    command = ["git", "-C", str(root), "describe", "--always", "--abbrev=12", "--exclude=*", "--dirty=+changes"]
    # Without the optional lock it only reads.
    quiet = {**os.environ, "GIT_OPTIONAL_LOCKS": "0"}
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, env=quiet, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() or None
