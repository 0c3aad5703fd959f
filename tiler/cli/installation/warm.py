"""`tiler warm`: compile every kernel now, so that no question waits for it."""

from __future__ import annotations

import argparse

from tiler.kernels import Kernel, code_cache, load
from tiler.kernels.cache_folders import folders, has_library

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
    from tiler.kernels.object_files import host

    folder = next((each for each in folders() if code_cache.read(each, host())), None)
    return (
        f"their machine code is in {folder}"
        if folder
        else "no folder can be written to, so each run compiles what it needs again"
    )
