"""Say which command, and which lines of Python, ask the same question as the page."""

from __future__ import annotations

import shlex
from typing import Any

from tiler.api.call_errors import OFFERED
from tiler.apps.studio.messages import Data
from tiler.model import text_maps
from tiler.model.instance import Instance
from tiler.model.letter_names import name_of
from tiler.model.tile import Tile
from tiler.question.parameters import options_of

FILE = "problem.json"  #: the name of the saved problem, pieces laid included, in commands and in Python
STEPS_SOLVER = "dlx"

#: The words of the command that asks a question.
_COMMANDS = {
    **{"solve": "solve", "count": "count", "tilings": "solve", "uses": "count --by-cell", "by_open": "count --by-open"},
    **{name: name for name in ("sample", "prove", "estimate", "unique", "choose", "hint", "apart")},
    **{name: name for name in ("rectangles", "plane", "series")},
}
#: Parameters that the command does not have.
_NOT_IN_COMMAND = {
    "estimate": ("memory",),
    "unique": ("memory",),
    "choose": ("memory",),
    **dict.fromkeys(("rectangles", "plane", "series"), ("seconds", "memory")),
}


def command_of(instance: Instance, question: str, arguments: Data) -> str:
    """The shell line that asks the same."""
    if question == "steps":
        return f"tiler solve {FILE} --trace --solver {arguments.get('solver', STEPS_SOLVER)} -o steps.html"
    fields = OFFERED[question].fields
    words = ["tiler", *_COMMANDS[question].split()]
    if question == "tilings" and "limit" not in arguments:
        words.append("--all")
    if question in ("rectangles", "plane", "series"):
        words += [str(arguments["board"])] if question == "series" else []
        words += map(_word_of, instance.distinct_tiles)
        words += ["--reflections"] if instance.reflections else []
        words += [] if instance.turning or question == "rectangles" else ["--no-turning"]
        words += ["--lattice", instance.tiles[0].lattice.name] if question == "plane" and instance.tiles else []
    else:
        words.append(FILE)
    for name, value in arguments.items():
        if name in (*_NOT_IN_COMMAND.get(question, ()), "board"):
            continue
        if name == "features":
            words += [f"--{feature}" for feature in value]
        elif name == "pool":
            words += ["--from", *value]
        elif value is True or value is False:
            words.append(_option_of(fields[name]))
        else:
            words += [_option_of(fields[name]), str(value)]
    return shlex.join(words)


def python_of(instance: Instance, question: str, arguments: Data) -> str:
    """The three lines of Python that ask the same."""
    if question == "steps":
        solver = arguments.get("solver", STEPS_SOLVER)
        return f'import tiler\nproblem = tiler.read("{FILE}")\nprint(tiler.solve(problem, solver={solver!r}).status)'
    given = [f"{name}={value!r}" for name, value in arguments.items() if name != "board"]
    if question in ("rectangles", "plane", "series"):
        tiles = [repr(_word_of(tile)) for tile in instance.distinct_tiles]
        board = [repr(arguments["board"])] if question == "series" else []
        settings = ["reflections=True"] if instance.reflections else []
        settings += [] if instance.turning or question == "rectangles" else ["turning=False"]
        settings += [f"lattice={instance.tiles[0].lattice.name!r}"] if question == "plane" and instance.tiles else []
        return f"import tiler\nanswer = tiler.{question}({', '.join([*board, *tiles, *settings, *given])})\nprint(answer)"
    read_file = f'import tiler\nproblem = tiler.read("{FILE}")\n'
    if question == "apart":
        return f"{read_file}print(tiler.solve(problem).tiling.apart({', '.join(given)}))"
    call = f"tiler.{question}({', '.join(['problem', *given])})"
    if question in ("tilings", "sample"):
        return f"{read_file}print(*{call}, sep='\\n\\n')"
    return f"{read_file}print({call}{'.tiling' if question == 'solve' else ''})"


def _option_of(parameter: Any) -> str:
    """The long name of the option."""
    return next(option for option in options_of(parameter) if option.startswith("--"))


def _word_of(tile: Tile) -> str:
    """A tile as one word."""
    if not tile.paint:
        name = name_of(tile.shape, tile.lattice)
        if name is not None:
            return name
    return "/".join(text_maps.notation(tile.lattice, tile.shape).split("\n"))
