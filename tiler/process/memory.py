"""How much memory this process has."""

from __future__ import annotations

import os
import resource
import sys
from pathlib import Path


def resident_megabytes() -> float:
    """The resident memory of this process in MiB: now where the system tells it, else the peak so far."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except (OSError, IndexError, ValueError):
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak / (1 << 20) if sys.platform == "darwin" else peak / (1 << 10)
    return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)
