"""`tiler hint`: say where the next piece goes."""

from __future__ import annotations

import argparse

from tiler.cli.shared import arguments, declared
from tiler.question.parameters import COMMON

HELP = "say where the next piece of a puzzle goes"
EXAMPLES = """\
  tiler hint 6x10 1:pentominoes
  tiler hint 3x3 1:V 1:4O --place "4O 0,0 0,1 1,0 1,1"
"""

_LIMITS = ("seconds", "memory", "threads")


def configure(parser: argparse.ArgumentParser) -> None:
    arguments.add_problem(parser)
    declared.add(parser, COMMON, *_LIMITS)


def run(args: argparse.Namespace) -> int:
    from tiler.door.tiles import hint

    instance = arguments.read_problem(args)
    found = hint(instance, **declared.values(args, *_LIMITS), progress=True)
    print(found)
    return 3 if found.placement is not None and found.is_forced is None else 0
