"""Describe the environment of a benchmark: versions, machine and commit; nothing that names a person or a host."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from tiler import version
from tiler.backends.registry import backends
from tiler.bench.machine import machine
from tiler.optional_packages import distribution
from tiler.process.memory import all_megabytes
from tiler.version import __version__

if TYPE_CHECKING:
    from tiler.bench.record import Environment, Surroundings

DISTRIBUTION = "tiler-bench"

_PACKAGE = Path(version.__file__).parent


@cache
def surroundings() -> Surroundings:
    """The fields `versions`, `environment` and `machine` of a record. They are computed once for a process."""
    return {"versions": versions(), "environment": environment(), "machine": machine()}


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def busy_cores(seconds: float = 0.15) -> float:
    """The number of cores at work right now without this process, which sleeps meanwhile."""
    import psutil

    return float(psutil.cpu_percent(seconds) / 100 * (psutil.cpu_count() or 1))


def busy_seconds() -> float | None:
    """The CPU seconds of all processes since the machine was started, on all cores; None if that is not known here."""
    try:
        import psutil
    except ImportError:  # In a web page.
        return None
    took = psutil.cpu_times()._asdict()
    # A guest's seconds are in `user` already.
    return float(sum(took.values()) - sum(took.get(name, 0.0) for name in ("idle", "iowait", "guest", "guest_nice")))


def megahertz() -> float | None:
    """The frequency of the cores right now, on average; None if that is not known here."""
    try:
        import psutil

        frequency = psutil.cpu_freq()
    except (ImportError, AttributeError, NotImplementedError, OSError):
        return None
    return float(frequency.current) if frequency else None


def versions() -> dict[str, str]:
    """The versions of Tiler, Python, the required packages and those of all backends' engines that are installed."""
    try:
        required = metadata.requires(DISTRIBUTION) or []
    except metadata.PackageNotFoundError:  # The package was copied without its metadata.
        required = ["numpy"]
    wanted = {re.split(r"[^\w.-]", requirement, maxsplit=1)[0] for requirement in required if "extra ==" not in requirement}
    wanted |= {
        distribution(module) for backend in backends().values() for module in (*backend.requires, *backend.extras.values())
    }
    own = {"tiler": __version__, "python": platform.python_version()}
    return own | {name: number for name in sorted(wanted) if (number := version_of(name))}


def version_of(name: str) -> str | None:
    """The version of a distribution, or None if it is not installed."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def environment() -> Environment:
    """Platform, processor, cores this process may use, memory in MiB, and the commit of the code."""
    return {
        "platform": f"{platform.system()} {platform.release()} {platform.machine()}",
        "cpu": _cpu(),
        "cores": cores(),
        "memory_megabytes": all_megabytes(),
        "commit": _commit(),
    }


def _cpu() -> str:
    """The name of the processor, which psutil does not tell."""
    try:
        match = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:
        match = None
    return match[1].strip() if match else platform.processor() or platform.machine()


def _commit() -> str | None:
    """The commit of the checkout this package lies in, with `+changes` if files of the package differ from it; None outside a
    checkout. Other files, such as the records that a campaign writes, do not affect measurements."""
    root = _PACKAGE.parent
    if not (root / ".git").exists():
        return None
    commit = _git(root, "rev-parse", "--short=12", "HEAD")
    changes = _git(root, "status", "--porcelain", "--", str(_PACKAGE))
    if commit is None or changes is None:
        return None
    return f"{commit}+changes" if changes else commit


def _git(root: Path, *arguments: str) -> str | None:
    """What git prints; None if it fails."""
    # Without the optional lock git only reads.
    quiet = {**os.environ, "GIT_OPTIONAL_LOCKS": "0"}
    command = ["git", "-C", str(root), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, env=quiet, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None
