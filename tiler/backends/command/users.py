"""Where a user declares programs as solvers: `tiler.toml`, here or in the folder for settings."""

from __future__ import annotations

import os
from pathlib import Path

FILE = "tiler.toml"


def load() -> None:
    """Have all programs declared that these files name; InputError if one of the files is no good."""
    for path in _files():
        from tiler.backends.command import declare  # Few have such a file.

        declare.load(path)


def _files() -> list[Path]:
    """Those that there are; what the one here declares wins."""
    settings = Path(os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")) / "tiler"
    return [path for path in (settings / FILE, Path(FILE)) if path.is_file()]
