"""Find the programs that a user declares as solvers: in `tiler.toml`, here or in the folder for settings."""

from __future__ import annotations

import os
from pathlib import Path

FILE = "tiler.toml"


def load() -> None:
    """Declare all programs in these files; InputError if one of the files is wrong."""
    for path in _files():
        from tiler.backends.command import solver_tables  # Few users have such a file.

        solver_tables.load(path)


def _files() -> list[Path]:
    """The files that exist; a program declared here replaces one of the same name in the folder for settings."""
    settings = Path(os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")) / "tiler"
    return [path for path in (settings / FILE, Path(FILE)) if path.is_file()]
