"""The command line: argparse and printing only, one small module per command.

A command's module has HELP (one line), EXAMPLES (text), `configure(parser)` and `run(args) -> exit code`.
"""

from __future__ import annotations


def start() -> int:
    """The entry point of the command `tiler`."""
    from tiler.cli.main import main

    return main()
