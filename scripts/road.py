"""How long the road of a command through our code is: the files and functions with a call, and the deepest stack.

    python scripts/road.py                       the commands that docs/architecture.md follows
    python scripts/road.py count 4x4 2           another command
    python scripts/road.py -v count 4x4 2        also the functions by file, and the deepest stack

Each command runs twice in this process, with one thread, and the second run is watched: by then modules are loaded, and kernels
are machine code. Only frames of tiler/ are counted, and no comprehensions, which only some versions of Python give a frame.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any
from unittest.mock import patch

from tiler.cli.main import main as run_command
from tiler.kernels import python_time
from tiler.process import threads

ROOT = Path(__file__).parents[1]

#: The commands that are measured by default, as they are typed in the folder of the repository.
COMMANDS = (
    "solve 3x3 1 --solver backtracking",
    "solve problems/4L/10x10_u.txt --solver fila",
    "count 6x10 1:pentominoes --up-to-symmetry",
)
_COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>")


@dataclass(frozen=True)
class Road:
    """The road of a command."""

    functions: Mapping[str, Sequence[str]]  #: by file, relative to the repository
    stack: Sequence[str]  #: the frames of the deepest stack, from the command on

    @property
    def files(self) -> int:
        return len(self.functions)

    @property
    def calls(self) -> int:
        """The number of functions."""
        return sum(map(len, self.functions.values()))

    @property
    def depth(self) -> int:
        return len(self.stack)


def road_of(function: Callable[[], object], folder: Path = ROOT / "tiler") -> Road:
    """The road of a call that is made a second time, through the modules of a folder."""
    inside = str(folder.resolve())
    called: set[CodeType] = set()
    deepest: list[CodeType] = []

    @cache
    def is_ours(code: CodeType) -> bool:
        return code.co_filename.startswith(inside) and code.co_name not in _COMPREHENSIONS

    def watch(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal deepest
        if event != "call" or not is_ours(frame.f_code):
            return
        called.add(frame.f_code)
        stack = [code for code in _above(frame) if is_ours(code)]
        if len(stack) > len(deepest):
            deepest = stack

    function()
    sys.setprofile(watch)
    try:
        function()
    finally:
        sys.setprofile(None)
    functions = defaultdict[str, list[str]](list)
    for code in sorted(called, key=lambda code: (code.co_filename, code.co_firstlineno)):
        functions[_file(code, folder)].append(code.co_qualname)
    return Road(dict(functions), [f"{_file(code, folder)}: {code.co_qualname}" for code in reversed(deepest)])


def _above(frame: FrameType | None) -> Iterator[CodeType]:
    """The code of a frame and of those that called it, the innermost first, without `road_of`."""
    while frame is not None and frame.f_code is not road_of.__code__:
        yield frame.f_code
        frame = frame.f_back


def _file(code: CodeType, folder: Path) -> str:
    return str(Path(code.co_filename).relative_to(folder.resolve().parent))


def road_of_command(words: Sequence[str]) -> Road:
    """The road of a command, whose output is dropped. ValueError if it fails."""

    def run() -> None:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as said:
            status = run_command(list(words))
        if status:
            raise ValueError(f"tiler {' '.join(words)}: exit status {status}: {said.getvalue()}")

    python_time.exhaust()
    with patch.dict(os.environ, {threads.VARIABLE: "1"}):
        return road_of(run)


def main() -> None:
    """Print a table, and on demand the road of each command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-v", action="store_true", dest="all", help="print the functions, and the deepest stack")
    parser.add_argument("words", nargs=argparse.REMAINDER, metavar="COMMAND ...", help="measure this command")
    arguments = parser.parse_args()
    commands = [arguments.words] if arguments.words else [command.split() for command in COMMANDS]
    roads = [(" ".join(words), road_of_command(words)) for words in commands]
    width = max(len(command) for command, _ in roads)
    print(f"{'command':{width}}  files  functions  deepest stack")
    for command, road in roads:
        print(f"{command:{width}}  {road.files:5}  {road.calls:9}  {road.depth:13}")
    for command, road in roads if arguments.all else ():
        print(f"\n{command}: the functions")
        for file, names in road.functions.items():
            print(f"  {file}: {', '.join(names)}")
        print(f"\n{command}: the deepest stack")
        for number, frame in enumerate(road.stack, 1):
            print(f"  {number:2} {frame}")


if __name__ == "__main__":
    main()
