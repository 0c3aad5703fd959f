"""Write the command that solves an instance, ready to be pasted into a shell."""

from __future__ import annotations

import argparse
import shlex
from dataclasses import replace
from typing import TYPE_CHECKING

from tiler.cli.shared import arguments
from tiler.errors import TilerError
from tiler.model import constraints
from tiler.question.parameters import BOARD_SETTINGS, PAINT_SETTINGS, fields_of, options_of

if TYPE_CHECKING:
    from tiler.model.instance import Instance


def solving(args: argparse.Namespace, instance: Instance) -> str:
    """`tiler solve` with the board that the arguments name, and the tiles and constraints of an instance.

    Empty if a line cannot say it: the line is read again, and must ask the same. Standard input is not there a second time.
    """
    from tiler.formats import pieces

    if args.problem[0] == "-":
        return ""
    options: list[str] = []
    for name, field in fields_of(BOARD_SETTINGS, PAINT_SETTINGS, arguments.BOARD).items():
        value = getattr(args, name, field.default)
        option = options_of(field)[0]
        if isinstance(value, bool):
            options += [option] * (value != field.default)
        else:
            options += [word for one in (value if isinstance(value, list) else [value]) if one for word in (option, str(one))]
    if instance.reflections:
        options.append("--reflections")

    for constraint in instance.constraints:
        options += [f"--{constraint.kind}", constraints.write(constraint)]

    used_up = _used_up(instance)
    beside = [[f"{pieces.bounds(tile)}{tile.name}" for tile in asked.tiles] for asked in (used_up, instance)]
    for words, asked in ((args.problem[1:], instance), (beside[0], used_up), (beside[1], instance)):
        line = [args.problem[0], *words, *options]
        if _read(line) == asked:
            return shlex.join(["tiler", "solve", *line])
    return ""


def in_words(args: argparse.Namespace, instance: Instance, file: str | None, what: str = "it") -> str:
    """A line with the command that solves an instance, which may be written to a problem file; or how to write that file."""
    command = shlex.join(["tiler", "solve", file]) if file else solving(args, instance)
    return f"solve {what}: {command}" if command else "to solve it, write it to a file: --format problem -o puzzle.txt"


def _used_up(instance: Instance) -> Instance:
    """The same question without least numbers of copies, where the board needs all copies anyway."""
    area = sum(tile.size * (tile.at_most or 0) for tile in instance.tiles)
    if instance.optional or area != len(instance.board):
        return instance
    return replace(instance, tiles=tuple(replace(tile, at_least=0) for tile in instance.tiles))


def _read(line: list[str]) -> Instance | None:
    """The instance that `tiler solve` reads from these words; None if it refuses them."""
    parser = argparse.ArgumentParser(exit_on_error=False)
    arguments.add_problem(parser)
    try:
        return arguments.read_problem(parser.parse_intermixed_args(line))
    except (TilerError, argparse.ArgumentError):
        return None
