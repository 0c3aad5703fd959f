"""The command line: argparse and printing only, one small module per command.

A command's module has HELP (one line), EXAMPLES (text), `configure(parser)` and `run(args) -> exit code`.
"""

from __future__ import annotations

import sys

_WINDOWS = "tiler: Windows itself is not supported; Tiler runs there in WSL (learn.microsoft.com/windows/wsl)"


def start() -> int:
    """The entry point of the command `tiler`. It loads the rest of the program only if this Python can run it."""
    if str(sys.platform) == "win32":
        print(_WINDOWS, file=sys.stderr)
        return 2
    from tiler.cli.main import main

    return main()
