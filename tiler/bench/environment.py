"""On what a benchmark was measured: versions, machine and code; nothing that names a person or a host."""

from __future__ import annotations

import hashlib
import os
import platform
import re
import subprocess
from importlib import metadata
from pathlib import Path
from typing import Any

import tiler

DISTRIBUTION = "tiler-bench"

_PACKAGE = Path(tiler.__file__).parent


def versions() -> dict[str, str]:
    """The versions of Tiler, Python and those of the required packages that are installed."""
    found = {"tiler": tiler.__version__, "python": platform.python_version()}
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
    """Platform, processor, cores this process may use, memory in MiB, and the code: its commit and a digest of its sources."""
    return {
        "platform": f"{platform.system()} {platform.release()} {platform.machine()}",
        "cpu": _cpu(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "memory_megabytes": os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 20,
        "commit": _commit(),
        "sources": _sources(),
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


def _sources() -> str:
    """A fingerprint of the package's source files, 16 hexadecimal digits: tells versions apart that no commit does."""
    digest = hashlib.sha256()
    for path in sorted(_PACKAGE.rglob("*.py")):
        digest.update(path.relative_to(_PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]
