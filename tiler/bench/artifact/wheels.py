"""Collect the wheels with which a campaign is made again without a network: Tiler's own, and the packages in the versions that
the records name."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from tiler import printable, version
from tiler.bench.artifact import reproduction
from tiler.bench.record import Record
from tiler.errors import TilerError
from tiler.optional_packages import PROJECT, is_installed
from tiler.version import __version__

_OWN = ("tiler", "python")  # versions in a record that are none of packages
_EXTRAS = "engines,plots"


def measured_with(records: Iterable[Record]) -> dict[str, str]:
    """The version of each package that records name; the newest record's, where they differ."""
    ordered = sorted(records, key=lambda record: record.get("started") or "")
    versions = {name: number for record in ordered for name, number in (record.get("versions") or {}).items()}
    return {name: number for name, number in sorted(versions.items()) if name not in _OWN}


def requirements(versions: Mapping[str, str]) -> list[str]:
    """What pip is asked for."""
    return [f"{PROJECT}[{_EXTRAS}]=={__version__}", *(f"{name}=={number}" for name, number in versions.items())]


def collect(versions: Mapping[str, str], folder: Path) -> None:
    """Put the wheels into a folder, by pip. TilerError if one cannot be had."""
    if not is_installed("pip"):
        raise TilerError(
            "wheels are collected by pip, which is not installed: python -m ensurepip; or leave them out: --no-wheels"
        )
    checkout = Path(version.__file__).parents[1]
    own = str(checkout) if (checkout / "pyproject.toml").is_file() else f"{PROJECT}=={__version__}"
    _pip("wheel", "--no-deps", "--wheel-dir", str(folder), own)
    (wheel,) = folder.glob("tiler_bench-*.whl")
    pinned = requirements(versions)[1:]
    _pip("download", "--only-binary", ":all:", "--dest", str(folder), f"{wheel}[{_EXTRAS}]", *pinned)


def _pip(*arguments: str) -> None:
    quiet = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHONPATH", "TILER_"))}
    command: Sequence[str] = (sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments)
    done = subprocess.run(command, capture_output=True, text=True, env=quiet, check=False)
    if done.returncode:
        why = printable.line(reproduction.why_failed(done))
        raise TilerError(f"pip {arguments[0]} failed: {why}; --no-wheels makes an artifact without them")
