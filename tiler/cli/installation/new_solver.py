"""`tiler new-solver`: write a solver to start from, and its test."""

from __future__ import annotations

import argparse
import keyword
import re
from pathlib import Path

from tiler import printable
from tiler.cli.shared import declared
from tiler.cli.shared.declared import OPTIONS
from tiler.errors import BadOption
from tiler.optional_packages import is_installed
from tiler.process import files
from tiler.question.parameters import WORDS, declare, parameter

HELP = "write a solver to start from, and its test"
_DESCRIPTION = """\
Write NAME.py, a complete solver for you to change: one method that yields solutions. Also write
test_NAME.py, which compares its answers with a brute force on small problems. Both work as they are.
The test needs pytest (python -m pip install pytest). Without pytest, compare by
tiler selftest --load NAME.py --solver NAME.
"""
EXAMPLES = """\
  tiler new-solver mine
  tiler count 6x6 2 --load mine.py --solver mine
  python -m pytest test_mine.py
"""

SOLVER = '''\
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from tiler.backends.base import option
from tiler.backends.lister import Lister
from tiler.backends.registry import register
from tiler.cover.cover import Cover


@register
@dataclass(frozen=True)
class {kind}(Lister):
    """Cover the open item with the fewest options left, recursively."""

    name: ClassVar[str] = "{name}"

    last: bool = option(False, "of several such items take the last")

    def solutions(self, cover: Cover) -> Iterator[list[int] | None]:
        members = [set(items) for items in cover.members.lists()]
        tile, upper = cover.tile.tolist(), cover.upper.tolist()
        sign = -1 if self.last else 1

        def below(left: set[int], alive: list[int], chosen: list[int]) -> Iterator[list[int] | None]:
            """Search below a node: `left` items are open, `alive` options can be chosen, `chosen` options are."""
            yield None
            if not left:
                yield chosen
                return
            used = Counter(tile[o] for o in chosen)
            alive = [o for o in alive if used[tile[o]] < upper[tile[o]]]
            item = min(left, key=lambda i: (sum(i in members[o] for o in alive), sign * i))
            for o in alive:
                if item in members[o]:
                    yield from below(left - members[o], [p for p in alive if not members[p] & members[o]], [*chosen, o])

        yield from below(set(range(len(cover.items))), list(range(len(cover))), [])
'''

TEST = '''"""The answers of {name} beside those of a brute force that shares no code with it."""

from pathlib import Path

from tiler.testing import check


def test_every_answer_is_that_of_a_brute_force() -> None:
    """On tiny problems that each need one thing, and on random ones, to every question that the class says it answers."""
    check(Path(__file__).with_name("{name}.py"))
'''


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    name = parameter(None, "the name of the solver: small letters, digits and _", WORDS, metavar="NAME", by_place=True)
    written = {"help": "write the files into this folder (default: the current one)", "metavar": "FOLDER", "default": "."}
    declared.add(parser, declare(name=name))
    declared.add(parser, OPTIONS, "output", output=written)


def run(args: argparse.Namespace) -> int:
    name, folder = args.name, Path(args.output)
    if not re.fullmatch("[a-z][a-z0-9_]{0,40}", name) or keyword.iskeyword(name):
        raise BadOption(f"{name!r:.60} is no name for a solver: small letters, digits and _, such as my_search")
    _refuse_known(name)
    if not folder.is_dir():
        raise BadOption(f"{printable.line(str(folder))}: there is no such folder")
    kind = "".join(part.capitalize() for part in name.split("_"))
    contents = {
        folder / f"{name}.py": SOLVER.replace("{name}", name).replace("{kind}", kind),
        folder / f"test_{name}.py": TEST.replace("{name}", name),
    }
    for path in contents:
        if path.exists():
            raise BadOption(f"{printable.line(str(path))}: there is such a file already; take another name")
    for path, content in contents.items():
        files.write(path, content.encode())
    solver, test = map(printable.line, map(str, contents))
    print(f"{solver}: the solver; tiler count 6x6 2 --load {solver} --solver {name}\n{test}: its test; python -m pytest {test}")
    if not is_installed("pytest"):
        print("the test needs pytest, which is not installed: python -m pip install pytest")
    return 0


def _refuse_known(name: str) -> None:
    from tiler.backends.registry import known

    if known(name) is not None:
        raise BadOption(f"{name}: there is a solver of this name already; take another one (tiler solvers lists them)")
