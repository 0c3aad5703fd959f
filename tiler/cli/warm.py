"""`tiler warm`: compile every kernel now, so that no question waits for it."""

from __future__ import annotations

import argparse

from tiler.kernels import Kernel, load
from tiler.kernels.where import folders, has_library

HELP = "compile all searches now, so that no later command waits"
EXAMPLES = """\
  tiler warm
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The command has no options."""


def run(args: argparse.Namespace) -> int:
    from tiler.kernels.digest import import_all

    import_all()
    load()
    print(f"{len(Kernel.all)} kernels are ready; {_where()}")
    return 0


def _where() -> str:
    if has_library():
        return "they were installed with Tiler"
    kept = next((folder for folder in folders() if any(folder.glob("*.code"))), None)
    return f"their machine code is in {kept}" if kept else "no folder can be written to, so each run compiles what it needs again"
